"""What the bytes of one message mean: bytes to message and back, never raising on any bytes.

Two readings exist. `read_envelope` looks only at the keys that decide what a message is, for the
per-message path; `decode` parses the body too, for whoever needs it. Neither judges a message
against a revision's schema: that is `inspector.protocol.shape_check`. What is JSON at all is
`inspector.protocol.json_text`.
"""

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import islice
from typing import Final, TypeAlias

import msgspec

from inspector.protocol.json_text import DEPTH_LIMIT as DEPTH_LIMIT
from inspector.protocol.json_text import Json as Json
from inspector.protocol.json_text import JsonObject as JsonObject
from inspector.protocol.json_text import (
    NotJsonError,
    behind_value,
    parse_json,
    read_string,
    scan_members,
)
from inspector.protocol.json_text import RawJson as RawJson
from inspector.protocol.json_text import Sendable as Sendable
from inspector.protocol.json_text import duplicate_keys as duplicate_keys
from inspector.protocol.json_text import encode_json as encode_json
from inspector.protocol.json_text import raw_items as raw_items
from inspector.protocol.json_text import raw_members as raw_members

RequestId: TypeAlias = int | str
"""A JSON-RPC id. `1` and `"1"` are different ids; a bool or a float is no id."""


class MessageKind(IntEnum):
    """What a message is, by the keys it has; the numbers are stored in journal columns."""

    REQUEST = 0
    RESULT = 1
    ERROR = 2
    NOTIFICATION = 3
    BATCH = 4
    MALFORMED = 5


