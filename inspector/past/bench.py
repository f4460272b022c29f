"""An inspection as it stood at an entry, with all that the screens read of the one that goes on.

`Past` makes them, one after the other; it owns the timeline, so that one thread at a time may use
it, while another appends to the journal.
"""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from inspector.config.targets import Target
from inspector.journal.exchanges import Exchanges
from inspector.journal.journal import Journal
from inspector.journal.timeline import Timeline
from inspector.journal.timeline_readings import text
from inspector.journal.timeline_values import ConnectionAt
from inspector.past.session import PastSessions
from inspector.protocol.messages import JsonObject
from inspector.session.changes import Changes
from inspector.session.options import Options
from inspector.session.session import Session

if TYPE_CHECKING:
    from inspector.lint.judge import Judge
    from inspector.past.judge import JudgeAsOf
    from inspector.recording_source import RecordingSource

SLICE: Final = 5_000
"""Entries that the timeline goes along between two looks at whether something else is wanted."""


class Scene(Protocol):
    """What screens read of an inspection, be it the one that goes on or one of the past."""

    @property
    def target(self) -> Target:
        """What is inspected."""

    @property
    def session(self) -> Session:
        """The session, to be read."""

    @property
    def journal(self) -> Journal:
        """What happened."""

    @property
    def exchanges(self) -> Exchanges:
        """What belongs together."""

    @property
    def changes(self) -> Changes:
        """What moved."""

    @property
    def options(self) -> Options:
        """What the user chose."""

    @property
    def recording(self) -> Path | None:
        """The recording being written."""

    @property
    def recording_problem(self) -> str:
        """Why there is none."""

    @property
    def judge(self) -> "Judge | None":
        """The findings."""

    @property
    def source(self) -> "RecordingSource | None":
        """The recording that is looked at, in place of a server."""


class PastBench:
    """The inspection as of entry `number`. `connections` are those that there were by then;
    `session` is that of the current one. Everything may be read, nothing done."""

    def __init__(
        self,
        live: Scene,
        number: int,
        session: Session,
        connections: tuple[ConnectionAt, ...],
        current: ConnectionAt | None,
    ) -> None:
        self.number = number
        self.session = session
        self.connections = connections
        self.current = current
        self.journal = session.engine.journal
        self.exchanges = live.exchanges
        self.changes: Changes = session.changes
        self.recording, self.source = live.recording, live.source
        self.recording_problem = live.recording_problem
        self._live = live
        self._judge: JudgeAsOf | None = None
        facts = current.facts if current is not None else {}
        self.target = _target(facts) if facts else live.target
        protocol = text(facts.get("protocol")) or live.options.protocol
        self.options = replace(live.options, protocol=protocol, advertise=session.advertise)

    @property
    def judge(self) -> "Judge | None":
        """The findings that there were by then."""
        whole = self._live.judge
        if whole is None or self.number >= len(self._live.journal):
            return whole
        if self._judge is None or self._judge.whole_version != whole.version:
            from inspector.past.judge import JudgeAsOf

            self._judge = JudgeAsOf(whole, self.number)
        return self._judge


class Past:
    """The past of one inspection."""

    def __init__(self, live: Scene) -> None:
        self.live = live
        self._timeline = Timeline(live.journal)
        self._sessions = PastSessions(live.journal)

    @property
    def position(self) -> int:
        """How far it has gone along the journal."""
        return self._timeline.position

    def advance(self, number: int | None = None, *, limit: int = SLICE) -> bool:
        """Goes along up to entry `number` (None: the last), `limit` entries at most; whether it
        has arrived."""
        return self._timeline.advance(number, limit=limit)

    def at(self, number: int, words: str = "") -> PastBench:
        """The inspection as of entry `number`; `words` refuse what somebody wants to send in it."""
        state = self._timeline.state_at(number)
        refusal = words or f"this is the state as of #{number}; Esc returns to now"
        session = self._sessions.at(state, refusal)
        return PastBench(self.live, number, session, state.connections, state.current)


def _target(facts: JsonObject) -> Target:
    """What a connection was to, as far as the journal keeps it: no secrets."""
    command = facts.get("command")
    words = tuple(text(one) for one in command) if isinstance(command, list) else ()
    cwd = text(facts.get("cwd"))
    return Target(
        words,
        url=text(facts.get("url")),
        name=text(facts.get("name")),
        cwd=Path(cwd) if cwd else None,
    )
