"""One authority for many requests: what they need is done once, and nothing is thrown away that may
still be good. Against the authorization server of the tests, through the workbench."""

import asyncio
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, quote_plus, urlsplit

import pytest

from inspector.auth.attempt import Asks, Attempt
from inspector.auth.grant import Grant
from inspector.auth.person import Nobody
from inspector.auth.store import MemoryStore
from inspector.config.targets import Target
from inspector.errors import ConnectionFailed, InspectorError
from inspector.protocol.messages import Sendable
from inspector.session.options import Options
from inspector.session.pending import Call, Lost, Success
from inspector.workbench import Phase, Workbench
from tests.auth.e2e.scripted_person import Person
from tests.auth.rig import Clock, authority_for, bench_for
from tests.servers.auth_server import AuthServer, serving
from tests.servers.auth_toggles import HONEST, Canned, canned_json

INVALID_GRANT = canned_json({"error": "invalid_grant"}, 400)


@pytest.fixture(scope="module")
def running() -> Iterator[AuthServer]:
    with serving() as server:
        yield server


@pytest.fixture
def server(running: AuthServer) -> AuthServer:
    running.reset(HONEST)
    return running


async def call(bench: Workbench, a: int = 1) -> Call:
    params: Sendable = {"name": "add", "arguments": {"a": a, "b": 1}}
    return await bench.session.request("tools/call", params)


async def error_of(made: Call) -> InspectorError:
    outcome = await made.wait()
    assert isinstance(outcome, Lost), outcome
    return outcome.error


def grants(server: AuthServer, kind: str) -> int:
    return sum(seen.form.get("grant_type") == kind for seen in server.requests("token"))


@pytest.mark.parametrize("protocol", ["handshake", "modern", "auto"])
async def test_a_server_that_wants_a_token_gets_one(server: AuthServer, protocol: str) -> None:
    person = Person()
    async with bench_for(server, person, protocol=protocol) as bench:
        state = await bench.connect()
        assert state.phase is Phase.READY, state.error
        assert isinstance(await (await call(bench)).wait(), Success)
        authority = bench.authority
        assert authority is not None
        assert authority.state.phase == "authorized"
        assert dict(authority.state.facts)["issuer"] == server.issuer
        assert [step.state for step in authority.state.steps] == ["done"] * 6
    assert len(person.urls) == 1
    assert server.rules.complaints == []
    # the message that was refused was sent again, as it was
    first, again = server.requests("mcp")[:2]
    assert first.body == again.body
    assert not first.header("authorization")
    assert again.header("authorization").startswith("Bearer ")


async def test_the_token_goes_to_its_own_server_only(server: AuthServer) -> None:
    async with bench_for(server, Person()) as bench:
        await bench.connect()
    access = [text for kind, text in server.rules.secrets if kind == "access_token"]
    for seen in server.log:
        assert seen.endpoint == "mcp" or not any(seen.holds(token) for token in access)


@pytest.mark.parametrize("protocol", ["handshake", "modern"])
async def test_many_refused_calls_lead_to_one_refresh(server: AuthServer, protocol: str) -> None:
    person = Person()
    async with bench_for(server, person, protocol=protocol) as bench:
        await bench.connect()
        server.rules.end_access()
        calls = [await call(bench, number) for number in range(8)]
        outcomes = [await made.wait() for made in calls]
    assert all(isinstance(outcome, Success) for outcome in outcomes)
    assert grants(server, "refresh_token") == 1
    assert len(person.urls) == 1


async def test_many_refused_calls_lead_to_one_browser(server: AuthServer) -> None:
    server.turn(refresh_tokens=False)
    person = Person()
    async with bench_for(server, person) as bench:
        await bench.connect()
        server.rules.end_access()
        calls = [await call(bench, number) for number in range(8)]
        outcomes = [await made.wait() for made in calls]
    assert all(isinstance(outcome, Success) for outcome in outcomes)
    assert len(person.urls) == 2


@pytest.mark.parametrize(
    "answer", [Canned(500), Canned(503), Canned(429), Canned(502, b"<html>"), Canned(504)]
)
async def test_a_server_in_trouble_does_not_cost_the_refresh_token(
    server: AuthServer, answer: Canned
) -> None:
    person, store = Person(), MemoryStore()
    async with bench_for(server, person, store=store) as bench:
        await bench.connect()
        server.rules.end_access()
        server.turn(canned={"token": (answer,)})
        error = await error_of(await call(bench))
        assert error.kind == "auth"
        assert "could not be refreshed" in error.message
        kept = store.grant(server.url)
        assert kept is not None
        assert kept.tokens.refresh is not None
        server.turn(canned={})
        assert isinstance(await (await call(bench)).wait(), Success)
    assert len(person.urls) == 1


async def test_a_void_refresh_token_leads_to_the_browser(server: AuthServer) -> None:
    person, store = Person(), MemoryStore()
    async with bench_for(server, person, store=store) as bench:
        await bench.connect()
        server.rules.end_access()
        server.turn(canned={"token": (INVALID_GRANT, None)})
        assert isinstance(await (await call(bench)).wait(), Success)
    assert len(person.urls) == 2
    assert len(server.requests("register")) == 1  # the client is still good


