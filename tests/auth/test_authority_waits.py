"""While a person is asked: no clock runs, nobody else waits, and everybody may give up. And how
often somebody is asked where a server is never content."""

import asyncio
from collections.abc import Iterator

import pytest

from inspector.auth.attempt import Attempt
from inspector.errors import RequestCancelled
from inspector.protocol.messages import Sendable
from inspector.protocol.versions import Era
from inspector.session.pending import Call, Lost, Success
from inspector.workbench import Phase, Workbench
from tests.auth.e2e.scripted_person import Person
from tests.auth.rig import Held, authority_for, bench_for, until
from tests.servers.auth_server import AuthServer, serving
from tests.servers.auth_toggles import HONEST, Canned

TIMEOUT = 2.0
"""Long enough for a busy machine, short enough to be waited out."""


@pytest.fixture(scope="module")
def running() -> Iterator[AuthServer]:
    with serving() as server:
        yield server


@pytest.fixture
def server(running: AuthServer) -> AuthServer:
    running.reset(HONEST)
    return running


async def call(bench: Workbench, tool: str = "add") -> Call:
    params: Sendable = {"name": tool, "arguments": {"a": 1, "b": 2} if tool == "add" else {}}
    return await bench.session.request("tools/call", params)


async def longer_than_the_timeout() -> None:
    loop = asyncio.get_running_loop()
    end = loop.time() + TIMEOUT * 1.25
    await until(lambda: loop.time() > end)


async def connected(bench: Workbench, server: AuthServer) -> None:
    """Connected, and all that belongs to it has arrived, the GET of a handshake server last."""
    state = await bench.connect()
    assert state.phase is Phase.READY, state.error
    if bench.session.era is Era.HANDSHAKE:
        await until(lambda: any(seen.method == "GET" for seen in server.requests("mcp")))


def void(server: AuthServer) -> None:
    """No token is good any more, and none can be refreshed."""
    server.rules.tokens.clear()


async def test_the_time_a_person_takes_to_log_in_is_not_the_servers(server: AuthServer) -> None:
    person = Held()
    async with (
        bench_for(
            server, person, timeout=TIMEOUT, max_timeout=TIMEOUT, connect_timeout=TIMEOUT
        ) as bench,
        asyncio.TaskGroup() as group,
    ):
        connecting = group.create_task(bench.connect())
        await person.waiting.wait()
        await longer_than_the_timeout()
        assert not connecting.done()
        person.go.set()
        state = await connecting
        assert state.phase is Phase.READY, state.error
        await connected(bench, server)
        void(server)
        person.go.clear()
        person.waiting.clear()
        made = await call(bench)
        await person.waiting.wait()
        await longer_than_the_timeout()
        assert made.waiting_for_us
        person.go.set()
        assert isinstance(await made.wait(), Success)


@pytest.mark.parametrize("protocol", ["handshake", "modern"])
async def test_a_cancelled_call_ends_the_wait_at_once(server: AuthServer, protocol: str) -> None:
    person = Held()
    person.go.set()
    async with bench_for(server, person, protocol=protocol) as bench:
        await connected(bench, server)
        void(server)
        person.go.clear()
        person.waiting.clear()
        closed = person.closed
        made = await call(bench)
        await person.waiting.wait()
        await made.cancel()
        outcome = await made.wait()
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, RequestCancelled)
        await until(lambda: person.closed == closed + 1)
        authority = bench.authority
        assert authority is not None
        assert authority.state.phase == "failed"


async def test_one_cancelled_call_does_not_take_the_login_from_another(server: AuthServer) -> None:
    person = Held()
    person.go.set()
    async with bench_for(server, person) as bench:
        await connected(bench, server)
        void(server)
        person.go.clear()
        person.waiting.clear()
        one, other = await call(bench), await call(bench)
        await person.waiting.wait()
        await until(lambda: one.waiting_for_us and other.waiting_for_us)
        await one.cancel()
        person.go.set()
        assert isinstance(await other.wait(), Success)
    assert len(person.scripted.urls) == 2


async def test_quitting_ends_the_wait(server: AuthServer) -> None:
    person = Held()
    async with bench_for(server, person) as bench, asyncio.TaskGroup() as group:
        connecting = group.create_task(bench.connect())
        await person.waiting.wait()
        async with asyncio.timeout(20):
            await bench.disconnect()
        await connecting
    assert person.closed == 1
    assert person.scripted.urls == []


async def test_giving_up_the_login_tells_the_call_why(server: AuthServer) -> None:
    person = Held()
    async with bench_for(server, person) as bench, asyncio.TaskGroup() as group:
        connecting = group.create_task(bench.connect())
        await person.waiting.wait()
        assert bench.authority is not None
        assert bench.authority.state.phase == "waiting"
        assert bench.authority.state.waiting_for == "consent"
        bench.authority.cancel()
        state = await connecting
        assert state.error is not None
        assert (state.error.kind, state.error.fault) == ("auth", "you")


