"""A row of the table of keys."""

from inspector.tui.binding_spec import BindingSpec


def test_the_scope_stands_before_the_dot() -> None:
    assert BindingSpec("tools.act", "ctrl+r", "act", "Call", "Calls it").scope == "tools"
