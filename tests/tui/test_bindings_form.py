"""The rows of the form's keys."""

from inspector.tui.bindings import BINDINGS
from inspector.tui.bindings_form import FORM
from inspector.tui.widgets.form import SchemaForm
from inspector.tui.widgets.form_rows import FormRows


def test_every_row_is_in_the_table_and_has_an_action() -> None:
    for spec in FORM:
        assert BINDINGS[spec.id] is spec
        action = f"action_{spec.action.partition('(')[0]}"
        assert hasattr(FormRows, action) or hasattr(SchemaForm, action), action


def test_no_key_of_the_form_means_two_things() -> None:
    keys = [key for spec in FORM for key in spec.keys.split(",")]
    assert len(keys) == len(set(keys))


def test_no_printable_key_is_bound_so_that_everything_can_be_typed() -> None:
    assert not [spec.id for spec in FORM if any(len(key) == 1 for key in spec.keys.split(","))]
