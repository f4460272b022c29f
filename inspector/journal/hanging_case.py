"""One look at why an answer does not come: the facts, the clock, how entries are named in words.

The words of reasons are plain text and may contain what a server sent: whoever shows them makes
them safe. Pure.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from inspector.journal.entries import Direction, Kind
from inspector.journal.hanging_facts import Seen
from inspector.journal.journal import Journal
from inspector.journal.timeline_readings import progress_said
from inspector.journal.timeline_values import ProgressAt
from inspector.protocol.messages import JsonObject, read_envelope

HEAD: Final = 4096
TEXT: Final = 120


@dataclass(frozen=True, slots=True)
class Reason:
    """One sentence of evidence, the entry that shows it (0: there is none), and how much it
    weighs: the heaviest is what most likely is the matter; 0 is only worth knowing."""

    text: str
    entry: int = 0
    weight: int = 0


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request without an answer. `age` is seconds; `on_us` tells that we have to answer it;
    `progress` says how far it last was reported to be."""

    number: int
    method: str
    name: str
    id: str
    age: float
    on_us: bool
    progress: Reason | None = None


def ago(seconds: float) -> str:
    """How long ago, in the unit that suits: `0.4 s`, `12 s`, `3 min 05 s`."""
    if seconds < 10:
        return f"{max(0.0, seconds):.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60:02} s"


@dataclass(frozen=True, slots=True)
class Case:
    """What the checks look at."""

    journal: Journal
    seen: Seen
    now: float
    asks: Collection[int] | None
    unfinished: int

    @property
    def oldest(self) -> int:
        """The open request of ours that waits longest; 0 where none does."""
        return self.seen.ours[0] if self.seen.ours else 0

    @property
    def subject(self) -> int:
        """The request whose fate is told: the oldest open one, else the last one that was lost or
        ran out of time, unless the server has answered since."""
        last = max((*self.seen.lost, *self.seen.timed_out), default=0)
        return self.oldest or (last if last > self.seen.answer else 0)

    def age(self, number: int) -> float:
        """How long ago an entry was, in seconds."""
        return self.now - self.journal.columns.monotonic[number]

    def id(self, number: int) -> str:
        """The id of a message as JSON text: "7" with its quotes is a string."""
        request_id = read_envelope(self.journal.body(number, 64 * 1024)).id
        if request_id is None:
            return "none"
        return f'"{request_id}"' if isinstance(request_id, str) else str(request_id)

    def named(self, number: int) -> str:
        """`tools/call add #12`"""
        row = self.journal.row(number)
        name = self.journal.name(number)
        return f"{row.method} {name} #{number}" if name else f"{row.method or '?'} #{number}"

    def waiting(self, number: int) -> Waiting:
        """An open request in full."""
        row = self.journal.row(number)
        reported = self.seen.progress.get(number)
        return Waiting(
            number, row.method, self.journal.name(number), self.id(number), self.age(number),
            row.direction is Direction.RECEIVED, self.progress(reported) if reported else None,
        )  # fmt: skip

    def progress(self, number: int) -> Reason:
        """A progress report in words."""
        value, total, message = progress_said(self.journal, ProgressAt(number, 1))
        words = f"{value:g}" if value is not None else "?"
        words += f" of {total:g}" if total is not None else ""
        words += f' "{message[:TEXT]}"' if message else ""
        return Reason(f"progress {words}, {ago(self.age(number))} ago", number)

    def what(self, number: int) -> str:
        row = self.journal.row(number)
        suffix = {Kind.RESULT: " result", Kind.ERROR: " error"}.get(row.kind, "")
        return f"{row.method or row.kind.name.lower()}{suffix} #{number}"

    def head(self, number: int) -> str:
        """The beginning of a body, as text."""
        text = self.journal.body(number, HEAD).decode("utf-8", "backslashreplace")
        return text if len(text) <= TEXT else f"{text[:TEXT]}…"


def ending(facts: JsonObject) -> str:
    """How a process ended, as the event about it says."""
    if facts.get("signal"):
        return f" by signal {facts['signal']}"
    code = facts.get("exitCode")
    return f" with exit code {code}" if code is not None else ""
