"""The lines of a recording: one JSON object a line, the raw message verbatim inside it.

    {"format":2,"program":"mcp-inspect","created":"2026-…Z","crc":"89abcdef"}
    {"n":1,"at":"2026-…Z","us":412,"kind":"request","dir":"out","conn":1,"len":58,"raw":{…},"crc":"…"}

`at` is UTC to the millisecond, `us` microseconds of the monotonic clock since the recording
began, `len` the bytes of the raw text, `crc` the CRC-32 of everything before `,"crc"`. Optional,
after `conn`: `http` (number of the HTTP entry; on HTTP entries the status), `about` (the entry
that a note or an HTTP entry is about), `flags`, `stream`, `event` (an object: `id`, `retry` and
name of the server-sent event that carried a message; since format 2); and `form`: "text" where
`raw` is a string that holds what is not one line of JSON, "base64" where it is not even UTF-8. A
line of kind "flag" adds flags to entry `n`, one of kind "unflag" takes them away. Decides how
single lines are written and read. Pure.
"""

import re
from calendar import timegm
from dataclasses import dataclass
from functools import lru_cache
from math import floor
from time import gmtime, strftime
from typing import Final
from zlib import crc32

import msgspec

from inspector.journal.columns import Form
from inspector.journal.entries import Direction, Flag, Kind, SseFacts

FORMAT: Final = 2
"""The number of this format. A change that an older reader would misread raises it. Every older
format is read too: each line of format 1 is a line of format 2."""

EVENT_TEXT: Final = 500
"""Characters kept of the id, and of the name, of a server-sent event."""
LONGEST_TIME: Final = 10**17 - 1
"""Microseconds since a recording began, either way: what a reader takes."""
HEAD_LENGTH: Final = 8192
"""No line has more bytes before its raw text."""

TAIL_LENGTH: Final = len(b',"crc":"00000000"}\n')
FLAG_LINE: Final = "flag"
UNFLAG_LINE: Final = "unflag"

KIND_WORDS: Final = {kind: kind.name.lower() for kind in Kind}
DIRECTION_WORDS: Final = {
    Direction.SENT: "out",
    Direction.RECEIVED: "in",
    Direction.LOCAL: "local",
}
_KINDS: Final = {word.encode(): int(kind) for kind, word in KIND_WORDS.items()}
_DIRECTIONS: Final = {word.encode(): int(way) for way, word in DIRECTION_WORDS.items()}
_FORMS: Final = {b"": Form.JSON, b"text": Form.TEXT, b"base64": Form.BASE64}
_FORM_TEXT: Final = {Form.JSON: "", Form.TEXT: ',"form":"text"', Form.BASE64: ',"form":"base64"'}
_MILLISECONDS: Final = tuple(b"%03d" % number for number in range(1000))
_HEAD: Final = re.compile(
    rb'\{"n":([1-9][0-9]{0,9}),"at":"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})'
    rb'\.([0-9]{3})Z","us":(-?[0-9]{1,17}),"kind":"([a-z]{3,20})","dir":"(in|out|local)"'
    rb',"conn":([0-9]{1,5})(?:,"http":([0-9]{1,10}))?(?:,"about":([0-9]{1,10}))?'
    rb'(?:,"flags":"([a-z_ ]{1,300})")?(?:,"stream":"[^"\\\n]{1,100}")?'
    rb'(?:,"event":\{(?:[^"{}\\\n]|"(?:[^"\\\n]|\\[^\n]){0,4000}"){0,60}\})?'
    rb'(?:,"form":"(text|base64)")?,"len":([0-9]{1,10}),"raw":'
)
_STAMP: Final = re.compile(rb"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}")
_HEADER: Final = re.compile(rb'\{"format":([0-9]{1,9}),"program":"mcp-inspect"')
_HEADER_START: Final = b'{"format":'
_U32: Final = 0xFFFF_FFFF


