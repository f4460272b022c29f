"""How lines look."""

import pytest
from rich.cells import cell_len
from rich.style import Style

from inspector.forms.tree import build_form
from inspector.forms.values import FormState
from inspector.protocol.messages import Json
from inspector.render.safe import DANGEROUS
from inspector.tui.widgets.form_draw import Drawing, Inks, detail, label_width, pick_of
from inspector.tui.widgets.form_lines import FormView, lay_out

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


def drawn(schema: Json, width: int = 38) -> list[str]:
    state, view = FormState(build_form(schema)), FormView()
    lines = lay_out(state, view)
    inks = Inks(Style(), Style())
    drawing = Drawing(state.form, view, inks, width, label_width(lines, width))
    return [drawing.text(line, None).plain for line in lines]


def test_a_field_is_one_line_with_name_mark_value_and_hint() -> None:
    assert [line.rstrip() for line in drawn(SCHEMA)] == [
        '  count*                 integer · ≥ 1',
        '  flag     [x] true            boolean',
        '  colour   ‹ green ›            1 of 2',
        '  fixed    = {"a":1}',
        '  several  [1] b              any of 2',
        '  rest     omitted (default nu… string',
        '▾ deep     {0 of 1}',
        '    name   omitted              string',
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
        texts.extend(detail(state.form, child, [HOSTILE]).plain.split("\n"))
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
    assert detail(state.form, state.root, ["too low"]).plain == (
        "Age · integer · default 5\n! too low\nIn years"
    )
