"""The result pane: progress, remarks, many blocks, frames."""

import threading

from rich.theme import Theme
from textual.app import App, ComposeResult

from inspector.protocol.messages import Json, JsonObject
from inspector.render.content import Block, result_blocks
from inspector.session.pending import Progress, Success
from inspector.tui.themes import INKS
from inspector.tui.widgets.header import LineWidget
from inspector.tui.widgets.history import HistoryList, Past
from inspector.tui.widgets.result import BLOCKS_SHOWN, READ_AT_ONCE, Reading, ResultPane
from inspector.tui.widgets.result_block import BlockView
from inspector.tui.widgets.rule import Rule
from tests.tui.test_history import call_of
from tests.tui.test_tools import ItemServer, call, tools_on
from tests.tui.world import main, text_of, wait_for


class PaneApp(App[int]):
    """Nothing but the pane."""

    def __init__(self) -> None:
        super().__init__()
        self.console.push_theme(Theme(dict.fromkeys(INKS, "")))

    def compose(self) -> ComposeResult:
        """The pane."""
        yield ResultPane()

    @property
    def pane(self) -> ResultPane:
        """The widget under test."""
        return self.query_one(ResultPane)

    def line(self, name: str) -> str:
        """The text of one of its lines."""
        return text_of(self.pane.query_one(f"#result-{name}", LineWidget))


READING = Reading(result_blocks, "call", None, "nothing yet")


async def test_a_running_call_shows_progress_and_then_its_outcome() -> None:
    app = PaneApp()
    async with app.run_test(size=(60, 30)) as pilot:
        running = call_of(1, {"name": "a"})
        app.pane.show_past(Past(1, "a", b"{}", running), READING)
        running.progress = Progress(1, 2, "half", 3, 1)
        await wait_for(pilot, lambda: "50 %" in app.line("progress"))
        text: JsonObject = {"type": "text", "text": "done"}
        result: JsonObject = {"content": [text]}
        raw = b'{"content":[{"type":"text","text":"done"}]}'
        running.outcome = Success(result, raw, 4)
        app.pane.look_again()
        await wait_for(pilot, lambda: bool(app.query(BlockView)))
        assert "✓ ok" in app.line("head")
        assert not app.pane.has_class("-running")


async def test_only_the_newest_of_several_calls_is_drawn() -> None:
    app = PaneApp()
    async with app.run_test(size=(60, 30)) as pilot:
        pasts = []
        for number in range(20):
            text: JsonObject = {"type": "text", "text": str(number)}
            done = call_of(number, {"name": "a"}, Success({"content": [text]}, b"{}", number))
            pasts.append(Past(number, "a", b"{}", done))
        for past in pasts:
            app.pane.show_past(past, READING)
        await wait_for(pilot, lambda: [b.block.text for b in app.query(BlockView)] == ["19"])


async def test_very_many_blocks_are_cut_and_it_is_said() -> None:
    app = PaneApp()
    async with app.run_test(size=(60, 30)) as pilot:
        many = Reading(lambda *_: [Block("text", "text", text="x")] * (BLOCKS_SHOWN + 3), "call")
        done = call_of(1, {"name": "a"}, Success({}, b"{}", 1))
        app.pane.show_past(Past(1, "a", b"{}", done), many)
        await wait_for(pilot, lambda: len(app.query(BlockView)) == BLOCKS_SHOWN)


async def test_a_long_answer_is_read_beside_the_screen_and_an_outdated_one_not_drawn() -> None:
    app = PaneApp()
    async with app.run_test(size=(60, 30)) as pilot:
        drawing, begun, may_end = threading.get_ident(), threading.Event(), threading.Event()
        readers: list[int] = []

        def read(result: Json, raw: bytes) -> list[Block]:
            readers.append(threading.get_ident())
            begun.set()
            assert len(raw) <= READ_AT_ONCE or may_end.wait(60)
            return [Block("text", "text", text=str(len(raw)))]

        try:
            for raw in (b"x" * (READ_AT_ONCE + 1), b"{}"):
                done = call_of(len(raw), {"name": "a"}, Success({}, raw, len(raw)))
                app.pane.show_past(Past(len(raw), "a", b"{}", done), Reading(read, "call"))
                await wait_for(pilot, begun.is_set)
        finally:
            may_end.set()
        await wait_for(pilot, lambda: [b.block.text for b in app.query(BlockView)] == ["2"])
        assert readers[0] != drawing
        assert readers[-1] == drawing


async def test_late_answers_and_hints_are_remarked() -> None:
    app = PaneApp()
    async with app.run_test(size=(60, 30)) as pilot:
        done = call_of(1, {"name": "a"}, Success({}, b"{}", 1))
        done.late = (12,)
        app.pane.show_past(Past(1, "a", b"{}", done), READING)
        await pilot.pause()
        assert app.pane.has_class("-remarks")


async def test_one_call_needs_no_history() -> None:
    app = PaneApp()
    async with app.run_test(size=(60, 30)) as pilot:
        done = call_of(1, {"name": "a"}, Success({}, b"{}", 1))
        app.pane.set_history([Past(1, "a", b"{}", done)])
        await pilot.pause()
        assert not app.query_one(HistoryList).display
        app.pane.set_history([Past(number, "a", b"{}", done) for number in range(9)])
        await wait_for(pilot, lambda: app.query_one(HistoryList).size.height == 5)


async def test_t_shows_the_frame_in_the_traffic() -> None:
    async with tools_on(ItemServer()) as (app, pilot, view):
        await call(pilot, view, "fails")
        await wait_for(pilot, lambda: bool(view.result.query(BlockView)))
        past = view.result.past
        assert past is not None
        outcome = past.call.outcome
        assert outcome is not None
        view.result.action_show_traffic()
        await wait_for(pilot, lambda: main(app).traffic_size != "hidden")


async def test_a_block_that_is_still_being_made_takes_no_focus_and_breaks_nothing() -> None:
    app = PaneApp()
    async with app.run_test(size=(60, 30)) as pilot:

        class HalfMade(BlockView):
            def compose(self) -> ComposeResult:
                yield Rule("json")
                self.can_focus = False  # its text will have the focus, once it is there

        holder = app.pane.query_one("#result-blocks")
        await holder.mount(HalfMade(Block("text", "json", data=b"{}"), stem="stem"))
        app.pane.focus_content()
        await wait_for(pilot, lambda: app.focused is holder)
