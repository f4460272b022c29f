"""Pointers."""

from inspector.forms.problems import Problem, pointer_of


def test_a_pointer_escapes_tilde_and_slash() -> None:
    assert pointer_of(["a/b", 0, "~x", ""]) == "/a~1b/0/~0x/"
    assert pointer_of([]) == ""


def test_problems_are_values() -> None:
    assert Problem("/a", "required") == Problem("/a", "required")
