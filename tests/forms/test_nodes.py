"""What typed text means for its field."""

import pytest

from inspector.errors import UsageError
from inspector.forms.jsontext import dump
from inspector.forms.nodes import NOTHING, any_value, collect, number_value, problem_of
from inspector.forms.tree import build_form
from inspector.forms.values import FormState
from inspector.protocol.messages import Json


def typed(schema: Json, text: str) -> tuple[str, str]:
    """What is sent for `text` in the field of `schema`, and the problem that is shown."""
    state = FormState(build_form(schema))
    state.set_text(state.root, text)
    sent = collect(state.root, strict=True)
    return ("nothing" if sent is NOTHING else dump(sent)), problem_of(state.root)


@pytest.mark.parametrize(
    ("kind", "text", "sent", "problem"),
    [
        ("integer", "5", "5", ""),
        ("integer", " 5 ", "5", ""),
        ("integer", "123456789012345678901234567890", "123456789012345678901234567890", ""),
        ("integer", "-0", "-0", ""),
        ("integer", "1.0", "1.0", ""),
        ("integer", "1.5", "1.5", "no integer"),
        ("integer", "1e400", "1e400", ""),
        ("integer", "abc", '"abc"', "no integer: goes out as a string"),
        ("integer", "007", '"007"', "no integer: goes out as a string"),
        ("integer", "0x1F", '"0x1F"', "no integer: goes out as a string"),
        ("integer", "", "nothing", "required"),
        ("number", "1.10", "1.10", ""),
        ("number", "1E5", "1E5", ""),
        ("number", "NaN", '"NaN"', "no number: goes out as a string"),
        ("number", ".5", '".5"', "no number: goes out as a string"),
        ("string", "", '""', ""),
        ("string", "5", '"5"', ""),
        ("string", "\ud800", '"\\ud800"', ""),
    ],
)
def test_text_goes_out_as_its_field_means_it(kind: str, text: str, sent: str, problem: str) -> None:
    assert typed({"type": kind}, text) == (sent, problem)


@pytest.mark.parametrize(
    ("text", "sent"),
    [("5", "5"), ("abc", '"abc"'), ('"5"', '"5"'), ('{"a":1.10}', '{"a":1.10}'), ("{a", '"{a"')],
)
def test_text_in_an_untyped_field_is_json_where_it_is_json(text: str, sent: str) -> None:
    form = FormState(build_form({"type": "object", "properties": {"a": True}}))
    node = form.node("/a")
    assert node is not None
    form.set_text(node, text)
    assert dump(form.collect()) == f'{{"a":{sent}}}'


def test_empty_texts_are_nothing_but_an_empty_string() -> None:
    assert number_value("") is NOTHING
    assert any_value("") is NOTHING
    assert number_value("  ") == "  "


def test_broken_json_in_a_part_names_the_part_and_the_column() -> None:
    state = FormState(build_form({"type": "object", "properties": {"a": False}}))
    (part,) = state.root.children
    state.restore(part)
    state.set_text(part, '{"x": }')
    assert problem_of(part) == "not JSON: Expecting value (column 7)"
    with pytest.raises(UsageError, match=r"/a: not JSON: Expecting value \(column 7\)"):
        state.collect()
    assert state.text() == '{"a":{"x": }}'


def test_pointers_count_items_and_pass_through_choices() -> None:
    schema: Json = {
        "type": "object",
        "properties": {
            "a/b": {"type": "array", "items": {"anyOf": [{"type": "object"}, {"type": "string"}]}}
        },
    }
    state = FormState(build_form(schema))
    state.load({"a/b": ["x", {"y": 1}]})
    node = state.node("/a~1b/1/y")
    assert node is not None
    assert node.pointer == "/a~1b/1/y"
    assert state.node("/a~1b/2") is None
    assert state.node("/a~1b/x") is None
