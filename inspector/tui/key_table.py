"""The table of keys in the README, made from the one registry of bindings.

`python -m inspector.tui.key_table` writes it between the markers in README.md; a test fails where
the two differ.
"""

from pathlib import Path
from typing import Final

from inspector.tui.bindings import BINDINGS, SCOPES
from inspector.tui.key_hints import pretty_keys

BEGIN: Final = "<!-- keys: made by python -m inspector.tui.key_table -->"
END: Final = "<!-- /keys -->"
README: Final = Path(__file__).resolve().parent.parent.parent / "README.md"


def key_table() -> str:
    """All bindings as one Markdown table: where, keys, what, and the id for the keymap file."""
    lines = ["| where | keys | does | id in keymap.toml |", "|---|---|---|---|"]
    for spec in BINDINGS.values():
        keys = ", ".join(f"`{_escaped(pretty_keys(key))}`" for key in spec.keys.split(","))
        lines.append(f"| {SCOPES[spec.scope]} | {keys} | {_escaped(spec.tooltip)} | `{spec.id}` |")
    return "\n".join(lines)


def with_table(readme: str) -> str:
    """`readme` with the table between its markers brought up to date."""
    head, _, rest = readme.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n{key_table()}\n{END}{tail}"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    README.write_text(with_table(README.read_text()))