@dataclass(frozen=True, slots=True)
class Line:
    """One line, read. `start` and `length` say where the raw text stands inside the line."""

    number: int
    kind: int
    change: bool | None
    direction: int
    connection: int
    monotonic: float
    wall: float
    http: int
    about: int
    flags: int
    form: Form
    start: int
    length: int


class _Event(msgspec.Struct, gc=False):
    id: str | None = None
    retry: int | None = None
    event: str = ""


class _WithEvent(msgspec.Struct, gc=False):
    event: _Event


_with_event: Final = msgspec.json.Decoder(_WithEvent).decode


class LineWriter:
    """Writes lines; remembers what many lines have in common."""

    def __init__(self) -> None:
        self._second = -1
        self._heads: dict[int, bytes] = {}
        """Everything before the raw text that entries of one kind have in common in a second."""

    def line(
        self,
        number: int,
        wall: float,
        since: float,
        kind: int,
        direction: int,
        connection: int,
        more: bytes,
        stored: bytes,
    ) -> bytes:
        """A whole line, newline included. `since` is seconds since the recording began, `more` is
        made by `optional`. The raw text ends `TAIL_LENGTH` before the end."""
        fraction = wall - self._second
        if not 0 <= fraction < 1:
            self._heads.clear()
            self._second = floor(wall)
            fraction = wall - self._second
        key = connection << 6 | kind << 2 | direction
        head = self._heads.get(key) or self._head(key, kind, direction, connection)
        thousandth = _MILLISECONDS[floor(fraction * 1000)]  # `int` takes three times as long
        text = head % (number, thousandth, floor(since * 1e6), more, len(stored), stored)
        return text + b',"crc":"%08x"}\n' % crc32(text)

    def _head(self, key: int, kind: int, direction: int, connection: int) -> bytes:
        if len(self._heads) > 1000:
            self._heads.clear()
        way = DIRECTION_WORDS[Direction(direction)]
        label = f'"kind":"{KIND_WORDS[Kind(kind)]}","dir":"{way}","conn":{connection}'
        stamp = _stamp(self._second)
        head = f'{{"n":%d,"at":"{stamp}.%bZ","us":%d,{label}%b,"len":%d,"raw":%b'.encode()
        self._heads[key] = head
        return head


def optional(*, http: int = 0, about: int = 0, flags: int = 0, stream: str = "",
             event: bytes = b"", form: Form = Form.JSON) -> bytes:  # fmt: skip
    """The members of a line that most lines do not have. `event` is made by `event_json`."""
    found = ""
    if http:
        found += f',"http":{http}'
    if about:
        found += f',"about":{about}'
    if flags:
        found += f',"flags":"{_flag_words(flags)}"'
    if stream:
        plain = re.sub(r'[^ -~]|["\\]', "?", stream)[:100]
        found += f',"stream":"{plain}"'
    if event:
        return found.encode() + b',"event":' + event + _FORM_TEXT[form].encode()
    return (found + _FORM_TEXT[form]).encode()


def event_json(facts: SseFacts) -> bytes:
    """The member `event` of a line; "" where there is nothing to tell."""
    found: dict[str, str | int] = {}
    if facts.id is not None:
        found["id"] = _brief(facts.id)
    if facts.retry is not None:
        found["retry"] = facts.retry
    if facts.event:
        found["event"] = _brief(facts.event)
    return msgspec.json.encode(found) if found else b""


def event_in(before: bytes) -> SseFacts | None:
    """The facts of `event_json` in the bytes before the raw text of a line; None without any."""
    head = before[before.rfind(b"\n") + 1 :]
    if b',"event":{' not in head:
        return None
    try:
        found = _with_event(head + b"null}").event
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return SseFacts(found.id, found.retry, found.event)


def _brief(text: str) -> str:
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= EVENT_TEXT else text[: EVENT_TEXT - 1] + "…"


