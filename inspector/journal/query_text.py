"""The parts of the filter language that look into bodies: words, names, ids.

Decides how text is compared: words and names ignore case. Words look for the text as typed and as
JSON escapes it. Each searches the raw bytes of the file first and reads only what may match. Pure.
"""

import json
import re
from fnmatch import translate
from itertools import compress
from typing import Final

from inspector.journal.entries import Kind
from inspector.journal.glance import glance
from inspector.journal.journal import Journal
from inspector.journal.query_columns import Methods
from inspector.journal.query_nodes import NO, PERHAPS, YES, Mask, Reads, either, table_of
from inspector.journal.query_raw import locate, name_at, needle_of
from inspector.protocol.messages import raw_items

OUTCOMES: Final = table_of({int(Kind.RESULT), int(Kind.ERROR)})
"""Of what kind entries are that bear the name of another."""
PROGRESS: Final = "notifications/progress"
"""The method whose names are reckoned: their letters need not stand in the body."""

_NAMED: Final = table_of({int(Kind.REQUEST), int(Kind.NOTIFICATION)})
_WHOLE: Final = re.compile(r"-?[0-9]+")


class Word:
    """Matches where method, name or text contain a word, whatever its case; `text_only`, where the
    text does."""

    cost = 1
    reads = Reads.NOTHING_ELSE

    def __init__(self, word: str, *, text_only: bool = False) -> None:
        self.word = word.lower()
        self._text_only = text_only
        self._looks = _looks(word)
        self._stored_looks = tuple(
            dict.fromkeys(each for look in self._looks for each in (look, *_escaped(look)))
        )
        self._fold = any(look.upper() != look for look in self._stored_looks)
        self._methods = Methods(lambda method: self.word in method.lower())

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the entry has the word."""
        if self._in_text(journal, number):
            return True
        if self._text_only:
            return False
        if self._methods.table(journal)[journal.method_ids[number]] == YES:
            return True
        asked = journal.columns.partners[number]
        outcome = OUTCOMES[journal.kinds[number]] and 0 < asked < number
        return bool(outcome) and self._in_text(journal, asked) and self._in_name(journal, asked)

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """Whose stored text holds the word; methods; outcomes of requests whose name has it."""
        found = locate(journal, start, stop, self._stored_looks, fold=self._fold)
        if self._text_only:
            return bytes(found)
        hits = bytearray(either(bytes(found), self._methods.mask(journal, start, stop)))
        kinds, partners = journal.columns.kinds[start:stop].tobytes(), journal.columns.partners
        for number in compress(range(start, stop), kinds.translate(OUTCOMES)):
            asked = partners[number]
            if not 0 < asked < number or hits[number - start] == YES:
                continue
            known = found[asked - start] if asked >= start else PERHAPS
            if known == NO or (known == PERHAPS and not self._in_text(journal, asked)):
                continue
            if self._in_name(journal, asked):
                hits[number - start] = YES
        return bytes(hits)

    def _in_text(self, journal: Journal, number: int) -> bool:
        text = journal.body(number).lower()
        return any(look in text for look in self._looks)

    def _in_name(self, journal: Journal, number: int) -> bool:
        return self.word in name_at(journal, number).lower()


class Name:
    """Matches where there is a name that fits the pattern, whatever its case."""

    cost = 2
    reads = Reads.NOTHING_ELSE

    def __init__(self, glob: str) -> None:
        self._fits = glob_pattern(glob).fullmatch
        self._needle = needle_of(re.sub(r"[*?]|\[.*", " ", glob))
        self._reckoned = Methods(PROGRESS.__eq__)

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the name fits."""
        if journal.kinds[number] > Kind.MALFORMED:
            return False
        name = name_at(journal, number)
        return bool(name) and self._fits(name) is not None

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """The names of messages in whose bytes a part of the pattern stands; outcomes have the
        name of their request."""
        columns = journal.columns
        kinds, partners = columns.kinds[start:stop].tobytes(), columns.partners
        named = kinds.translate(_NAMED)
        hits = bytearray(stop - start)
        wanted = named
        if self._needle:
            found = locate(journal, start, stop, (self._needle,), fold=True, decoded=True)
            wanted = either(bytes(found), self._reckoned.mask(journal, start, stop))
        for number in compress(range(start, stop), wanted):
            if named[number - start] and self.test(journal, number):
                hits[number - start] = YES
        for number in compress(range(start, stop), kinds.translate(OUTCOMES)):
            asked = partners[number]
            if asked >= start:
                hits[number - start] = hits[asked - start] if asked < number else NO
            elif asked and self.test(journal, number):
                hits[number - start] = YES
        return bytes(hits)


class Id:
    """Matches messages with an id, 7 as well as "7"; of batches any member's."""

    cost = 2
    reads = Reads.NOTHING_ELSE

    def __init__(self, text: str) -> None:
        self._text = text
        self._look = _id_look(text)

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the message, or a member of it, has the id."""
        kind = journal.kinds[number]
        if kind > Kind.MALFORMED or kind == Kind.NOTIFICATION:
            return False
        raw = journal.body(number)
        members = raw_items(raw) if kind == Kind.BATCH else [raw]
        return any(_id_text(member) == self._text for member in members)

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """Where a member "id" has such a value, at whatever depth."""
        return bytes(locate(journal, start, stop, (self._look,), decoded=True))


def glob_pattern(glob: str) -> re.Pattern[str]:
    """A glob (`*`, `?`, `[…]`) as an expression that ignores case."""
    return re.compile(translate(glob), re.IGNORECASE)


def _id_text(raw: bytes) -> str | None:
    found = glance(raw)[2]
    return None if found is None else str(found)


def _id_look(text: str) -> re.Pattern[bytes]:
    value = b""
    if _WHOLE.fullmatch(text):
        digits = text.lstrip("-").lstrip("0") or "0"
        value = rb'(?:"-?|-?)0*' + digits.encode() + rb"(?![0-9])"
    elif needle_of(text) == text.lower().encode("utf-8", "replace"):
        value = b'"' + re.escape(text.encode()) + b'"'
    return re.compile(rb'"id"\s*:\s*' + value)


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
