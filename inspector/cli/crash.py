"""What is said when this program itself is wrong: where, never with what.

A traceback's locals and an exception's text may hold tokens, headers and environment values. So
only the places are printed, with the kind of exception and its text after the secrets known for
this run, and whatever looks like one, were taken out.
"""

import re
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path

from inspector.cli import skeleton
from inspector.cli.output import CRASHED

_LOOKS_SECRET = re.compile(
    r"(?<![\w-])(?>[\w-]*?eyJ)[\w-]{8,}+\.[\w-]{8,}+\.[\w-]*+"
    r"|(?i:bearer)\s+\S+|\b(?:sk|ghp|gho|xox[a-z])[-_]\S{8,}"
)
_secrets: set[str] = set()


def keep_secret(values: Iterable[str]) -> None:
    """Values of this run (tokens, header and environment values) that no report may show."""
    _secrets.update(value for value in values if len(value) >= 4)


def report(error: BaseException) -> int:
    """Prints the report to stderr and returns the exit code of a crash."""
    skeleton.leave()
    sys.stderr.write(describe(error))
    return CRASHED


def describe(error: BaseException) -> str:
    """The report: a line per place, without source lines, locals and secrets."""
    lines = ["mcp-inspect crashed; this is a fault of mcp-inspect, not of the server."]
    for one in _inner(error):
        lines.append(f"  {type(one).__module__}.{type(one).__qualname__}: {_clean(str(one))}")
        lines += [
            f"    {_short(frame.filename)}:{frame.lineno} in {frame.name}"
            for frame in traceback.extract_tb(one.__traceback__, limit=-25)
        ]
    lines.append("  Please report it with these lines.")
    return "\n".join(lines) + "\n"


def _inner(error: BaseException) -> list[BaseException]:
    """The exceptions themselves; a group says nothing by itself."""
    if isinstance(error, BaseExceptionGroup):
        return [error, *(inner for one in error.exceptions for inner in _inner(one))]
    return [error]


def _clean(text: str) -> str:
    from inspector.journal.redact import Redactor
    from inspector.render.safe import visible

    for secret in sorted(_secrets, key=len, reverse=True):
        text = text.replace(secret, "<secret>")
    redactor = Redactor()
    for secret in _secrets:
        redactor.learn(secret)  # as they look in JSON, in a URL and in base64
    masked = redactor.sent(text.encode("utf-8", "backslashreplace"))[0].decode("utf-8", "replace")
    return visible(_LOOKS_SECRET.sub("<secret>", masked)[:500])


def _short(filename: str) -> str:
    parts = Path(filename).parts
    return str(Path(*parts[-3:])) if len(parts) > 3 else filename
