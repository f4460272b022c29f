"""Rows 36 to 41 on the web: tokens, their refresh, and the person in the browser.

Against the authorization server of the tests, whose MCP server is one of the official SDK.
"""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

import pytest
from textual.pilot import Pilot

from inspector.auth.authority import Authority
from inspector.auth.callback import LoopbackConsent
from inspector.auth.person import Consent
from inspector.auth.store import MemoryStore
from inspector.config.targets import Target
from inspector.protocol.messages import Sendable
from inspector.session.pending import Call, Lost, Outcome, Success
from inspector.session.state import Phase
from inspector.tui.app import InspectorApp
from inspector.tui.auth_person import PersonAtScreen
from inspector.tui.screens.auth import AuthScreen
from inspector.tui.views.registry import ViewSpec
from inspector.workbench import Options, Workbench
from tests.auth.e2e.scripted_person import Person
from tests.auth.rig import Clock, bench_for, until
from tests.faults.table import screen, wire
from tests.servers.auth_server import AuthServer, serving
from tests.servers.auth_toggles import Canned, Toggles, canned_json
from tests.servers.guarded_sse import sse_serving
from tests.servers.scripted_browser import browse
from tests.session.scene import soon
from tests.tui.world import plain_view, text_of, wait_for

PARALLEL = 8
AUTHORITY_DEFAULTS: dict[str, object] = Authority.__init__.__kwdefaults__  # type: ignore[assignment]
"""A bench makes its authority itself, with the clock that this names."""
PATIENCE = 20
"""Times the usual number of turns that a wait of the interface may take."""


@contextlib.contextmanager
def server_at(place: str, **toggles: object) -> Iterator[AuthServer]:
    """The protected server over that transport."""
    with sse_serving() if place == "E" else serving() as server:
        server.reset(Toggles(**toggles))  # type: ignore[arg-type]
        yield server


@asynccontextmanager
async def opened(
    server: AuthServer, place: str, person: Person, era: str = "handshake"
) -> AsyncIterator[Workbench]:
    """A bench with a token, connected."""
    transport = "sse" if place == "E" else "http"
    async with bench_for(server, person, transport=transport, protocol=era) as bench:
        state = await soon(bench.connect())
        assert state.ready, state.error
        if place == "H" and era == "handshake":  # all that belongs to the opening has arrived
            await until(lambda: any(seen.method == "GET" for seen in server.requests("mcp")))
        else:
            await until(lambda: sent(server, "notifications/initialized"))
        yield bench


def sent(server: AuthServer, method: str) -> bool:
    """Whether a message of that method has arrived."""
    return any(seen.holds(method) for seen in server.requests("mcp"))


async def begin(bench: Workbench, tool: str = "add") -> Call:
    """A call that is under way."""
    params: Sendable = {"name": tool, "arguments": {"a": 1, "b": 2} if tool == "add" else {}}
    return await soon(bench.session.request("tools/call", params))


async def call(bench: Workbench, tool: str = "add") -> Outcome:
    """The outcome of a call."""
    return await soon((await begin(bench, tool)).wait())


def refreshes(server: AuthServer) -> int:
    """How often a refresh was asked for."""
    asked = [seen.form.get("grant_type") for seen in server.requests("token")]
    return asked.count("refresh_token")


@wire(36, "HE")
async def many_calls_refused_at_once_cost_one_refresh(place: str, _: Path) -> None:
    with server_at(place) as server:
        person = Person()
        async with opened(server, place, person) as bench:
            server.rules.end_access()
            outcomes = await asyncio.gather(*(call(bench) for _ in range(PARALLEL)))
            assert [type(outcome) for outcome in outcomes] == [Success] * PARALLEL
            assert refreshes(server) == 1
            assert len(person.urls) == 1  # the first log-in


@wire(37, "HE")
async def what_a_refresh_brings_decides_what_is_kept(place: str, _: Path) -> None:
    answers = {
        "invalid_grant": (canned_json({"error": "invalid_grant"}, 400), 1),
        "500": (Canned(500, b"oops"), 0),
    }
    for canned, browsers in answers.values():
        with server_at(place) as server:
            person = Person()
            async with opened(server, place, person) as bench:
                before = len(person.urls)
                server.rules.end_access()
                server.turn(canned={"token": (canned, None) if browsers else (canned,)})
                outcome = await call(bench)
                assert len(person.urls) - before == browsers
                if browsers:  # the token is void: the person was asked, and it works again
                    assert isinstance(outcome, Success)
                else:  # in trouble: the refresh token is kept, and does its work later
                    assert isinstance(outcome, Lost)
                    assert outcome.error.kind == "auth"
                    server.turn(canned={})
                    assert isinstance(await call(bench), Success)
                    assert len(person.urls) == before


