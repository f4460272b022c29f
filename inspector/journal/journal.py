"""The journal: everything that happened in one inspection, in order, append-only.

Decides what becomes an entry and in which order things happen at an append: mask secrets, glance
at the message, write the line, fill the columns, correlate, tell subscribers. Bodies live in a
`RecordingFile`, so memory grows by the columns only. Opinions (findings, state as of an entry) are
left to whoever reads.

Threads: one thread appends; rows, bodies and counts may be read from any thread. Notes and flags
may come from any thread too, a lock keeps them apart. Subscribers run on the appending thread.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from inspector.journal.columns import Columns, Form
from inspector.journal.correlator import Correlator
from inspector.journal.entries import (
    NO_FLAGS,
    SYSTEM_CLOCK,
    Clock,
    Direction,
    Entry,
    Flag,
    HttpFacts,
    Kind,
    Row,
    SseFacts,
)
from inspector.journal.facts import ASIDE, encode_facts, http_json, stderr_facts
from inspector.journal.glance import from_stored, glance, to_stored
from inspector.journal.lines import (
    HEAD_LENGTH,
    TAIL_LENGTH,
    LineWriter,
    event_in,
    event_json,
    flag_line,
    optional,
)
from inspector.journal.names import Names
from inspector.journal.opinions import Opinions
from inspector.journal.recording import RecordingFile
from inspector.journal.redact import Redactor
from inspector.protocol.messages import JsonObject

Subscriber = Callable[[int], None]

_MASKED: Final = int(Flag.MASKED)
_GIVEN_UP: Final = Flag.CANCELLED | Flag.TIMED_OUT
_PENDING: Final = int(Flag.PENDING)
_JSON: Final = Form.JSON
_SENT: Final = int(Direction.SENT)
_NOTIFICATION: Final = int(Kind.NOTIFICATION)


class Journal:
    """Append-only evidence; entry numbers count from 1.

    `file` is where the bodies are (an unlinked temporary file where none is given), `redactor`
    masks secrets before anything is kept, `sent` and `received` count frames, `changes` counts
    flag changes of entries that were there already.
    """

    def __init__(
        self,
        *,
        file: RecordingFile | None = None,
        clock: Clock = SYSTEM_CLOCK,
        redactor: Redactor | None = None,
    ) -> None:
        self.file = file if file is not None else RecordingFile.unlinked()
        self.clock = clock
        self.redactor = redactor if redactor is not None else Redactor()
        self.columns = Columns()
        self.correlator = Correlator(self.columns)
        self.sent = 0
        self.received = 0
        self.changes = 0
        self.dropped_bytes = 0
        """Bytes of a reopened recording that could not be read."""
        self._monotonic, self._wall = clock.monotonic, clock.wall
        self._began = clock.monotonic()
        self._writer = LineWriter()
        self.connections = 0
        """How many connections were begun."""
        self.opinions: Opinions | None = None
        """What whoever judges this journal thinks of its entries."""
        self._lock = threading.RLock()
        self._subscribers: tuple[Subscriber, ...] = ()
        self._told = 0
        self._telling = False
        self._failure = ""  # as told; the file's own, by identity
        self._names = Names(self.row, self.body)

    def begin_connection(self, facts: JsonObject) -> int:
        """Opens a new section of the journal and returns its number, counting from 1. Requests
        of earlier connections are pending no longer, unless `facts` say that it is `ASIDE`."""
        with self._lock:
            self.connections += 1
            if ASIDE not in facts:
                self.correlator.settle(self.connections)
            self.event(
                "connection",
                {**facts, "connection": self.connections},
                connection=self.connections,
            )
            return self.connections

    def frame(
        self,
        direction: Direction,
        raw: bytes,
        *,
        connection: int,
        http: int | None = None,
        flags: Flag = NO_FLAGS,
        stream: str = "",
        event: SseFacts | None = None,
    ) -> int:
        """Appends a message as it crossed the wire, without its line ending. `http` is the entry
        number of the exchange that carried it, `event` what stood beside it in its SSE event."""
        # Every message comes here, and a call costs as much as what it does: so the columns are
        # filled in place, and the lock is held without `with`.
        lock = self._lock
        lock.acquire()
        try:
            columns = self.columns
            mask = self.redactor.sent if direction == _SENT else self.redactor.text
            kept, masked = mask(raw)
            seen = kind, method, _, form = glance(kept)
            method_id = columns.known.get(method)
            if method_id is None:
                method_id = columns.intern(method)
            bits = 0 if flags is NO_FLAGS else int(flags)
            if masked:
                bits |= _MASKED
            if connection > 0xFFFF:
                connection = 0xFFFF
            stored, more = kept, b""
            if form is not _JSON or bits or http or stream or event is not None:
                stored = to_stored(kept, form)
                beside = b"" if event is None else self.redactor.text(event_json(event))[0]
                more = optional(http=http or 0, flags=bits, stream=stream, event=beside, form=form)
            number = columns.count + 1
            now, wall = self._monotonic(), self._wall()
            line = self._writer.line(
                number, wall, now - self._began, kind, direction, connection, more, stored
            )
            offset = self.file.append(line, now) + len(line) - len(stored) - TAIL_LENGTH
            if number > columns.room:
                columns.grow()
            columns.offsets[number] = offset
            columns.sizes[number] = len(kept)
            columns.monotonic[number] = now
            columns.wall[number] = wall
            columns.kinds[number] = kind
            columns.directions[number] = direction
            columns.connections[number] = connection
            columns.method_ids[number] = method_id
            if more:
                columns.flags[number] = bits
                columns.http[number] = http or 0
                if form is not _JSON:
                    columns.stored.add(number, len(stored) << 1 | (form is Form.BASE64))
            correlator = self.correlator
            if kind != _NOTIFICATION or method_id < correlator.idle_notifications_from:
                correlator.arrived(number, seen, kept)
            if direction == _SENT:
                self.sent += 1
            else:
                self.received += 1
            columns.count = number
            if self._subscribers:
                self._tell_all()
            if self.file.failure is not self._failure:
                self._watch_file()
            return number
        finally:
            lock.release()

    def http(self, facts: HttpFacts, *, connection: int, frame: int | None = None) -> int:
        """Appends an HTTP exchange when its response head is here or it failed. `frame` is the
        number of the message that was sent in it."""
        with self._lock:
            hidden = replace(
                facts,
                url=self.redactor.url(facts.url),
                request_headers=self.redactor.headers(facts.request_headers),
                response_headers=self.redactor.headers(facts.response_headers),
            )
            number = self._put_facts(
                Kind.HTTP,
                connection,
                facts.method,
                http_json(hidden),
                http=facts.status or 0,
                about=frame or 0,
                direction=Direction.SENT,
                flags=_MASKED if hidden != facts else 0,
            )
            if frame is not None and 1 <= frame < number:
                self.columns.http[frame] = number
            self._publish(number)
            return number

    def stderr(self, line: bytes, *, connection: int) -> int:
        """Appends a line of the server's stderr, without its line ending."""
        with self._lock:
            number = self._put_facts(
                Kind.STDERR, connection, "", stderr_facts(line), direction=Direction.RECEIVED
            )
            self._publish(number)
            return number

    def event(self, name: str, facts: JsonObject, *, connection: int) -> int:
        """Appends something that happened in the life of a connection."""
        with self._lock:
            number = self._put_facts(Kind.EVENT, connection, name, facts)
            self._publish(number)
            return number

    def note(self, about: int, text: str) -> int:
        """Appends what a person has to say about an entry. IndexError where there is none."""
        with self._lock:
            connection = self.row(about).connection
            number = self._put_facts(
                Kind.NOTE, connection, "", {"about": about, "text": text}, about=about
            )
            self._publish(number)
            return number

    def flag(self, number: int, flag: Flag, on: bool = True) -> None:
        """Sets or clears flags of an entry and keeps that in the file. A request that timed out
        or was cancelled is pending no longer. IndexError where there is no such entry."""
        with self._lock:
            if not 1 <= number <= len(self):
                raise IndexError(f"there is no entry {number}")
            now = self._monotonic()
            since = int((now - self._began) * 1e6)
            self.file.append(flag_line(number, self._wall(), since, int(flag), on), now)
            self.set_flags(number, int(flag), on)
            self._watch_file()

    def set_flags(self, number: int, bits: int, on: bool) -> None:
        """What `flag` does to the columns, without a word in the file."""
        flags = self.columns.flags
        if on:
            flags[number] |= bits & 0xFFFF
            if bits & _GIVEN_UP:
                flags[number] &= 0xFFFF & ~_PENDING
        else:
            flags[number] &= 0xFFFF & ~bits
        self.changes += 1

    def _put_facts(
        self, kind: Kind, connection: int, method: str, facts: JsonObject, *, http: int = 0,
        about: int = 0, direction: Direction = Direction.LOCAL, flags: int = 0,
    ) -> int:  # fmt: skip
        if kind is Kind.EVENT:
            facts = {"event": method} | facts | {"event": method}
        body, masked = self.redactor.text(encode_facts(facts))
        flags |= _MASKED if masked else 0
        columns, connection = self.columns, min(connection, 0xFFFF)
        now, wall = self._monotonic(), self._wall()
        more = optional(http=http, about=about, flags=flags)
        line = self._writer.line(
            columns.count + 1, wall, now - self._began, kind, direction, connection, more, body
        )
        offset = self.file.append(line, now) + len(line) - len(body) - TAIL_LENGTH
        return columns.add(
            kind, direction, connection, now, wall, columns.intern(method), offset, len(body),
            flags, http, about,
        )  # fmt: skip

    def _publish(self, number: int) -> None:
        """Lets readers see an entry and tells the subscribers."""
        self.columns.count = number
        if self._subscribers:
            self._tell_all()
        if self.file.failure is not self._failure:
            self._watch_file()

    def _tell_all(self) -> None:
        """Tells the subscribers of what is new, in order: one that appends is told of its own
        entry after everybody was told of this one."""
        if self._telling:
            return
        self._telling = True
        try:
            while self._told < self.columns.count:
                self._told += 1
                for subscriber in self._subscribers:
                    self._tell(subscriber, self._told)
        finally:
            self._telling = False

    def _tell(self, subscriber: Subscriber, number: int) -> None:
        try:
            subscriber(number)
        except Exception as error:  # noqa: BLE001 - a border: whoever listens must not stop the wire
            self._unsubscribe(subscriber)
            name = getattr(subscriber, "__qualname__", type(subscriber).__qualname__)
            self.event(
                "subscriber-failed",
                {
                    "subscriber": str(name),
                    "entry": number,
                    "error": f"{type(error).__name__}: {error}",
                },
                connection=self.columns.connections[number],
            )

    def _watch_file(self) -> None:
        failure = self.file.failure
        if failure is not self._failure:
            self._failure = failure
            self.event("recording-failed", {"message": failure}, connection=self.connections)

    def subscribe(self, fn: Subscriber) -> Callable[[], None]:
        """Calls `fn` with the number of every new entry. Returns what ends that. A subscriber
        that raises is called no more, and an event "subscriber-failed" says so."""
        with self._lock:
            if not self._subscribers:
                self._told = len(self)
            self._subscribers = (*self._subscribers, fn)
        return lambda: self._unsubscribe(fn)

    def _unsubscribe(self, fn: Subscriber) -> None:
        with self._lock:
            self._subscribers = tuple(each for each in self._subscribers if each is not fn)

    def tick(self) -> None:
        """Writes what still waits; the owner calls it at least twice a second."""
        with self._lock:
            self.file.tick(self._monotonic())
            self._watch_file()

    def close(self) -> None:
        """Writes what still waits. Everything stays readable."""
        self.tick()
        self.tick()

    def __len__(self) -> int:
        return self.columns.count

    def row(self, number: int) -> Row:
        """What a list needs of an entry. IndexError where there is none."""
        return self.columns.row(number)

    def entry(self, number: int) -> Entry:
        """A row with its body."""
        return Entry(self.row(number), self.body(number))

    def body(self, number: int, limit: int | None = None) -> bytes:
        """The bytes of an entry, or the first `limit`; fewer where a failed disk lost them."""
        columns = self.columns
        if not 1 <= number <= columns.count:
            raise IndexError(f"there is no entry {number}")
        length, form = columns.stored_as(number)
        if form is Form.JSON:
            length = length if limit is None else min(length, limit)
            return self.file.read(columns.offsets[number], length)
        try:
            body = from_stored(self.file.read(columns.offsets[number], length), form)
        except ValueError:
            return b""
        return body if limit is None else body[:limit]

    def name(self, number: int) -> str:
        """The tool, prompt, resource … that an entry is about; "" where it names none. Of
        outcomes the name of their request, of stderr the line, of HTTP the URL."""
        return self._names.of(number)

    def event_of(self, number: int) -> SseFacts | None:
        """What stood beside a frame in its SSE event, read from the file; None for nothing."""
        end = self.columns.offsets[self.row(number).number]
        return event_in(self.file.read(max(0, end - HEAD_LENGTH), min(end, HEAD_LENGTH)))

    @property
    def kinds(self) -> Sequence[int]:
        """The kind of each entry; index 0 is a filler."""
        return self.columns.kinds

    @property
    def directions(self) -> Sequence[int]:
        """The direction of each entry; index 0 is a filler."""
        return self.columns.directions

    @property
    def method_ids(self) -> Sequence[int]:
        """The index into `methods` of each entry; index 0 is a filler."""
        return self.columns.method_ids

    @property
    def methods(self) -> Sequence[str]:
        """All methods and event names that occurred."""
        return self.columns.methods
