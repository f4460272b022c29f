"""The linter: fed with the entries of a journal in order, it tells what breaks the specification.

Decides in which order the areas look at an entry, and which are silent where another has spoken.
It works live (`advance` after each append) and over a recording, with the same findings: it reads
only what an entry says when it is appended. The cost of an entry is bounded: what is longer than
`BODY_LIMIT` is judged by its envelope alone.
"""

from typing import Final, Protocol

from inspector.journal.entries import Direction, Entry, Flag, Kind, Row, SseFacts
from inspector.journal.facts import decode_facts, http_facts
from inspector.journal.journal import Journal
from inspector.journal.probes import key_of
from inspector.lint import envelope, http, schema, spelling, stdio, streams
from inspector.lint.catalog import CARRIERS, HAPPENINGS, RULES, Watch, watching
from inspector.lint.exchange import Exchange
from inspector.lint.kept import Kept
from inspector.lint.look import Look, finding
from inspector.lint.revisions import handshaken, own_revision, revision_of_answer
from inspector.lint.rule import Finding, quoted
from inspector.lint.state import MODERN, Asked, Connection, Memory, Sent, essence
from inspector.protocol.json_text import NotJsonError, parse_json
from inspector.protocol.messages import (
    Envelope,
    Json,
    JsonObject,
    MessageKind,
    raw_items,
    read_envelope,
)
from inspector.protocol.shape_check import ShapeChecker
from inspector.protocol.versions import Revision, parse_revision

BODY_LIMIT: Final = 4 * 1024 * 1024
PARAMS_KEPT: Final = 16 * 1024
"""Params of a request are remembered whole until its answer where the request is no longer."""
METHOD_KEPT: Final = 200
"""Characters of a method that are remembered of a request."""
MEMBERS_JUDGED: Final = 1000
"""Members of a batch that are looked at."""
TIMED_OUT: Final = "timed out"
"""The reason by which the client withdraws a request that it gives up."""
CONNECTIONS_KEPT: Final = 64
_SPOKEN: Final = {"spawned": "stdio", "endpoint": "sse", "fallback-taken": "sse"}
"""Events that tell which transport is spoken."""
STEP: Final = 1000
"""Entries of a journal that are judged at a time."""


class Readable(Protocol):
    """What the linter reads of a journal."""

    def __len__(self) -> int: ...

    def entry(self, number: int) -> Entry:
        """One entry."""
        ...

    def event_of(self, number: int) -> SseFacts | None:
        """What stood beside a message in its server-sent event."""
        ...