async def test_where_nobody_can_be_asked_the_error_says_what_to_do(server: AuthServer) -> None:
    async with bench_for(server, None) as bench:
        state = await bench.connect()
    assert state.error is not None
    assert (state.error.kind, state.error.fault) == ("auth", "you")
    assert isinstance(state.error, ConnectionFailed)
    assert state.error.hint == f"log in first: mcp-inspect login {server.url}"
    assert {seen.endpoint for seen in server.log} == {"mcp"}  # nothing else was asked


async def test_a_stored_token_does_without_a_person(server: AuthServer) -> None:
    store = MemoryStore()
    async with bench_for(server, Person(), store=store) as bench:
        await bench.connect()
    seen_before = len(server.log)
    async with bench_for(server, None, store=store) as bench:
        assert (await bench.connect()).phase is Phase.READY
        assert bench.authority is not None
        assert bench.authority.state.phase == "authorized"
    assert {seen.endpoint for seen in server.log[seen_before:]} == {"mcp"}
    assert all(seen.header("authorization") for seen in server.log[seen_before:])


async def test_an_expired_token_is_refreshed_before_it_is_sent(server: AuthServer) -> None:
    store, clock = MemoryStore(), Clock()
    async with authority_for(server, Person(), store=store, clock=clock) as authority:
        await authority.login()
        first = await authority.credential()
    clock.now += 3600
    person = Person()
    async with authority_for(server, person, store=store, clock=clock) as authority:
        settled = [authority.settled]
        fresh = await asyncio.gather(*(authority.credential() for _ in range(5)))
        settled.append(authority.settled)
    assert settled == [False, True]
    assert len(set(fresh)) == 1
    assert fresh[0] not in (None, first)
    assert grants(server, "refresh_token") == 1
    assert person.urls == []


async def test_a_clock_that_jumps_back_and_forth_only_costs_a_refresh(server: AuthServer) -> None:
    clock = Clock()
    async with authority_for(server, Person(), clock=clock) as authority:
        await authority.login()
        clock.now += 3600
        assert await authority.credential() is not None
        clock.now -= 3600
        assert await authority.credential() is not None
    assert grants(server, "refresh_token") == 1


async def test_a_token_about_to_expire_is_used_while_the_refresh_has_to_wait(
    server: AuthServer,
) -> None:
    clock = Clock()
    async with authority_for(server, Person(), clock=clock) as authority:
        await authority.login()
        first = await authority.credential()
        server.turn(canned={"token": (Canned(500),)})
        clock.now += 3590
        assert await authority.credential() == first
        clock.now += 20
        with pytest.raises(ConnectionFailed, match="could not be refreshed"):
            await authority.credential()


class Watching(MemoryStore):
    """Notes what the server had seen when a grant was stored."""

    def __init__(self, server: AuthServer) -> None:
        super().__init__()
        self.server = server
        self.used_before: list[bool] = []

    def keep(self, grant: Grant) -> None:
        token = grant.tokens.access.reveal()
        self.used_before.append(any(seen.holds(token) for seen in self.server.requests("mcp")))
        super().keep(grant)


async def test_a_rotated_token_is_stored_before_it_is_used(server: AuthServer) -> None:
    store = Watching(server)
    async with bench_for(server, Person(), store=store) as bench:
        await bench.connect()
        server.rules.end_access()
        await (await call(bench)).wait()
    assert store.used_before == [False, False]


class Full(MemoryStore):
    """Keeps nothing."""

    def keep(self, grant: Grant) -> None:
        raise InspectorError("the disk is full")


async def test_a_token_that_cannot_be_stored_is_used_and_the_user_is_told(
    server: AuthServer,
) -> None:
    async with bench_for(server, Person(), store=Full()) as bench:
        assert (await bench.connect()).phase is Phase.READY
        assert bench.authority is not None
        assert "the disk is full" in bench.authority.state.problem
    async with authority_for(server, Person(), store=Full()) as authority:
        with pytest.raises(InspectorError, match="lost at exit"):
            await authority.login()


async def test_a_token_that_another_process_has_refreshed_is_taken(server: AuthServer) -> None:
    store = MemoryStore()
    clock = Clock()
    async with (
        authority_for(server, Person(), store=store, clock=clock) as one,
        authority_for(server, Person(), store=store, clock=clock) as other,
    ):
        await one.login()
        assert await other.credential() == await one.credential()
        clock.now += 3600
        fresh = await one.credential()
        assert await other.credential() == fresh
    assert grants(server, "refresh_token") == 1


