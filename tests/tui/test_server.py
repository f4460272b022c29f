"""The Server tab: what was negotiated, and everything that can be changed about our side."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot
from textual.widgets import TextArea

from inspector.protocol.messages import JsonObject
from inspector.session.state import Phase
from inspector.tui.app import InspectorApp
from inspector.tui.screens.dialogs import EditDialog, LineDialog
from inspector.tui.server_rows import (
    CapabilityLine,
    HeadingLine,
    LevelLine,
    PingLine,
    RootLine,
    ServerLine,
    SwitchLine,
    key_of,
)
from inspector.tui.views.server import ServerView
from inspector.tui.widgets.rule import Rule
from tests.tui.askers import (
    HOSTILE,
    SHOWN,
    Asker,
    answered,
    elicitation,
    sampling,
    session_of,
    tab,
    tell,
)
from tests.tui.world import rows, running, text_of, wait_for


@asynccontextmanager
async def server_tab(
    server: Asker, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[tuple[InspectorApp, Pilot[int], ServerView]]:
    """The Server tab on `server`."""
    async with running(server, size, plain=False) as (app, pilot):
        view = await tab(pilot, app, "1", ServerView)
        assert isinstance(view, ServerView)
        await wait_for(pilot, lambda: len(view.lines.items) > 0)
        yield app, pilot, view


async def go_to(pilot: Pilot[int], view: ServerView, key: object) -> None:
    """Move the cursor to a line, with the down key."""
    await pilot.press("home")
    for _ in range(len(view.lines.items)):
        current = view.lines.current
        if current is not None and key_of(current) == key:
            return
        await pilot.press("down")
    raise AssertionError(f"no line {key}")


def line(view: ServerView, key: object) -> ServerLine:
    """The line with this key."""
    return next(one for one in view.lines.items if key_of(one) == key)


async def test_the_facts_of_the_server_are_there() -> None:
    async with server_tab(Asker()) as (_, pilot, view):
        facts = view.query_one("#server-facts")
        await wait_for(pilot, lambda: "2025-11-25" in text_of(facts))
        assert "asker" in text_of(facts)


async def test_a_fact_that_wraps_stays_beside_its_name() -> None:
    async with server_tab(Asker(), (60, 30)) as (_, pilot, view):
        facts = view.query_one("#server-facts")
        await wait_for(pilot, lambda: "because" in text_of(facts))
        for shown in text_of(facts).splitlines():
            assert not shown or shown[:10].strip() == "" or shown[9] == " "


async def test_the_cursor_begins_on_a_line_that_is_no_heading() -> None:
    async with server_tab(Asker()) as (_, pilot, view):
        await wait_for(pilot, lambda: not isinstance(view.lines.current, HeadingLine))


async def test_capabilities_count_what_used_them_and_enter_shows_its_traffic() -> None:
    async with server_tab(Asker()) as (app, pilot, view):
        await go_to(pilot, view, ("capability", "server", ("tools",)))
        await wait_for(
            pilot,
            lambda: (
                isinstance(view.lines.current, CapabilityLine)
                and ("tools/list", 1) in view.lines.current.row.uses
            ),
        )
        await pilot.press("enter")
        await wait_for(pilot, lambda: rows(app).filtered)
        await wait_for(pilot, lambda: "tools/list" in text_of(rows(app)))
        assert "initialize" not in text_of(rows(app))


async def test_a_policy_goes_round_on_enter_and_decides_the_next_ask() -> None:
    server = Asker()
    async with server_tab(server) as (app, pilot, view):
        await go_to(pilot, view, ("policy", "elicitation"))
        await pilot.press("enter")
        await wait_for(
            pilot, lambda: session_of(app).inbox.policies["elicitation"].mode == "accept-defaults"
        )
        await wait_for(pilot, lambda: "accept with defaults" in text_of(view.lines))
        whole: JsonObject = {
            "type": "object",
            "properties": {"age": {"type": "integer", "default": 7}},
        }
        tell(app, server, elicitation(900, schema=whole))
        answer = await answered(pilot, server, 900)
        assert answer["result"] == {"action": "accept", "content": {"age": 7}}
        assert app.screen is app.main


async def test_a_canned_answer_is_edited_and_sent() -> None:
    server = Asker()
    async with server_tab(server) as (app, pilot, view):
        await go_to(pilot, view, ("policy", "sampling"))
        await pilot.press("e")
        await wait_for(pilot, lambda: isinstance(app.screen, EditDialog))
        area = app.screen.query_one(TextArea)
        area.text = '{"role": "assistant"'
        await pilot.press("ctrl+s")
        assert isinstance(app.screen, EditDialog)
        area.text = '{"role": "assistant", "mine": true}'
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: session_of(app).inbox.policies["sampling"].mode == "answer")
        tell(app, server, sampling(900))
        answer = await answered(pilot, server, 900)
        assert answer["result"] == {"role": "assistant", "mine": True}


async def test_a_canned_answer_must_be_an_object() -> None:
    async with server_tab(Asker()) as (app, pilot, view):
        await go_to(pilot, view, ("policy", "sampling"))
        await pilot.press("e")
        await wait_for(pilot, lambda: isinstance(app.screen, EditDialog))
        app.screen.query_one(TextArea).text = "[1]"
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: any("object" in n.message for n in app._notifications))
        assert session_of(app).inbox.policies["sampling"].mode == "ask"


async def test_a_switch_takes_force_with_a_reconnect_and_policies_and_roots_stay() -> None:
    server = Asker()
    async with server_tab(server) as (app, pilot, view):
        await go_to(pilot, view, ("policy", "sampling"))
        await pilot.press("enter")
        await wait_for(pilot, lambda: session_of(app).inbox.policies["sampling"].mode == "decline")
        await go_to(pilot, view, ("switch", "sampling"))
        await pilot.press("enter")
        await wait_for(
            pilot,
            lambda: line(view, ("switch", "sampling")) == SwitchLine("sampling", False, False),
        )
        assert "sampling" in session_of(app).state.client_capabilities
        await wait_for(pilot, lambda: "reconnect (F5) to apply" in text_of(view.lines))
        old = session_of(app)
        await pilot.press("f5")
        await wait_for(pilot, lambda: session_of(app) is not old and session_of(app).state.ready)
        assert "sampling" not in session_of(app).state.client_capabilities
        assert session_of(app).inbox.policies["sampling"].mode == "decline"
        await wait_for(
            pilot, lambda: line(view, ("switch", "sampling")) == SwitchLine("sampling", False, True)
        )


async def test_roots_are_added_edited_and_removed_and_the_server_is_told() -> None:
    server = Asker()
    told = "notifications/roots/list_changed"
    async with server_tab(server) as (app, pilot, view):
        await pilot.press("a")
        await wait_for(pilot, lambda: isinstance(app.screen, LineDialog))
        await pilot.press(*"file:///srv", "enter")
        await wait_for(pilot, lambda: len(server.all_heard(told)) == 1)
        await wait_for(pilot, lambda: "file:///srv" in text_of(view.lines) or True)
        await wait_for(
            pilot,
            lambda: any(isinstance(one, RootLine) and one.root for one in view.lines.items),
        )
        await go_to(pilot, view, ("root", "file:///srv"))
        await pilot.press("enter")
        await wait_for(pilot, lambda: isinstance(app.screen, LineDialog))
        await pilot.press("end", *"/data", "enter")
        await wait_for(pilot, lambda: len(server.all_heard(told)) == 2)
        assert [root.uri for root in session_of(app).roots] == ["file:///srv/data"]
        tell(app, server, {"id": 900, "method": "roots/list"})
        assert (await answered(pilot, server, 900))["result"] == {
            "roots": [{"uri": "file:///srv/data"}]
        }
        await wait_for(
            pilot,
            lambda: any(key_of(one) == ("root", "file:///srv/data") for one in view.lines.items),
        )
        await go_to(pilot, view, ("root", "file:///srv/data"))
        await pilot.press("delete")
        await wait_for(pilot, lambda: len(server.all_heard(told)) == 3)
        assert session_of(app).roots == ()


async def test_a_root_that_is_none_is_refused_with_the_reason() -> None:
    server = Asker()
    async with server_tab(server) as (app, pilot, _):
        await pilot.press("a")
        await wait_for(pilot, lambda: isinstance(app.screen, LineDialog))
        await pilot.press(*"https://x", "enter")
        await wait_for(pilot, lambda: len(app._notifications) > 0)
        assert session_of(app).roots == ()


async def test_pings_are_measured_and_drawn() -> None:
    server = Asker()
    async with server_tab(server) as (app, pilot, view):
        await pilot.press("p")
        await wait_for(pilot, lambda: len(session_of(app).pings) == 1)
        await go_to(pilot, view, "ping")
        await pilot.press("enter")
        await wait_for(pilot, lambda: len(session_of(app).pings) == 2)
        await wait_for(
            pilot,
            lambda: isinstance(found := line(view, "ping"), PingLine) and len(found.pings) > 1,
        )
        await wait_for(pilot, lambda: " ms " in text_of(view.lines))


async def test_the_log_level_goes_up_on_enter() -> None:
    server = Asker()
    async with server_tab(server) as (app, pilot, view):
        await go_to(pilot, view, "level")
        await pilot.press("enter")
        await wait_for(pilot, lambda: session_of(app).state.log_level == "debug")
        await wait_for(pilot, lambda: line(view, "level") == LevelLine("debug", declared=True))
        await pilot.press("enter")
        await wait_for(pilot, lambda: session_of(app).state.log_level == "info")
        levels = [message["params"] for message in server.all_heard("logging/setLevel")]
        assert levels == [{"level": "debug"}, {"level": "info"}]


async def test_the_heading_says_what_enter_does_on_the_line() -> None:
    async with server_tab(Asker()) as (_, pilot, view):
        rule = view.query_one("#server-rule", Rule)
        await go_to(pilot, view, ("policy", "sampling"))
        await wait_for(pilot, lambda: "Enter next policy" in text_of(rule))
        assert "e edits the canned answer" in text_of(rule)
        await go_to(pilot, view, "ping")
        await wait_for(pilot, lambda: "Enter measures it" in text_of(rule))


async def test_keys_do_no_harm_while_disconnected() -> None:
    server = Asker()
    async with server_tab(server) as (app, pilot, view):
        app.bridge.post(app.bridge.workbench.disconnect)
        await wait_for(pilot, lambda: session_of(app).state.phase is Phase.CLOSED)
        await pilot.press("p")
        await wait_for(pilot, lambda: any("no connection" in n.message for n in app._notifications))
        await go_to(pilot, view, ("switch", "roots"))
        await pilot.press("enter")
        await wait_for(
            pilot,
            lambda: (
                isinstance(found := line(view, ("switch", "roots")), SwitchLine) and not found.on
            ),
        )


async def test_a_hostile_server_only_says_it() -> None:
    server = Asker(name=HOSTILE, capabilities={"tools": {}, HOSTILE: {}})
    server.instructions = f"# {HOSTILE}\n\n`{HOSTILE}`"
    async with server_tab(server) as (_, pilot, view):
        facts = view.query_one("#server-facts")
        await wait_for(pilot, lambda: "evil␛[31m" in text_of(facts))
        told = text_of(facts) + text_of(view.query_one("#server-instructions"))
        await pilot.press("end")
        told += text_of(view.lines)
        assert "[bold]x[/bold]" in "".join(told.split())
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(told)
        assert SHOWN[:9] in text_of(view.query_one("#server-instructions"))


async def test_a_server_that_says_too_much_of_itself_is_cut_and_told_so() -> None:
    asker = Asker(
        name="n" * 50_000, capabilities={"experimental": {f"k{n}": {} for n in range(1000)}}
    )
    asker.instructions = "word " * 20_000
    async with server_tab(asker) as (_, pilot, view):
        facts, words = (view.query_one(f"#server-{name}") for name in ("facts", "instructions"))
        await wait_for(pilot, lambda: "characters more" in text_of(facts) + text_of(words))
        assert "48,000 characters more, in the traffic" in " ".join(text_of(facts).split())
        assert "80,000 characters more, in the traffic" in " ".join(text_of(words).split())
        assert text_of(facts).count("n") < 3_000
        told = [line.title for line in view.lines.items if isinstance(line, HeadingLine)]
        assert any("more, in the traffic" in title for title in told)
