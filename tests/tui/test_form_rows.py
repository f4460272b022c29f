"""Keys on the rows of a form."""

import pytest

from inspector.protocol.messages import Json
from tests.tui.form_host import FormHost, settled, type_in

SIMPLE: Json = {
    "type": "object",
    "required": ["a", "b"],
    "properties": {
        "a": {"type": "integer"},
        "b": {"type": "integer"},
        "loud": {"type": "boolean"},
        "unit": {"enum": ["m", "km", "mile"]},
        "note": {"type": ["string", "null"]},
    },
}
NESTED: Json = {
    "type": "object",
    "properties": {
        "who": {"type": "object", "properties": {"name": {"type": "string"}}},
        "tags": {"type": "array", "items": {"type": "string"}},
        "map": {"type": "object", "additionalProperties": {"type": "integer"}},
        "days": {"type": "array", "items": {"enum": ["mo", "tu"]}},
    },
}
UNION: Json = {
    "oneOf": [
        {
            "title": "Circle",
            "type": "object",
            "required": ["kind", "r"],
            "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}},
        },
        {"title": "Name", "type": "string"},
    ]
}
TREE: Json = {
    "$defs": {
        "node": {
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {"type": "string"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
            },
        }
    },
    "$ref": "#/$defs/node",
}


async def test_typing_fills_fields_and_tab_leaves_the_form_at_its_end() -> None:
    host = FormHost(SIMPLE)
    async with host.run_test(size=(80, 24)) as pilot:
        await type_in(pilot, "2")
        await pilot.press("enter")
        await type_in(pilot, "-3.50")
        await pilot.press("tab", "tab", "tab")
        await type_in(pilot, "j k")
        assert host.sent == '{"a":2,"b":-3.50,"note":"j k"}'
        await pilot.press("tab")
        assert not host.rows.has_focus
        await pilot.press("shift+tab", "shift+tab", "backspace", "backspace", "x")
        assert host.rows.has_focus


async def test_wrong_text_is_sent_as_it_stands() -> None:
    host = FormHost(SIMPLE)
    async with host.run_test(size=(80, 24)) as pilot:
        await type_in(pilot, "abc")
        assert host.sent == '{"a":"abc"}'
        assert host.form.problems()[0].message == "no integer: goes out as a string"


async def test_every_field_is_left_out_null_or_a_value() -> None:
    host = FormHost(SIMPLE)
    async with host.run_test(size=(80, 24)) as pilot:
        await type_in(pilot, "5")
        await pilot.press("alt+n")
        assert host.sent == '{"a":null}'
        await pilot.press("alt+o")
        assert host.sent == "{}"
        await pilot.press("alt+o")
        assert host.sent == '{"a":5}'
        await pilot.press("ctrl+end", "x", "backspace")
        assert host.sent == '{"a":5,"note":""}'
        await pilot.press("backspace")
        assert host.sent == '{"a":5}'


async def test_booleans_and_enums_change_with_space_arrows_and_letters() -> None:
    host = FormHost(SIMPLE)
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "down", "space", "space")
        assert host.sent == '{"loud":true}'
        await pilot.press("f", "down", "enter", "right", "right")
        assert host.sent == '{"loud":false,"unit":"km"}'
        await pilot.press("left", "left")
        assert host.sent == '{"loud":false,"unit":"mile"}'
        await pilot.press("enter", "k", "enter")
        assert host.sent == '{"loud":false,"unit":"km"}'
        await pilot.press("enter", "down", "escape")
        assert host.sent == '{"loud":false,"unit":"km"}'
        await pilot.press("delete")
        assert host.sent == '{"loud":false}'


async def test_items_are_added_moved_and_removed_by_key() -> None:
    host = FormHost(NESTED)
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "enter", "enter")
        await type_in(pilot, "one")
        await pilot.press("alt+a")
        await type_in(pilot, "two")
        await pilot.press("down", "enter")
        await type_in(pilot, "three")
        assert host.sent == '{"tags":["one","two","three"]}'
        await pilot.press("alt+up", "alt+up")
        assert host.sent == '{"tags":["three","one","two"]}'
        await pilot.press("alt+down", "alt+d")
        assert host.sent == '{"tags":["one","two"]}'
        await pilot.press("alt+d", "alt+d")
        assert host.sent == '{"tags":[]}'


async def test_an_object_opens_and_folds() -> None:
    host = FormHost(NESTED)
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        assert host.sent == '{"who":{}}'
        await pilot.press("down")
        await type_in(pilot, "me")
        assert host.sent == '{"who":{"name":"me"}}'
        await pilot.press("up")
        lines = host.rows.count_lines()
        await pilot.press("left")
        assert host.rows.count_lines() == lines - 1
        await pilot.press("right")
        assert host.rows.count_lines() == lines


