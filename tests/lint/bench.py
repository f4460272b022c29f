"""Small scripted recordings for lint rules: a script of steps becomes a JSONL file, which is linted
live while it is written and once more when it is read back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from inspector.journal.entries import NO_FLAGS, Clock, Direction, Flag, HttpFacts, SseFacts
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.journal.recording import RecordingFile
from inspector.lint.catalog import RULES
from inspector.lint.engine import Linter, lint
from inspector.lint.rule import LETTERS, Finding
from inspector.protocol.json_text import parse_json
from inspector.protocol.messages import Json, JsonObject, encode_json
from inspector.protocol.versions import Era

PREFIX = "io.modelcontextprotocol/"
URL = "http://server.example/mcp"
SERVER: JsonObject = {"name": "server", "version": "1"}
SERVER_ALL: JsonObject = {
    "tools": {"listChanged": True},
    "resources": {"listChanged": True, "subscribe": True},
    "prompts": {"listChanged": True},
    "logging": {},
    "completions": {},
}
CLIENT_ALL: JsonObject = {"roots": {"listChanged": True}, "sampling": {}, "elicitation": {}}


class Talk:
    """A conversation of one revision, and the steps that it is made of."""

    def __init__(self, journal: Journal, letter: str, transport: str, url: str = URL) -> None:
        self.journal = journal
        self.revision = LETTERS[letter]
        self.modern = self.revision.era is Era.MODERN
        self.transport, self.letter = transport, letter
        self.client: JsonObject = {}
        self.frame = 0
        self.http: int | None = None
        self.event: SseFacts | None = None
        facts: JsonObject = {"transport": transport}
        self.url = url
        if transport != "stdio" and transport != "memory":
            facts["url"] = url
        self.connection = journal.begin_connection(facts)

    def sent(self, message: Json | bytes, flags: Flag = NO_FLAGS) -> None:
        self.frame = self._frame(Direction.SENT, message, None, flags)

    def received(self, message: Json | bytes) -> None:
        self._frame(Direction.RECEIVED, message, self.http, NO_FLAGS)

    def _frame(
        self, direction: Direction, message: Json | bytes, http: int | None, flags: Flag
    ) -> int:
        raw = message if isinstance(message, bytes) else encode_json(message)
        event, self.event = self.event, None
        return self.journal.frame(
            direction, raw, connection=self.connection, http=http, flags=flags, event=event
        )


Step = Callable[[Talk], None]


def out(message: Json | bytes) -> Step:
    """The client sends exactly this."""
    return lambda talk: talk.sent(message)


def back(message: Json | bytes) -> Step:
    """The server sends exactly this."""
    return lambda talk: talk.received(message)


def ask(number: int | str, method: str, meta: JsonObject | None = None, **params: Json) -> Step:
    """A request of the client, as its revision has it."""

    def step(talk: Talk) -> None:
        held: JsonObject = dict(params)
        own: JsonObject = {}
        if talk.modern:
            own[PREFIX + "protocolVersion"] = str(talk.revision)
            own[PREFIX + "clientCapabilities"] = talk.client
            own[PREFIX + "clientInfo"] = {"name": "client", "version": "1"}
        if own or meta:
            held["_meta"] = own | (meta or {})
        talk.sent({"jsonrpc": "2.0", "id": number, "method": method, "params": held})

    return step


def ok(number: int | str, **members: Json) -> Step:
    """A result of the server, as its revision has it; in 2026-07-28 it is complete."""

    def step(talk: Talk) -> None:
        held: JsonObject = dict(members)
        if talk.modern:
            meta = held.get("_meta")
            held = {"resultType": "complete", **held}
            held["_meta"] = {
                PREFIX + "serverInfo": SERVER,
                **(meta if isinstance(meta, dict) else {}),
            }
        talk.received({"jsonrpc": "2.0", "id": number, "result": held})

    return step


def bad(number: int | str, code: int, message: str = "no", data: Json = None) -> Step:
    """An error of the server."""
    error: JsonObject = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return back({"jsonrpc": "2.0", "id": number, "error": error})


def say(method: str, **params: Json) -> Step:
    """A notification of the server."""
    return back({"jsonrpc": "2.0", "method": method, "params": params})


def tell(method: str, **params: Json) -> Step:
    """A notification of the client."""
    return out({"jsonrpc": "2.0", "method": method, "params": params})


def want(number: int | str, method: str, **params: Json) -> Step:
    """A request of the server."""
    return back({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def give(number: int | str, **members: Json) -> Step:
    """A result of the client."""
    return out({"jsonrpc": "2.0", "id": number, "result": members})


def event(name: str, **facts: Json) -> Step:
    """Something that the transport tells."""
    return lambda talk: _event(talk, name, facts)


def _event(talk: Talk, name: str, facts: JsonObject) -> None:
    talk.journal.event(name, facts, connection=talk.connection)


def beside(step: Step, name: str | None = None, retry: int | None = None) -> Step:
    """The same, in a server-sent event with this id and retry."""

    def both(talk: Talk) -> None:
        talk.event = SseFacts(name, retry)
        step(talk)

    return both


def again(step: Step) -> Step:
    """The same on another connection to the same server."""

    def elsewhere(talk: Talk) -> None:
        other = Talk(talk.journal, talk.letter, talk.transport, talk.url)
        other.client = talk.client
        step(other)

    return elsewhere


def told_of_stream(name: str, **facts: Json) -> Step:
    """Something that the transport tells of the exchange begun last."""
    return lambda talk: _event(talk, name, {"http": talk.http, **facts})


def http(
    status: int = 200,
    media: str = "application/json",
    *,
    method: str = "POST",
    body: bytes = b"",
    request: Sequence[tuple[str, str]] = (),
    response: Sequence[tuple[str, str]] = (),
    url: str = "",
) -> Step:
    """The head of the answer to what was sent last (of a GET: to nothing); what the server sends
    from now on comes in it."""

    def step(talk: Talk) -> None:
        headers = (("Content-Type", media), *response) if media else tuple(response)
        facts = HttpFacts(method, url or talk.url, tuple(request), status, "", headers, body=body)
        about = talk.frame if method == "POST" else None
        talk.http = talk.journal.http(facts, connection=talk.connection, frame=about)

    return step


@dataclass(frozen=True)
class Case:
    """A script that breaks a rule and one that does not. `opened` says that the session begins
    in order before the script, with the capabilities given; `also` are rules that the first script
    breaks too, `noted` those of which both scripts do."""

    rule: str
    on: str
    trip: Sequence[Step]
    clean: Sequence[Step]
    transport: str = "memory"
    server: JsonObject = field(default_factory=lambda: SERVER_ALL)
    client: JsonObject = field(default_factory=lambda: CLIENT_ALL)
    opened: bool = True
    also: frozenset[str] = frozenset()
    noted: frozenset[str] = frozenset()
    name: str = ""
    url: str = URL

    def __str__(self) -> str:
        return f"{self.rule}-{self.on}{self.name}"


def opening(talk: Talk, case: Case) -> list[Step]:
    """The steps by which a session of the revision begins in order."""
    if talk.modern:
        return [
            ask("open", "server/discover"),
            *([http()] if case.transport == "http" else []),
            ok(
                "open", supportedVersions=[str(talk.revision)], capabilities=case.server,
                ttlMs=0, cacheScope="private",
            ),
        ]  # fmt: skip
    return [
        ask(
            "open", "initialize", protocolVersion=str(talk.revision), capabilities=case.client,
            clientInfo={"name": "client", "version": "1"},
        ),
        *([http()] if case.transport == "http" else []),
        ok(
            "open", protocolVersion=str(talk.revision), capabilities=case.server, serverInfo=SERVER
        ),
        tell("notifications/initialized"),
        *([http(202, "")] if case.transport == "http" else []),
    ]  # fmt: skip


def play(
    case: Case, steps: Sequence[Step], path: Path, at_once: Sequence[Step] = ()
) -> list[Finding]:
    """Writes the recording, lints it live and again from the file; the findings, which agree.
    There are two seconds between the steps, none before those of `at_once`."""
    now = [100.0]
    file = RecordingFile.create(path)
    journal = Journal(file=file, clock=Clock(lambda: now[0], lambda: 1_800_000_000.0 + now[0]))
    live = Linter(journal)
    journal.subscribe(lambda _number: _next(live))
    talk = Talk(journal, case.on, case.transport, case.url)
    live.advance()
    talk.client = case.client
    for step in [*(opening(talk, case) if case.opened else ()), *steps]:
        now[0] += 0.0 if step in at_once else 2.0
        step(talk)
        live.advance()
    journal.close()
    again = lint(load_recording(path))
    assert again == live.findings
    return again


def _next(linter: Linter) -> None:
    linter.advance(1)


def check(case: Case, folder: Path) -> None:
    """The one script breaks the rule and no other, the other script breaks none."""
    found = play(case, case.trip, folder / "trip.jsonl")
    assert {each.rule for each in found} == {case.rule} | case.also | case.noted, found
    for each in found:
        _well_told(each, load_recording(folder / "trip.jsonl"))
    clean = play(case, case.clean, folder / "clean.jsonl")
    assert {each.rule for each in clean} == case.noted, clean


def _well_told(found: Finding, journal: Journal) -> None:
    row = RULES[found.rule]
    assert found.severity is row.severities[found.revision]
    assert found.page
    assert found.message.endswith((".", ")."))
    assert found.entries
    assert all(1 <= number <= len(journal) for number in found.entries)
    if found.pointer and journal.row(found.entries[0]).kind.is_frame:
        _resolves(parse_json(journal.body(found.entries[0])), found.pointer)


def _resolves(value: Json, pointer: str) -> None:
    """All but the last step must be there: the last may be what is missing."""
    for step in pointer.split("/")[1:-1]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            value = value[int(name)]
        elif isinstance(value, dict):
            assert name in value or pointer.endswith("/_meta"), pointer
            value = value.get(name)
