"""What is told below the fields of a form."""

from rich.text import Text

from inspector.forms.problems import NotValidated, Problem
from inspector.tui.widgets.form_told import (
    TOLD_LINES,
    kept_as_json,
    lines_of,
    no_verdict,
    told_of_json,
)


def test_why_a_text_is_refused_comes_before_what_is_wrong_in_it() -> None:
    problems = [Problem("/a", "no")] * 5
    assert told_of_json("not JSON", problems).plain == "! not JSON"
    assert told_of_json("", problems).plain == "\n".join(["! /a: no"] * TOLD_LINES)
    assert told_of_json("", [Problem("", "no")]).plain == "! all: no"


def test_only_what_says_something_has_a_line() -> None:
    assert lines_of(Text("a"), Text(""), Text("b")).plain == "a\nb"
    assert lines_of(Text("")).plain == ""


def test_why_there_is_no_verdict_is_told_in_few_words() -> None:
    assert no_verdict(NotValidated("dialect \x1b")).plain == "not validated: dialect ␛"
    wrong = NotValidated("the schema is not valid: 5 is odd")
    assert no_verdict(wrong).plain == "not validated, a wrong schema: 5 is odd"
    assert no_verdict([]).plain == ""


def test_losses_are_told_on_one_line() -> None:
    assert kept_as_json([]).plain == ""
    assert kept_as_json(["/a: no"]).plain == "kept as JSON: /a: no"
    several = kept_as_json(["/a: no", "/b: no", "/c: no"])
    assert several.plain == "kept as JSON: /a: no (and 2 more)"
