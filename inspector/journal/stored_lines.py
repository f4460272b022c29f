"""The common lines of a recording, many at once: a third of the time that one by one takes.

Decides which lines are common: frames that stand verbatim in their line, in order, of a connection
that is known. The others are left to `inspector.journal.reading`; both have the same result.
`LineFeed` puts lines together out of blocks.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Annotated, Final
from zlib import crc32

import msgspec

from inspector.journal.columns import Form
from inspector.journal.entries import Direction, Kind
from inspector.journal.glance import ABSENT, Wire
from inspector.journal.journal import Journal
from inspector.journal.lines import KIND_WORDS, LONGEST_TIME, TAIL_LENGTH, seconds_of

BLOCK: Final = 128 * 1024
"""Bytes read at once: a screen waits at most the milliseconds that these take."""
LONGEST_LINE: Final = 1024**3
"""A line that is longer is given up: nobody writes such a one."""

_UNSET: Final = msgspec.UNSET
_END: Final = TAIL_LENGTH - 1  # lines come without their newline here
_FRAMES: Final = frozenset(word for kind, word in KIND_WORDS.items() if kind.is_frame)
_DIRECTIONS: Final = {"out": int(Direction.SENT), "in": int(Direction.RECEIVED)}
_THOUSANDTHS: Final = {f".{number:03d}Z": number / 1e3 for number in range(1000)}
_REQUEST: Final = int(Kind.REQUEST)
_RESULT: Final = int(Kind.RESULT)
_ERROR: Final = int(Kind.ERROR)
_NOTIFICATION: Final = int(Kind.NOTIFICATION)
_MALFORMED: Final = int(Kind.MALFORMED)
_JSON: Final = Form.JSON


class LineFeed:
    """Whole lines out of blocks; linear in the bytes, however long a line is."""

    def __init__(self) -> None:
        self.waiting = 0
        """Bytes of a line whose end is not there yet."""
        self._parts: list[bytes] = []

    def feed(self, block: bytes, offset: int) -> Iterator[tuple[bytes, int]]:
        """The whole lines that are there now and where they begin; `offset` is the block's."""
        start = 0
        if self._parts:
            end = block.find(b"\n") + 1
            if not end:
                self._wait(block)
                return
            begin = offset - self.waiting
            line = b"".join((*self._parts, block[:end]))
            self._parts, self.waiting = [], 0
            yield line, begin
            start = end
        end = block.rfind(b"\n") + 1
        if end > start:
            yield block[start:end] if start or end < len(block) else block, offset + start
        if max(start, end) < len(block):
            self._wait(block[max(start, end) :])

    def _wait(self, part: bytes) -> None:
        self.waiting += len(part)
        if self.waiting > LONGEST_LINE:
            self._parts = [b"\0"]  # no line is so long: what it was is of no use
        else:
            self._parts.append(part)


class _Stored(msgspec.Struct, gc=False):
    n: int
    at: str
    us: Annotated[int, msgspec.Meta(ge=-LONGEST_TIME, le=LONGEST_TIME)]
    kind: str
    dir: str
    conn: int
    len: int
    crc: str
    raw: Wire | None = None
    http: int = 0
    flags: str = ""
    form: str = ""


_many: Final = msgspec.json.Decoder(_Stored).decode_lines
_one: Final = msgspec.json.Decoder(_Stored).decode


class Quick:
    """Takes lines into a journal: the common ones itself, each other one by `other`."""

    def __init__(self, journal: Journal, other: Callable[[bytes, int], bool]) -> None:
        """`other` is given a line with its newline and where it begins in the file; it returns
        whether the lines after it may be common."""
        self._journal = journal
        self._other = other

    def take(self, lines: bytes, offset: int) -> None:
        """Takes whole lines that stand at `offset` in the file."""
        split = lines.split(b"\n")
        split.pop()
        found: list[_Stored | None]
        try:
            found = [*_many(lines)]
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            found = [_decoded(line) for line in split]
        if len(found) != len(split):  # empty lines
            found = [_decoded(line) for line in split]
        at = 0
        while at < len(split):
            offset, at = self._take_common(split, found, offset, at)
            while at < len(split):
                line = split[at] + b"\n"
                common = self._other(line, offset)
                offset += len(line)
                at += 1
                if common:
                    break

    def _take_common(
        self, split: list[bytes], found: list[_Stored | None], offset: int, at: int
    ) -> tuple[int, int]:
        """Takes lines from `split[at:]` up to the first that is not common; where that is."""
        journal, columns = self._journal, self._journal.columns
        correlator, known = journal.correlator, columns.known
        begun = number = columns.count
        connections, room = journal.connections, columns.room
        offsets, sizes, directions = columns.offsets, columns.sizes, columns.directions
        monotonic, wall, kinds = columns.monotonic, columns.wall, columns.kinds
        of_connection, method_ids = columns.connections, columns.method_ids
        sent, second, second_of = 0, "", 0.0
        if at:
            split, found = split[at:], found[at:]
        for line, stored in zip(split, found, strict=True):
            number += 1
            if stored is None or stored.n != number:
                break
            wire, stamp, length, connection = stored.raw, stored.at, stored.len, stored.conn
            direction = _DIRECTIONS.get(stored.dir)
            end = len(line) - _END
            start = end - length
            if (
                direction is None
                or wire is None
                or stored.kind not in _FRAMES
                or not 0 < connection <= connections
                or stored.flags
                or stored.form
                or not 60 < start < end
                or line[start - 6 : start] != b'"raw":'
                or f"{crc32(line[:end]):08x}" != stored.crc
                or line[end : end + 8] != b',"crc":"'
            ):
                break
            if stamp[:19] != second:
                found_second = _second(stamp[:19])
                if found_second is None:
                    break
                second, second_of = stamp[:19], found_second
            fraction = _THOUSANDTHS.get(stamp[19:])
            http = stored.http
            if fraction is None or not 0 <= http < number:
                break
            method, request_id = wire.method, wire.id
            if method is not ABSENT:
                kind = _NOTIFICATION if request_id is ABSENT else _REQUEST
                method_id = known.get(method)
                if method_id is None:
                    method_id = columns.intern(method)
            else:
                method, method_id = "", 0
                if wire.result is _UNSET:
                    kind = _MALFORMED if wire.error is _UNSET else _ERROR
                elif request_id is ABSENT or wire.error is not _UNSET:
                    kind = _MALFORMED
                else:
                    kind = _RESULT
            if number > room:
                columns.grow()
                room = columns.room
            offsets[number] = offset + start
            sizes[number] = length
            monotonic[number] = stored.us / 1e6
            wall[number] = second_of + fraction
            kinds[number] = kind
            directions[number] = direction
            of_connection[number] = connection
            method_ids[number] = method_id
            if http:
                columns.http[number] = http
            if kind != _NOTIFICATION or method_id < correlator.idle_notifications_from:
                seen = kind, method, None if request_id is ABSENT else request_id, _JSON
                correlator.arrived(number, seen, line[start:end])
            if not direction:
                sent += 1
            offset += len(line) + 1
            columns.count = number
        taken = columns.count - begun
        journal.sent += sent
        journal.received += taken - sent
        return offset, at + taken


def _decoded(line: bytes) -> _Stored | None:
    try:
        return _one(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


@lru_cache(maxsize=64)
def _second(stamp: str) -> int | None:
    try:
        return seconds_of(stamp.encode())
    except ValueError:
        return None
