"""The JSON bodies of entries that are no frames: HTTP exchanges, stderr lines, notes.

Decides the names of their members, there and back. Reading never raises: a body that was cut or
came out of a hostile recording reads as empty facts. Pure.
"""

import base64
import reprlib
from typing import Final

import msgspec

from inspector.journal.entries import HttpFacts
from inspector.protocol.messages import Json, JsonObject
from inspector.protocol.numbers import measured

ASIDE: Final = "aside"
"""The fact of a connection that stands beside the one before, which goes on: what it is for."""


def encode_facts(facts: Json) -> bytes:
    """Facts as one line of JSON; lone surrogates, which JSON text cannot hold, become escapes."""
    try:
        try:
            return msgspec.json.encode(facts)
        except UnicodeEncodeError:
            return msgspec.json.encode(_spelt(facts))
    except (RecursionError, ValueError, OverflowError):
        return msgspec.json.encode({"unreadable": ascii(reprlib.repr(facts))})


def _spelt(value: Json) -> Json:
    match value:
        case str():
            return _text(value)
        case list():
            return [_spelt(one) for one in value]
        case dict():
            return {_text(name): _spelt(one) for name, one in value.items()}
        case _:
            return value


def decode_facts(body: bytes) -> JsonObject:
    """The facts in a body; empty where it holds none."""
    try:
        facts: Json = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return {}
    return facts if isinstance(facts, dict) else {}


def _add_bytes(facts: JsonObject, name: str, value: bytes) -> None:
    """Bytes as text, with the exact ones beside it in base64 where they are not UTF-8."""
    try:
        facts[name] = value.decode("utf-8")
    except UnicodeDecodeError:
        facts[name] = value.decode("utf-8", "backslashreplace")
        facts[name + "Base64"] = base64.b64encode(value).decode("ascii")


def _bytes(facts: JsonObject, name: str) -> bytes:
    exact = facts.get(name + "Base64")
    if isinstance(exact, str):
        try:
            return base64.b64decode(exact, validate=True)
        except ValueError:
            return b""
    text = facts.get(name)
    return text.encode("utf-8", "backslashreplace") if isinstance(text, str) else b""


def stderr_facts(line: bytes) -> JsonObject:
    """`{"line": text}`, with `lineBase64` where the line is not UTF-8."""
    facts: JsonObject = {}
    _add_bytes(facts, "line", line)
    return facts


def stderr_line(body: bytes) -> bytes:
    """The stderr line in a body."""
    return _bytes(decode_facts(body), "line")


def http_json(facts: HttpFacts) -> JsonObject:
    """An HTTP exchange as JSON; members without a value are left out."""
    found: JsonObject = {
        "method": _text(facts.method),
        "url": _text(facts.url),
        "requestHeaders": [[_text(name), _text(value)] for name, value in facts.request_headers],
        "started": facts.started,
    }
    if facts.status is not None:
        found["status"] = facts.status
        found["reason"] = _text(facts.reason)
        found["responseHeaders"] = [[_text(n), _text(v)] for n, v in facts.response_headers]
    if facts.http_version:
        found["httpVersion"] = _text(facts.http_version)
    if facts.error:
        found["error"] = _text(facts.error)
    if facts.body:
        _add_bytes(found, "body", facts.body)
    return found


def http_facts(body: bytes) -> HttpFacts:
    """The HTTP exchange in a body."""
    facts = decode_facts(body)
    status, started = facts.get("status"), facts.get("started")
    return HttpFacts(
        method=_string(facts, "method"),
        url=_string(facts, "url"),
        request_headers=_pairs(facts.get("requestHeaders")),
        status=status if isinstance(status, int) else None,
        reason=_string(facts, "reason"),
        response_headers=_pairs(facts.get("responseHeaders")),
        started=measured(started) or 0.0,
        error=_string(facts, "error"),
        body=_bytes(facts, "body"),
        http_version=_string(facts, "httpVersion"),
    )


def _text(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _string(facts: JsonObject, name: str) -> str:
    value = facts.get(name)
    return value if isinstance(value, str) else ""


def _pairs(value: Json) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, list):
        return ()
    found: list[tuple[str, str]] = []
    for pair in value:
        match pair:
            case [str() as name, str() as text]:
                found.append((name, text))
            case _:
                continue
    return tuple(found)
