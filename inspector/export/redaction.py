"""What leaves in an export of an entry: its bytes without secrets, and how many had to go.

Two walls, one behind the other: the masks that every recording has (`inspector.journal.redact`),
for recordings that came about without them, and the rules of the user. What a name, a path or an
expression finds is replaced wherever else it occurs, which is why `learn` goes over everything
first. Lengths that would tell how long a secret was (Content-Length) go too where there are rules.
Decides for whole entries; the single replacements are made by `members` and `spellings`. Pure.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from inspector.export.members import MASK, Members
from inspector.export.rules import Rules
from inspector.journal.entries import Direction, Kind
from inspector.journal.facts import decode_facts, encode_facts, http_facts, http_json
from inspector.journal.journal import Journal
from inspector.journal.redact import SHORTEST_SECRET, Redactor
from inspector.journal.spellings import Values
from inspector.protocol.json_text import read_string

LEARNED_MOST: Final = 1000
"""So many different values found under names are looked for elsewhere."""
_STRING: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_ORDINARY: Final = frozenset({"string", "number", "integer", "boolean", "object", "array"})
"""Values under a name that a JSON Schema has there: no secret, and everywhere."""
_LENGTH: Final = "content-length"


class Redaction:
    """Carries out the rules over one journal. `counts` says how often each rule replaced
    something, by label; `entries` in how many entries something was replaced."""

    def __init__(self, rules: Rules | None = None, redactor: Redactor | None = None) -> None:
        self.rules = rules or Rules()
        self.counts: Counter[str] = Counter()
        self.entries = 0
        self.too_many = False
        """There were more values under the names than are looked for elsewhere."""
        self._redactor = redactor if redactor is not None else Redactor()
        self._values = Values(self.rules.values)
        self._members = Members(self.rules.keys, self.rules.paths, self._found)
        self._learned: set[str] = set()
        self._learning = False

    @property
    def replaced(self) -> int:
        """How many values were replaced by rules."""
        return sum(self.counts.values())

    @property
    def idle(self) -> tuple[str, ...]:
        """The rules that replaced nothing."""
        return tuple(label for label in self.rules.labels if not self.counts[label])

    def learn(self, journal: Journal, numbers: Iterable[int]) -> None:
        """Finds the values under the names and paths in these entries."""
        if not self.rules.learning:
            return
        self._learning = True
        for number in numbers:
            self._by_rules(Kind(journal.kinds[number]), journal.body(number))
        self._learning = False
        self._settle()

    def body(self, kind: Kind, direction: Direction, raw: bytes) -> bytes:
        """The body of an entry as it may leave."""
        masked = self._as_recorded(kind, direction, raw)
        if not self.rules.any:
            return masked
        done = self._values.mask(self._by_rules(kind, masked))
        self._settle()
        self.entries += done != masked
        return done

    def text(self, text: str) -> str:
        """A text of ours that may quote the server: a finding, a method, a file's name."""
        masked = self._redactor.text(text.encode("utf-8", "surrogatepass"))[0]
        if self.rules.any:
            raw = self._by_patterns(masked.decode("utf-8", "replace")).encode()
            raw = self._members.text(raw.decode("utf-8")).encode("utf-8", "replace")
            masked = self._values.mask(raw)
            return self._values.cut(masked.decode("utf-8", "replace"))
        return masked.decode("utf-8", "replace")

    def _as_recorded(self, kind: Kind, direction: Direction, raw: bytes) -> bytes:
        if kind is Kind.HTTP:
            facts = http_facts(raw)
            hidden = replace(
                facts,
                url=self._redactor.url(facts.url),
                request_headers=self._redactor.headers(facts.request_headers),
                response_headers=self._redactor.headers(facts.response_headers),
            )
            if hidden != facts:
                raw = encode_facts({**decode_facts(raw), **http_json(hidden)})
        if kind.is_frame and direction is Direction.SENT:
            return self._redactor.sent(raw)[0]
        return self._redactor.text(raw)[0]

    def _by_rules(self, kind: Kind, raw: bytes) -> bytes:
        raw = self._patterns_in(raw)
        is_http = kind is Kind.HTTP
        if is_http:
            raw = self._without_lengths(raw)
        changed = self._members.json(raw, pairs=is_http)
        if raw[:1] not in (b"{", b"[") and self.rules.keys:
            text = changed.decode("utf-8", "surrogateescape")
            changed = self._members.text(text).encode("utf-8", "surrogateescape")
        return changed

    def _without_lengths(self, raw: bytes) -> bytes:
        """HTTP facts without the lengths that would tell how long a secret was."""
        if _LENGTH.encode() not in raw.lower():
            return raw
        facts = decode_facts(raw)
        for name in ("requestHeaders", "responseHeaders"):
            pairs = facts.get(name)
            for pair in pairs if isinstance(pairs, list) else []:
                if isinstance(pair, list) and len(pair) == 2 and str(pair[0]).lower() == _LENGTH:
                    pair[1] = MASK
        return encode_facts(facts)

    def _patterns_in(self, raw: bytes) -> bytes:
        """The user's expressions, over the text as it stands and as its strings read."""
        if not self.rules.patterns:
            return raw
        text = raw.decode("utf-8", "surrogateescape")
        raw = self._by_patterns(text).encode("utf-8", "surrogateescape")
        return _STRING.sub(self._pattern_in_string, raw) if b"\\" in raw else raw

    def _pattern_in_string(self, found: re.Match[bytes]) -> bytes:
        whole = found.group()
        read = read_string(whole) if b"\\" in whole else None
        if read is None:
            return whole
        changed = self._by_patterns(read)
        if changed == read:
            return whole
        return json.dumps(changed, ensure_ascii=False).encode("utf-8", "backslashreplace")

    def _by_patterns(self, text: str) -> str:
        for pattern, label in self.rules.patterns:
            if self._learning:
                for found in pattern.finditer(text):
                    self._found(label, found.group())
            else:
                text, times = pattern.subn(MASK, text)
                self._count(label, times)
        return text

    def _found(self, label: str, value: str) -> None:
        self._count(label, 1)
        if not self._learning or len(value) < SHORTEST_SECRET or value in self._learned:
            return
        if value.lower() in _ORDINARY or value.startswith(("[masked ", MASK)):
            return
        if len(self._learned) >= LEARNED_MOST:
            self.too_many = True
            return
        self._learned.add(value)
        self._values.add(value, label)

    def _count(self, label: str, times: int) -> None:
        if times and not self._learning:
            self.counts[label] += times

    def _settle(self) -> None:
        """Takes over what the values counted."""
        if self._values.counts:
            if not self._learning:
                self.counts.update(self._values.counts)
            self._values.counts.clear()