async def test_a_map_asks_for_the_key_of_a_new_entry() -> None:
    host = FormHost(NESTED)
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "down", "enter", "down")
        await type_in(pilot, "bags")
        await pilot.press("enter")
        await type_in(pilot, "2")
        assert host.sent == '{"map":{"bags":2}}'
        await pilot.press("down")
        await type_in(pilot, "bags")
        await pilot.press("enter")
        assert any("already" in line for line in host.screen_text())
        await pilot.press("backspace", "enter", "5")
        assert host.sent == '{"map":{"bags":2,"bag":5}}'
        await pilot.press("f2", "x", "enter")
        assert host.sent == '{"map":{"bags":2,"bagx":5}}'
        await pilot.press("f2", "q", "escape", "alt+d")
        assert host.sent == '{"map":{"bags":2}}'


async def test_an_unknown_key_can_be_added_where_the_schema_has_no_place_for_it() -> None:
    host = FormHost(SIMPLE)
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("alt+a")
        await type_in(pilot, "zzz")
        await pilot.press("enter")
        await type_in(pilot, "true")
        assert host.sent == '{"zzz":true}'


async def test_several_of_many_are_ticked() -> None:
    host = FormHost(NESTED)
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+end", "enter", "enter", "down", "space", "up", "enter", "escape")
        assert host.sent == '{"days":["tu","mo"]}'


async def test_another_alternative_is_chosen_with_the_arrows_or_from_the_list() -> None:
    host = FormHost(UNION)
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "down")
        await type_in(pilot, "1.10")
        assert host.sent == '{"kind":"circle","r":1.10}'
        await pilot.press("up", "up", "right", "down")
        await type_in(pilot, "me")
        assert host.sent == '"me"'
        await pilot.press("up", "enter", "c", "enter")
        assert host.sent == '{"kind":"circle","r":1.10}'


async def test_a_recursive_schema_grows_as_it_is_opened() -> None:
    host = FormHost(TREE)
    async with host.run_test(size=(80, 24)) as pilot:
        await type_in(pilot, "a")
        await pilot.press("down", "enter", "enter", "down")
        await type_in(pilot, "b")
        await pilot.press("down", "enter", "enter", "down")
        await type_in(pilot, "c")
        assert host.sent == ('{"name":"a","children":[{"name":"b","children":[{"name":"c"}]}]}')


async def test_letters_that_are_keys_elsewhere_are_typed() -> None:
    host = FormHost({"type": "object", "properties": {"s": {"type": "string"}}})
    async with host.run_test(size=(80, 24)) as pilot:
        await type_in(pilot, "jkgGhl123?/q")
        assert host.sent == '{"s":"jkgGhl123?/q"}'


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("schema", [SIMPLE, NESTED, UNION, TREE, {}, False, [1], "x", None])
async def test_any_schema_draws_at_both_sizes(schema: Json, size: tuple[int, int]) -> None:
    host = FormHost(schema)
    async with host.run_test(size=size) as pilot:
        await pilot.press("enter", "space", "down", "alt+j", "alt+a", "escape", "tab")
        await settled(pilot, lambda: bool(host.judged))
        assert host.rows.size.width >= 36


@pytest.mark.parametrize("key", ["ctrl+s", "alt+enter"])
async def test_a_key_submits(key: str) -> None:
    host = FormHost(SIMPLE)
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.press(key)
        await settled(pilot, lambda: host.submitted == 1)


async def test_a_pasted_text_goes_into_the_field_and_lines_stay_in_a_string() -> None:
    from textual import events

    host = FormHost({"type": "object", "properties": {"s": {"type": "string"}}})
    async with host.run_test(size=(80, 24)) as pilot:
        host.rows.post_message(events.Paste("one\ntwo\x1b[31m"))
        await settled(pilot, lambda: host.sent != "{}")
        assert host.sent == '{"s":"one\\ntwo\\u001b[31m"}'
        assert "one␊two␛[31m" in host.screen_text()[0]


async def test_a_click_on_an_option_takes_it() -> None:
    host = FormHost(SIMPLE)
    async with host.run_test(size=(80, 24)) as pilot:
        await settled(pilot, lambda: any("required" in line for line in host.screen_text()))
        await pilot.press("down", "down", "down", "enter", "enter")
        lines = [line.strip() for line in host.screen_text()]
        await pilot.click(host.rows, offset=(20, lines.index("km")))
        assert host.sent == '{"unit":"km"}'
