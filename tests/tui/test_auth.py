"""The Auth screen on the whole interface: the SDK's authorization server, a scripted browser."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from inspector.auth.store import MemoryStore
from inspector.config.oauth import OAuthChoice
from inspector.config.targets import Target
from inspector.session.state import Phase
from inspector.tui.app import InspectorApp
from inspector.tui.auth_person import PersonAtScreen
from inspector.tui.screens import auth
from inspector.tui.screens.auth import AuthScreen
from inspector.tui.views.registry import ViewSpec
from inspector.tui.widgets.status import StatusPanel
from inspector.workbench import Options, Workbench
from tests.servers.guarded_server import Guard, guarded_by_itself
from tests.servers.scripted_browser import browse, redirect_of
from tests.tui.test_ask import toasts
from tests.tui.world import Server, plain_view, running, text_of, wait_for

pytestmark = pytest.mark.timeout(180)


@asynccontextmanager
async def protected(
    size: tuple[int, int] = (120, 40), query: str = "", plain: bool = True
) -> AsyncIterator[tuple[InspectorApp, Pilot[int], Guard, MemoryStore]]:
    """The app, not connected yet, on a server that wants a token."""
    store = MemoryStore()

    def make(wanted: Target) -> Workbench:
        options = Options(no_record=True)
        return Workbench(wanted, options=options, person=PersonAtScreen(), store=store)

    with guarded_by_itself() as guard, ExitStack() as stack:
        if plain:
            stack.enter_context(patch.object(ViewSpec, "make", plain_view))
        app = InspectorApp(make, Target(url=guard.url + query))
        async with app.run_test(size=size) as pilot:
            try:
                yield app, pilot, guard, store
            finally:
                app.close_bridge()


async def asked(app: InspectorApp, pilot: Pilot[int]) -> None:
    """Waits until the screen asks for consent."""
    await _until(lambda: isinstance(app.screen, AuthScreen) and bool(_url(app)), pilot)


async def _until(condition: object, pilot: Pilot[int]) -> None:
    """Real servers and a thread take real time."""
    assert callable(condition)
    for _ in range(600):
        if condition():
            return
        await asyncio.sleep(0.05)
        await pilot.pause()
    raise AssertionError("it did not come about")


def _url(app: InspectorApp) -> str:
    person = app.bridge.workbench.person
    assert isinstance(person, PersonAtScreen)
    return person.question.url if person.question is not None else ""


def _shown(app: InspectorApp) -> str:
    parts = ("#auth-title", "#auth-steps", "#auth-question")
    return "\n".join(text_of(app.screen.query_one(part)) for part in parts)


def _phase(app: InspectorApp) -> str:
    authority = app.bridge.workbench.authority
    assert authority is not None
    return authority.state.phase


def _ready(app: InspectorApp) -> bool:
    return app.bridge.workbench.session.state.phase is Phase.READY


async def test_a_protected_server_is_entered_after_one_yes_and_left_by_logging_out() -> None:
    opened: list[str] = []

    async def open_page(url: str) -> None:
        opened.append(url)
        await asyncio.to_thread(browse, url)

    async with protected() as (app, pilot, guard, store):
        with patch.object(auth, "open_page", open_page):
            await asked(app, pilot)
            assert opened == []
            await pilot.press("enter")
            await _until(lambda: _ready(app), pilot)
        assert len(opened) == 1
        await _until(lambda: _phase(app) == "authorized", pilot)
        await wait_for(pilot, lambda: "● authorized" in _shown(app))
        grant = store.grant(guard.url)
        assert grant is not None
        shown = _shown(app)
        assert "refresh token" in shown
        for secret in (grant.tokens.access, grant.tokens.refresh):
            assert secret is not None
            assert secret.reveal() not in shown
        await pilot.press("o", "ctrl+s")
        await _until(lambda: store.grant(guard.url) is None, pilot)
        await wait_for(pilot, lambda: "deleted" in toasts(app))


async def test_a_pasted_address_enters_as_well() -> None:
    async with protected() as (app, pilot, _, _store):
        await asked(app, pilot)
        url = _url(app)
        waits_at = parse_qs(urlsplit(url).query)["redirect_uri"][0]
        back = await asyncio.to_thread(redirect_of, url, waits_at)
        await pilot.press("p")
        await wait_for(pilot, lambda: not isinstance(app.screen, AuthScreen))
        app.screen.query_one(Input).value = back
        await pilot.press("enter")
        await _until(lambda: _ready(app), pilot)


async def test_no_is_an_answer_and_retry_goes_on_from_the_step() -> None:
    async with protected((80, 24)) as (app, pilot, guard, store):
        await asked(app, pilot)
        first = _url(app)
        await pilot.press("n")
        await _until(lambda: _phase(app) == "failed", pilot)
        await wait_for(pilot, lambda: "Stopped at: consent" in _shown(app))
        assert store.grant(guard.url) is None
        assert guard.tokens == []
        await pilot.press("r")
        await asked(app, pilot)
        assert _url(app) != first
        await asyncio.to_thread(browse, _url(app))
        await _until(lambda: _ready(app), pilot)


async def test_a_question_that_was_put_off_waits_behind_the_key() -> None:
    async with protected() as (app, pilot, _, _store):
        await asked(app, pilot)
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is app.main)
        assert _url(app)
        panel = app.screen.query_one(StatusPanel)
        await wait_for(pilot, lambda: "no clock runs" in text_of(panel))
        await pilot.press("f9")
        await wait_for(pilot, lambda: isinstance(app.screen, AuthScreen))
        await pilot.press("n")
        await _until(lambda: _phase(app) == "failed", pilot)
        await pilot.press("escape")
        await wait_for(pilot, lambda: "steps, log in" in text_of(panel))


async def test_a_key_in_the_servers_address_is_on_no_screen() -> None:
    async def open_page(url: str) -> None:
        await asyncio.to_thread(browse, url)

    key, shots = "k3yInTheAddress77", []
    wide = (200, 60)
    async with protected(wide, f"?api_key={key}", plain=False) as (app, pilot, guard, _store):
        with patch.object(auth, "open_page", open_page):
            await asked(app, pilot)
            shots.append(app.export_screenshot())
            await pilot.press("enter")
            await _until(lambda: _ready(app) and _phase(app) == "authorized", pilot)
        shots.append(app.export_screenshot())
        await pilot.press("escape", "1")
        await _until(lambda: not isinstance(app.screen, AuthScreen), pilot)
        await _until(lambda: guard.url in app.export_screenshot(), pilot)
        shots.append(app.export_screenshot())
    assert [shot for shot in shots if key in shot] == []


async def test_over_stdio_there_is_nothing_to_authorize_and_the_key_says_so() -> None:
    async with running(Server()) as (app, pilot):
        await pilot.press("f9")
        await wait_for(pilot, lambda: "over stdio" in toasts(app))
        assert app.screen is app.main


async def test_choices_that_make_no_sense_are_said_where_steps_would_be() -> None:
    chosen = OAuthChoice(issuer="javascript:alert(1)")

    def make(wanted: Target) -> Workbench:
        return Workbench(wanted, options=Options(no_record=True), person=PersonAtScreen())

    with patch.object(ViewSpec, "make", plain_view):
        app = InspectorApp(make, Target(url="http://127.0.0.1:9/mcp", oauth=chosen))
        async with app.run_test(size=(120, 40)) as pilot:
            await _until(lambda: app.has_bridge and app.bridge.ready, pilot)
            await _until(lambda: app.bridge.workbench.session.state.error is not None, pilot)
            await pilot.press("f9")
            await wait_for(pilot, lambda: "cannot be used" in toasts(app))
            assert app.screen is app.main
            app.close_bridge()
