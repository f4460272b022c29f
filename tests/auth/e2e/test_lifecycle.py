"""A token's life: kept, used again, refreshed, widened, refused, replaced and revoked, against an
authorization server that counts what it is asked."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.auth.grant import Grant
from inspector.auth.store import FileStore
from inspector.errors import InspectorError
from tests.auth.e2e.scripted_person import Person
from tests.auth.e2e.visit import Visit, until
from tests.servers.auth_rules import Token
from tests.servers.auth_server import AuthServer, serving
from tests.servers.auth_toggles import (
    HONEST,
    LEFT_OUT,
    Canned,
    canned_html,
    canned_json,
    canned_redirect,
)

HOUR = 3600.0


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[AuthServer, AuthServer]]:
    with serving() as other, serving(names={"other": other.origin}) as server:
        yield server, other


@pytest.fixture
def server(running: tuple[AuthServer, AuthServer]) -> AuthServer:
    for each in running:
        each.reset(HONEST)
    return running[0]


@pytest.fixture
def other(running: tuple[AuthServer, AuthServer]) -> AuthServer:
    return running[1]


def grants_asked(server: AuthServer) -> list[str]:
    return [seen.form.get("grant_type", "") for seen in server.requests("token")]


def newest(server: AuthServer, kind: str) -> str:
    return [text for name, text in server.rules.secrets if name == kind][-1]


async def logged_in(server: AuthServer, folder: Path) -> None:
    async with Visit(server.url, folder, Person()) as visit:
        assert await visit.call() == "5"


async def test_the_next_visit_needs_no_browser(server: AuthServer, tmp_path: Path) -> None:
    await logged_in(server, tmp_path)
    person = Person()
    async with Visit(server.url, tmp_path, person) as visit:
        assert visit.authority.state.phase in {"stored", "authorized"}
        assert await visit.call() == "5"
    assert person.urls == []
    assert grants_asked(server) == ["authorization_code"]
    assert len(server.requests("register")) == 1


async def test_the_token_goes_in_the_header_of_every_request_and_nowhere_else(
    server: AuthServer, tmp_path: Path
) -> None:
    await logged_in(server, tmp_path)
    token = newest(server, "access_token")
    asked = server.requests("mcp")
    assert len(asked) > 3
    assert [seen.header("authorization") for seen in asked[1:]] == [f"Bearer {token}"] * (
        len(asked) - 1
    )
    others = [seen for seen in server.log if seen.endpoint != "mcp"]
    assert not any(seen.holds(token) for seen in others)
    assert not any(token in seen.query or token.encode() in seen.body for seen in asked)


async def test_an_expired_token_is_refreshed_before_it_is_sent(
    server: AuthServer, tmp_path: Path
) -> None:
    await logged_in(server, tmp_path)
    first = newest(server, "access_token")
    asked = len(server.requests("mcp"))
    person = Person()
    async with Visit(server.url, tmp_path, person) as early:
        early.clock.ahead = HOUR + 1
        assert await early.call() == "5"
    assert person.urls == []
    assert grants_asked(server) == ["authorization_code", "refresh_token"]
    second = newest(server, "access_token")
    later = server.requests("mcp")[asked:]
    assert second != first
    assert any(seen.header("authorization") == f"Bearer {second}" for seen in later)
    assert early.store.grant(server.url) is not None
    assert newest(server, "refresh_token").encode() in early.kept
    assert first.encode() not in early.kept


async def test_many_calls_that_are_refused_at_once_are_one_refresh(
    server: AuthServer, tmp_path: Path
) -> None:
    person = Person()
    async with Visit(server.url, tmp_path, person) as visit:
        server.rules.end_access()
        results = await asyncio.gather(*(visit.call(a=i, b=i) for i in range(8)))
    assert results == [str(2 * i) for i in range(8)]
    assert grants_asked(server) == ["authorization_code", "refresh_token"]
    assert len(person.urls) == 1
    assert server.rules.complaints == []


async def test_many_calls_without_a_refresh_token_are_one_browser(
    server: AuthServer, tmp_path: Path
) -> None:
    server.turn(refresh_tokens=False)
    person = Person()
    async with Visit(server.url, tmp_path, person) as visit:
        server.rules.end_access()
        results = await asyncio.gather(*(visit.call(a=i, b=i) for i in range(8)))
    assert results == [str(2 * i) for i in range(8)]
    assert len(person.urls) == 2


async def test_a_refresh_token_that_is_not_replaced_is_kept(
    server: AuthServer, tmp_path: Path
) -> None:
    server.turn(rotate=False)
    async with Visit(server.url, tmp_path, Person()) as visit:
        for _ in range(3):
            server.rules.end_access()
            assert await visit.call() == "5"
    assert grants_asked(server) == ["authorization_code", *["refresh_token"] * 3]
    assert newest(server, "refresh_token").encode() in visit.kept


async def test_a_void_refresh_token_leads_to_the_browser_once(
    server: AuthServer, tmp_path: Path
) -> None:
    person = Person()
    async with Visit(server.url, tmp_path, person) as visit:
        server.rules.tokens.clear()
        assert await visit.call() == "5"
    assert grants_asked(server) == ["authorization_code", "refresh_token", "authorization_code"]
    assert len(person.urls) == 2
    assert len(server.requests("register")) == 1


@pytest.mark.parametrize(
    "answer",
    [Canned(500), Canned(503), Canned(429), canned_html(502), canned_json({}, 500)],
    ids=["500", "503", "429", "502-page", "500-json"],
)
async def test_a_server_in_trouble_costs_no_token(
    server: AuthServer, answer: Canned, tmp_path: Path
) -> None:
    """Row 37: only a clear word makes a refresh token void."""
    person = Person()
    async with Visit(server.url, tmp_path, person) as visit:
        kept = visit.kept
        server.rules.end_access()
        server.turn(canned={"token": (answer,)})
        failed = await visit.call()
        assert failed != "5"
        assert visit.kept == kept
        assert len(person.urls) == 1
        server.turn(canned={})
        assert await visit.call() == "5"
    assert len(person.urls) == 1
    assert grants_asked(server)[-1] == "refresh_token"


async def test_an_answer_that_nobody_understands_costs_no_token(
    server: AuthServer, tmp_path: Path
) -> None:
    """A page with status 200, as captive portals send it, says nothing about the token."""
    async with Visit(server.url, tmp_path, Person()) as visit:
        kept = visit.store.grant(server.url)
        assert kept is not None
        server.rules.end_access()
        server.turn(canned={"token": (canned_html(),), "authorize": (canned_html(),)})
        failed = await visit.call()
        assert "nobody came back" in failed
        assert visit.store.grant(server.url) == kept


async def test_a_fresh_token_that_is_refused_opens_no_second_browser(
    server: AuthServer, tmp_path: Path
) -> None:
    """Row 38."""
    server.turn(refuses_all=True)
    person = Person()
    async with Visit(server.url, tmp_path, person) as visit:
        assert "refus" in visit.error
    assert len(person.urls) == 1
    assert len(server.requests("authorize")) == 1
    assert grants_asked(server).count("authorization_code") == 1


async def test_a_tool_that_needs_more_asks_for_more_and_keeps_what_it_had(
    server: AuthServer, tmp_path: Path
) -> None:
    person = Person()
    async with Visit(server.url, tmp_path, person) as visit:
        assert await visit.call("locked") == "the vault is open"
        assert await visit.call() == "5"
    assert person.asked == ["scopes"]
    asked = [seen.form["scope"] for seen in server.requests("authorize")]
    assert [set(scope.split()) for scope in asked] == [{"tools"}, {"tools", "vault"}]


async def test_who_does_not_want_to_give_more_is_not_sent_to_the_browser(
    server: AuthServer, tmp_path: Path
) -> None:
    person = Person(confirms=False)
    async with Visit(server.url, tmp_path, person) as visit:
        failed = await visit.call("locked")
        assert "scope" in failed
        assert await visit.call() == "5"
    assert len(person.urls) == 1


async def test_a_server_that_never_has_enough_is_given_up(
    server: AuthServer, tmp_path: Path
) -> None:
    server.turn(asks_again=True)
    person = Person()
    async with Visit(server.url, tmp_path, person) as visit:
        failed = await visit.call("locked")
    assert "scope" in failed
    assert 1 <= person.asked.count("scopes") <= 3
    assert len(person.urls) <= 4


@pytest.mark.parametrize("status", [302, 303, 307, 308])
async def test_a_redirect_to_another_origin_gets_no_token(
    server: AuthServer, other: AuthServer, status: int, tmp_path: Path
) -> None:
    await logged_in(server, tmp_path)
    server.turn(canned={"mcp": (canned_redirect("{other}/mcp", status),)})
    async with Visit(server.url, tmp_path, Person()) as visit:
        assert str(status) in visit.error or "redirect" in visit.error
    assert other.log == []


async def test_a_challenge_that_points_elsewhere_gets_no_token(
    server: AuthServer, other: AuthServer, tmp_path: Path
) -> None:
    """The other server's metadata is about itself: a token for it is none of ours."""
    server.turn(challenge=('Bearer resource_metadata="{other}/prm.json"',))
    async with Visit(server.url, tmp_path, Person()) as visit:
        assert "not about" in visit.error
    assert other.leaked(server.rules.secrets) == []
    assert {seen.endpoint for seen in other.log} == {"prm"}


