"""Forty redirects to another origin that listens, and nothing of ours arrives there (T14)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.journal.journal import Journal
from inspector.session.pending import Lost, Success
from inspector.workbench import Options, Workbench
from tests.servers.rude_http import Exchange, Message
from tests.servers.rude_places import Host, hosting, result
from tests.session.scene import soon

CANARY = "canary-7d1f0c2b9a"
HEADERS = (
    ("Authorization", f"Bearer {CANARY}-bearer"),
    ("X-Api-Key", f"{CANARY}-key"),
    ("Cookie", f"sid={CANARY}-cookie"),
    ("X-Anything", f"{CANARY}-custom"),
)
SHAPES = (
    "http://127.0.0.1:{sink}/x", "http://localhost:{sink}/x", "http://[::1]:{sink}/x",
    "//127.0.0.1:{sink}/x", "//localhost:{sink}", "///127.0.0.1:{sink}/x",
    "http:\\\\127.0.0.1:{sink}\\x", "/\\127.0.0.1:{sink}/x", "\\\\127.0.0.1:{sink}/x",
    "http:/127.0.0.1:{sink}/x", "http:127.0.0.1:{sink}/x",
    "HTTP://127.0.0.1:{sink}/x", "hTTp://LOCALHOST:{sink}/x",
    "http://127.0.0.1:{port}@127.0.0.1:{sink}/x", "http://a:b@127.0.0.1:{sink}/x",
    "http://127.0.0.1:{port}#@127.0.0.1:{sink}/x", "http://127.0.0.1:{port}\\@127.0.0.1:{sink}/x",
    "http://127.0.0.1:{port}%40127.0.0.1:{sink}/x", "http://127.1:{sink}/x",
    "http://2130706433:{sink}/x", "http://0x7f000001:{sink}/x", "http://0177.0.0.1:{sink}/x",
    "http://0:{sink}/x", "http://0.0.0.0:{sink}/x", "http://127.0.0.1.:{sink}/x",
    "http://[::ffff:127.0.0.1]:{sink}/x", "http://127.0.0.1:{sink}\\x",
    "https://127.0.0.1:{sink}/x", "https://127.0.0.1:{port}/mcp", "ws://127.0.0.1:{sink}/x",
    "ftp://127.0.0.1:{sink}/x", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x",
    "http://127.0.0.1:{sink}", " http://127.0.0.1:{sink}/x", "\thttp://127.0.0.1:{sink}/x",
    "http://127.0.0.1:{sink}/?next=http://127.0.0.1:{port}/mcp", "http://127.0.0.1:0{sink}/x",
    "http://user@127.0.0.1:{port}/mcp", "http://１２７.0.0.1:{sink}/x", "", "http://", "http:",
)  # fmt: skip
STATUSES = (301, 302, 303, 307, 308)


@asynccontextmanager
async def sink() -> AsyncIterator[tuple[int, list[bytes]]]:
    """A port that keeps every byte that arrives."""
    arrived: list[bytes] = []

    async def keep(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        arrived.append(b"connected ")
        arrived.append(await reader.read(65536))
        writer.close()

    server = await asyncio.start_server(keep, ["127.0.0.1", "::1"], 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield port, arrived
    finally:
        server.close()


@pytest.mark.parametrize("place", ["H", "E", "modern"])
async def test_nothing_of_ours_arrives_where_a_redirect_points(place: str, tmp_path: Path) -> None:
    async with sink() as (port, arrived):
        shapes = [(status, shape) for shape in SHAPES for status in STATUSES[-2:]]
        shapes += [(status, SHAPES[0]) for status in STATUSES[:-2]]
        told: list[str] = []

        async def away(host: Host, x: Exchange, m: Message) -> None:
            status, shape = shapes[len(told)]
            to = shape.format(sink=port, port=host.peer.port)
            await x.send(status, Location=to.encode().decode("latin-1"))

        host = Host("E" if place == "E" else "H", away)
        async with hosting(host):
            transport = "sse" if place == "E" else "http"
            target = Target(
                url=f"{host.url}?token={CANARY}-query",
                transport=transport,  # type: ignore[arg-type]
                headers=HEADERS,
            )
            protocol = "modern" if place == "modern" else "handshake"
            options = Options(no_record=True, protocol=protocol)
            async with Workbench(target, options=options) as bench:
                assert (await soon(bench.connect())).ready
                for _ in shapes:
                    call = await bench.session.call_tool("poke", {"secret": CANARY}, timeout=20)
                    outcome = await soon(call.wait())
                    assert isinstance(outcome, Lost), shapes[len(told)]
                    assert outcome.error.kind == "redirect", (shapes[len(told)], outcome.error)
                    assert CANARY not in outcome.error.message + outcome.error.hint
                    told.append(outcome.error.message)
                good = await bench.session.call_tool("good", {})
                assert isinstance(await soon(good.wait()), Success)
        assert len(set(SHAPES)) >= 40
        assert arrived == []
    # the control: the canaries are sent where they belong
    sent = [dict(seen.headers) for seen in host.sent("tools/call")]
    assert all(CANARY in str(one) for one in sent)


async def test_a_cookie_of_one_server_is_given_to_no_other(tmp_path: Path) -> None:
    """Cookies know no ports: each connection has a jar of its own."""

    async def sets(host: Host, x: Exchange, m: Message) -> None:
        cookie = f"sid={CANARY}; Domain=127.0.0.1; Path=/"
        await x.reply(result(m), Set_Cookie=cookie)

    giver, taker = Host("H", sets), Host("H")
    async with hosting(giver), hosting(taker):
        journals: list[Journal] = []
        for host in (giver, taker):
            async with Workbench(Target(url=host.url), options=Options(no_record=True)) as bench:
                assert (await soon(bench.connect())).ready
                for name in ("poke", "good"):
                    await soon((await bench.session.call_tool(name, {})).wait())
                journals.append(bench.journal)
        assert not [seen for seen in taker.seen if "cookie" in seen.headers]
