"""Log notifications, kept as references to journal entries.

Only level and logger are read on arrival, for the level filter; the data stays in the journal
until somebody looks. Bounded: the oldest references go first, the entries stay.
"""

from dataclasses import dataclass
from typing import Final

import msgspec

from inspector.session.changes import Changes

BOUND: Final = 20_000
LEVELS: Final = (
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
)
"""The levels of RFC 5424 that the protocol uses, least severe first."""


def level_after(level: str | None, *, off: bool) -> str | None:
    """The level above `level`; behind the highest the lowest again, or None (`off`) where logs can
    be done without."""
    if level not in LEVELS:
        return LEVELS[0]
    place = LEVELS.index(level) + 1
    if place == len(LEVELS):
        return None if off else LEVELS[0]
    return LEVELS[place]


@dataclass(frozen=True, slots=True)
class LogLine:
    """One log notification: its journal entry, its level and logger as sent ("" if unreadable)."""

    entry: int
    level: str
    logger: str


class _Params(msgspec.Struct, gc=False):
    level: object = ""
    logger: object = ""


class _Message(msgspec.Struct, gc=False):
    params: _Params = msgspec.field(default_factory=_Params)


_decoder: Final = msgspec.json.Decoder(_Message)


class Logs:
    """The log notifications of one session, oldest first; `total` counts all that ever came."""

    __slots__ = ("_changes", "_lines", "total")

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self._lines: list[LogLine] = []
        self.total = 0

    @property
    def lines(self) -> tuple[LogLine, ...]:
        """A snapshot of the remembered lines."""
        return tuple(self._lines)

    def add(self, entry: int, raw: bytes) -> LogLine:
        """Takes the notification in `raw`, which is journal entry `entry`."""
        try:
            params = _decoder.decode(raw).params
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            params = _Params()
        level, logger = params.level, params.logger
        line = LogLine(
            entry,
            level if isinstance(level, str) else "",
            logger if isinstance(logger, str) else "",
        )
        self._lines.append(line)
        if len(self._lines) > 2 * BOUND:
            self._lines = self._lines[-BOUND:]
        self.total += 1
        self._changes.bump("logs")
        return line
