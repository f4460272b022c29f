"""What was asked before, kept across reconnects: calls with their arguments and outcomes.

`History` gathers the calls of every session; `HistoryList` shows those of one item. Showing an
outcome again and filling a form is done by the views.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import ClassVar, Final

from rich.text import Text
from textual.binding import BindingType
from textual.message import Message

from inspector.protocol.messages import Json, Sendable, encode_json, raw_members
from inspector.render.safe import one_line
from inspector.session.pending import Call, Failure, Lost, Success
from inspector.tui.bindings import bindings_for
from inspector.tui.widgets.rows import RowList

KEPT: Final = 300
"""Calls remembered altogether; the oldest go first."""


@dataclass(frozen=True, slots=True)
class Past:
    """One call. `item` is the tool, prompt or URI, `arguments` the exact text of the arguments."""

    number: int
    item: str
    arguments: bytes
    call: Call
    wall: float = field(default_factory=time.time)


def mark_of(call: Call) -> tuple[str, str, str]:
    """Sign, word and ink of how a call stands; each alone says it."""
    match call.outcome:
        case None:
            return "…", "running", "mcp.accent"
        case Success(result=result):
            if is_error(result):
                return "✗", "tool error", "mcp.error"
            if not isinstance(result, dict):
                return "!", "no result", "mcp.warn"
            return "✓", "ok", "mcp.ok"
        case Failure(code=code):
            return "✗", f"error {code}", "mcp.error"
        case Lost(error=error):
            return "✗", error.kind, "mcp.warn"


def is_error(result: Json) -> bool:
    """Whether a tool's result says that it failed."""
    return isinstance(result, dict) and result.get("isError") is True


def latency_words(seconds: float) -> str:
    """A duration in words: `12 ms`, `1.2 s`, `2:05`."""
    if seconds < 0.9995:
        return f"{seconds * 1000:.{0 if seconds >= 0.01 else 1}f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


class History:
    """The calls of one method, by the item they name."""

    def __init__(self, method: str, name: str, arguments: str = "arguments") -> None:
        """`name` and `arguments` are the members of the parameters that hold them."""
        self._method = method
        self._name = name
        self._arguments = arguments
        self._calls: dict[int, Past] = {}

    def take(
        self, calls: Iterable[Call], wall: Callable[[Call], float] | None = None
    ) -> list[Past]:
        """Remembers the calls that are new; returns them, oldest first. `wall` says when each was
        made, in seconds since the epoch (None: now)."""
        fresh: list[Past] = []
        for call in calls:
            if call.method != self._method or call.number in self._calls:
                continue
            members = _params(call.params)
            item = _string(members.get(self._name, b""))
            arguments = members.get(self._arguments, b"")
            made = time.time() if wall is None else wall(call)
            past = Past(call.number, item, arguments, call, made)
            self._calls[call.number] = past
            fresh.append(past)
        while len(self._calls) > KEPT:
            del self._calls[next(iter(self._calls))]
        return fresh

    def of(self, item: str) -> list[Past]:
        """The calls of one item, newest first."""
        return [past for past in reversed(self._calls.values()) if past.item == item]

    def latest(self, item: str) -> Past | None:
        """The newest call of one item."""
        return next(iter(self.of(item)), None)

    def find(self, number: int) -> Past | None:
        """The call with this number."""
        return self._calls.get(number)

    def running(self) -> Past | None:
        """The newest call without an outcome."""
        return next((past for past in reversed(self._calls.values()) if not past.call.done), None)


def _params(params: Sendable) -> dict[str, bytes]:
    try:
        return raw_members(encode_json(params))
    except ValueError:
        return {}


def _string(raw: bytes) -> str:
    import msgspec

    try:
        return msgspec.json.decode(raw, type=str)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return raw.decode("utf-8", "replace")


class HistoryList(RowList[Past]):
    """A line for each earlier call; Enter recalls it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("history")]
    HELP: ClassVar[str] = "Enter shows that outcome again and puts its arguments into the form."

    class Left(Message):
        """Escape: the focus goes back."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(draw_past, key=lambda past: past.number, empty="No calls yet", id=id)

    def action_leave(self) -> None:
        """Escape."""
        self.post_message(self.Left())


def draw_past(past: Past, width: int) -> Text:
    """`#7 12:01:07 ✓ ok 12 ms {"a":2}`"""
    sign, word, ink = mark_of(past.call)
    clock = time.strftime("%H:%M:%S", time.localtime(past.wall))
    line = Text(no_wrap=True, end="")
    line.append(f" #{past.number:<3} ", "mcp.dim")
    if width >= 44:
        line.append(f"{clock}  ", "mcp.faint")
    line.append(f"{sign} {word}", ink)
    line.append(f"  {latency_words(past.call.elapsed)}  ", "mcp.dim")
    room = width - line.cell_len
    if room > 6 and past.arguments:
        head = past.arguments[: room * 4].decode("utf-8", "replace")
        line.append(one_line(head, room), "mcp.dim")
    return line