async def test_another_authorization_server_gets_nothing_of_the_one_before(
    server: AuthServer, other: AuthServer, tmp_path: Path
) -> None:
    await logged_in(server, tmp_path)
    before = list(server.rules.secrets)
    clients = set(server.rules.clients)
    server.rules.tokens.clear()
    server.turn(prm={"authorization_servers": ["{other}"]}, canned={"token": (Canned(500),)})
    other.turn(resource_required=False)
    other.names["resource"] = server.url
    person = Person()
    async with Visit(server.url, tmp_path, person, {"issuer": other.issuer}) as visit:
        await visit.authority.login()
    assert len(other.requests("register")) == 1
    assert len(other.requests("token")) == 1
    assert other.leaked(before) == []
    assert not any(seen.holds(name) for seen in other.log for name in clients)


async def test_logging_out_revokes_and_forgets(server: AuthServer, tmp_path: Path) -> None:
    async with Visit(server.url, tmp_path, Person()) as visit:
        access, refresh = newest(server, "access_token"), newest(server, "refresh_token")
        said = await visit.authority.logout()
        revoked = [seen.form["token"] for seen in server.requests("revoke")]
        assert revoked == [refresh, access] or revoked == [refresh]
        assert server.rules.tokens == {}
        assert any("revoked" in line for line in said)
        assert access not in "".join(said)
    assert visit.store.grant(server.url) is None
    assert access.encode() not in visit.kept
    assert refresh.encode() not in visit.kept


