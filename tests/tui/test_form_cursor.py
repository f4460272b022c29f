"""The cursor stays on its field while lines come and go."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from inspector.forms.problems import Problem
from inspector.forms.tree import build_form
from inspector.forms.values import FormState
from inspector.protocol.messages import Json, JsonObject
from inspector.tui.widgets.form import SchemaForm
from inspector.tui.widgets.form_cursor import can_type, is_typed
from tests.tui.form_host import FormHost, InkedApp, settled

PROPERTIES: JsonObject = {f"p{number}": {"type": "string"} for number in range(300)}
MANY: Json = {"type": "object", "properties": PROPERTIES}


async def test_problems_that_appear_above_do_not_move_the_cursor_off_its_field() -> None:
    host = FormHost({"type": "object", "properties": {"a": {}, "b": {}, "c": {}}})
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "down")
        host.rows.show_problems([Problem("/a", "x"), Problem("", "y"), Problem("/c", "z")])
        assert host.rows.node is host.form.state.node("/c")
        await pilot.press("up")
        assert host.rows.node is host.form.state.node("/b")
        await pilot.press("up", "up", "up")
        assert host.rows.node is host.form.state.node("/a")


async def test_hundreds_of_fields_draw_only_what_is_visible() -> None:
    host = FormHost(MANY)
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+end")
        assert host.rows.node is host.form.state.node("/p299")
        before = host.rows.lines_drawn
        await pilot.press("x")
        await pilot.pause()
        assert host.rows.lines_drawn - before <= 4 * 24
        assert host.sent == '{"p299":"x"}'


async def test_a_form_inside_something_that_scrolls_keeps_its_cursor_in_sight() -> None:
    class Scrolling(InkedApp):
        CSS = "SchemaForm { height: auto; } Static { height: 5; }"

        def compose(self) -> ComposeResult:
            with VerticalScroll(can_focus=False):
                yield Static("above")
                yield SchemaForm(MANY)

        def on_mount(self) -> None:
            self.query_one(SchemaForm).focus()

    async with Scrolling().run_test(size=(60, 20)) as pilot:
        form = pilot.app.query_one(SchemaForm)
        scroll = pilot.app.query_one(VerticalScroll)
        await settled(pilot, lambda: form.size.height > 300)
        await pilot.press(*["down"] * 40)
        await settled(pilot, lambda: scroll.scroll_offset.y >= 25)


def test_what_can_be_typed_into() -> None:
    state = FormState(build_form({"properties": {"s": {"type": "string"}, "b": {"const": 1}}}))
    text, constant = state.root.children
    assert can_type(text)
    assert not is_typed(text)
    assert not can_type(constant)
    state.set_text(text, "x")
    assert is_typed(text)