class Linter:
    """`kept` has the findings so far."""

    def __init__(self, journal: Readable) -> None:
        self._journal = journal
        self._next = 1
        self.kept = Kept()
        self._new: list[Finding] = []
        self._shared = Memory()
        self._connections: dict[int, Connection] = {}
        self._checkers: dict[Revision, ShapeChecker] = {}

    @property
    def judged(self) -> int:
        """The last entry that was judged."""
        return self._next - 1

    def advance(self, at_most: int | None = None) -> list[Finding]:
        """Judges the entries that were not judged yet (or the next `at_most`); what is new."""
        self._new = []
        last = len(self._journal)
        if at_most is not None:
            last = min(last, self._next + at_most - 1)
        while self._next <= last:
            before = len(self._new)
            self._take(self._journal.entry(self._next))
            for found in self._new[before:]:
                self.kept.add(found)
            self._next += 1
        return self._new

    @property
    def findings(self) -> list[Finding]:
        """The findings so far, in the order of the entries, as far as they are kept."""
        return self.kept.findings

    def revision_of(self, connection: int) -> Revision | None:
        """The revision that a connection came to speak, None where none was settled."""
        state = self._connections.get(connection)
        if state is None:
            return None
        return state.negotiated or (MODERN if state.modern else None)

    def _take(self, entry: Entry) -> None:
        row = entry.row
        match row.kind:
            case Kind.EVENT:
                self._happened(entry)
            case Kind.HTTP:
                self._exchanged(entry)
            case Kind.STDERR | Kind.NOTE:
                pass
            case _ if row.direction is Direction.LOCAL or (
                row.flags and row.flags & Flag.OVERSIZED
            ):
                pass
            case _:
                self._framed(entry)

    # -- what is no message --

    def _state(self, number: int, facts: JsonObject | None = None) -> Connection:
        state = self._connections.get(number)
        if state is None or facts is not None:
            state = self._connections[number] = Connection(number, facts or {}, self._shared)
            while len(self._connections) > CONNECTIONS_KEPT:
                del self._connections[next(iter(self._connections))]
        return state

    def _happened(self, entry: Entry) -> None:
        name, number = entry.row.method, entry.row.connection
        facts = decode_facts(entry.body)
        if name == "connection":
            self._state(number, facts)
            return
        state = self._state(number)
        for happening in HAPPENINGS:
            self._add(happening(RULES, state, entry.row, facts))
        if name == "timed-out":
            sent = state.sides[Direction.SENT].open.values()
            late = [one for one in sent if one.number == facts.get("request")]
            self._add(
                [
                    _unanswered(one, entry.row.number)
                    for one in late
                    if not one.probe and not one.cancelled and one.number >= state.garbled
                ]
            )
        elif name == "stdin-closed":
            state.over = True
        elif name in _SPOKEN:
            state.transport = _SPOKEN[name]
        elif name == "exited":
            self._ended(state, entry.row.number)

    def _ended(self, state: Connection, number: int) -> None:
        """The server is gone; where that was its own doing, it owes answers."""
        if not state.over:
            for asked in state.sides[Direction.SENT].open.values():
                if asked.cancelled or asked.closed or asked.probe or asked.number < state.garbled:
                    continue
                listening = asked.method == "subscriptions/listen"
                name = "sub/abrupt-end" if listening else "rpc/request-unanswered"
                said = f"The server ended without an answer to {quoted(asked.method)}"
                why = "which ends the subscription" if listening else "which should get one"
                entries = (asked.number, number)
                found = finding(RULES, name, asked.revision, f"{said}, {why}.", entries)
                self._add([found])
        state.over = True
        for side in state.sides.values():
            side.clear()

    def _exchanged(self, entry: Entry) -> None:
        state, facts = self._state(entry.row.connection), http_facts(entry.body)
        state.https.put(entry.row.number, entry.row.partner or 0)
        exchange = Exchange(RULES, state, entry.row, facts)
        state.authorized = state.authorized or "authorization" in exchange.asked
        for carrier in CARRIERS:
            carrier(exchange)
        self._add(exchange.found)

    def _add(self, found: "list[Finding | None]") -> None:
        self._new += [each for each in found if each is not None]

    # -- messages --

    def _framed(self, entry: Entry) -> None:
        row, raw = entry.row, entry.body
        state = self._state(row.connection)
        outside = read_envelope(raw)
        value: Json = {}
        fault = ""
        whole = len(raw) <= BODY_LIMIT
        if whole:
            try:
                value = parse_json(raw)
            except NotJsonError as error:
                fault = str(error)
        elif outside.kind not in (MessageKind.MALFORMED, MessageKind.BATCH):
            value = _outline(outside)
        inside = value if isinstance(value, dict) else {}
        look = Look(RULES, state, row, raw, outside, inside, whole=whole)
        if look.carrier and http.is_stream(state, look.carrier):
            event = self._journal.event_of(row.number)
            if event is not None:
                streams.brought(look, event)
        if whole and not fault:
            spelling.check(look, raw, value)
        if fault:
            if state.transport == "stdio" and look.from_server:
                stdio.broken(look, fault)
            elif not http.several(look):
                look.report("rpc/not-json", f"The message must be UTF-8 JSON ({fault}).")
        elif outside.kind is MessageKind.BATCH:
            look.report("rpc/batch", "Messages must come one by one, not in an array.")
            members = raw_items(raw)[:MEMBERS_JUDGED] if whole else []
            for index, member in enumerate(members):
                self._member(state, row, member, index)
        elif stdio.stray(look):
            pass
        elif not isinstance(value, dict):
            look.report("rpc/neither", "It is JSON, but a message must be an object.")
        elif value:
            self._judge(look)
        self._new += look.findings

    def _member(self, state: Connection, row: Row, raw: bytes, index: int) -> None:
        try:
            value = parse_json(raw)
        except NotJsonError:
            return
        inside = value if isinstance(value, dict) else {}
        look = Look(RULES, state, row, raw, read_envelope(raw), inside, f"/{index}")
        if not isinstance(value, dict):
            look.report("rpc/neither", "A member of a batch must be a message.")
        else:
            if look.envelope.method == "initialize":
                look.report("rpc/batch-initialize", "initialize must not be part of a batch.")
            self._judge(look)
        self._new += look.findings

    def _judge(self, look: Look) -> None:
        state, kind = look.state, look.kind
        look.revision = own_revision(look) or look.revision
        if look.carrier:
            if http.replayed(look) or streams.broadcast(look):
                return
            http.note(look)
        sound = envelope.check(look)
        outcome = kind is MessageKind.RESULT or kind is MessageKind.ERROR
        if outcome and look.carrier and http.answered_notification(look):
            sound = False
            look.report(
                "rpc/notification-answered",
                "The server answers a notification; none must be answered.",
                "",
                state.https.get(look.carrier) or 0,
            )
        elif outcome:
            look.answer_to(envelope.answered(state, look))
            look.revision = revision_of_answer(look)
        if not look.whole and kind is MessageKind.REQUEST:
            state.sides[look.direction].unread = True
        watch = watching(kind, look.method, look.revision)
        for note in watch.notes:
            note(look)
        if sound and look.whole and not (outcome and look.asked is None):
            self._inside(look, watch)
        self._follow(look)
        if look.asked is not None:
            look.asked.params = {}
        if look.from_server:
            state.heard = look.number

    def _inside(self, look: Look, watch: Watch) -> None:
        if look.kind is MessageKind.ERROR:
            envelope.codes(look)
        else:
            schema.method(look)
            schema.future(look)
        for area in watch.shapes:
            area(look)
        checker = self._checkers.get(look.revision)
        if checker is None:
            checker = self._checkers[look.revision] = ShapeChecker(look.revision)
        schema.shape(look, checker)
        if look.sound:
            schema.meta(look)
            for area in watch.checks:
                area(look)

    # -- what follows from a message --

    def _follow(self, look: Look) -> None:
        state, identifier = look.state, look.envelope.id
        if not look.from_server:
            state.frames.put(look.number, Sent(look.kind, look.envelope.method))
        if look.kind is MessageKind.REQUEST and identifier is not None:
            short = len(look.raw) <= PARAMS_KEPT
            state.sides[look.direction].ask(
                Asked(
                    number=look.number,
                    direction=look.direction,
                    id=key_of(identifier),
                    id_text=look.envelope.id_text[:60],
                    method=look.envelope.method[:METHOD_KEPT],
                    params=look.params if short else essence(look.params),
                    revision=look.revision,
                    probe=bool(look.flags & Flag.PROBE),
                    carrier=look.carrier,
                    whole=short,
                    weight=len(look.raw) if short else 0,
                )
            )
            if not look.from_server:
                _offered(look)
        elif look.kind is MessageKind.NOTIFICATION:
            if look.method == "notifications/initialized" and not look.from_server:
                state.initialized = True
            elif look.method == "notifications/cancelled":
                _withdrawn(look)
        elif look.answers("initialize"):
            state.negotiated = handshaken(look)
            state.server, state.told = _capabilities(look.result), True
        elif look.answers("server/discover"):
            state.modern = True
            state.server, state.told = _capabilities(look.result), True


