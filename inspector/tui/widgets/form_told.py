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


def no_verdict(verdict: Verdict) -> Text:
    """Why there is no verdict, where there is none."""
    if not isinstance(verdict, NotValidated):
        return Text(end="")
    reason = verdict.reason.removeprefix("the schema is not valid: ")
    lead = "not validated" if reason == verdict.reason else "not validated, a wrong schema"
    return safe_text(f"{lead}: {reason}", "mcp.warn", keep_newlines=False)


def lines_of(*parts: Text) -> Text:
    """Those parts that say something, each beginning a line."""
    return Text("\n", end="").join([part for part in parts if part])


def kept_as_json(losses: Sequence[str]) -> Text:
    """What has to stay JSON because no field can hold it, in one line."""
    if not losses:
        return Text(end="")
    more = f" (and {len(losses) - 1} more)" if len(losses) > 1 else ""
    words = f"kept as JSON: {losses[0][:200]}{more}"
    return safe_text(words, "mcp.warn", keep_newlines=False)