async def test_a_cancel_notification_passes_while_another_request_is_in_the_air(
    server: AuthServer,
) -> None:
    """No lock is held: not while a call hangs, and not while a person is asked for another."""
    async with bench_for(server, Person()) as bench:
        await connected(bench, server)
        server.turn(canned={"mcp": (Canned(hangs=True), None)})
        before = len(server.requests("mcp"))
        hanging = await call(bench)
        await until(lambda: len(server.requests("mcp")) > before)
        assert isinstance(await (await call(bench)).wait(), Success)
        await hanging.cancel("enough")
        await until(
            lambda: any(b"notifications/cancelled" in seen.body for seen in server.requests("mcp"))
        )


async def test_a_server_that_refuses_every_token_opens_one_browser(server: AuthServer) -> None:
    server.turn(refuses_all=True)
    person = Person()
    async with bench_for(server, person) as bench:
        state = await bench.connect()
        assert state.error is not None
        assert "issued for it just now" in state.error.message
        assert len(person.urls) == 1
        await bench.reconnect()  # another action of the user's
        assert len(person.urls) == 2
        server.turn(refuses_all=False)
        assert bench.authority is not None
        await bench.authority.retry()  # there is no step to go on from: from the beginning
        assert bench.authority.state.phase == "authorized"


async def test_refused_calls_of_one_connection_open_one_browser(server: AuthServer) -> None:
    person = Person()
    async with bench_for(server, person) as bench:
        await bench.connect()
        server.turn(refuses_all=True)
        for _ in range(3):
            outcomes = [await made.wait() for made in [await call(bench) for _ in range(4)]]
            assert all(isinstance(outcome, Lost) for outcome in outcomes)
        assert len(person.urls) == 2  # the one of connecting, and one


async def test_after_a_denied_login_the_next_call_opens_no_browser_by_itself(
    server: AuthServer,
) -> None:
    person = Person()
    async with bench_for(server, person) as bench:
        await connected(bench, server)
        void(server)
        server.turn(redirect={"error": "access_denied", "code": "\x00left out"})
        for _ in range(2):
            outcome = await (await call(bench)).wait()
            assert isinstance(outcome, Lost)
            assert outcome.error.kind == "auth"
        assert len(person.urls) == 2
        server.turn(redirect={})
        assert bench.authority is not None
        await bench.authority.login(bench.session.state.connection)
        assert isinstance(await (await call(bench)).wait(), Success)


async def test_more_scopes_are_asked_for_once_and_confirmed(server: AuthServer) -> None:
    person = Person()
    async with bench_for(server, person) as bench:
        await bench.connect()
        assert isinstance(await (await call(bench, "locked")).wait(), Success)
        assert isinstance(await (await call(bench, "locked")).wait(), Success)
        assert bench.authority is not None
        assert dict(bench.authority.state.facts)["scopes requested"] == "tools vault"
    assert person.asked == ["scopes"]
    assert len(person.urls) == 2


async def test_a_token_of_ours_is_no_scope_to_ask_for(server: AuthServer) -> None:
    """It would stand in the question, in the address that the browser opens, and in the steps."""
    person = Person()
    async with authority_for(server, person) as authority:
        await authority.login()
        token = await authority.credential()
        assert token is not None
        wants = [f'Bearer error="insufficient_scope", scope="vault {token.reveal()}"']
        assert not await authority.refused(403, wants, token, 1, Attempt())
        assert token.reveal() not in repr(authority.state)
    assert person.asked == []


async def test_without_consent_to_more_scopes_only_that_call_fails(server: AuthServer) -> None:
    person = Person(confirms=False)
    async with bench_for(server, person) as bench:
        await bench.connect()
        outcome = await (await call(bench, "locked")).wait()
        assert isinstance(outcome, Lost)
        assert (outcome.error.kind, outcome.error.fault) == ("auth", "you")
        assert isinstance(await (await call(bench)).wait(), Success)
    assert len(person.urls) == 1


async def test_a_server_that_always_wants_more_scopes_is_asked_no_more_than_thrice(
    server: AuthServer,
) -> None:
    server.turn(asks_again=True)
    person = Person()
    async with bench_for(server, person) as bench:
        await bench.connect()
        outcome = await (await call(bench, "locked")).wait()
        assert isinstance(outcome, Lost)
        assert outcome.error.kind == "auth"
    assert 1 <= len(person.asked) <= 3
    assert len(person.urls) <= 4


async def test_what_failed_after_the_browser_goes_on_from_there(server: AuthServer) -> None:
    server.turn(canned={"token": (Canned(500),)})
    person = Person()
    async with authority_for(server, person) as authority:
        with pytest.raises(Exception, match="500"):
            await authority.login()
        assert authority.state.error is not None
        assert authority.state.error.stage.value == "token"
        searched = len(server.requests("prm"))
        server.turn(canned={})
        await authority.retry()
        assert authority.state.phase == "authorized"
        assert await authority.credential() is not None
    assert len(server.requests("prm")) == searched  # nothing was looked for again
    assert len({url.partition("state=")[2] for url in person.urls}) == 2