async def test_an_authorization_header_of_the_users_own_is_all_that_is_tried(
    server: AuthServer,
) -> None:
    target = Target(url=server.url, headers=(("authorization", "Bearer my-0wn-token"),))
    person = Person()
    async with Workbench(target, options=Options(no_record=True), person=person) as bench:
        assert bench.authority is None
        state = await bench.connect()
    assert state.error is not None
    assert state.error.hint == "the server refuses the Authorization header that you gave"
    assert person.urls == []
    assert {seen.endpoint for seen in server.log} == {"mcp"}


async def test_no_secret_of_a_whole_life_is_recorded_or_shown(
    server: AuthServer, tmp_path: Path
) -> None:
    """Login, refresh, more scopes, a failed refresh, a new login, logout."""
    path, person, shown = tmp_path / "recording.jsonl", Person(), ""
    server.turn(metadata={"token_endpoint_auth_methods_supported": ["client_secret_basic"]})
    target = Target(url=server.url)
    async with Workbench(target, options=Options(record=path), person=person) as bench:
        await bench.connect()
        authority = bench.authority
        assert authority is not None
        server.rules.end_access()
        await (await call(bench)).wait()
        locked: Sendable = {"name": "locked", "arguments": {}}
        await (await bench.session.request("tools/call", locked)).wait()
        server.rules.end_access()
        server.turn(canned={"token": (Canned(500, b"no"), INVALID_GRANT, None)})
        for _ in range(3):
            shown += repr(await (await call(bench)).wait())
            shown += repr(authority.state)
        shown += repr(await authority.logout())
    assert len(person.urls) == 3
    written = path.read_bytes()
    secrets = dict.fromkeys(text for kind, text in server.rules.secrets if kind != "cookie")
    for url in person.urls:
        secrets.setdefault(parse_qs(urlsplit(url).query)["state"][0])
    assert len(secrets) >= 10
    for secret in secrets:
        for look in (secret, quote_plus(secret), b64encode(secret.encode()).decode()[:-4]):
            assert look.encode() not in written
            assert look not in shown


async def test_logging_out_revokes_and_deletes(server: AuthServer) -> None:
    store = MemoryStore()
    async with authority_for(server, Person(), store=store) as authority:
        await authority.login()
        done = await authority.logout()
        assert authority.state.phase == "none"
        assert await authority.credential() is None
    assert done[:2] == ("refresh token: revoked", "access token: revoked")
    hints = [seen.form["token_type_hint"] for seen in server.requests("revoke")]
    assert hints == ["refresh_token", "access_token"]
    assert store.grant(server.url) is None


async def test_more_scopes_where_nobody_can_be_asked_are_named_in_the_error(
    server: AuthServer,
) -> None:
    store = MemoryStore()
    async with authority_for(server, Person(), store=store) as authority:
        await authority.login()
    async with authority_for(server, Nobody(server.url), store=store) as authority:
        sent = await authority.credential()
        wants = ['Bearer error="insufficient_scope", scope="vault"']
        with pytest.raises(ConnectionFailed, match=r"more scopes \(vault\)") as caught:
            await authority.refused(403, wants, sent, 1, Attempt())
        assert caught.value.hint.endswith("--scope 'tools vault'")
        assert authority.state.phase == "authorized"  # the token is still good for the rest


async def test_a_server_that_wants_something_else_than_a_token_is_left_alone(
    server: AuthServer,
) -> None:
    person = Person()
    async with authority_for(server, person) as authority:
        assert await authority.refused(401, ['Basic realm="x"'], None, 1, Attempt()) is False
        assert person.urls == []
        metadata = f'Other resource_metadata="{server.origin}/prm.json"'
        assert await authority.refused(401, [metadata], None, 1, Attempt()) is True


@pytest.mark.parametrize("asks", [Asks.NEVER, Asks.LATER])
async def test_what_goes_on_in_the_background_opens_no_browser(
    server: AuthServer, asks: Asks
) -> None:
    person = Person()
    async with authority_for(server, person) as authority, asyncio.TaskGroup() as group:
        refused = group.create_task(authority.refused(401, [], None, 1, Attempt(asks)))
        if asks is Asks.LATER:
            for _ in range(20):
                await asyncio.sleep(0)
            assert not refused.done()
            assert person.urls == []
            await authority.login()  # now there is a token
        assert await refused is (asks is Asks.LATER)


async def test_a_403_of_another_kind_is_none_of_our_business(server: AuthServer) -> None:
    async with authority_for(server, Person()) as authority:
        await authority.login()
        sent = await authority.credential()
        for challenges in ([], ['Bearer error="invalid_token"'], ['Basic realm="x"']):
            assert await authority.refused(403, challenges, sent, 1, Attempt()) is False
        bare = ['Bearer error="insufficient_scope"']
        assert await authority.refused(403, bare, sent, 1, Attempt()) is False
        assert await authority.refused(500, [], sent, 1, Attempt()) is False


async def test_a_server_without_authorization_costs_nothing(server: AuthServer) -> None:
    server.turn(canned={"mcp": (Canned(405),)})
    person = Person()
    async with bench_for(server, person) as bench:
        await bench.connect()
        assert bench.authority is not None
        assert bench.authority.state.phase == "none"
    assert person.urls == []
