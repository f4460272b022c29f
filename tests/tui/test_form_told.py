"""What is told below the fields of a form."""

from rich.text import Text

from inspector.forms.problems import NotValidated, Problem
from inspector.tui.widgets.form_told import (
    TOLD_LINES,
    kept_as_json,
    told_of_field,
    told_of_json,
    with_verdict,
)


def test_why_a_text_is_refused_comes_before_what_is_wrong_in_it() -> None:
    problems = [Problem("/a", "no")] * 5
    assert told_of_json("not JSON", problems).plain == "! not JSON"
    assert told_of_json("", problems).plain == "\n".join(["! /a: no"] * TOLD_LINES)
    assert told_of_json("", [Problem("", "no")]).plain == "! all: no"


def test_what_just_happened_comes_before_what_is_known_of_the_field() -> None:
    assert told_of_field("kept", Text("integer")).plain == "kept\ninteger"
    assert told_of_field("", Text("integer")).plain == "integer"
    assert told_of_field("kept", Text("")).plain == "kept"


def test_no_verdict_is_told_last() -> None:
    reason = NotValidated("dialect \x1b[1m")
    assert with_verdict(Text("a"), reason).plain.startswith("a\nnot validated: dialect ␛")
    assert with_verdict(Text(""), reason).plain.startswith("not validated")
    assert with_verdict(Text("a"), []).plain == "a"


def test_losses_are_told_on_one_line() -> None:
    assert kept_as_json([]) == ""
    assert kept_as_json(["/a: no"]) == "kept as JSON: /a: no"
    assert kept_as_json(["/a: no", "/b: no", "/c: no"]) == "kept as JSON: /a: no (and 2 more)"
