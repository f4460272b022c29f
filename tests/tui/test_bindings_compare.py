"""The keys of comparing exist where they act."""

from inspector.tui.bindings_compare import COMPARE, COMPARE_MAIN
from inspector.tui.screens.compare import CompareScreen
from inspector.tui.screens.main import MainScreen


def test_every_key_has_its_action() -> None:
    for table, scope, owner in (
        (COMPARE_MAIN, "main", MainScreen),
        (COMPARE, "compare", CompareScreen),
    ):
        for spec in table:
            assert spec.scope == scope
            assert hasattr(owner, f"action_{spec.action}"), spec.id
