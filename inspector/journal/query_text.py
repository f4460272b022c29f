"""The parts of the filter language that look into bodies: words, regular expressions, names, ids,
JSON paths.

Decides how text is compared: words and names ignore case, a regular expression does as it says.
Words look for the text as typed and as JSON escapes it, and prefilter on the raw bytes of the
file. Pure.
"""

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from fnmatch import translate
from typing import Final

import msgspec

from inspector.journal.columns import Form
from inspector.journal.entries import Kind
from inspector.journal.glance import glance
from inspector.journal.journal import Journal
from inspector.journal.query_nodes import Mask
from inspector.protocol.messages import Json, raw_items

SLICE_BYTES: Final = 8 * 1024 * 1024
"""The most that one search reads of the file at a time."""


class Word:
    """Matches where method, name or text contain a word, whatever its case."""

    cost = 1

    def __init__(self, word: str) -> None:
        self.word = word.lower()
        self._looks = _looks(word)
        self._stored_looks = tuple(
            dict.fromkeys(each for look in self._looks for each in (look, *_escaped(look)))
        )
        self._methods: dict[int, bool] = {}

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the entry has the word."""
        if self._in_method(journal, journal.method_ids[number]):
            return True
        text = journal.body(number).lower()
        if any(look in text for look in self._looks):
            return True
        kind = journal.kinds[number]
        return kind in (Kind.RESULT, Kind.ERROR) and self.word in journal.name(number).lower()

    def mask(self, journal: Journal, start: int, stop: int) -> Mask | None:
        """A superset: whose stored text holds the word; outcomes of such requests; methods."""
        columns = journal.columns
        hits = bytearray(stop - start)
        for number in self._found(journal, start, stop):
            hits[number - start] = 1
            partner = columns.partners[number]
            if start <= partner < stop:
                hits[partner - start] = 1
        for number in range(start, stop):
            if hits[number - start]:
                continue
            if self._in_method(journal, columns.method_ids[number]) or (
                columns.partners[number] and columns.partners[number] < start
            ):
                hits[number - start] = 1
        for number, _ in columns.stored.between(start, stop):
            if columns.stored_as(number)[1] is Form.BASE64:
                hits[number - start] = 1
        return Mask(bytes(hits), False)

    def _in_method(self, journal: Journal, method_id: int) -> bool:
        found = self._methods.get(method_id)
        if found is None:
            found = self._methods[method_id] = self.word in journal.methods[method_id].lower()
        return found

    def _found(self, journal: Journal, start: int, stop: int) -> set[int]:
        offsets, found = journal.columns.offsets, set[int]()
        number = start
        while number < stop:
            begin = offsets[number]
            after = bisect_right(offsets, begin + SLICE_BYTES, number + 1, stop)
            after = min(after, stop)
            last = after - 1
            end = offsets[last] + journal.columns.stored_as(last)[0]
            text = journal.file.read(begin, end - begin).lower()
            for look in self._stored_looks:
                at = text.find(look)
                while at >= 0:
                    hit = bisect_right(offsets, begin + at, number, after) - 1
                    found.add(hit)
                    following = offsets[hit + 1] - begin if hit + 1 < after else len(text)
                    at = text.find(look, following)
            number = after
        return found


@dataclass(frozen=True, slots=True)
class Pattern:
    """Matches where a regular expression is found in method, name or text."""

    pattern: re.Pattern[str]
    raw: re.Pattern[bytes]
    cost: int = 1

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the expression is found."""
        if self.pattern.search(journal.methods[journal.method_ids[number]]):
            return True
        if self.raw.search(journal.body(number)):
            return True
        return self.pattern.search(journal.name(number)) is not None

    def mask(self, journal: Journal, start: int, stop: int) -> Mask | None:
        """None: each entry is searched."""
        return None


