"""What happens where nobody can be asked, or the one who is asked goes away."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from inspector.auth.person import Consent, Nobody
from tests.auth.e2e.scripted_person import BACK, Browsing, Person
from tests.auth.e2e.visit import Visit
from tests.servers.auth_server import AuthServer, serving


@pytest.fixture
def server() -> Iterator[AuthServer]:
    with serving() as running:
        yield running


class Away(Person):
    """Opens the browser, and never comes back."""

    def __init__(self) -> None:
        super().__init__()
        self.opened = asyncio.Event()

    def consent(self) -> Consent:
        return _Waiting(self)


class _Waiting(Browsing):
    async def open(self, wanted: tuple[str, ...] = ()) -> str:
        return BACK

    async def fetch(self, url: str, take: Callable[[str], bool]) -> None:
        assert isinstance(self.person, Away)
        self.person.opened.set()
        await asyncio.Event().wait()


async def test_nobody_is_sent_to_the_login_command(server: AuthServer, tmp_path: Path) -> None:
    async with Visit(server.url, tmp_path, Nobody(server.url)) as visit:
        assert f"mcp-inspect login {server.url}" in visit.error
    assert server.requests("register") == []
    assert server.requests("authorize") == []


async def test_nobody_still_has_a_token_refreshed(server: AuthServer, tmp_path: Path) -> None:
    async with Visit(server.url, tmp_path, Person()) as visit:
        assert await visit.call() == "5"
    server.rules.end_access()
    async with Visit(server.url, tmp_path, Nobody(server.url)) as visit:
        assert await visit.call() == "5"
    assert len(server.requests("authorize")) == 1


async def test_whoever_gives_up_leaves_nothing_behind(server: AuthServer, tmp_path: Path) -> None:
    person = Away()
    visit = Visit(server.url, tmp_path, person)
    async with asyncio.TaskGroup() as group:
        entering = group.create_task(visit.__aenter__())
        await person.opened.wait()
        visit.authority.cancel()
        await entering
    assert visit.error
    assert visit.store.grant(server.url) is None
    assert server.requests("token") == []
    await visit.__aexit__(None, None, None)
