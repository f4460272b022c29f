"""The Logs tab: level, stderr, words, the server's own level, and the way to the traffic."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot
from textual.widgets import Input

from inspector.journal.journal import Journal
from inspector.protocol.messages import JsonObject
from inspector.tui.app import InspectorApp
from inspector.tui.screens.dialogs import ConfirmDialog
from inspector.tui.views.logs import LogsView
from inspector.tui.widgets.rule import Rule
from tests.tui.askers import HOSTILE, Asker, session_of, tab, tell
from tests.tui.world import rows, running, text_of, wait_for


def log(level: str, words: str, logger: str = "main") -> JsonObject:
    """A log notification."""
    params: JsonObject = {"level": level, "logger": logger, "data": words}
    return {"method": "notifications/message", "params": params}


def stderr(app: InspectorApp, words: bytes) -> None:
    """A line on stderr."""
    journal: Journal = app.bridge.workbench.journal
    connection = session_of(app).state.connection

    async def say() -> None:
        journal.stderr(words, connection=connection)
        app.bridge.workbench.changes.bump("journal")

    app.bridge.post(say)


@asynccontextmanager
async def logs_tab(
    server: Asker, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[tuple[InspectorApp, Pilot[int], LogsView]]:
    """The Logs tab on `server`."""
    async with running(server, size, plain=False) as (app, pilot):
        view = await tab(pilot, app, "8", LogsView)
        assert isinstance(view, LogsView)
        yield app, pilot, view


async def count(pilot: Pilot[int], view: LogsView, wanted: int) -> None:
    """Wait until so many lines are shown."""
    await wait_for(pilot, lambda: view.lines.count_lines() == wanted)
    await pilot.pause()


async def test_an_empty_list_says_what_will_appear() -> None:
    async with logs_tab(Asker()) as (_, pilot, view):
        await wait_for(pilot, lambda: "Nothing yet" in text_of(view.lines))


async def test_logs_and_stderr_stand_in_time_order() -> None:
    server = Asker()
    async with logs_tab(server) as (app, pilot, view):
        tell(app, server, log("info", "first"))
        stderr(app, b"second")
        tell(app, server, log("error", "third"))
        await count(pilot, view, 3)
        lines = [shown.split()[1:] for shown in text_of(view.lines).splitlines()[:3]]
        assert lines == [
            ["info", "main", "first"],
            ["stderr", "second"],
            ["error", "main", "third"],
        ]
        assert view.lines.cursor == 2


async def test_the_level_rises_with_its_key_and_begins_again() -> None:
    server = Asker()
    async with logs_tab(server) as (app, pilot, view):
        for level in ("debug", "warning", "emergency"):
            tell(app, server, log(level, level))
        await count(pilot, view, 3)
        await pilot.press("t")
        await count(pilot, view, 2)
        assert "from info" in text_of(view.query_one("#log-rule", Rule))
        await pilot.press("t", "t", "t")
        await count(pilot, view, 1)
        await pilot.press("t", "t", "t", "t")
        await count(pilot, view, 3)


async def test_stderr_is_hidden_and_shown_with_its_key() -> None:
    server = Asker()
    async with logs_tab(server) as (app, pilot, view):
        stderr(app, b"noise")
        tell(app, server, log("info", "words"))
        await count(pilot, view, 2)
        await pilot.press("s")
        await count(pilot, view, 1)
        assert "no stderr" in text_of(view.query_one("#log-rule", Rule))
        await pilot.press("s")
        await count(pilot, view, 2)


async def test_words_narrow_the_list_and_escape_clears_them() -> None:
    server = Asker()
    async with logs_tab(server) as (app, pilot, view):
        tell(app, server, log("info", "apples and pears"))
        tell(app, server, log("info", "only apples"))
        await count(pilot, view, 2)
        await pilot.press("slash", *"pears")
        await count(pilot, view, 1)
        await pilot.press("enter")
        assert view.lines.has_focus
        assert view.query_one(Input).display
        await pilot.press("escape")
        await count(pilot, view, 2)
        assert not view.query_one(Input).display


async def test_escape_in_the_box_for_words_goes_back_to_the_list() -> None:
    server = Asker()
    async with logs_tab(server) as (app, pilot, view):
        tell(app, server, log("info", "words"))
        await count(pilot, view, 1)
        await pilot.press("slash", *"zzz")
        await count(pilot, view, 0)
        await wait_for(pilot, lambda: "filtered out" in text_of(view.lines))
        await pilot.press("escape")
        await count(pilot, view, 1)
        assert view.lines.has_focus


async def test_the_servers_level_is_asked_for() -> None:
    server = Asker()
    async with logs_tab(server) as (app, pilot, view):
        await pilot.press("L")
        await wait_for(pilot, lambda: session_of(app).state.log_level == "debug")
        await wait_for(
            pilot, lambda: "server from debug" in text_of(view.query_one("#log-rule", Rule))
        )


async def test_a_server_without_logging_is_asked_only_once_the_user_agrees() -> None:
    server = Asker(capabilities={"tools": {}})
    async with logs_tab(server) as (app, pilot, _):
        await pilot.press("L")
        await wait_for(pilot, lambda: isinstance(app.screen, ConfirmDialog))
        assert server.all_heard("logging/setLevel") == []
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: len(server.all_heard("logging/setLevel")) == 1)


async def test_enter_goes_to_the_entry_in_the_traffic() -> None:
    server = Asker()
    async with logs_tab(server) as (app, pilot, view):
        tell(app, server, log("info", "here"))
        await count(pilot, view, 1)
        number = view.lines.current
        await pilot.press("enter")
        await wait_for(pilot, lambda: rows(app).entry == number)


async def test_the_whole_entry_stands_below() -> None:
    server = Asker()
    async with logs_tab(server) as (app, pilot, view):
        tell(app, server, log("info", "x" * 500))
        await count(pilot, view, 1)
        await wait_for(pilot, lambda: '"logger"' in text_of(view.query_one("#log-body")))


async def test_the_list_stays_where_the_cursor_was_put() -> None:
    server = Asker()
    async with logs_tab(server) as (app, pilot, view):
        for number in range(5):
            tell(app, server, log("info", f"line {number}"))
        await count(pilot, view, 5)
        assert view.lines.cursor == 4
        await pilot.press("home")
        tell(app, server, log("info", "later"))
        await count(pilot, view, 6)
        assert view.lines.cursor == 0
        await pilot.press("end")
        tell(app, server, log("info", "latest"))
        await count(pilot, view, 7)
        assert view.lines.cursor == 6


async def test_logs_of_an_earlier_connection_stay() -> None:
    server = Asker()
    async with logs_tab(server) as (app, pilot, view):
        tell(app, server, log("info", "before"))
        await count(pilot, view, 1)
        old = session_of(app)
        await pilot.press("f5")
        await wait_for(pilot, lambda: session_of(app) is not old and session_of(app).state.ready)
        tell(app, server, log("info", "after"))
        await count(pilot, view, 2)


async def test_hostile_lines_are_harmless() -> None:
    server = Asker()
    async with logs_tab(server, (160, 40)) as (app, pilot, view):
        tell(app, server, log("info", HOSTILE, HOSTILE))
        stderr(app, HOSTILE.encode() + b"\xff\x00")
        params: JsonObject = {"level": 5, "data": {"deep": [HOSTILE]}}
        tell(app, server, {"method": "notifications/message", "params": params})
        tell(app, server, {"method": "notifications/message", "params": {}})
        await count(pilot, view, 4)
        await wait_for(pilot, lambda: "?" in text_of(view.lines))
        told = text_of(view.lines) + text_of(view.query_one("#log-body"))
        assert "[bold]x[/bold]" in told
        assert not {"\x1b", "\x07", "\x9b", "\u202e", "\x00"} & set(told)


async def test_the_heading_fits_on_a_narrow_screen() -> None:
    server = Asker()
    async with logs_tab(server, (80, 24)) as (app, pilot, view):
        tell(app, server, log("info", "x"))
        await count(pilot, view, 1)
        rule = text_of(view.query_one("#log-rule", Rule))
        assert "logs" in rule
        assert "…" not in rule