@dataclass(frozen=True, slots=True)
class Name:
    """Matches where the name is (or fits the pattern), whatever its case."""

    pattern: re.Pattern[str]
    cost: int = 2

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the name fits."""
        if journal.kinds[number] in (Kind.HTTP, Kind.STDERR, Kind.EVENT, Kind.NOTE):
            return False
        return self.pattern.fullmatch(journal.name(number)) is not None

    def mask(self, journal: Journal, start: int, stop: int) -> Mask | None:
        """None: each entry is asked."""
        return None


@dataclass(frozen=True, slots=True)
class Id:
    """Matches messages with an id, 7 as well as "7"; of batches any member's."""

    text: str
    cost: int = 2

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the message, or a member of it, has the id."""
        kind = journal.kinds[number]
        if kind > Kind.MALFORMED or kind == Kind.NOTIFICATION:
            return False
        raw = journal.body(number)
        members = raw_items(raw) if kind == Kind.BATCH else [raw]
        return any(_id_text(member) == self.text for member in members)

    def mask(self, journal: Journal, start: int, stop: int) -> Mask | None:
        """None: each entry is asked."""
        return None


Step = str | int | None
"""A member's name, an item's number, or None for all of either."""


@dataclass(frozen=True, slots=True)
class Path:
    """Matches where a JSON path leads somewhere (`operator` ""), or to a value that compares."""

    steps: tuple[Step, ...]
    operator: str
    value: str
    keys: tuple[bytes, ...]
    cost: int = 2

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the path leads to such a value."""
        body = journal.body(number)
        if not all(key in body for key in self.keys):
            return False
        try:
            found: list[Json] = [msgspec.json.decode(body)]
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            return False
        for step in self.steps:
            found = [value for each in found for value in _step(each, step)]
        if self.operator == "!=":
            return bool(found) and not any(_compare(each, "=", self.value) for each in found)
        return any(_compare(each, self.operator, self.value) for each in found)

    def mask(self, journal: Journal, start: int, stop: int) -> Mask | None:
        """None: each entry is asked."""
        return None


def path_keys(steps: tuple[Step, ...]) -> tuple[bytes, ...]:
    """What the raw bytes must hold for a path to lead anywhere. Non-ASCII names may be escaped
    there, so they tell nothing."""
    return tuple(
        step.encode() for step in steps if isinstance(step, str) and step.isascii()
        and step.replace("_", "").replace("-", "").isalnum()
    )  # fmt: skip


def glob_pattern(glob: str) -> re.Pattern[str]:
    """A glob (`*`, `?`, `[…]`) as an expression that ignores case."""
    return re.compile(translate(glob), re.IGNORECASE)


def _step(value: Json, step: Step) -> list[Json]:
    if isinstance(value, dict):
        if step is None:
            return list(value.values())
        return [value[str(step)]] if str(step) in value else []
    if isinstance(value, list):
        if step is None:
            return list(value)
        if isinstance(step, int) and -len(value) <= step < len(value):
            return [value[step]]
    return []


def _compare(value: Json, operator: str, wanted: str) -> bool:
    if operator == "":
        return True
    if operator == "=":
        if isinstance(value, str):
            return value == wanted
        literal = _literal(wanted)[0]
        if isinstance(value, bool) or isinstance(literal, bool):
            return value is literal
        return value == literal
    if operator == "~":
        text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
        return wanted.lower() in text.lower()
    limit = _literal(wanted)[0]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    if isinstance(limit, bool) or not isinstance(limit, int | float):
        return False
    return {
        ">": value > limit,
        "<": value < limit,
        ">=": value >= limit,
        "<=": value <= limit,
    }[operator]


def _literal(text: str) -> tuple[Json]:
    try:
        value: Json = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return (text,)
    return (value,)


def _id_text(raw: bytes) -> str | None:
    found = glance(raw)[2]
    return None if found is None else str(found)


def _looks(word: str) -> tuple[bytes, ...]:
    """The bytes that a word can be in a body whose ASCII letters are small: as typed and as JSON
    escapes it, other letters small and large."""
    found: list[bytes] = []
    for spelling in (word, word.lower(), word.upper(), word.capitalize()):
        raw = spelling.encode("utf-8", "backslashreplace")
        found += [raw.lower(), *_escaped(raw)]
    return tuple(dict.fromkeys(found))


def _escaped(raw: bytes) -> list[bytes]:
    text = raw.decode("utf-8", "replace")
    return [
        json.dumps(text, ensure_ascii=False)[1:-1].encode().lower(),
        json.dumps(text)[1:-1].encode().lower(),
    ]
