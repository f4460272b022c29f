"""Row 23 on the web: the network, and certificates. Each failure is named, and none is passed."""

import datetime
import socket
import ssl
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.session.state import Phase
from inspector.workbench import Options, Workbench
from tests.faults.table import screen, wire
from tests.faults.web import eras, looked
from tests.servers.certificates import certificates
from tests.servers.rude_places import Host, hosting
from tests.session.scene import soon

LONG_AGO = datetime.datetime(2021, 1, 1, tzinfo=datetime.UTC)
TRANSPORTS = {"H": "http", "E": "sse"}


async def why_not(url: str, place: str, era: str = "2025-11-25") -> tuple[str, str, str]:
    """Kind, words and hint of why that server cannot be reached."""
    target = Target(url=url, transport=TRANSPORTS[place])  # type: ignore[arg-type]
    options = Options(no_record=True, connect_timeout=10, protocol=era)
    async with Workbench(target, options=options) as bench:
        state = await soon(bench.connect())
        assert state.phase is Phase.FAILED
        assert state.error is not None
        return state.error.kind, state.error.message, state.error.hint


@wire(23, "HE")
async def names_and_ports_that_lead_nowhere_are_told_apart(place: str, _: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}/mcp"
        told = set()
        for era in eras(place):
            kind, words, hint = await why_not("http://no-such-host.invalid/mcp", place, era)
            assert (kind, "no-such-host.invalid" in words) == ("dns", True)
            told.add((words, hint))
            kind, words, hint = await why_not(closed, place, era)
            assert (kind, "connection refused" in words) == ("refused", True)
            told.add((words, hint))
        assert len(told) == 2


BAD = {
    "by itself": ({"alone": True}, ("localhost",), "is signed by nobody but itself"),
    "by a stranger": ({}, ("localhost",), "comes from an issuer that is not trusted here"),
    "too old": ({"until": LONG_AGO}, ("localhost",), "has expired"),
    "for another": ({}, ("other.example",), "is for another host"),
    "good": ({}, ("localhost",), ""),
}


@wire(23, "HE")
async def bad_certificates_are_told_apart_and_none_is_passed(place: str, folder: Path) -> None:
    for name, (how, names, words) in BAD.items():
        trusted, served = certificates(folder, names, **how)  # type: ignore[arg-type]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(served)
        host = Host(place)
        with pytest.MonkeyPatch.context() as patch:
            if name != "by a stranger":
                patch.setenv("SSL_CERT_FILE", str(trusted))
            async with hosting(host, tls=context):
                url = host.url.replace("http://127.0.0.1", "https://localhost")
                if name == "good":  # the control: the same, and it is let in
                    target = Target(url=url, transport=TRANSPORTS[place])  # type: ignore[arg-type]
                    async with Workbench(target, options=Options(no_record=True)) as bench:
                        assert (await soon(bench.connect())).ready
                    continue
                kind, message, hint = await why_not(url, place)
                assert kind == "tls"
                assert f"the certificate of localhost {words}" in message
                assert hint
                assert host.seen == []


@screen(23, "E")
async def the_screen_says_that_nothing_listens(place: str, _: Path) -> None:
    async def gone(host: Host, x: object, m: object) -> bool:
        raise ConnectionResetError

    async with looked(place, host=Host(place, other=gone)) as here:
        await here.until(lambda: here.phase is Phase.FAILED, here.text)
        await here.shows("closed the connection without an answer")
