"""Which lines a form has."""

from inspector.forms.problems import Problem
from inspector.forms.tree import build_form
from inspector.forms.values import FormState
from inspector.protocol.messages import Json
from inspector.tui.widgets.form_draw import label_of
from inspector.tui.widgets.form_lines import (
    FormView,
    LineKind,
    Pick,
    body_of,
    has_parts,
    lay_out,
    place_problems,
)

SCHEMA: Json = {
    "type": "object",
    "required": ["o"],
    "properties": {
        "a": {"type": "string"},
        "o": {"type": "object", "properties": {"x": {}, "y": {"type": "array", "default": [1]}}},
        "u": {
            "oneOf": [
                {"title": "One", "type": "object", "properties": {"p": {}}},
                {"title": "Two", "type": "string"},
            ]
        },
    },
}


def outline(state: FormState, view: FormView) -> list[str]:
    marks = {LineKind.FIELD: "", LineKind.ADD: "+", LineKind.PROBLEM: "!", LineKind.PICK: ">"}
    return [
        "  " * line.depth + marks[line.kind] + (line.text or label_of(line.node))
        for line in lay_out(state, view)
    ]


def test_nested_parts_stand_below_and_lists_have_a_place_to_add() -> None:
    state = FormState(build_form(SCHEMA))
    assert outline(state, FormView()) == ["a", "o", "  x", "  y", "    0", "    +y", "u"]


def test_an_object_alternative_shows_its_properties_a_scalar_one_line() -> None:
    state = FormState(build_form(SCHEMA))
    union = state.node("/u")
    assert union is not None
    state.restore(union)
    assert outline(state, FormView())[-2:] == ["u", "  p"]
    state.select(union, 1)
    assert outline(state, FormView())[-2:] == ["u", "  Two"]


def test_what_is_folded_hides_its_parts_and_shows_their_problems() -> None:
    state = FormState(build_form(SCHEMA))
    node = state.node("/o")
    assert node is not None
    view = FormView(folded={node})
    view.problems = place_problems(state, view, [Problem("/o/y/0", "wrong"), Problem("", "all")])
    assert outline(state, view) == ["!all", "a", "o", "  ".strip() + "!y/0: wrong", "u"]


def test_a_problem_of_something_that_has_no_line_goes_to_the_nearest_that_has() -> None:
    state = FormState(build_form(SCHEMA))
    view = FormView()
    placed = place_problems(
        state, view, [Problem("/zzz/q", "no"), Problem("/a", "one"), Problem("/a", "one")]
    )
    assert placed == {state.root: ["zzz/q: no"], state.node("/a"): ["one"]}


def test_a_form_that_is_one_value_is_one_line() -> None:
    state = FormState(build_form({"type": "integer"}))
    assert outline(state, FormView()) == ["value"]
    assert body_of(state.root) is None
    assert not has_parts(state.root)


def test_an_open_list_shows_a_few_options_round_its_cursor() -> None:
    state = FormState(build_form({"enum": [f"option {number}" for number in range(40)]}))
    pick = Pick(state.root, [one.label for one in state.root.field.options])
    assert pick.window() == [0, 1, 2, 3, 4, 5]
    pick.move(-1)
    assert (pick.current(), pick.window()) == (39, [34, 35, 36, 37, 38, 39])
    pick.query = "ION 3"
    pick.index = 0
    assert pick.shown() == [3, *range(30, 40)]
    pick.query = "none"
    assert pick.current() is None
    pick.move(1)
    assert pick.index == -1
