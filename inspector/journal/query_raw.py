"""Where bytes stand in the file, entry by entry: what may match is found before anything is parsed.

Decides how much of the file is read at a time, how a place in it becomes an entry, and what stands
for letters that JSON may write in another way. What is looked for is decided by the other parts of
the filter language. Pure.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from inspector.journal.entries import Kind
from inspector.journal.journal import Journal
from inspector.journal.names import NAME_LIMIT, name_in
from inspector.journal.query_nodes import PERHAPS, YES

CHUNK: Final = 64 * 1024
"""Bytes read at once: few enough to stay near the processor, which halves the time."""
PIECE: Final = 1024 * 1024
"""Bytes read at once of an entry that is longer than that."""
OVERLAP: Final = 64 * 1024
"""Bytes that two pieces of an entry have in common; nothing looked for is longer."""

_ESCAPED: Final = re.compile(rb"\\u(?:00[2-7]|017[fF]|013[01]|212[aA])").search
_ODD: Final = tuple(letter.encode() for letter in "\u017f\u0130\u0131\u212a")
"""Letters that some comparisons without case take for ASCII ones."""
_PIECES: Final = re.compile(r"[A-Za-z0-9_\-.:@]+")
_KINDS: Final = tuple(Kind)
_RESULT: Final = int(Kind.RESULT)
_ERROR: Final = int(Kind.ERROR)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes of the file from `begin`, with the bodies of entries from `first` up to `stop` (of a
    long one, a piece)."""

    first: int
    stop: int
    begin: int
    text: bytes


def chunks(journal: Journal, start: int, stop: int) -> Iterator[Chunk]:
    """The bodies of entries from `start` up to `stop`, as they stand in the file, with what
    stands between them."""
    columns, offsets = journal.columns, journal.columns.offsets
    number = start
    while number < stop:
        begin = offsets[number]
        after = bisect_right(offsets, begin + CHUNK, number + 1, stop)
        end = offsets[after - 1] + columns.stored_as(after - 1)[0]
        if end - begin > PIECE and after - 1 > number:
            after -= 1
            end = offsets[after - 1] + columns.stored_as(after - 1)[0]
        for at in range(begin, max(end - OVERLAP, begin + 1), PIECE):
            text = journal.file.read(at, min(end - at, PIECE + OVERLAP))
            yield Chunk(number, after, at, text)
        number = after


def locate(
    journal: Journal,
    start: int,
    stop: int,
    looks: "tuple[bytes | re.Pattern[bytes], ...]",
    *,
    fold: bool = False,
    decoded: bool = False,
) -> bytearray:
    """Where one of `looks` stands in an entry's bytes: `YES`, or `PERHAPS` where these are not
    the bytes of the wire. With `fold`, ASCII letters are made small first. With `decoded` it is
    what JSON means that counts, so that all is `PERHAPS`, also where letters are escaped."""
    columns = journal.columns
    odd = dict(columns.stored.between(start, stop))
    hits = bytearray(stop - start)
    for chunk in chunks(journal, start, stop):
        text = chunk.text.lower() if fold else chunk.text
        for look in looks:
            _mark(journal, start, chunk, _finder(text, look), hits, odd)
        if not decoded:
            continue
        if b"\\u" in text:
            _mark(journal, start, chunk, partial(_place, _ESCAPED, text), hits, odd)
        if not text.isascii():
            for letter in _ODD:
                _mark(journal, start, chunk, partial(text.find, letter), hits, odd)
    for number, packed in odd.items():
        if decoded or packed & 1 or hits[number - start]:
            hits[number - start] = PERHAPS
    return hits.replace(b"\3", b"\1") if decoded else hits


def piece_of(text: str) -> str:
    """The longest part of a text that JSON writes as it is, or as `\\u` and a number. Empty where
    there is none."""
    return str(max(_PIECES.findall(text), key=len, default=""))


def needle_of(text: str) -> bytes:
    """The same in small letters, as it stands in the file."""
    return piece_of(text).lower().encode()


def name_at(journal: Journal, number: int) -> str:
    """What `Journal.name` says, without remembering it."""
    columns = journal.columns
    kind = columns.kinds[number]
    if kind in (_RESULT, _ERROR):
        request = columns.partners[number]
        return name_at(journal, request) if 0 < request < number else ""
    method = columns.methods[columns.method_ids[number]]
    return name_in(_KINDS[kind], method, journal.body(number, NAME_LIMIT))


def _finder(text: bytes, look: "bytes | re.Pattern[bytes]") -> Callable[[int], int]:
    if isinstance(look, bytes):
        return partial(text.find, look)
    return partial(_place, look.search, text)


def _place(
    search: "Callable[[bytes, int], re.Match[bytes] | None]", text: bytes, start: int
) -> int:
    found = search(text, start)
    return -1 if found is None else found.start()


def _mark(
    journal: Journal,
    start: int,
    chunk: Chunk,
    find: Callable[[int], int],
    hits: bytearray,
    odd: dict[int, int],
) -> None:
    """Marks the entries in whose body something is found. What is found between bodies is passed
    over; after a find, the next body is looked at."""
    begin, stop = chunk.begin, chunk.stop
    offsets, sizes = journal.columns.offsets, journal.columns.sizes
    number, at = chunk.first, find(0)
    while at >= 0:
        place = begin + at
        number = bisect_right(offsets, place, number, stop) - 1
        packed = odd.get(number) if odd else None
        if place - offsets[number] < (sizes[number] if packed is None else packed >> 1):
            hits[number - start] = YES
        number += 1
        if number >= stop:
            return
        at = find(offsets[number] - begin)