class Envelope(msgspec.Struct, frozen=True, gc=False):
    """The outside of a message. `id_text` is the id's JSON text as sent ("" where absent).

    `id` is None where the id is absent, null or of a type that is no id; `id_text` tells which.
    One is made for every message, and a frozen dataclass takes five times as long to make.
    """

    kind: MessageKind
    method: str = ""
    id: RequestId | None = None
    id_text: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """A request; `params` is None where absent."""

    id: RequestId
    method: str
    params: JsonObject | None


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification; `params` is None where absent."""

    method: str
    params: JsonObject | None


@dataclass(frozen=True, slots=True)
class Result:
    """A successful response. `result` is whatever the peer sent, an object or not."""

    id: RequestId
    result: Json


@dataclass(frozen=True, slots=True)
class ErrorReply:
    """An error response. `id` is None where the peer sent null or none; `has_data` tells an
    absent `data` from a null one."""

    id: RequestId | None
    code: int
    message: str
    data: Json = None
    has_data: bool = False


@dataclass(frozen=True, slots=True)
class Malformed:
    """Bytes that are no JSON-RPC message; `reason` is a clause for a person ("it has ...").

    `id` is the id of the request of ours that it seems to answer, where that can still be read,
    so that the request can fail with `reason` instead of hanging. `asked` is the id of the
    request of theirs that it seems to be, so that it can be answered with an error. `inside` is
    the id of an answer that stands behind other text, be it the answer or a log that quotes it.
    """

    reason: str
    id: RequestId | None = None
    asked: RequestId | None = None
    inside: RequestId | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """A JSON-RPC batch (legal in 2025-03-26 only): each member with its own raw text."""

    members: tuple[tuple[bytes, "Message"], ...]


Message: TypeAlias = Request | Notification | Result | ErrorReply | Batch | Malformed


_MESSAGE_START: Final = re.compile(rb'\{\s*"(?:jsonrpc|id|result|error)"\s*:')
_STARTS_TRIED: Final = 5
_SPACE: Final = b" \t\r\n"
_SHORT: Final = 100
_LONGEST_ID: Final = 4000
"""Digits: Python bounds the conversion of longer ones."""


_ABSENT: Final = msgspec.Raw()


class _Wire(msgspec.Struct, gc=False):
    id: msgspec.Raw = _ABSENT
    method: str | msgspec.UnsetType = msgspec.UNSET
    result: msgspec.Raw = _ABSENT
    error: msgspec.Raw = _ABSENT


_wire_decoder: Final = msgspec.json.Decoder(_Wire)
_raw_list_decoder: Final = msgspec.json.Decoder(list[msgspec.Raw])


def read_envelope(raw: bytes) -> Envelope:
    """What kind of message `raw` is, its method and its id. Never raises.

    Of a batch only the outside is looked at; its members are read by `decode`. Of a malformed
    message `id` and `method` are given where they can still be read.
    """
    try:
        wire = _wire_decoder.decode(raw)
        if not raw.isascii():
            raw.decode("utf-8")  # the decoder looks at no string that it skips
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return _of_short_line(raw) if len(raw) <= _SHORT else _read_hard_envelope(raw)
    method = None if wire.method is msgspec.UNSET else wire.method
    if method is not None and wire.id is _ABSENT:
        return Envelope(MessageKind.NOTIFICATION, method)
    return _envelope(bytes(wire.id), method, wire.result is not _ABSENT, wire.error is not _ABSENT)


def _envelope(id_raw: bytes, method: str | None, has_result: bool, has_error: bool) -> Envelope:
    """The envelope, by what the members that make it are; `id_raw` is empty for none."""
    request_id = _id(id_raw)
    id_text = id_raw.decode("utf-8", "backslashreplace")
    if method is not None:
        if not id_raw:
            return Envelope(MessageKind.NOTIFICATION, method)
        if request_id is None:
            reason = f"{_short(id_text)} is no request id"
            return _malformed(reason, method=method, id_text=id_text)
        return Envelope(MessageKind.REQUEST, method, request_id, id_text)
    if has_result and has_error:
        reason = "it has both a result and an error"
    elif has_result and request_id is not None:
        return Envelope(MessageKind.RESULT, "", request_id, id_text)
    elif has_result:
        shown = _short(id_text)
        reason = f"the result's id {shown} is no request id" if id_raw else "the result has no id"
    elif has_error:
        return Envelope(MessageKind.ERROR, "", request_id, id_text)
    else:
        reason = "it has neither a method nor a result nor an error"
    return _malformed(reason, id=request_id, id_text=id_text)


def _malformed(
    reason: str, *, method: str = "", id: RequestId | None = None, id_text: str = ""
) -> Envelope:
    return Envelope(MessageKind.MALFORMED, method, id, id_text, reason)


def _read_hard_envelope(raw: bytes) -> Envelope:
    """The envelope of what the fast decoder refuses: text that is JSON all the same (lone
    surrogates, deep nesting), a batch, or text that is not JSON."""
    if raw.lstrip(_SPACE)[:1] == b"[":
        return _batch_envelope(raw)
    reason = ""
    try:
        if not isinstance(parse_json(raw), dict):
            return _malformed("it is JSON, but neither an object nor an array")
    except NotJsonError as error:
        reason = str(error)
    members = scan_members(raw)
    id_raw, method_raw = members.get("id", b""), members.get("method", b"")
    method = _string(method_raw) if method_raw[:1] == b'"' else None
    if method_raw and method is None:
        reason = reason or "the method is not a string"
    envelope = _envelope(id_raw, method, "result" in members, "error" in members)
    if not reason:
        return envelope
    return _malformed(reason, method=envelope.method, id=envelope.id, id_text=envelope.id_text)


@lru_cache(maxsize=512)
def _of_short_line(raw: bytes) -> Envelope:
    """What is printed in place of messages, an empty line most of all, is printed very often, and
    read several times."""
    return _read_hard_envelope(raw)


def _batch_envelope(raw: bytes) -> Envelope:
    """A batch, where what begins like an array is one: `[INFO] ready` is a line of a log."""
    try:
        _raw_list_decoder.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        try:
            parse_json(raw)
        except NotJsonError as error:
            return _malformed(str(error))
    return Envelope(MessageKind.BATCH)


def decode(raw: bytes, envelope: Envelope | None = None) -> Message:
    """The message in `raw`, with its body parsed; `envelope` is its own, if known. Never raises.

    Duplicate keys collapse to the last one and number tokens lose their spelling here (one out
    of range becomes an infinity): whoever shows or keeps a message uses the raw bytes.
    """
    envelope = envelope or read_envelope(raw)
    if envelope.kind is MessageKind.BATCH:
        return _decode_batch(raw)
    if envelope.kind is MessageKind.MALFORMED:
        return _fault(raw, envelope, envelope.reason)
    try:
        body = parse_json(raw)
    except NotJsonError as error:
        return _fault(raw, envelope, str(error))
    if not isinstance(body, dict):  # the envelope was read from an object
        return _fault(raw, envelope, "it is not a JSON object")
    if envelope.kind in (MessageKind.REQUEST, MessageKind.NOTIFICATION):
        params = body.get("params")
        if params is not None and not isinstance(params, dict):
            return _fault(raw, envelope, "its params are not an object")
        if envelope.id is None:
            return Notification(envelope.method, params)
        return Request(envelope.id, envelope.method, params)
    if envelope.kind is MessageKind.RESULT and envelope.id is not None:
        return Result(envelope.id, body.get("result"))
    return _decode_error(raw, envelope, body.get("error"))


def _decode_error(raw: bytes, envelope: Envelope, error: Json) -> Message:
    if not isinstance(error, dict):
        return _fault(raw, envelope, "its error is not an object")
    code, message = error.get("code"), error.get("message")
    if isinstance(code, float) and code.is_integer():
        code = int(code)
    if isinstance(code, bool) or not isinstance(code, int):
        return _fault(raw, envelope, "its error has no integer code")
    if not isinstance(message, str):
        return _fault(raw, envelope, "its error has no message string")
    return ErrorReply(envelope.id, code, message, error.get("data"), "data" in error)


def _decode_batch(raw: bytes) -> Message:
    members = raw_items(raw)
    if not members:
        try:
            parse_json(raw)
        except NotJsonError as error:
            return Malformed(str(error))
        return Malformed("it is an empty batch")
    pairs: list[tuple[bytes, Message]] = []
    for member in members:
        nested = member[:1] == b"["
        pairs.append((member, Malformed("it is a batch in a batch") if nested else decode(member)))
    return Batch(tuple(pairs))


def _fault(raw: bytes, envelope: Envelope, reason: str) -> Malformed:
    """A malformed message, with the id of the request it answers or is.

    A line of a log may be JSON and have an `id` too: it answers nothing, so more than an id is
    needed to take it for an answer.
    """
    if envelope.kind is MessageKind.NOTIFICATION or b"{" not in raw:
        return Malformed(reason)
    members = scan_members(raw)
    outcome = not members.keys().isdisjoint({"result", "error"})
    if "method" in members and not (outcome and members["method"] == b"null"):
        return Malformed(reason, asked=envelope.id, inside=_answered_inside(raw))
    if not outcome and "jsonrpc" not in members:
        return Malformed(reason, inside=_answered_inside(raw))
    answered = envelope.id if envelope.id is not None else _whole(envelope.id_text)
    # In an answer to one request only what stands behind its end can be the answer to another.
    behind = raw if answered is None else b" " + behind_value(raw)
    return Malformed(reason, answered, inside=_answered_inside(behind))


def _answered_inside(raw: bytes) -> RequestId | None:
    """The id of the first answer that begins somewhere behind the start of `raw`."""
    for match in islice(_MESSAGE_START.finditer(raw, 1), _STARTS_TRIED):
        members = scan_members(raw[match.start() :])
        answer = "method" not in members and not members.keys().isdisjoint({"result", "error"})
        if answer and (request_id := _id(members.get("id", b""))) is not None:
            return request_id
    return None


def _whole(id_text: str) -> RequestId | None:
    """1 for `1.0`: not the id that was sent, but no doubt the one that was meant."""
    try:
        number = float(id_text)
    except ValueError:
        return None
    return int(number) if number.is_integer() and abs(number) < 2**53 else None


def _id(raw: bytes) -> RequestId | None:
    if raw.isdigit() and len(raw) < _LONGEST_ID:
        return int(raw)
    if raw[:1] == b'"':
        return _string(raw)
    try:
        return (
            int(raw) if raw[:1] == b"-" and raw[1:].isdigit() and len(raw) < _LONGEST_ID else None
        )
    except ValueError:
        return None


def _string(raw: bytes) -> str | None:
    if b"\\" not in raw and raw.isascii():
        return raw[1:-1].decode()
    return read_string(raw)


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"


def encode_request(request_id: RequestId, method: str, params: Sendable = None) -> bytes:
    """One request as bytes, without a newline; `params` None leaves the member out."""
    return _encode({"jsonrpc": "2.0", "id": request_id, "method": method}, params)


def encode_notification(method: str, params: Sendable = None) -> bytes:
    """One notification as bytes, without a newline; `params` None leaves the member out."""
    return _encode({"jsonrpc": "2.0", "method": method}, params)


def encode_result(request_id: RequestId, result: Sendable) -> bytes:
    """One successful response as bytes, without a newline."""
    return encode_json({"jsonrpc": "2.0", "id": request_id, "result": result})


def encode_error(
    request_id: RequestId | None, code: int, message: str, data: Sendable = None
) -> bytes:
    """One error response as bytes, without a newline; `data` None leaves the member out."""
    error: dict[str, Sendable] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return encode_json({"jsonrpc": "2.0", "id": request_id, "error": error})


def _encode(head: dict[str, Sendable], params: Sendable) -> bytes:
    return encode_json(head if params is None else {**head, "params": params})