@wire(38, "HE")
async def a_server_that_is_never_content_opens_one_browser(place: str, _: Path) -> None:
    with server_at(place) as server:
        person = Person()
        async with opened(server, place, person) as bench:
            before = len(person.urls)
            server.turn(refuses_all=True)
            for _number in range(4):
                outcome = await call(bench)
                assert isinstance(outcome, Lost)
                assert outcome.error.kind == "auth"
            assert len(person.urls) - before <= 1


@wire(38, "HE")
async def more_scopes_are_asked_for_thrice_at_most(place: str, _: Path) -> None:
    with server_at(place, asks_again=True) as server:
        person = Person()
        async with opened(server, place, person) as bench:
            outcome = await call(bench, "locked")
            assert isinstance(outcome, Lost)
            assert person.asked.count("scopes") <= 3


@wire(39, "HE")
async def what_failed_behind_the_browser_goes_on_from_there(place: str, _: Path) -> None:
    with server_at(place, canned={"token": (Canned(503, b"down"), None)}) as server:
        person = Person()
        transport = "sse" if place == "E" else "http"
        async with bench_for(server, person, transport=transport) as bench:
            state = await soon(bench.connect())
            assert not state.ready
            assert bench.authority is not None
            failed = bench.authority.state
            assert failed.phase == "failed"
            assert failed.steps[-1].state == "failed"
            found = len(server.requests("metadata"))
            registered = len(server.requests("register"))
            await soon(bench.authority.retry())
            assert (await soon(bench.reconnect())).ready
            assert len(server.requests("metadata")) == found
            assert len(server.requests("register")) == registered


class Loopback(Person):
    """A person with the real listener, whose browser comes back, or is closed."""

    closes = False

    def consent(self) -> Consent:
        async def opener(url: str) -> None:
            self.urls.append(url)
            if not self.closes:
                await asyncio.to_thread(browse, url)

        return LoopbackConsent(opener, announce=lambda _: None, say=lambda _: None)


@wire(40, "HE")
async def a_port_that_is_taken_costs_another_one(place: str, _: Path) -> None:
    with server_at(place, refresh_tokens=False) as server, socket.socket() as taken:
        person = Loopback()
        async with opened(server, place, person) as bench:
            first = redirect_port(person.urls[-1])
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            taken.bind(("127.0.0.1", first))
            taken.listen()
            server.rules.end_access()
            assert isinstance(await call(bench), Success)
            assert redirect_port(person.urls[-1]) != first
            assert len(person.urls) == 2


@wire(40, "HE")
async def a_page_that_is_closed_is_given_up(place: str, _: Path) -> None:
    with server_at(place, refresh_tokens=False) as server:
        person = Loopback()
        async with opened(server, place, person) as bench:
            server.rules.end_access()
            person.closes = True
            made = await begin(bench)
            await until(lambda: len(person.urls) == 2)
            assert bench.authority is not None
            assert not made.done
            bench.authority.cancel()  # what Escape does; by itself it ends after five minutes
            outcome = await soon(made.wait())
            assert isinstance(outcome, Lost)
            assert outcome.error.kind == "auth"
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", redirect_port(person.urls[-1]))).close()
            person.closes = False
            await soon(bench.authority.retry())
            assert isinstance(await call(bench), Success)


def redirect_port(url: str) -> int:
    """Where the browser is to come back to."""
    back = parse_qs(urlsplit(url).query)["redirect_uri"][0]
    return urlsplit(back).port or 0


@wire(41, "HE")
async def a_clock_that_jumps_costs_a_refresh_and_no_browser(place: str, _: Path) -> None:
    clock, person = Clock(), Person()
    with server_at(place) as server, pytest.MonkeyPatch.context() as patched:
        patched.setitem(AUTHORITY_DEFAULTS, "clock", clock)
        async with opened(server, place, person) as bench:
            for jump in (-3600, 3600, 3600, -3600):
                clock.now += jump
                assert isinstance(await call(bench), Success)
            assert refreshes(server) == 1
        assert len(person.urls) == 1


# -- the interface ------------------------------------------------------------------------------


async def stored(server: AuthServer) -> MemoryStore:
    """The tokens of an earlier visit."""
    store = MemoryStore()
    async with bench_for(server, Person(), store=store) as bench:
        assert (await soon(bench.connect())).ready
    return store


