"""The keys of findings, hanging and coverage stand in the one table, with their two ways in."""

from inspector.tui.bindings import BINDINGS
from inspector.tui.bindings_debug import COVERAGE, DEBUG_MAIN, FINDINGS, HANGING, SERVER_COVERAGE


def test_every_key_is_in_the_table() -> None:
    for spec in (*COVERAGE, *DEBUG_MAIN, *FINDINGS, *HANGING, *SERVER_COVERAGE):
        assert BINDINGS[spec.id] is spec


def test_why_it_hangs_has_a_key_that_works_while_typing() -> None:
    keys = BINDINGS["main.hanging"].keys.split(",")
    assert {"f11", "alt+w"} == set(keys)


def test_no_key_stands_twice_in_one_place() -> None:
    for scope in (COVERAGE, FINDINGS, HANGING):
        keys = [key for spec in scope for key in spec.keys.split(",")]
        assert len(keys) == len(set(keys))
