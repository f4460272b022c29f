"""Logging out while something else goes on: what is gone stays gone."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.auth.authority import LAST_RENEWAL_SECONDS
from inspector.auth.store import LateStore, MemoryStore
from inspector.protocol.json_text import Json
from tests.auth.e2e.scripted_person import Person
from tests.auth.rig import PATIENCE, Clock, authority_for
from tests.servers.auth_server import AuthServer, serving
from tests.servers.auth_toggles import HONEST, LEFT_OUT


@pytest.fixture(scope="module")
def running() -> Iterator[AuthServer]:
    with serving() as server:
        yield server


@pytest.fixture
def server(running: AuthServer) -> AuthServer:
    running.reset(HONEST)
    return running


class Busy:
    """Holds back what the token endpoint answers until the test lets go."""

    def __init__(self, server: AuthServer, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked = threading.Event()
        self.go_on = threading.Event()
        self._token = server.rules.token
        monkeypatch.setattr(server.rules, "token", self)

    def __call__(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Json]]:
        answer = self._token(form, authorization)
        self.asked.set()
        assert self.go_on.wait(PATIENCE)
        return answer


async def test_a_refresh_in_the_air_brings_no_token_back_after_logging_out(
    server: AuthServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.turn(metadata={"revocation_endpoint": LEFT_OUT})
    store, clock = MemoryStore(), Clock()
    async with authority_for(server, Person(), store=store, clock=clock) as authority:
        await authority.login()
        clock.now += 3600
        busy = Busy(server, monkeypatch)
        async with asyncio.TaskGroup() as group:
            group.create_task(authority.credential())
            await asyncio.to_thread(busy.asked.wait, PATIENCE)
            leaving = group.create_task(authority.logout())
            await asyncio.wait((leaving,), timeout=LAST_RENEWAL_SECONDS * 1.25)
            busy.go_on.set()
        assert leaving.result()[-1].startswith("deleted")
        assert store.grant(server.url) is None
        assert await authority.credential() is None
        assert authority.state.phase == "none"


async def test_the_tokens_that_another_process_has_refreshed_are_revoked(
    server: AuthServer,
) -> None:
    store, clock = MemoryStore(), Clock()
    async with (
        authority_for(server, Person(), store=store, clock=clock) as one,
        authority_for(server, Person(), store=store, clock=clock) as other,
    ):
        await one.login()
        await other.credential()
        clock.now += 3600
        fresh = await one.credential()
        assert fresh is not None
        assert server.rules.access(fresh.reveal()) is not None
        assert (await other.logout())[-1].startswith("deleted")
    revoked = [seen.form["token"] for seen in server.requests("revoke")]
    assert fresh.reveal() in revoked
    assert store.grant(server.url) is None


async def test_what_needs_a_token_while_logging_out_gets_none(
    server: AuthServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, clock = MemoryStore(), Clock()
    async with authority_for(server, Person(), store=store, clock=clock) as authority:
        await authority.login()
        asked, go_on = threading.Event(), threading.Event()
        revoke = server.rules.revoke

        def slow(form: dict[str, str], authorization: str) -> tuple[int, dict[str, Json]]:
            asked.set()
            assert go_on.wait(PATIENCE)
            return revoke(form, authorization)

        monkeypatch.setattr(server.rules, "revoke", slow)
        async with asyncio.TaskGroup() as group:
            leaving = group.create_task(authority.logout())
            await asyncio.to_thread(asked.wait, PATIENCE)
            clock.now += 3600
            wanting = group.create_task(authority.credential())
            await asyncio.sleep(0)
            go_on.set()
        assert leaving.result()[0] == "refresh token: revoked"
        assert wanting.result() is None
        assert store.grant(server.url) is None
        refreshes = [
            s for s in server.requests("token") if s.form["grant_type"] != "authorization_code"
        ]
        assert refreshes == []


async def test_where_nothing_was_kept_logging_out_leaves_nothing_either(
    server: AuthServer, tmp_path: Path
) -> None:
    folder = tmp_path / "auth"
    async with authority_for(server, Person(), store=LateStore(folder)) as authority:
        assert await authority.logout() == ("nothing was stored",)
    assert not folder.exists()
