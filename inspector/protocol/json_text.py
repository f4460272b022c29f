"""JSON text as text: tolerant parsing, the exact text of members, why a text is no JSON, and
values as text.

Nothing here knows JSON-RPC. Whatever the JSON grammar allows is read, also what a strict decoder
refuses (numbers out of range, lone surrogates); what it does not allow is explained in words for
a person, and its outermost members can still be picked out of it.
"""

import json
import math
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Final, TypeAlias

import msgspec

from inspector.protocol.json_pointer import escaped

Json: TypeAlias = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
JsonObject: TypeAlias = dict[str, Json]

RawJson = msgspec.Raw
"""JSON text that is sent as it stands, token for token; may stand anywhere inside `params`."""

Sendable: TypeAlias = (
    None | bool | int | float | str | RawJson | Sequence["Sendable"] | Mapping[str, "Sendable"]
)
"""What `encode_*` takes: JSON, in which any part may be `RawJson`."""

DEPTH_LIMIT: Final = 512
"""Deepest nesting that is decoded; deeper text is explained and shown raw."""

_raw_list_decoder: Final = msgspec.json.Decoder(list[msgspec.Raw])
_raw_object_decoder: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_BOM: Final = b"\xef\xbb\xbf"
_TOO_DEEP: Final = f"it is nested deeper than {DEPTH_LIMIT} levels"
_LONG_INTEGER: Final = 4000
"""Integers with more digits are read as floats: Python bounds the conversion (4300 digits)."""

_WORDS: Final = (
    ("Expecting value", "a value is missing"),
    ("Expecting property name", "a member name in double quotes is missing"),
    ("Expecting ',' delimiter", "a comma is missing"),
    ("Expecting ':' delimiter", "a colon is missing"),
    ("Illegal trailing comma", "a comma stands before the end"),
    ("Unterminated string", "a string has no end"),
    ("Invalid control character", "a control character stands unescaped in a string"),
    ("Invalid \\escape", "an escape is none that JSON has"),
    ("Invalid \\uXXXX escape", "a \\u escape is broken"),
    ("Extra data", "there is more after the end"),
)

# A string (up to the end where it has none), one structural character, or a run of anything else.
_TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[{}\[\],:]|[^\s{}\[\],:"]++', re.DOTALL)
TOKENS: Final = 200_000
"""So much of a text that is no JSON is looked through: a fifth of a second at most."""
_STRING: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"{[]}"))
_STEPS: Final = bytes.maketrans(b"{[]}", b"\x01\x01\xff\xff")
_SPACE: Final = re.compile(r"[ \t\r\n]*+")
_decoder: Final = json.JSONDecoder(parse_int=str, parse_float=str, strict=False)
"""For where a value ends: it is not kept."""
_QUOTE, _COLON, _COMMA = b'":,'
_OPENING: Final = b"{["
_CLOSING: Final = b"}]"


class NotJsonError(ValueError):
    """The text is not JSON, or nested too deep; the message is a clause for a person."""


def parse_json(raw: bytes) -> Json:
    """The value of JSON text; raises NotJsonError where it is none or nested too deep.

    A number out of range becomes an infinity, a lone surrogate stays in its string, duplicate
    keys collapse to the last: whoever needs the exact text keeps `raw`.
    """
    try:
        raw.decode("utf-8")
        value: Json = msgspec.json.decode(raw)
    except (ValueError, RecursionError):
        value = _parse_tolerantly(raw)
    # What has so few brackets cannot be too deep; counting them is many times as fast.
    few = raw.count(b"{") + raw.count(b"[") < DEPTH_LIMIT
    if not few and not _within(raw, DEPTH_LIMIT):
        raise NotJsonError(_TOO_DEEP)
    return value


