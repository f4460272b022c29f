"""The README's table of keys is the registry's."""

from inspector.tui.bindings import BINDINGS
from inspector.tui.key_table import README, key_table, with_table


def test_the_readme_has_the_keys_as_they_are() -> None:
    readme = README.read_text()
    assert with_table(readme) == readme, "run: python -m inspector.tui.key_table"


def test_every_binding_has_a_row_with_its_id() -> None:
    table = key_table()
    assert [name for name in BINDINGS if f"| `{name}` |" not in table] == []


def test_a_pipe_in_a_key_does_not_end_its_cell() -> None:
    widths = {line.replace("\\|", "").count("|") for line in key_table().splitlines()}
    assert widths == {5}
