"""How a transport gets a token, and that no server gets one of ours said back to the user."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import pytest

from inspector.auth.attempt import Asks
from inspector.auth.authority import Authority
from inspector.auth.grant import Profile
from inspector.auth.store import MemoryStore
from inspector.config.targets import Target
from inspector.errors import ConnectionFailed, InspectorError
from inspector.journal.journal import Journal
from inspector.session.pending import Lost, Success
from inspector.transport.http_client import HttpClient
from inspector.transport.http_sse import HttpSse
from inspector.workbench import Phase
from tests.auth.e2e.scripted_person import Person
from tests.auth.rig import Held, bench_for, until
from tests.servers.auth_server import AuthServer, serving
from tests.servers.auth_toggles import HONEST, JSON_HEADERS, Canned, canned_redirect
from tests.servers.guarded_sse import sse_serving
from tests.servers.rude_http import rude_http
from tests.transport.wire import RememberingSink


@pytest.fixture(scope="module")
def running() -> Iterator[AuthServer]:
    with serving() as server:
        yield server


@pytest.fixture
def server(running: AuthServer) -> AuthServer:
    running.reset(HONEST)
    return running


@pytest.mark.parametrize("transport", ["sse", "auto"])
async def test_the_stream_of_http_sse_is_opened_with_a_token(transport: str) -> None:
    person = Person()
    with sse_serving() as server:
        async with bench_for(server, person, transport=transport) as bench:
            state = await bench.connect()
            assert state.phase is Phase.READY, state.error
            params: Any = {"name": "add", "arguments": {"a": 1, "b": 2}}
            made = await bench.session.request("tools/call", params)
            assert isinstance(await made.wait(), Success)
    assert len(person.urls) == 1
    gets = [seen for seen in server.requests("mcp") if seen.method == "GET"]
    assert gets[-1].header("authorization").startswith("Bearer ")
    assert server.rules.complaints == []


async def test_the_time_to_log_in_does_not_count_for_the_endpoint_event() -> None:
    person, seconds = Held(), 2.0
    with sse_serving() as server:
        async with asyncio.TaskGroup() as group:
            transport = HttpSse(Target(url=server.url), Journal(), 1, endpoint_seconds=seconds)
            transport.authorized_by(authority(server, person, group))
            sink = RememberingSink()
            opening = group.create_task(transport.open(sink))
            await person.waiting.wait()
            loop = asyncio.get_running_loop()
            end = loop.time() + seconds * 1.25
            await until(lambda: loop.time() > end)
            assert not opening.done()
            person.go.set()
            await opening
            assert sink.authorized[0] == (None, True)
            assert sink.authorized[-1] == (None, False)
            await transport.close()


def authority(server: AuthServer, person: Any, group: asyncio.TaskGroup) -> Authority:
    return Authority(
        Profile(server.url), Journal(), store=MemoryStore(), person=person, spawn=group.create_task
    )


async def test_a_token_is_never_sent_along_with_a_redirect(server: AuthServer) -> None:
    with serving() as other:
        server.turn(canned={"mcp": (None, canned_redirect(other.url, 307))})
        async with bench_for(server, Person()) as bench:
            state = await bench.connect()
            assert state.error is not None
            assert state.error.kind == "redirect"
    assert other.log == []


HTML = (("Content-Type", "text/html"),)
Echo = Callable[[str], Canned]
ECHOES: dict[str, Echo] = {
    "in a 500": lambda token: Canned(500, f"no {token}".encode()),
    "in a challenge": lambda token: Canned(
        403, b"", (("WWW-Authenticate", f'Bearer error="x", error_description="{token}"'),)
    ),
    "in a 401": lambda token: Canned(401, f"bad {token}".encode()),
    "in a redirect": lambda token: canned_redirect(f"https://x.example/?t={token}"),
    "in a page": lambda token: Canned(200, f"<p>{token}".encode(), HTML),
    "in JSON": lambda token: Canned(200, f'{{"you": "{token}"}}'.encode(), JSON_HEADERS),
}


@pytest.mark.parametrize("case", ECHOES)
async def test_a_server_that_repeats_the_token_does_not_get_it_shown(
    server: AuthServer, case: str
) -> None:
    async with bench_for(server, Person()) as bench:
        await bench.connect()
        access = [text for kind, text in server.rules.secrets if kind == "access_token"]
        server.turn(canned={"mcp": (ECHOES[case](access[-1]),), "token": (Canned(500),)})
        made = await bench.session.request("tools/call", {"name": "add", "arguments": {}})
        outcome = await made.wait()
        assert isinstance(outcome, Lost)
        said = f"{outcome.error!r} {outcome.error} {outcome.error.message} {outcome.error.hint}"
        assert access[-1] not in said
        bodies = b"".join(bench.journal.body(n) for n in range(1, len(bench.journal) + 1))
        assert access[-1].encode() not in bodies


class Script:
    """An authority that says what it is told to."""

    settled = True

    def __init__(self, *again: bool | InspectorError) -> None:
        self.again = list(again)
        self.asks: list[Asks] = []

    async def credential(self, connection: int) -> None:
        del connection

    def accepted(self, sent: object) -> None:
        del sent

    async def refused(
        self, status: int, challenges: Any, sent: Any, connection: int, attempt: Any
    ) -> bool:
        del status, challenges, sent, connection
        self.asks.append(attempt.asks)
        outcome = self.again.pop(0)
        if isinstance(outcome, InspectorError):
            raise outcome
        return outcome


@contextlib.asynccontextmanager
async def client_of(script: Script) -> AsyncIterator[tuple[HttpClient, Any]]:
    async with rude_http("init-401") as peer:
        client = HttpClient(Target(url=peer.url), Journal(), 1)
        client.authority = script  # type: ignore[assignment]
        yield client, peer
        await client.close()


async def _post(client: HttpClient, **named: Any) -> int:
    body = b'{"jsonrpc":"2.0","id":1,"method":"initialize"}'
    async with await client.exchange("POST", client.url, (), body, **named) as answer:
        return answer.status


async def test_a_refused_message_is_sent_as_often_as_the_authority_says() -> None:
    told: list[tuple[object, bool]] = []
    async with client_of(Script(True, True, False)) as (client, peer):
        client.on_authorizing = lambda about, on: told.append((about, on))
        assert await _post(client, about=7, asks=Asks.NEVER) == 401
        assert len(peer.seen) == 3
    assert told == [(7, True), (7, False)] * 3


async def test_what_the_authority_raises_ends_the_exchange() -> None:
    script = Script(ConnectionFailed("given up", kind="auth"))
    async with client_of(script) as (client, peer):
        with pytest.raises(ConnectionFailed, match="given up"):
            await _post(client)
        assert len(peer.seen) == 1
        assert script.asks == [Asks.PERSON]


async def test_who_stops_waiting_for_a_token_ends_only_that() -> None:
    begun = asyncio.Event()

    class Slow(Script):
        async def refused(self, *given: Any) -> bool:
            begun.set()
            await asyncio.Event().wait()
            return False

    async with client_of(Slow()) as (client, _), asyncio.TaskGroup() as group:
        task = group.create_task(_quietly(_post(client, about=7)))
        await begun.wait()
        client.stop_authorizing(8)
        await asyncio.sleep(0)
        assert not task.done()
        client.stop_authorizing(7)
        assert await task is True


async def _quietly(work: Awaitable[object]) -> bool:
    """Whether the work was cancelled."""
    try:
        await work
    except asyncio.CancelledError:
        return True
    return False
