"""How lines look."""

import pytest
from rich.cells import cell_len
from rich.style import Style

from inspector.forms.tree import build_form
from inspector.forms.values import FormState
from inspector.protocol.messages import Json, JsonObject
from inspector.render.safe import DANGEROUS
from inspector.tui.widgets.form_draw import (
    Drawing,
    Inks,
    described,
    field_facts,
    hint_width,
    label_width,
    pick_of,
)
from inspector.tui.widgets.form_editor import LineEditor
from inspector.tui.widgets.form_lines import FormView, lay_out, place_problems

HOSTILE = "\x1b]52;c;AAAA\x07[/nope]\u202e\x9b31m[@click=app.quit]x[/]"
SCHEMA: Json = {
    "type": "object",
    "required": ["count"],
    "properties": {
        "count": {"type": "integer", "minimum": 1},
        "flag": {"type": "boolean", "default": True},
        "colour": {"enum": ["red", "green"], "default": "green"},
        "fixed": {"const": {"a": 1}, "default": {"a": 1}},
        "several": {"type": "array", "items": {"enum": ["a", "b"]}, "default": ["b"]},
        "rest": {"type": "string", "default": None},
        "deep": {"type": "object", "properties": {"name": {"type": "string"}}, "default": {}},
    },
}


def drawn(schema: Json, width: int = 38, *, judged: bool = False) -> list[str]:
    state, view = FormState(build_form(schema)), FormView()
    if judged:
        view.problems = place_problems(state, view, state.problems())
    lines = lay_out(state, view)
    inks = Inks(Style(), Style())
    label = label_width(lines, width)
    drawing = Drawing(state.form, view, inks, width, label, hint_width(lines, width, label))
    return [drawing.text(line, None).plain for line in lines]


def test_a_field_is_one_line_with_name_mark_value_and_hint() -> None:
    assert [line.rstrip() for line in drawn(SCHEMA)] == [
        '  count*                 integer · ≥ 1',
        '  flag     [x] true      boolean',
        '  colour   ‹ green ›     1 of 2',
        '  fixed    = {"a":1}',
        '  several  [1] b         any of 2',
        '  rest     omitted (def… string',
        '▾ deep     {0 of 1}',
        '    name   omitted       string',
    ]  # fmt: skip


@pytest.mark.parametrize("width", [20, 36, 38, 80, 200])
def test_no_line_is_wider_than_the_form(width: int) -> None:
    long: Json = {
        "properties": {
            "a very long property name that does not fit": {"type": "string", "pattern": "x" * 99},
            "日本語の名前はとても幅が広い": {"enum": ["日本語" * 30], "default": "日本語" * 30},
        }
    }
    for schema in (SCHEMA, long):
        assert max(cell_len(line) for line in drawn(schema, width)) <= width


def test_what_a_server_wrote_is_shown_as_text() -> None:
    schema: Json = {
        "title": HOSTILE,
        "properties": {
            HOSTILE: {"type": "string", "default": HOSTILE, "format": HOSTILE},
            "e": {"oneOf": [{"const": 1, "title": HOSTILE}], "default": 1},
            "u": {
                "oneOf": [{"title": HOSTILE, "type": "string"}, {"type": "integer"}],
                "default": HOSTILE,
                "description": HOSTILE,
            },
        },
    }
    state = FormState(build_form(schema))
    texts = drawn(schema, 200)
    for child in state.root.children:
        texts.extend(field_facts(child, [HOSTILE]).plain.split("\n"))
        texts.append(described(child).plain)
    assert not [text for text in texts if DANGEROUS.search(text)]
    assert any("[/nope]" in text for text in texts)


def test_fields_that_are_chosen_have_options() -> None:
    state = FormState(build_form(SCHEMA))
    picks = {child.key: pick_of(state.form, child) for child in state.root.children}
    assert [key for key, pick in picks.items() if pick is not None] == ["colour", "several"]
    colour = picks["colour"]
    assert colour is not None
    assert (list(colour.labels), colour.index) == (["red", "green"], 1)


def test_the_detail_tells_type_default_problem_and_description() -> None:
    state = FormState(
        build_form({"type": "integer", "title": "Age", "default": 5, "description": "In\nyears"})
    )
    assert field_facts(state.root, ["too low"]).plain == "Age · integer · default 5\n! too low"
    assert described(state.root).plain == "In years"


def test_a_format_is_told_by_an_example_unless_the_schema_has_one() -> None:
    dated = FormState(build_form({"type": "string", "format": "date"})).root
    assert field_facts(dated, []).plain == "date · e.g. 2026-01-31"
    own: Json = {"type": "string", "format": "date", "examples": ["1999-12-31"]}
    assert field_facts(FormState(build_form(own)).root, []).plain == 'date · e.g. "1999-12-31"'


@pytest.mark.parametrize("said", [{"format": "password"}, {"writeOnly": True}])
def test_a_password_never_shows_not_even_while_it_is_typed(said: JsonObject) -> None:
    schema: Json = {"properties": {"p": {"type": "string", "default": "qwe", **said}}}
    (line,) = drawn(schema, 60)
    assert "•••" in line
    assert "qwe" not in line
    state = FormState(build_form(schema))
    typing = Drawing(state.form, FormView(), Inks(Style(), Style()), 60, 10, 10)
    typed = typing.text(lay_out(state, FormView())[0], LineEditor("qwerty")).plain
    assert "••••••" in typed
    assert "qwe" not in typed
    assert "qwe" not in field_facts(state.root.children[0], []).plain
    state.omit(state.root.children[0])
    view = FormView()
    left_out = lay_out(state, view)[0]
    drawing = Drawing(state.form, view, Inks(Style(), Style()), 60, 10, 10)
    assert "qwe" not in drawing.text(left_out, None).plain


def test_an_empty_key_and_a_part_that_is_left_out_can_be_told() -> None:
    lines = drawn({"properties": {"": {}, "o": {"type": ["object", "null"]}}}, 60)
    assert [line.split()[0] for line in lines] == ['""', "o"]
    assert lines[1].endswith("object · or null")


def test_an_empty_required_field_says_so_on_its_own_line_and_nowhere_else() -> None:
    schema: Json = {
        "properties": {
            "a": {"type": "number"},
            "b": {"enum": ["x", "y"]},
            "c": {"type": "number", "default": "five"},
        },
        "required": ["a", "b"],
    }
    lines = drawn(schema, 44, judged=True)
    assert [line.split() for line in lines] == [
        ["a*", "required", "number"],
        ["b*", "‹", "choose", "›", "required", "1", "of", "2"],
        ["c", "five", "number"],
        ["!", "no", "number:", "goes", "out", "as", "a", "string"],
    ]
    state = FormState(build_form(schema))
    assert "required" not in field_facts(state.root.children[0], ["required"], 20).plain


def test_the_detail_tells_a_problem_again_only_where_its_line_cut_it_off() -> None:
    state = FormState(build_form({"type": "integer"}))
    assert field_facts(state.root, ["too low by far", "odd"], 14).plain == "integer\n! odd"
    assert "! too low by far" in field_facts(state.root, ["too low by far"], 13).plain


def test_hints_stand_in_one_column() -> None:
    fields = [line for line in drawn(SCHEMA) if "=" not in line and "▾" not in line]
    hints = ("integer", "boolean", "1 of 2", "any of 2", "string", "string")
    assert len({line.index(hint) for line, hint in zip(fields, hints, strict=True)}) == 1
