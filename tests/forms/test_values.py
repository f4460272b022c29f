"""A form that is filled in."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.errors import UsageError
from inspector.forms.jsontext import dump, same
from inspector.forms.nodes import Presence
from inspector.forms.problems import Problem
from inspector.forms.tree import build_form
from inspector.forms.values import INITIAL_ITEMS, INITIAL_NODES, FormState
from inspector.protocol.messages import Json, JsonObject, encode_json
from tests.forms.generators import ANY_JSON, SCHEMAS, values_for
from tests.scaled import scaled

CAR: Json = {
    "type": "object",
    "required": ["brand", "doors", "owner", "electric", "colour", "kind"],
    "properties": {
        "brand": {"type": "string"},
        "doors": {"type": "integer", "default": 4},
        "owner": {"type": "object", "properties": {"name": {"type": "string", "default": "me"}}},
        "electric": {"type": "boolean"},
        "colour": {"enum": ["red", "green"]},
        "kind": {"const": "car"},
        "note": {"type": "string"},
        "year": {"type": "integer", "default": 2024},
        "plate": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        "tags": {"type": "array", "items": {"type": "string"}},
        "extras": {"type": "object", "additionalProperties": {"type": "integer"}},
    },
}
UNION: Json = {
    "oneOf": [
        {"properties": {"kind": {"const": "a"}, "x": {"type": "integer"}, "n": {}}},
        {"properties": {"kind": {"const": "b"}, "x": {"type": "integer"}, "m": {}}},
        {"type": "string"},
    ]
}


def started(schema: Json, *, prefill: bool = True) -> FormState:
    return FormState(build_form(schema), prefill=prefill)


def test_a_form_begins_with_what_is_required_and_with_defaults() -> None:
    assert dump(started(CAR).collect()) == (
        '{"brand":"","doors":4,"owner":{"name":"me"},"electric":false,"kind":"car","year":2024}'
    )
    assert "year" not in dump(started(CAR, prefill=False).collect())
    assert '"doors":4' in dump(started(CAR, prefill=False).collect())


def test_what_is_missing_or_wrong_is_told_and_does_not_prevent_sending() -> None:
    state = started(CAR)
    assert state.problems() == [Problem("/colour", "required")]
    doors = state.node("/doors")
    assert doors is not None
    state.set_text(doors, "four")
    assert Problem("/doors", "no integer: goes out as a string") in state.problems()
    assert '"doors":"four"' in dump(state.collect())


@given(data=st.data(), schema=SCHEMAS)
@settings(
    max_examples=scaled(300),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
def test_what_is_loaded_is_collected_again(data: st.DataObject, schema: Json) -> None:
    value = data.draw(values_for(schema))
    state = started(schema)
    state.load(value)
    assert same(state.collect(), value)
    assert json.loads(encode_json(state.collect())) == json.loads(json.dumps(value))
    state.load_text(state.text())
    assert same(state.collect(), value)


@given(SCHEMAS | ANY_JSON)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_json_as_schema_gives_a_form_that_can_be_sent(schema: Json) -> None:
    state = started(schema)
    encode_json(state.collect())
    state.problems()
    before = state.collect()
    state.load(before)
    assert same(state.collect(), before)


@given(SCHEMAS, st.lists(st.tuples(st.integers(0, 11), st.integers(0, 50)), max_size=12))
@settings(max_examples=scaled(200), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_order_of_changes_breaks_a_form(schema: Json, steps: list[tuple[int, int]]) -> None:
    state = started(schema)
    for step, chance in steps:
        nodes = [state.root]
        for node in nodes:
            nodes.extend(node.children[:10])
        node = nodes[chance % len(nodes)]
        match step:
            case 0:
                state.omit(node)
            case 1:
                state.null(node)
            case 2:
                state.restore(node)
            case 3:
                state.set_text(node, "5")
            case 4 if node.field.kind.name == "ARRAY" and node.json is None:
                state.add_item(node)
            case 5 if node.field.kind.name == "OBJECT" and node.json is None:
                if all(child.key != str(chance) for child in node.children):
                    state.add_entry(node, str(chance))
            case 6:
                state.remove(node)
            case 7:
                state.move(node, 1)
            case 8:
                state.as_json(node)
            case 9:
                state.as_fields(node)
            case 10 if node.field.options and node.field.kind.name == "MULTI":
                state.toggle(node, chance % len(node.field.options))
            case 11 if node.field.kind.name in ("ENUM", "CONST"):
                state.select(node, chance % len(node.field.options))
        value = state.collect()
        again = FormState(state.form)
        again.load(value)
        assert same(again.collect(), value)


def test_every_part_is_left_out_null_or_a_value_and_keeps_what_was_typed() -> None:
    state = started({"type": "object", "properties": {"a": {"type": "string"}}})
    node = state.node("/a")
    assert node is not None
    assert dump(state.collect()) == "{}"
    state.set_text(node, "kept")
    state.null(node)
    assert dump(state.collect()) == '{"a":null}'
    state.omit(node)
    assert dump(state.collect()) == "{}"
    state.restore(node)
    assert dump(state.collect()) == '{"a":"kept"}'


def test_items_are_added_moved_and_removed() -> None:
    state = started(CAR)
    tags = state.node("/tags")
    assert tags is not None
    for text in ("one", "two", "three"):
        state.set_text(state.add_item(tags), text)
    state.move(tags.children[2], -1)
    state.move(tags.children[0], -1)
    state.remove(tags.children[0])
    assert '"tags":["three","two"]' in dump(state.collect())
    state.set_text(state.add_item(tags, 0), "first")
    assert '"tags":["first","three","two"]' in dump(state.collect())


def test_entries_are_added_renamed_and_removed_and_a_key_is_there_once() -> None:
    state = started(CAR)
    extras = state.node("/extras")
    assert extras is not None
    state.set_text(state.add_entry(extras, "hooks"), "2")
    state.set_text(state.add_entry(extras, "lamps"), "4")
    with pytest.raises(UsageError, match="already an entry 'hooks'"):
        state.add_entry(extras, "hooks")
    with pytest.raises(UsageError, match="already"):
        state.rename(extras.children[1], "hooks")
    state.rename(extras.children[0], "eyes")
    assert '"extras":{"eyes":2,"lamps":4}' in dump(state.collect())
    state.remove(extras.children[0])
    assert '"extras":{"lamps":4}' in dump(state.collect())


def test_another_alternative_keeps_what_it_shares_by_name_and_the_way_back() -> None:
    state = started(UNION)
    x = state.node("/x")
    assert x is not None
    state.set_text(x, "7")
    state.select(state.root, 1)
    assert dump(state.collect()) == '{"x":7}'
    state.select(state.root, 2)
    assert dump(state.collect()) == '""'
    state.select(state.root, 0)
    assert dump(state.collect()) == '{"x":7}'


def test_a_part_goes_to_json_and_back() -> None:
    state = started(CAR)
    owner = state.node("/owner")
    assert owner is not None
    state.as_json(owner)
    assert owner.json == '{\n  "name": "me"\n}'
    state.set_text(owner, '{"name": "you", "age": 1.10}')
    assert state.as_fields(owner) == ""
    assert '"owner":{"name":"you","age":1.10}' in dump(state.collect())
    state.as_json(owner)
    state.set_text(owner, "[1]")
    assert state.as_fields(owner) == "not an object"
    assert '"owner":[1]' in dump(state.collect())
    state.set_text(owner, "[")
    assert "not JSON" in state.as_fields(owner)


def test_raw_text_comes_back_into_the_fields_token_for_token() -> None:
    state = started(CAR)
    text = '{"doors":1.0,"brand":"x","big":123456789012345678901234567890,"e":1E5,"year":null}'
    assert state.load_text(text) == []
    assert json.loads(dump(state.collect())) == json.loads(text)
    assert '"doors":1.0' in dump(state.collect())
    assert '"e":1E5' in dump(state.collect())
    with pytest.raises(UsageError, match="not JSON"):
        state.load_text("{")


def test_a_schema_that_requires_itself_starts_bounded() -> None:
    pair: JsonObject = {
        "type": "object",
        "required": ["left", "right"],
        "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}},
    }
    assert dump(started(pair).collect()).count("left") <= INITIAL_NODES


def test_an_empty_item_keeps_its_place() -> None:
    state = started({"type": "array", "items": {"type": "integer"}})
    state.add_item(state.root)
    state.set_text(state.add_item(state.root), "2")
    assert dump(state.collect()) == "[null,2]"


def test_reset_goes_back_to_the_beginning() -> None:
    state = started(CAR)
    before = dump(state.collect())
    state.load({"zzz": 1})
    state.reset()
    assert dump(state.collect()) == before
    assert state.root.presence is Presence.VALUE


def test_a_list_that_must_have_items_begins_with_them() -> None:
    least: Json = {"type": "array", "minItems": 2, "items": {"type": "string"}}
    assert dump(started(least).collect()) == '["",""]'
    pair: Json = {"type": "array", "prefixItems": [{"const": "x"}, {"type": "boolean"}]}
    assert dump(started(pair).collect()) == '["x",false]'
    old: Json = {"type": "array", "items": [{"const": "x"}, {"const": "y"}], "minItems": 1}
    assert dump(started(old).collect()) == '["x"]'
    many: Json = {"type": "array", "minItems": 10**9, "items": {"type": "string"}}
    assert len(started(many).root.children) == INITIAL_ITEMS
    itself: Json = {"type": "array", "minItems": 3, "items": {"$ref": "#"}}
    assert dump(started(itself).collect()).count("[") <= INITIAL_NODES + 1


def test_text_goes_along_to_another_kind_of_text_and_back() -> None:
    state = started({"properties": {"a": {"type": ["string", "integer", "boolean"]}}})
    node = state.node("/a")
    assert node is not None
    state.restore(node)
    state.set_text(node.children[0], "5")
    state.select(node, 1)
    assert dump(state.collect()) == '{"a":5}'
    state.select(node, 2)
    assert dump(state.collect()) == '{"a":false}'
    state.select(node, 0)
    assert dump(state.collect()) == '{"a":"5"}'


def test_defaults_cost_no_more_together_than_one_action_may() -> None:
    lists: JsonObject = {
        f"k{index}": {"type": "array", "items": {"type": "integer"}, "default": [*range(400)]}
        for index in range(400)
    }
    state = started({"type": "object", "properties": lists})
    fields = sum(1 + len(child.children) for child in state.root.children)
    assert fields <= INITIAL_NODES + 401
    assert json.loads(dump(state.collect())) == {key: [*range(400)] for key in lists}
    last = state.root.children[-1]
    assert (last.json is not None, last.why) == (True, "too much for fields")
    assert state.as_fields(last) == ""
    assert len(last.children) == 400