def flag_line(number: int, wall: float, microseconds: int, flags: int, on: bool) -> bytes:
    """The line that says that flags of an entry changed after it was written."""
    head = (
        (
            f'{{"n":{number},"at":"{_stamp(int(wall))}.000Z","us":{microseconds},'
            f'"kind":"{FLAG_LINE if on else UNFLAG_LINE}","dir":"local","conn":0'
        ).encode()
        + optional(flags=flags)
        + b',"len":4,"raw":null'
    )
    return b'%b,"crc":"%08x"}\n' % (head, crc32(head))


def header(wall: float) -> bytes:
    """The first line of a recording."""
    text = (
        f'{{"format":{FORMAT},"program":"mcp-inspect","created":"{_stamp(int(wall))}Z"'
    ).encode()
    return b'%b,"crc":"%08x"}\n' % (text, crc32(text))


def header_format(line: bytes) -> int | None:
    """The format number of a header line; 0 where the line is the beginning of one that was torn,
    None where this is no header."""
    if not line.endswith(b"\n"):
        whole = len(line) >= len(_HEADER_START)
        torn = line.startswith(_HEADER_START) if whole else _HEADER_START.startswith(line)
        return 0 if torn else None
    found = _HEADER.match(line)
    return int(found.group(1)) if found is not None else None


def read_line(line: bytes) -> Line | None:
    """One line with its newline; None where it is damaged."""
    found = _HEAD.match(line)
    if found is None or line[-TAIL_LENGTH:-11] != b',"crc":"' or line[-3:] != b'"}\n':
        return None
    if b"%08x" % crc32(memoryview(line)[:-TAIL_LENGTH]) != line[-11:-3]:
        return None
    number, day, fraction, microseconds, word, way, connection, http, about, flags, form, length = (
        found.groups(b"")
    )
    start = found.end()
    if int(length) != len(line) - TAIL_LENGTH - start:
        return None
    change = {b"flag": True, b"unflag": False}.get(word)
    kind = _KINDS.get(word, -1)
    seconds = seconds_of(day)
    bits = _flag_bits(flags) if flags else 0
    limited = max(int(number), int(http or 0), int(about or 0)) <= _U32
    if (kind < 0 and change is None) or seconds is None or bits is None or not limited:
        return None
    return Line(
        number=int(number),
        kind=kind,
        change=change,
        direction=_DIRECTIONS[way],
        connection=min(int(connection), 0xFFFF),
        monotonic=int(microseconds) / 1e6,
        wall=seconds + int(fraction) / 1e3,
        http=int(http or 0),
        about=int(about or 0),
        flags=bits,
        form=_FORMS[form],
        start=start,
        length=int(length),
    )


@lru_cache(maxsize=8)
def _stamp(second: int) -> str:
    try:
        return strftime("%Y-%m-%dT%H:%M:%S", gmtime(min(max(second, 0), 253402300799)))
    except (OverflowError, ValueError, OSError):
        return "1970-01-01T00:00:00"


@lru_cache(maxsize=64)
def seconds_of(stamp: bytes) -> int | None:
    """Seconds since the epoch of a time as `at` says it, without its fraction; None where that is
    no time."""
    if not _STAMP.fullmatch(stamp):
        return None
    year, month, day, hour, minute, second = (int(part) for part in re.split(rb"[-T:]", stamp))
    if not (1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and minute < 60 and second < 61):
        return None
    if year < 1:
        return None
    return timegm((year, month, day, hour, minute, second))


@lru_cache(maxsize=256)
def _flag_words(flags: int) -> str:
    return " ".join(str(flag.name).lower() for flag in Flag if flag & flags)


@lru_cache(maxsize=256)
def _flag_bits(words: bytes) -> int | None:
    bits = 0
    for word in words.decode("ascii").split(" "):
        flag = Flag.__members__.get(word.upper())
        if flag is None:
            return None
        bits |= int(flag)
    return bits