def _outline(outside: Envelope) -> JsonObject:
    """A message of which only the envelope is looked at."""
    value: JsonObject = {"jsonrpc": "2.0"}
    if outside.id is not None:
        value["id"] = outside.id
    if outside.method:
        value["method"] = outside.method
    elif outside.kind is MessageKind.ERROR:
        value["error"] = {"code": 0, "message": ""}
    else:
        value["result"] = {}
    return value


def _capabilities(result: JsonObject) -> JsonObject:
    declared = result.get("capabilities")
    return declared if isinstance(declared, dict) else {}


def _offered(look: Look) -> None:
    """What a request of the client says of revisions."""
    state = look.state
    if look.method == "initialize":
        declared = look.params.get("capabilities")
        state.client = declared if isinstance(declared, dict) else {}
        state.offered = parse_revision(look.params.get("protocolVersion"))
        state.negotiated, state.initialized = None, False
        streams.opened(state)
    elif (said := own_revision(look)) is not None and state.negotiated is None:
        state.offered = said


def _withdrawn(look: Look) -> None:
    key = look.params.get("requestId")
    if isinstance(key, int | str) and not isinstance(key, bool):
        asked = look.state.sides[look.direction].open.get(key_of(key))
        if asked is None:
            return
        if asked.cancelled:
            return
        asked.cancelled, asked.cancelled_at = look.number, look.at
        unread = asked.number < look.state.garbled  # what could not be read may have answered it
        if look.params.get("reason") == TIMED_OUT and not look.from_server and not unread:
            found = _unanswered(asked, look.number)
            look.findings += [found] if found is not None else []


def _unanswered(asked: Asked, number: int) -> Finding | None:
    """That nobody answered a request in time; told once."""
    if asked.given_up:
        return None
    asked.given_up = True
    said = f"{quoted(asked.method)} had no answer until the client gave it up."
    return finding(RULES, "rpc/request-unanswered", asked.revision, said, (asked.number, number))


def lint(journal: Journal) -> list[Finding]:
    """The findings of a journal; of a rule that is broken very often only the first ones."""
    linter = Linter(journal)
    while linter.judged < len(journal):
        linter.advance(STEP)
    return linter.findings