async def test_logging_out_forgets_also_where_nothing_can_be_revoked(
    server: AuthServer, tmp_path: Path
) -> None:
    server.turn(canned={"revoke": (Canned(500),)})
    async with Visit(server.url, tmp_path, Person()) as visit:
        said = await visit.authority.logout()
    assert any("500" in line or "not revoked" in line for line in said)
    assert visit.store.grant(server.url) is None
    assert visit.kept.find(newest(server, "refresh_token").encode()) < 0


async def test_without_a_place_to_revoke_it_is_said_so(server: AuthServer, tmp_path: Path) -> None:
    server.turn(metadata={"revocation_endpoint": LEFT_OUT})
    async with Visit(server.url, tmp_path, Person()) as visit:
        said = await visit.authority.logout()
    assert any("revo" in line for line in said)
    assert server.requests("revoke") == []


async def test_a_server_that_is_down_after_the_browser_can_be_tried_again(
    server: AuthServer, tmp_path: Path
) -> None:
    """Row 39: the step is marked as failed, and the retry has a state and a verifier of its own."""
    server.turn(canned={"token": (Canned(503),)})
    person = Person()
    async with Visit(server.url, tmp_path, person) as visit:
        state = visit.authority.state
        assert state.phase == "failed"
        assert state.error is not None
        assert state.error.stage.value == "token"
        assert state.steps[-1].state == "failed"
        server.turn(canned={})
        await visit.authority.retry()
        assert visit.authority.state.phase == "authorized"
        await visit.bench.reconnect()
        assert await visit.call() == "5"
    first, second = person.urls
    assert first != second
    assert len(server.requests("prm")) == 1
    assert server.rules.complaints == []


async def test_a_rotated_token_is_stored_before_it_is_sent(
    server: AuthServer, tmp_path: Path
) -> None:
    """Who is killed in between still has the refresh token that is good."""
    stored: list[bool] = []
    async with Visit(server.url, tmp_path, Person()) as visit:
        server.rules.end_access()
        known = server.rules.access

        def access(token: str) -> Token | None:
            newest_refresh = newest(server, "refresh_token").encode()
            stored.append(token.encode() in visit.kept and newest_refresh in visit.kept)
            return known(token)

        server.rules.access = access  # type: ignore[method-assign]
        assert await visit.call() == "5"
    # The first is the one that is refused: what is stored then is still the former pair.
    assert len(stored) >= 2
    assert all(stored)


async def test_a_token_that_cannot_be_stored_is_used_and_said(
    server: AuthServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep(self: FileStore, grant: Grant) -> None:
        raise InspectorError("the disk is full")

    monkeypatch.setattr(FileStore, "keep", keep)
    async with Visit(server.url, tmp_path, Person()) as visit:
        assert await visit.call() == "5"
        assert "the disk is full" in visit.authority.state.problem
    assert visit.kept.find(newest(server, "access_token").encode()) < 0


async def test_nothing_waits_behind_a_request_that_is_in_the_air(
    server: AuthServer, tmp_path: Path
) -> None:
    """Neither another call, nor the refresh that it needs, nor the cancellation of the first."""
    async with Visit(server.url, tmp_path, Person()) as visit:
        server.turn(hangs_on="for ever")
        slow = await visit.bench.session.request(
            "tools/call", {"name": "shout", "arguments": {"text": "for ever"}}
        )
        await until(lambda: any(seen.holds("for ever") for seen in server.log))
        assert await visit.call() == "5"
        server.rules.end_access()
        assert await visit.call() == "5"
        assert slow.outcome is None
        await slow.cancel("enough")
        await slow.wait()
    said = [seen.body for seen in server.requests("mcp")]
    assert any(b"notifications/cancelled" in body for body in said)
