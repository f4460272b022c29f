"""What a recorded server said to each message of the client, as scripts to be played again. Pure.

Decides which recorded entries belong to which message that we sent: its outcome by id, progress by
token, announcements by stream, everything else to the latest request that was still open, or else
to the last message sent. Playing a script is `transport.replay`.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import msgspec

from inspector.journal.entries import NO_FLAGS, Direction, Entry, Flag, Kind
from inspector.protocol.messages import (
    Json,
    JsonObject,
    Notification,
    Request,
    RequestId,
    decode,
    encode_json,
    raw_members,
    read_envelope,
)

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

KEPT_FLAGS: Final = Flag.STRAY | Flag.OVERSIZED | Flag.DUPLICATE
SUBSCRIPTION: Final = "io.modelcontextprotocol/subscriptionId"
BY_METHOD: Final = frozenset({"initialize"})
"""Methods whose params say who we are and not what we want."""


@dataclass(frozen=True, slots=True)
class Step:
    """One recorded entry to be said again.

    `outcome` marks the response to the script's own message, `waits` the id of a request of the
    server whose answer by us came before whatever follows (then `body` says nothing).
    """

    kind: Kind
    body: bytes = b""
    flags: Flag = NO_FLAGS
    http: int | None = None
    entry: int = 0
    outcome: bool = False
    waits: RequestId | None = None


@dataclass(slots=True)
class Script:
    """Everything the server said because of one message of ours, in order."""

    id: RequestId | None = None
    token: Json = None
    steps: list[Step] = field(default_factory=list)


@dataclass(slots=True)
class Scripts:
    """The scripts of a recording. Each is played once, the last of a kind again and again."""

    preamble: Script = field(default_factory=Script)
    waiting: dict[bytes, deque[Script]] = field(default_factory=dict)

    def next_for(self, raw: bytes) -> Script | None:
        """The script that answers the message `raw`; None where the recording has none."""
        queue = self.waiting.get(key_of(raw))
        if not queue:
            return None
        return queue.popleft() if len(queue) > 1 else queue[0]


def key_of(raw: bytes) -> bytes:
    """What makes two messages ask the same: method and params, less the progress token."""
    match decode(raw):
        case Request(method=method, params=params) | Notification(method=method, params=params):
            asked: Json = None if method in BY_METHOD else _without_token(params)
            return msgspec.json.encode([method, asked], order="sorted")
        case _:
            return raw


def token_of(raw: bytes) -> Json:
    """The progress token that a request of ours carries, None without one."""
    match decode(raw):
        case Request(params={"_meta": {"progressToken": token}}):
            return token
        case _:
            return None


def _without_token(params: JsonObject | None) -> Json:
    if not params:
        return None
    meta = params.get("_meta")
    if not isinstance(meta, dict) or "progressToken" not in meta:
        return params
    left = {name: value for name, value in meta.items() if name != "progressToken"}
    rest = {name: value for name, value in params.items() if name != "_meta"}
    return {**rest, "_meta": left} if left else rest or None


def read_scripts(recording: "Journal") -> Scripts:
    """The scripts in a loaded recording."""
    reader = _Reader()
    for number in range(1, len(recording) + 1):
        reader.take(recording.entry(number))
    return reader.scripts


class _Reader:
    def __init__(self) -> None:
        self.scripts = Scripts()
        self._open: dict[RequestId, Script] = {}
        self._by_token: dict[bytes, Script] = {}
        self._asked: dict[RequestId, Script] = {}
        self._by_entry: dict[int, Script] = {}
        self._last = self.scripts.preamble

    def take(self, entry: Entry) -> None:
        row = entry.row
        if row.kind in (Kind.REQUEST, Kind.NOTIFICATION) and row.direction is Direction.SENT:
            self._sent(entry)
        elif row.kind.is_frame and row.direction is Direction.SENT:
            answered = read_envelope(entry.body).id
            if answered is not None and (script := self._asked.pop(answered, None)) is not None:
                script.steps.append(Step(row.kind, waits=answered))
        elif row.kind.is_frame and row.direction is Direction.RECEIVED:
            self._received(entry)
        elif row.kind is Kind.HTTP:
            script = self._by_entry.get(row.partner or 0, self._holder())
            script.steps.append(Step(row.kind, entry.body, entry=row.number))
        elif row.kind is Kind.STDERR:
            self._holder().steps.append(Step(row.kind, entry.body))

    def _holder(self) -> Script:
        """Whom to credit with what names no request: the latest one that is still open."""
        return next(reversed(self._open.values())) if self._open else self._last

    def _sent(self, entry: Entry) -> None:
        envelope = read_envelope(entry.body)
        script = Script(envelope.id, token_of(entry.body))
        self.scripts.waiting.setdefault(key_of(entry.body), deque()).append(script)
        self._by_entry[entry.row.number] = script
        self._last = script
        if envelope.id is not None:
            self._open[envelope.id] = script
        if script.token is not None:
            self._by_token[msgspec.json.encode(script.token)] = script

    def _received(self, entry: Entry) -> None:
        row = entry.row
        envelope = read_envelope(entry.body)
        outcome = False
        script: Script | None = None
        if row.kind in (Kind.RESULT, Kind.ERROR) and envelope.id is not None:
            script = self._open.pop(envelope.id, None)
            outcome = script is not None
        elif envelope.method == "notifications/progress":
            script = self._by_token.get(_progress_token(entry.body))
        elif row.kind is Kind.NOTIFICATION and (stream := _subscription_id(entry.body)):
            script = next(
                (one for one in self._open.values() if encode_json(one.id) == stream), None
            )
        holder = script if script is not None else self._holder()
        if row.kind is Kind.REQUEST and envelope.id is not None:
            self._asked[envelope.id] = holder
        holder.steps.append(
            Step(row.kind, entry.body, row.flags & KEPT_FLAGS, row.http, row.number, outcome)
        )


def _progress_token(raw: bytes) -> bytes:
    return raw_members(raw_members(raw).get("params", b"")).get("progressToken", b"")


def with_id(raw: bytes, request_id: RequestId) -> bytes:
    """The message with another id; all other text stays as it was recorded."""
    return _with_member(raw, "id", encode_json(request_id))


def with_progress_token(raw: bytes, recorded: Json, token: Json) -> bytes:
    """A progress notification for `recorded`, now for `token`; others stay as they are."""
    if token is None or recorded is None or _progress_token(raw) != msgspec.json.encode(recorded):
        return raw
    params = _with_member(raw_members(raw)["params"], "progressToken", msgspec.json.encode(token))
    return _with_member(raw, "params", params)


def _subscription_id(raw: bytes) -> bytes:
    """The exact text of the id of the stream that a notification says it belongs to."""
    meta = raw_members(raw_members(raw_members(raw).get("params", b"")).get("_meta", b""))
    return meta.get(SUBSCRIPTION, b"")


def with_subscription_id(raw: bytes, recorded: RequestId | None, current: RequestId) -> bytes:
    """A notification of the stream `recorded`, now of the stream `current`; others stay as they
    are."""
    if recorded is None or _subscription_id(raw) != encode_json(recorded):
        return raw
    params = raw_members(raw)["params"]
    meta = _with_member(raw_members(params)["_meta"], SUBSCRIPTION, encode_json(current))
    return _with_member(raw, "params", _with_member(params, "_meta", meta))


def _with_member(raw: bytes, name: str, value: bytes) -> bytes:
    members = raw_members(raw)
    if name not in members or members[name] == value:
        return raw
    members[name] = value
    return b"{" + b",".join(encode_json(key) + b":" + text for key, text in members.items()) + b"}"
