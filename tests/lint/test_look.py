"""How findings come of reports."""

from inspector.lint.catalog import RULES
from inspector.lint.look import finding
from inspector.lint.rule import LETTERS


def test_a_rule_that_does_not_hold_in_a_revision_reports_nothing() -> None:
    assert finding(RULES, "result/type-missing", LETTERS["D"], "x", (1,)) is None
    assert finding(RULES, "result/type-missing", LETTERS["E"], "x", (1,)) is not None


def test_entries_that_are_not_known_or_named_twice_are_left_out() -> None:
    found = finding(RULES, "rpc/not-json", LETTERS["D"], "x", (3, 0, 3, 2))
    assert found is not None
    assert found.entries == (3, 2)
