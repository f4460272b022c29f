"""Texts of several lines and large ones in a form."""

import pytest
from textual.app import ComposeResult

from inspector.protocol.messages import Json
from inspector.tui.widgets.form_text import CHARACTER_LIMIT, LINE_LIMIT, WRAP_LIMIT, FormText
from tests.tui.form_host import FormHost, InkedApp, type_in
from tests.tui.test_form import told

SCHEMA: Json = {
    "type": "object",
    "properties": {"note": {"type": "string"}, "days": {"type": "integer"}},
}


class TextHost(InkedApp):
    def compose(self) -> ComposeResult:
        yield FormText(id="text")


async def test_a_text_of_several_lines_is_written_in_an_editor() -> None:
    host = FormHost(SCHEMA)
    async with host.run_test(size=(80, 24)) as pilot:
        await type_in(pilot, "one")
        await pilot.press("alt+e")
        assert host.query_one(FormText).has_focus
        await pilot.press("end", "enter")
        await type_in(pilot, "two")
        assert host.sent == '{"note":"one\\ntwo"}'
        await pilot.press("escape")
        assert host.rows.has_focus
        assert host.screen_text()[0].split()[1] == "one␊two"
        await pilot.press("enter")
        assert host.query_one(FormText).text == "one\ntwo"


async def test_a_value_of_several_lines_is_text_and_not_json() -> None:
    for text in ("a\nb", "\n", "a\n", "\na\n\n"):
        host = FormHost(SCHEMA, initial={"note": text})
        async with host.run_test(size=(80, 24)) as pilot:
            node = host.form.state.node("/note")
            assert node is not None
            assert (node.text, node.json) == (text, None)
            await pilot.press("enter", "x", "backspace", "escape")
            assert host.form.value() == {"note": text}


async def test_an_editor_opens_for_a_field_that_is_left_out_but_not_for_a_number() -> None:
    host = FormHost(SCHEMA)
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "alt+e")
        assert host.rows.has_focus
        await pilot.press("up", "alt+e", "x")
        assert host.sent == '{"note":"x"}'


async def test_what_the_fields_cannot_hold_is_kept_and_said() -> None:
    host = FormHost(SCHEMA, narrow=False)
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+j")
        host.query_one(FormText).load_text('{"note": 1.10, "days": [1]}')
        await pilot.pause()
        await pilot.press("ctrl+j")
        await pilot.pause()
        assert told(host).startswith("kept as JSON: /note: not a string (and 1 more)")
        assert host.sent == '{"note":1.10,"days":[1]}'
        await pilot.press("down", "down", "alt+o")
        await pilot.pause()
        assert "kept as JSON" not in told(host)


async def test_what_is_too_large_to_be_edited_stays_as_it_is_and_says_so() -> None:
    host = FormHost(SCHEMA, initial={"note": "x" * CHARACTER_LIMIT}, narrow=False)
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+j")
        await pilot.pause()
        assert not host.form.shows_json
        assert told(host).startswith("! too large to be edited here: 500,")
        await pilot.press("down")
        await pilot.pause()
        assert "too large" not in told(host)
        assert len(host.sent) > CHARACTER_LIMIT


@pytest.mark.parametrize("is_json", [True, False])
async def test_many_lines_of_json_are_shown_on_one(is_json: bool) -> None:
    host = TextHost()
    async with host.run_test(size=(80, 24)):
        area = host.query_one(FormText)
        text = "[" + ",\n".join(["1"] * LINE_LIMIT) + "\n]"
        reason = area.take_up(text, is_json=is_json)
        assert (reason == "", area.text.count("\n")) == (is_json, 0)
        assert not area.is_changed


async def test_very_long_lines_are_not_folded() -> None:
    host = TextHost()
    async with host.run_test(size=(80, 24)):
        area = host.query_one(FormText)
        area.take_up("x" * WRAP_LIMIT, is_json=False)
        assert area.soft_wrap
        area.take_up("x" * (WRAP_LIMIT + 1), is_json=False)
        assert not area.soft_wrap
