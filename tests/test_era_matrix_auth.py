"""The era matrix at a protected server: whoever starts it is asked once, not once a revision."""

from collections.abc import Iterator

import pytest

from inspector.auth.person import Consent
from inspector.auth.scopes import StepUp
from inspector.config.targets import Target
from inspector.era_matrix import EraMatrix, Wanted
from inspector.errors import ConnectionFailed
from inspector.workbench import Options, Workbench
from tests.auth.e2e.scripted_person import Person
from tests.servers.auth_server import AuthServer, serving
from tests.servers.auth_toggles import HONEST

ADD = Wanted("tools/call", "add", {"a": 2, "b": 3})
LOCKED = Wanted("tools/call", "locked", {})


@pytest.fixture(scope="module")
def running() -> Iterator[AuthServer]:
    with serving() as server:
        yield server


@pytest.fixture
def server(running: AuthServer) -> AuthServer:
    running.reset(HONEST)
    return running


class Unwilling(Person):
    """Agrees to nothing, and counts how often that was wanted."""

    def consent(self) -> Consent:
        self.asked.append("consent")
        raise ConnectionFailed("not now", kind="auth", fault="you")


class Content(Person):
    """Logs in, and gives no more than that."""

    async def confirm_scopes(self, step_up: StepUp) -> bool:
        self.asked.append("scopes")
        return False


async def compared(server: AuthServer, person: Person, wanted: Wanted = ADD) -> EraMatrix:
    target = Target(url=server.url)
    async with Workbench(target, options=Options(no_record=True), person=person) as bench:
        matrix = EraMatrix(bench, wanted, policies={})
        await matrix.run()
        return matrix


async def test_one_log_in_is_good_for_every_revision(server: AuthServer) -> None:
    person = Person()
    matrix = await compared(server, person)
    assert [run.state for run in matrix.runs] == ["done"] * len(matrix.runs)
    assert len(person.urls) == 1


async def test_a_server_that_refuses_every_token_opens_one_browser(server: AuthServer) -> None:
    server.turn(refuses_all=True)
    person = Person()
    matrix = await compared(server, person)
    assert len(person.urls) == 1
    assert {run.state for run in matrix.runs} == {"failed"}
    assert all("refuses the token" in run.why for run in matrix.runs)


async def test_who_does_not_log_in_is_not_asked_for_the_next_revision(server: AuthServer) -> None:
    person = Unwilling()
    matrix = await compared(server, person)
    assert person.asked == ["consent"]
    assert [run.why for run in matrix.runs] == ["not now"] * len(matrix.runs)


async def test_who_gives_no_more_scopes_is_asked_for_them_once(server: AuthServer) -> None:
    person = Content()
    matrix = await compared(server, person, LOCKED)
    assert person.asked == ["scopes"]
    assert len(person.urls) == 1
    assert matrix.over


async def test_the_next_comparison_may_ask_again(server: AuthServer) -> None:
    person = Unwilling()
    async with Workbench(
        Target(url=server.url), options=Options(no_record=True), person=person
    ) as bench:
        for _ in range(2):
            await EraMatrix(bench, ADD, policies={}).run()
    assert person.asked == ["consent"] * 2