@dataclass
class Entering:
    """The interface at the door of a protected server."""

    app: InspectorApp
    pilot: Pilot[int]

    @property
    def phase(self) -> str:
        """Of the authority."""
        authority = self.app.bridge.workbench.authority
        assert authority is not None
        return authority.state.phase

    @property
    def url(self) -> str:
        """What a person is asked to open."""
        person = self.app.bridge.workbench.person
        assert isinstance(person, PersonAtScreen)
        return person.question.url if person.question is not None else ""

    async def until(self, condition: Callable[[], bool]) -> None:
        """Real servers and a thread take real time."""
        for _ in range(PATIENCE):
            with contextlib.suppress(AssertionError):
                await wait_for(self.pilot, condition)
                return
        raise AssertionError(self.text())

    async def ready(self) -> None:
        """The session is open."""
        await self.until(lambda: self.app.bridge.workbench.session.state.phase is Phase.READY)

    async def asked(self) -> None:
        """The screen asks for consent."""
        await self.until(lambda: isinstance(self.app.screen, AuthScreen) and bool(self.url))

    def text(self) -> str:
        """All that is on screen."""
        found = [text_of(each) for each in self.app.screen.query("*") if each.size.height]
        return " ".join(" ".join(found).split())


@asynccontextmanager
async def entering(server: AuthServer, store: MemoryStore | None = None) -> AsyncIterator[Entering]:
    """The app, connecting; the person is at its screen."""
    kept = store or MemoryStore()

    def make(target: Target) -> Workbench:
        options = Options(no_record=True)
        return Workbench(target, options=options, person=PersonAtScreen(), store=kept)

    app = InspectorApp(make, Target(url=server.url, transport="http"))
    with patch.object(ViewSpec, "make", plain_view):
        async with app.run_test(size=(120, 40)) as pilot:
            await wait_for(pilot, lambda: app.has_bridge and app.bridge.ready)
            try:
                yield Entering(app, pilot)
            finally:
                app.close_bridge()
    assert app.defect is None


@screen(36, "H")
async def a_token_that_ran_out_is_refreshed_without_a_question(place: str, _: Path) -> None:
    with server_at(place) as server:
        store = await stored(server)
        server.rules.end_access()
        async with entering(server, store) as here:
            await here.ready()
            assert refreshes(server) == 1
            assert here.url == ""


@screen(37, "H")
async def a_void_refresh_token_asks_the_person(place: str, _: Path) -> None:
    with server_at(place) as server:
        store = await stored(server)
        server.rules.tokens.clear()
        async with entering(server, store) as here:
            await here.asked()
            assert refreshes(server) == 1
            await asyncio.to_thread(browse, here.url)
            await here.ready()


@screen(38, "H")
async def a_server_that_refuses_every_token_is_said_to(place: str, _: Path) -> None:
    with server_at(place, refuses_all=True) as server:
        async with entering(server) as here:
            await here.asked()
            await asyncio.to_thread(browse, here.url)
            await here.until(lambda: here.phase == "failed" or "refuse" in here.text())
            await here.until(lambda: here.url == "")
            assert len(server.requests("authorize")) == 1


@screen(39, "H")
async def a_failed_step_is_marked_and_gone_on_from(place: str, _: Path) -> None:
    with server_at(place, canned={"token": (Canned(503, b"down"), None)}) as server:
        async with entering(server) as here:
            await here.asked()
            await asyncio.to_thread(browse, here.url)
            await here.until(lambda: here.phase == "failed")
            await here.until(lambda: "Stopped at: token" in here.text() and "503" in here.text())
            searched = len(server.requests("prm"))
            await here.pilot.press("r")
            await here.asked()
            await asyncio.to_thread(browse, here.url)
            await here.ready()
            assert len(server.requests("register")) == 1
            assert searched


@screen(40, "H")
async def a_page_that_is_closed_is_left_by_a_key(place: str, _: Path) -> None:
    with server_at(place) as server:
        async with entering(server) as here:
            await here.asked()
            await here.pilot.press("n")
            await here.until(lambda: here.phase == "failed")
            await here.until(lambda: "Stopped at: consent" in here.text())


@screen(41, "H")
async def a_token_that_is_old_by_the_clock_is_refreshed_before_it_is_sent(
    place: str, _: Path
) -> None:
    with server_at(place, expires_in=1) as server:
        store = await stored(server)
        server.turn(expires_in=3600)
        refused = len([seen for seen in server.requests("mcp") if not seen.header("authorization")])
        grant = store.grant(server.url)
        assert grant is not None
        async with entering(server, store) as here:
            await here.ready()
            assert refreshes(server) >= 1
            assert here.url == ""
            bare = [seen for seen in server.requests("mcp") if not seen.header("authorization")]
            assert len(bare) == refused
