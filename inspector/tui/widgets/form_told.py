"""What is told below the fields of a form: about the field under the cursor, or about the whole.

Decides the words and their order. When they are told is decided by `inspector.tui.widgets.form`.
"""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from inspector.forms.problems import NotValidated, Problem
from inspector.forms.validate import Verdict
from inspector.render.safe import safe_text

TOLD_LINES: Final = 3


def told_of_json(refused: str, problems: Sequence[Problem]) -> Text:
    """What is wrong with a JSON text as a whole; `refused` is why it cannot become fields."""
    if refused:
        return safe_text(f"! {refused}", "mcp.error")
    lines = [f"! {one.pointer or 'all'}: {one.message}" for one in problems[:TOLD_LINES]]
    return safe_text("\n".join(lines), "mcp.error")


def told_of_field(noted: str, field: Text) -> Text:
    """What is known about a field, after what just happened."""
    told = safe_text(noted, "mcp.warn", keep_newlines=False)
    if noted and field:
        told.append("\n")
    return told.append_text(field)


def with_verdict(told: Text, verdict: Verdict) -> Text:
    """The same and why there is no verdict, where there is none."""
    if isinstance(verdict, NotValidated):
        told.append("\n" if told else "")
        reason = f"not validated: {verdict.reason}"
        told.append_text(safe_text(reason, "mcp.warn", keep_newlines=False))
    return told


def kept_as_json(losses: Sequence[str]) -> str:
    """What has to stay JSON because no field can hold it, in one line."""
    if not losses:
        return ""
    more = f" (and {len(losses) - 1} more)" if len(losses) > 1 else ""
    return f"kept as JSON: {losses[0][:200]}{more}"
