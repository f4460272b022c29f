"""The form as a widget: JSON text, verdicts, suggestions."""

import asyncio

import pytest
from textual.widgets import Static, TextArea

from inspector.errors import UsageError
from inspector.forms.jsontext import dump
from inspector.forms.problems import NotValidated, Problem
from inspector.protocol.messages import Json
from inspector.tui.widgets.form import SchemaForm
from tests.tui.form_host import FormHost, settled, type_in

SCHEMA: Json = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "Where to go"},
        "days": {"type": "integer", "default": 3},
        "box": {"type": "object", "properties": {"w": {"type": "number"}}},
    },
}


def told(host: FormHost) -> str:
    return str(host.query_one("#form-detail", Static).render())


async def test_the_whole_form_goes_to_json_and_back_without_loss() -> None:
    host = FormHost(SCHEMA)
    async with host.run_test(size=(80, 24)) as pilot:
        await type_in(pilot, "x")
        await pilot.press("ctrl+j")
        area = host.query_one(TextArea)
        assert area.has_focus
        assert area.text == '{\n  "city": "x",\n  "days": 3\n}'
        area.load_text('{"city":"y","days":1.0,"big":123456789012345678901,"box":{"w":1.10}}')
        await pilot.pause()
        assert host.sent == area.text
        await pilot.press("ctrl+j")
        assert host.rows.has_focus
        assert host.sent == '{"city":"y","days":1.0,"box":{"w":1.10},"big":123456789012345678901}'


async def test_looking_at_the_json_changes_nothing() -> None:
    host = FormHost(SCHEMA)
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("x", "alt+o")
        await pilot.press("ctrl+j", "ctrl+j", "alt+o")
        assert host.sent == '{"city":"x","days":3}'


async def test_text_that_is_no_json_stays_and_says_where_it_is_wrong() -> None:
    host = FormHost(SCHEMA)
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+j")
        host.query_one(TextArea).load_text('{"city": }')
        await pilot.press("ctrl+j")
        assert host.form.shows_json
        assert "not JSON: Expecting value (column 10)" in told(host)
        with pytest.raises(UsageError, match="column 10"):
            host.form.value()


async def test_a_part_is_edited_as_json_and_comes_back() -> None:
    host = FormHost(SCHEMA, initial={"box": {"w": 1}})
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "down", "alt+j", "enter")
        area = host.query_one(TextArea)
        assert area.has_focus
        area.load_text('{"w": 2.50, "new": [1]}')
        await pilot.pause()
        assert host.sent == '{"box":{"w":2.50,"new":[1]}}'
        await pilot.press("escape")
        assert host.rows.has_focus
        await pilot.press("alt+j")
        node = host.form.state.node("/box/w")
        assert node is not None
        assert node.text == "2.50"
        assert host.sent == '{"box":{"w":2.50,"new":[1]}}'


async def test_a_part_that_no_field_can_hold_says_why() -> None:
    host = FormHost(SCHEMA, initial={"box": [1]})
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "down")
        await pilot.pause()
        assert "JSON: not an object" in told(host)
        assert host.sent == '{"box":[1]}'


async def test_problems_stand_beside_their_fields_and_prevent_nothing() -> None:
    host = FormHost(SCHEMA, answer=lambda value: [Problem("/days", "too many"), Problem("", "no")])
    async with host.run_test(size=(80, 24)) as pilot:
        await settled(pilot, lambda: any("too many" in line for line in host.screen_text()))
        lines = host.screen_text()
        assert lines[0].strip() == "! no"
        assert lines[lines.index("  ! too many") - 1].startswith("  days")
        assert host.sent == '{"days":3}'
        assert Problem("/days", "too many") in host.form.problems()


async def test_the_verdict_is_about_the_last_value_and_asked_once_typing_pauses() -> None:
    host = FormHost(SCHEMA)
    async with host.run_test(size=(80, 24)) as pilot:
        await settled(pilot, lambda: len(host.judged) == 1)
        await type_in(pilot, "berlin")
        await settled(pilot, lambda: host.judged[-1] == '{"city":"berlin","days":3}')
        assert len(host.judged) < 6
        assert host.changes >= 6


async def test_no_verdict_says_why() -> None:
    host = FormHost(SCHEMA, answer=lambda value: NotValidated("dialect urn:x [/nope]"))
    async with host.run_test(size=(80, 24)) as pilot:
        await settled(pilot, lambda: "not validated: dialect urn:x [/nope]" in told(host))


async def test_the_real_validator_judges_in_the_background() -> None:
    class Real(FormHost):
        def __init__(self) -> None:
            super().__init__(SCHEMA)
            self.form = SchemaForm(
                {"type": "object", "properties": {"days": {"type": "integer", "maximum": 2}}},
                initial={"days": 3},
                id="form",
            )

    host = Real()
    async with host.run_test(size=(80, 24)) as pilot:
        for _ in range(1500):
            if any("3 is greater than" in line for line in host.screen_text()):
                break
            await pilot.pause(0.01)
        assert any("3 is greater than" in line for line in host.screen_text())


async def test_suggestions_are_offered_taken_and_closed() -> None:
    asked: list[tuple[str, str, str]] = []

    async def complete(pointer: str, text: str, whole: Json) -> list[str]:
        asked.append((pointer, text, dump(whole)))
        await asyncio.sleep(0)
        return [name for name in ("paris", "park[/nope]") if name.startswith(text)]

    host = FormHost(SCHEMA, complete=complete)
    async with host.run_test(size=(80, 24)) as pilot:
        await type_in(pilot, "pa")
        await settled(pilot, lambda: host.rows.view.pick is not None)
        assert asked[-1] == ("/city", "pa", '{"city":"pa","days":3}')
        assert "park[/nope]" in host.screen_text()[2]
        await pilot.press("down", "enter")
        assert host.sent == '{"city":"paris","days":3}'
        assert host.rows.view.pick is None
        await pilot.press("backspace")
        await settled(pilot, lambda: host.rows.view.pick is not None)
        await pilot.press("escape")
        assert host.rows.view.pick is None
        await pilot.press("backspace")
        await settled(pilot, lambda: host.rows.view.pick is not None)
        await pilot.press("enter")
        assert host.rows.node is host.form.state.node("/days")


async def test_a_failing_provider_offers_nothing() -> None:
    async def complete(pointer: str, text: str, whole: Json) -> list[str]:
        raise UsageError("no completions")

    host = FormHost(SCHEMA, complete=complete)
    async with host.run_test(size=(80, 24)) as pilot:
        await type_in(pilot, "p")
        await settled(pilot, lambda: host.judged[-1:] == ['{"city":"p","days":3}'])
        assert host.rows.view.pick is None
        assert host.sent == '{"city":"p","days":3}'


async def test_a_value_is_put_in_and_the_beginning_comes_back() -> None:
    host = FormHost(SCHEMA)
    async with host.run_test(size=(80, 24)) as pilot:
        host.form.set_value({"city": "x", "unknown": None})
        assert host.sent == '{"city":"x","unknown":null}'
        await pilot.press("ctrl+j")
        host.form.set_value({"days": 9})
        assert host.query_one(TextArea).text == '{\n  "days": 9\n}'
        await pilot.press("ctrl+j")
        host.form.reset()
        assert host.sent == '{"days":3}'


async def test_the_field_under_the_cursor_is_explained() -> None:
    host = FormHost(SCHEMA)
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert told(host) == "string\nWhere to go"
        await pilot.press("down")
        await pilot.pause()
        assert told(host) == "integer · default 3"
