"""What a row is about, in a word: the tool, prompt, resource, task or logger it names.

Computed from the body when somebody looks, never kept per row; bodies above `NAME_LIMIT` are read
only so far. Pure.
"""

import re
from collections.abc import Callable
from typing import Final

import msgspec

from inspector.journal.entries import Kind, Row
from inspector.journal.facts import decode_facts, stderr_line
from inspector.protocol.numbers import measured

NAME_LIMIT: Final = 64 * 1024
NAME_LENGTH: Final = 512
NAMES_KEPT: Final = 2048

Scalar = str | int | float | bool | None


class _Named(msgspec.Struct, gc=False):
    name: str = ""
    uri: str = ""


class _Params(msgspec.Struct, gc=False):
    name: str = ""
    uri: str = ""
    ref: _Named | None = None
    level: str = ""
    logger: str | None = None
    task: str = msgspec.field(name="taskId", default="")
    client: _Named | None = msgspec.field(name="clientInfo", default=None)
    mode: str = ""
    reason: str | None = None
    progress: float | int | None = None
    total: float | int | None = None
    message: str | None = None


class _WithParams(msgspec.Struct, gc=False):
    params: _Params | None = None


_decode: Final = msgspec.json.Decoder(_WithParams, strict=True).decode
_first: Final = re.compile(
    rb'"params"\s*:\s*\{\s*"(?:name|uri|taskId)"\s*:\s*("(?:[^"\\]|\\.){0,512}")'
)


class Names:
    """The names of a journal's entries; remembers the last ones that were asked for."""

    def __init__(self, row: Callable[[int], Row], body: Callable[[int, int], bytes]) -> None:
        self._row = row
        self._body = body
        self._known: dict[int, str] = {}

    def of(self, number: int) -> str:
        """The name of an entry; of an outcome that of its request."""
        name = self._known.get(number)
        if name is None:
            row = self._row(number)
            if row.kind in (Kind.RESULT, Kind.ERROR):
                earlier = row.partner is not None and row.partner < number
                name = self.of(row.partner) if row.partner is not None and earlier else ""
            else:
                name = name_in(row.kind, row.method, self._body(number, NAME_LIMIT))
            if len(self._known) >= NAMES_KEPT:
                self._known = {}
            self._known[number] = name
        return name


def name_in(kind: Kind, method: str, body: bytes) -> str:
    """The name in a body of at most `NAME_LIMIT` bytes (the first ones of a longer body)."""
    if kind is Kind.STDERR:
        return stderr_line(body).decode("utf-8", "backslashreplace")[:NAME_LENGTH]
    if kind in (Kind.HTTP, Kind.NOTE):
        value = decode_facts(body).get("url" if kind is Kind.HTTP else "text")
        return value[:NAME_LENGTH] if isinstance(value, str) else ""
    if kind in (Kind.REQUEST, Kind.NOTIFICATION):
        return _of_message(method, body)[:NAME_LENGTH]
    return ""


def _of_message(method: str, body: bytes) -> str:
    try:
        params = _decode(body).params
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return _first_member(body)
    if params is None:
        return ""
    if method == "notifications/progress":
        return _progress(params)
    if method == "notifications/message":
        return f"{params.level} {params.logger or ''}".strip()
    if method == "notifications/cancelled":
        return params.reason or ""
    if params.ref is not None:
        return params.ref.name or params.ref.uri
    if params.client is not None:
        return params.client.name
    return (params.name or params.uri or params.task or params.level or params.mode) or _short(
        params.message
    )


def _progress(params: _Params) -> str:
    if params.progress is None:
        return params.message or ""
    value, total = measured(params.progress), measured(params.total)
    said = f"{value:g}" if value is not None else "?"
    said += f"/{total:g}" if total is not None else ""
    return f"{said} {params.message or ''}".strip()


def _short(message: str | None) -> str:
    return (message or "")[:80]


def _first_member(body: bytes) -> str:
    """The name in a body that was cut or is not as it should be, where it stands first."""
    found = _first.search(body)
    if found is None:
        return ""
    try:
        return msgspec.json.decode(found.group(1), type=str)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""
