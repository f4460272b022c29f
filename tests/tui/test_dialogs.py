"""Dialogs: what they hand back."""

from textual.widgets import Input, Static, TextArea

from inspector.tui.screens.dialogs import (
    ConfirmDialog,
    EditDialog,
    LineDialog,
    editable,
    kept_members,
    one_line_of,
)
from tests.tui.world import main, running, wait_for


async def test_a_line_is_handed_back_and_escape_hands_back_nothing() -> None:
    async with running() as (app, pilot):
        got: list[str | None] = []
        app.push_screen(LineDialog("Say", "x"), got.append)
        await wait_for(pilot, lambda: bool(app.screen.query(Input)))
        await pilot.press("y", "enter")
        app.push_screen(LineDialog("[/nope]"), got.append)
        await wait_for(pilot, lambda: app.screen is not main(app))
        await pilot.press("escape")
        await wait_for(pilot, lambda: len(got) == 2)
        assert got == ["xy", None]


async def test_a_question_is_agreed_to_by_its_key_only() -> None:
    async with running() as (app, pilot):
        got: list[bool | None] = []
        for key in ("ctrl+s", "escape"):
            app.push_screen(ConfirmDialog("Sure?", "It is [bold]marked[/bold]\x1b."), got.append)
            await wait_for(pilot, lambda: bool(app.screen.query("ConfirmDialog Static")))
            shown = " ".join(str(each.render()) for each in app.screen.query(Static))
            assert "[bold]marked[/bold]" in shown
            assert "\x1b" not in shown
            await pilot.press("enter", key)
            await wait_for(pilot, lambda: app.screen is main(app))
        assert got == [True, False]


async def test_an_edited_message_keeps_its_tokens_and_may_be_wrong() -> None:
    async with running() as (app, pilot):
        got: list[bytes | None] = []
        app.push_screen(EditDialog("Edit", b'{"a":1.10,"a":1E5}'), got.append)
        await wait_for(pilot, lambda: bool(app.screen.query(TextArea)))
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: len(got) == 1)
        assert got == [b'{"a":1.10,"a":1E5}']


async def test_characters_that_no_editor_shows_are_edited_as_escapes() -> None:
    async with running() as (app, pilot):
        got: list[bytes | None] = []
        app.push_screen(EditDialog("Edit", '{"a":"x\u202e\u2028\x7f"}'.encode()), got.append)
        await wait_for(pilot, lambda: bool(app.screen.query(TextArea)))
        assert '"x\\u202e\\u2028\\u007f"' in app.screen.query_one(TextArea).text
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: len(got) == 1)
        assert got == [b'{"a":"x\\u202e\\u2028\\u007f"}']


def test_a_message_is_sent_on_one_line_whatever_it_is() -> None:
    assert one_line_of('{\n "a": 1.10\n}') == b'{"a":1.10}'
    assert one_line_of("no\njson\r") == b"no json "


def test_what_was_left_alone_in_an_editor_keeps_its_bytes() -> None:
    raw = '{"a":{"b":  1.10},"s":"x\u202ey\\u0041","c":1}'.encode()
    shown = one_line_of(editable(raw))
    assert b"\\u202e" in shown  # no terminal gets it, so the editor has it as an escape
    assert kept_members(raw, shown) == raw
    edited = shown.replace(b'"c":1', b'"c":2')
    assert kept_members(raw, edited) == raw.replace(b'"c":1', b'"c":2')
    other = shown.replace(b"\\u202e", b"\\u202E")
    assert kept_members(raw, other).endswith(b'"s":"x\\u202Ey\\u0041","c":1}')


def test_an_edit_of_plain_bytes_goes_out_as_it_stands() -> None:
    assert kept_members(b'{"a":1}', b'{"a":1.0,"a":2}') == b'{"a":1.0,"a":2}'
    assert kept_members('{"a":"\u202e"}'.encode(), b"[1]") == b"[1]"
