"""Which journal entries are log output, and how severe: what the Logs tab lists.

Reads the journal's columns for what is new, a bounded slice per tick, and a body only where a level
or words are asked for. Pure but for reading.
"""

import re
from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from inspector.journal.entries import Kind
from inspector.session.logs import LEVELS

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

STDERR: Final = 100
"""The rank of a stderr line: no level, shown or hidden on its own switch."""
UNKNOWN: Final = 101
"""The rank of a log notification whose level is none of `LEVELS`; always shown."""
UNREAD: Final = 102
"""The rank of a log notification whose body nobody had to look at yet."""

_RANKS: Final = {level: rank for rank, level in enumerate(LEVELS)}
_LEVEL: Final = re.compile(rb'"level"\s*:\s*"([a-z]{1,16})"')
_LOG_METHOD: Final = "notifications/message"
_HEAD: Final = 2048
_STDERR, _NOTIFICATION = int(Kind.STDERR), int(Kind.NOTIFICATION)


def per_request(level: str | None) -> str:
    """What a choice of level does in the modern era, where no request of its own says it."""
    if level is None:
        return "No request asks for logs from now on"
    return f"Each request from now on asks for logs from {level} up"


class LogIndex:
    """Grows with the journal; `shown` is what passes the level, the stderr switch and the words.

    `catch_up` is called on the screen's tick. Words are looked for in the body, case ignored.
    """

    def __init__(self, journal: "Journal") -> None:
        self.journal = journal
        self._seen = 0
        self._entries = array("I")
        self._ranks = array("B")
        self.shown = array("I")
        self.least = 0
        self.with_stderr = True
        self.words: tuple[str, ...] = ()
        self._sifted = 0

    def look_at(self, journal: "Journal") -> bool:
        """Goes on with another view of the same evidence; whether that ends earlier."""
        self.journal = journal
        if len(journal) >= self._seen:
            return False
        self._seen = len(journal)
        kept = bisect_right(self._entries, self._seen)
        del self._entries[kept:], self._ranks[kept:]
        del self.shown[bisect_right(self.shown, self._seen) :]
        self._sifted = min(self._sifted, kept)
        return True

    @property
    def total(self) -> int:
        """Log output of any kind, hidden or not."""
        return len(self._entries)

    def catch_up(self, limit: int = 20_000) -> bool:
        """Takes at most `limit` new entries; True where something new is shown."""
        journal = self.journal
        begin, end = self._seen + 1, min(len(journal), self._seen + limit) + 1
        log = next((one for one, name in enumerate(journal.methods) if name == _LOG_METHOD), -1)
        columns = zip(journal.kinds[begin:end], journal.method_ids[begin:end], strict=True)
        found = [
            (number, STDERR if kind == _STDERR else UNREAD)
            for number, (kind, method) in enumerate(columns, begin)
            if kind == _STDERR or (kind == _NOTIFICATION and method == log)
        ]
        self._entries.extend([number for number, _ in found])
        self._ranks.extend([rank for _, rank in found])
        self._seen = end - 1
        before = len(self.shown)
        self._sift()
        return len(self.shown) != before

    @property
    def behind(self) -> bool:
        """Whether entries wait for the next tick."""
        return self._seen < len(self.journal)

    def choose(
        self,
        *,
        least: int | None = None,
        with_stderr: bool | None = None,
        words: str | None = None,
    ) -> None:
        """Changes what is shown."""
        self.least = self.least if least is None else least
        self.with_stderr = self.with_stderr if with_stderr is None else with_stderr
        self.words = self.words if words is None else tuple(words.casefold().split())
        self.shown = array("I")
        self._sifted = 0
        self._sift()

    def level(self, number: int) -> str:
        """The level of an entry by its journal number: a level's name, "stderr" or "?"."""
        rank = self._rank(number) if self.journal.kinds[number] != Kind.STDERR else STDERR
        if rank == STDERR:
            return "stderr"
        return LEVELS[rank] if rank < len(LEVELS) else "?"

    def _rank(self, number: int) -> int:
        found = _LEVEL.search(self.journal.body(number, _HEAD))
        return _RANKS.get(found[1].decode(), UNKNOWN) if found else UNKNOWN

    def _sift(self) -> None:
        if not self.least and not self.words and self.with_stderr:
            self.shown.extend(self._entries[self._sifted :])
            self._sifted = len(self._entries)
            return
        for position in range(self._sifted, len(self._entries)):
            rank = self._ranks[position]
            if rank == UNREAD and self.least:
                rank = self._ranks[position] = self._rank(self._entries[position])
            wanted = self.with_stderr if rank == STDERR else rank >= self.least
            if wanted and (not self.words or self._has_words(self._entries[position])):
                self.shown.append(self._entries[position])
        self._sifted = len(self._entries)

    def _has_words(self, number: int) -> bool:
        text = self.journal.body(number).decode("utf-8", "backslashreplace").casefold()
        return all(word in text for word in self.words)
