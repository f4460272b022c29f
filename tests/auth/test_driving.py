"""A flow is driven to its end, whatever the person and the network do."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from inspector.auth.actions import Failed, Finished, Stage, StepRecord
from inspector.auth.driving import Driver, words_of
from inspector.auth.flow import Flow
from inspector.auth.grant import Profile
from inspector.auth.person import Person
from inspector.auth.policy import perimeter
from inspector.auth.registration import Client
from inspector.auth.sending import Sender
from inspector.errors import ConnectionFailed
from inspector.journal.entries import Kind
from inspector.journal.facts import decode_facts
from inspector.journal.journal import Journal
from tests.auth.e2e.scripted_person import Browsing
from tests.auth.e2e.scripted_person import Person as Scripted
from tests.servers.auth_server import AuthServer, serving
from tests.servers.auth_toggles import HONEST, LEFT_OUT, Canned


@pytest.fixture(scope="module")
def running() -> Iterator[AuthServer]:
    with serving() as server:
        yield server


@pytest.fixture
def server(running: AuthServer) -> AuthServer:
    running.reset(HONEST)
    return running


class Drive:
    """One flow and its driver, and what was seen of them."""

    def __init__(self, server: AuthServer, person: Person, **choices: Any) -> None:
        self.journal = Journal()
        self.kept: list[Client] = []
        self.waits: list[str] = []
        profile = Profile(server.url, **choices)
        self.flow = Flow(
            profile, challenge=None, stored_client=lambda _: None, random=lambda n: b"x" * n
        )
        self.driver = Driver(
            self.flow,
            sender=Sender(perimeter(server.url), self.journal),
            person=person,
            journal=self.journal,
            connection=1,
            clock=lambda: 1_800_000_000.0,
            consent=None,
            keep_client=self.kept.append,
            changed=self._changed,
        )

    def _changed(self) -> None:
        if self.driver.waiting_for:
            self.waits.append(self.driver.waiting_for)

    def events(self) -> list[dict[str, Any]]:
        numbers = range(1, len(self.journal) + 1)
        rows = [self.journal.row(number) for number in numbers]
        return [
            decode_facts(self.journal.body(row.number)) for row in rows if row.kind is Kind.EVENT
        ]


async def test_each_step_is_in_the_journal_with_the_exchanges_it_took(server: AuthServer) -> None:
    drive = Drive(server, Scripted())
    assert isinstance(await drive.driver.run(), Finished)
    done = [event for event in drive.events() if event["state"] == "done"]
    assert [event["stage"] for event in done] == [
        "protected resource metadata",
        "authorization server metadata",
        "client",
        "consent in the browser",
        "token",
    ]
    assert done[0]["entries"] != done[1]["entries"]
    assert f"issuer: {server.issuer}" in done[1]["words"]
    assert drive.waits == ["consent"]


async def test_a_registered_client_is_kept_also_where_the_rest_fails(server: AuthServer) -> None:
    server.turn(canned={"token": (Canned(500),)})
    drive = Drive(server, Scripted())
    assert isinstance(await drive.driver.run(), Failed)
    assert [client.issuer for client in drive.kept] == [server.issuer]


async def test_the_person_chooses_among_several_servers(server: AuthServer) -> None:
    server.turn(prm={"authorization_servers": ["http://127.0.0.1:1", "{issuer}"]})
    drive = Drive(server, Scripted(issuer=server.issuer))
    assert isinstance(await drive.driver.run(), Finished)
    assert drive.waits[0] == "server"
    nobody = Drive(server, Scripted())
    assert isinstance(await nobody.driver.run(), Failed)


async def test_the_person_may_allow_another_issuer_this_once(server: AuthServer) -> None:
    server.turn(metadata={"issuer": "{issuer}/"}, redirect={"iss": "{issuer}/"})
    drive = Drive(server, Scripted(allows_issuer=True))
    assert isinstance(await drive.driver.run(), Finished)
    assert drive.waits[0] == "issuer"
    refused = Drive(server, Scripted())
    assert isinstance(await refused.driver.run(), Failed)


async def test_the_person_is_asked_for_a_client_where_none_can_be_registered(
    server: AuthServer,
) -> None:
    server.turn(metadata={"registration_endpoint": LEFT_OUT})
    drive = Drive(server, Scripted())
    end = await drive.driver.run()
    assert isinstance(end, Failed)
    assert drive.waits == ["client"]


class Unwilling(Scripted):
    """Has no browser."""

    def consent(self) -> Browsing:
        raise ConnectionFailed("there is no browser", hint="use --paste", kind="auth", fault="you")


async def test_what_the_person_raises_ends_the_flow_with_its_words(server: AuthServer) -> None:
    end = await Drive(server, Unwilling()).driver.run()
    assert isinstance(end, Failed)
    assert "there is no browser" in end.message
    assert end.hint == "use --paste"


class Leaving(Scripted):
    """Closes the tab: nothing comes back, and nothing is raised."""

    def consent(self) -> Browsing:
        return _Left(self)


class _Left(Browsing):
    async def fetch(self, url: str, take: object) -> None:
        del url, take


async def test_a_browser_that_brings_nothing_back_ends_the_flow(server: AuthServer) -> None:
    end = await Drive(server, Leaving()).driver.run()
    assert isinstance(end, Failed)
    assert "no redirect came back" in end.message


class Counting(Scripted):
    """Counts what is opened and closed; the browser never comes back."""

    def __init__(self) -> None:
        super().__init__()
        self.opened = asyncio.Event()
        self.closed = 0

    def consent(self) -> Browsing:
        return _Counted(self)


class _Counted(Browsing):
    async def fetch(self, url: str, take: object) -> None:
        del url, take
        assert isinstance(self.person, Counting)
        self.person.opened.set()
        await asyncio.Event().wait()

    async def close(self) -> None:
        assert isinstance(self.person, Counting)
        self.person.closed += 1


async def test_what_was_opened_is_closed_where_the_wait_is_cancelled(server: AuthServer) -> None:
    person = Counting()
    drive = Drive(server, person)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(_run(drive))
        async with asyncio.timeout(30):
            await person.opened.wait()
        task.cancel()
    assert person.closed == 1


async def _run(drive: Drive) -> None:
    await drive.driver.run()


def test_the_words_of_a_step_are_its_facts() -> None:
    step = StepRecord(Stage.TOKEN, "done", found=(("a", "b"), ("c", "d")))
    assert words_of(step) == "a: b; c: d"