def _parse_tolerantly(raw: bytes) -> Json:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = raw[error.start]
        raise NotJsonError(f"it is not UTF-8: byte 0x{byte:02X} at offset {error.start}") from None
    if raw.startswith(_BOM):
        raise NotJsonError("it is not JSON: it begins with a byte order mark")
    if not text.strip():
        raise NotJsonError("it is empty")
    try:
        value: Json = json.loads(text, parse_constant=_refuse, parse_int=_integer)
    except RecursionError:
        raise NotJsonError(_TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise NotJsonError(_explain(text, error)) from None
    return value


def _refuse(name: str) -> float:
    raise NotJsonError(f"it is not JSON: {name} is no JSON number")


def _integer(text: str) -> int | float:
    return int(text) if len(text) <= _LONG_INTEGER else float(text)


def _explain(text: str, error: json.JSONDecodeError) -> str:
    if error.pos >= len(text.rstrip()):
        return "it is not JSON: it ends in the middle"
    words = next((plain for start, plain in _WORDS if error.msg.startswith(start)), error.msg)
    if words == "a string has no end":
        return f"it is not JSON: {words}, from offset {len(text[: error.pos].encode())}"
    return f"it is not JSON: {words} at offset {len(text[: error.pos].encode())}"


def _within(raw: bytes, limit: int) -> bool:
    """Whether JSON text is nested no deeper than `limit`, by its brackets alone."""
    steps = array("b", _STRING.sub(b"", raw).translate(_STEPS, _NO_BRACKETS))
    return max(accumulate(steps), default=0) <= limit


def scan_members(raw: bytes) -> dict[str, bytes]:
    """The outermost members of the object in `raw` with their exact text, whatever is inside
    them; of broken text those before the break and what is there of the one that broke.

    Time is linear in the text; empty where it begins with no object. Behind a break no more than
    `TOKENS` tokens are looked at.
    """
    raw = raw.removeprefix(_BOM)
    if raw.lstrip()[:1] != b"{":
        return {}
    members: dict[str, bytes] = {}
    whole, found = _quick_slices(raw)
    if not whole:
        found = [*_slices(raw), *found]
    for name_text, text in found:
        name = read_string(name_text)
        if name is not None:
            members[name] = text
    return members


def scan_items(raw: bytes) -> list[bytes]:
    """The items of the array in `raw` with their exact text, as `scan_members`."""
    if raw.lstrip()[:1] != b"[":
        return []
    whole, found = _quick_slices(raw)
    if not whole:
        behind = list(_slices(raw))[len(found) :]
        found += behind
    return [text for _, text in found]


def _quick_slices(raw: bytes) -> tuple[bool, list[tuple[bytes, bytes]]]:
    """What `_slices` gives, up to the first part that is no JSON, and whether that is all: read by
    the parser of the standard library, which is many times as fast."""
    found: list[tuple[bytes, bytes]] = []
    try:
        text = raw.decode("utf-8")
        at = _past_space(text, 0)
        in_object, at = text[at] == "{", at + 1
        closing = "}" if in_object else "]"
        at = _past_space(text, at)
        while text[at] != closing:
            name = ""
            if in_object:
                if text[at] != '"':
                    return False, found
                begun = at
                _, at = _decoder.raw_decode(text, at)
                name = text[begun:at]
                at = _past_space(text, at)
                if text[at] != ":":
                    return False, found
                at = _past_space(text, at + 1)
            begun = at
            _, at = _decoder.raw_decode(text, at)
            found.append((name.encode(), text[begun:at].encode()))
            at = _past_space(text, at)
            if text[at] == ",":
                at = _past_space(text, at + 1)
            elif text[at] != closing:
                # what stands behind the value belongs to it, as far as broken text has values
                return False, found[:-1]
    except (ValueError, IndexError, RecursionError):
        return False, found
    return True, found


def behind_value(raw: bytes) -> bytes:
    """What stands behind the JSON value that `raw` begins with; empty where it begins with none."""
    try:
        text = raw.decode("utf-8")
        _, end = _decoder.raw_decode(text, _past_space(text, 0))
    except (ValueError, RecursionError):
        return b""
    return text[end:].encode()


def _past_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


def _slices(raw: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Name (empty in an array) and text of everything directly inside the outermost value, as far
    as `TOKENS` reach."""
    depth, in_object = 0, False
    name = b""
    start, end = -1, 0
    for match in islice(_TOKEN.finditer(raw), TOKENS):
        first = raw[match.start()]
        if depth == 0:
            if first not in _OPENING:
                return
            depth, in_object = 1, first == _OPENING[0]
            continue
        if depth == 1 and (first == _COMMA or first in _CLOSING):
            if start >= 0:
                yield name, raw[start:end]
            if first != _COMMA:
                return
            name, start = b"", -1
            continue
        if depth == 1 and start < 0 and in_object:
            if not name:
                if first != _QUOTE:
                    return
                name = match.group()
                continue
            if first == _COLON:
                continue
        if start < 0:
            start = match.start()
        end = match.end()
        if first in _OPENING:
            depth += 1
        elif first in _CLOSING:
            depth -= 1
    if start >= 0:
        yield name, raw[start:end]


def read_string(raw: bytes) -> str | None:
    """The string that a JSON string token spells, None where it is none."""
    try:
        value = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, str) else None


@dataclass(slots=True)
class _Level:
    """An object or array that is open while text is walked through."""

    is_object: bool
    seen: set[str]
    key: str | None = None
    index: int = 0

    def step(self) -> str:
        name = self.key or "" if self.is_object else str(self.index)
        return escaped(name)


def duplicate_keys(raw: bytes, limit: int = 100) -> list[str]:
    """JSON pointers of members whose name came before in the same object, in order of the text,
    at most `limit`, as far as `TOKENS` reach. Decoders silently keep one of them. Time is linear
    in the text."""
    found: list[str] = []
    stack: list[_Level] = []
    for match in islice(_TOKEN.finditer(raw), TOKENS):
        first = raw[match.start()]
        if first in _OPENING:
            stack.append(_Level(first == _OPENING[0], set()))
            continue
        if not stack:
            break
        top = stack[-1]
        if first in _CLOSING:
            stack.pop()
        elif first == _COMMA:
            top.key = None
            top.index += 1
        elif first == _QUOTE and top.is_object and top.key is None:
            top.key = read_string(match.group()) or ""
            if top.key in top.seen:
                found.append("/" + "/".join(level.step() for level in stack))
                if len(found) >= limit:
                    break
            top.seen.add(top.key)
    return found


def raw_members(raw: bytes) -> dict[str, bytes]:
    """The members of the object in `raw` with their exact text; empty where it is no object.

    This is how a result leaves the program verbatim: nothing is decoded and encoded again.
    """
    try:
        return {key: bytes(value) for key, value in _raw_object_decoder.decode(raw).items()}
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return scan_members(raw) if _is_json(raw) else {}


def raw_items(raw: bytes) -> list[bytes]:
    """The items of the array in `raw` with their exact text; empty where it is no array."""
    try:
        return [bytes(value) for value in _raw_list_decoder.decode(raw)]
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return scan_items(raw) if _is_json(raw) else []


def _is_json(raw: bytes) -> bool:
    try:
        parse_json(raw)
    except NotJsonError:
        return False
    return True


def encode_json(value: Sendable) -> bytes:
    """`value` as one line of JSON. `RawJson` parts stand as they are, less their line breaks.

    Raises ValueError for NaN and infinities, which JSON does not have.
    """
    _refuse_non_finite(value)
    try:
        encoded = msgspec.json.encode(value)
    except (OverflowError, UnicodeEncodeError, msgspec.EncodeError):
        encoded = _encode_slowly(value)
    return b"".join(encoded.splitlines())


def _encode_slowly(value: Sendable) -> bytes:
    """Encodes what the fast encoder cannot: integers beyond 64 bits and lone surrogates."""
    if isinstance(value, RawJson):
        return bytes(value)
    if isinstance(value, Mapping):
        members = (
            b"%b:%b" % (json.dumps(key).encode(), _encode_slowly(item))
            for key, item in value.items()
        )
        return b"{" + b",".join(members) + b"}"
    if isinstance(value, str):
        return json.dumps(value).encode()
    if isinstance(value, Sequence):
        return b"[" + b",".join(map(_encode_slowly, value)) + b"]"
    return json.dumps(value).encode()


def _refuse_non_finite(value: Sendable) -> None:
    stack: list[Sendable] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, float) and not math.isfinite(item):
            raise ValueError(f"{item} is no JSON number")
        if isinstance(item, Mapping):
            stack.extend(item.values())
        elif isinstance(item, list | tuple):
            stack.extend(item)
