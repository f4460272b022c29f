"""The part of the filter language that follows a JSON path: `$.params.arguments.a=2`.

Decides how a value compares with what was typed, and what raw bytes must hold for that; only what
holds them is parsed. Pure.
"""

import re
from dataclasses import dataclass
from typing import Final

import msgspec

from inspector.journal.journal import Journal
from inspector.journal.query_nodes import Mask, Reads
from inspector.journal.query_raw import locate, needle_of
from inspector.protocol.messages import Json

Step = str | int | None
"""A member's name, an item's number, or None for all of either."""

_WHOLE: Final = re.compile(r"-?[0-9]{1,14}")
_LETTERS: Final = re.compile(r"[A-Za-z_]{2,}")


@dataclass(frozen=True, slots=True)
class Path:
    """Matches where a JSON path leads somewhere (`operator` ""), or to a value that compares."""

    steps: tuple[Step, ...]
    operator: str
    value: str
    keys: tuple[bytes, ...]
    cost: int = 2
    reads: Reads = Reads.NOTHING_ELSE

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

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """Where what must be there stands: a word of the value, a number behind its key, or else
        the longest key."""
        needle: bytes | re.Pattern[bytes] | None = self._value_needle() or self._number_look()
        if needle:
            return bytes(locate(journal, start, stop, (needle,), fold=True, decoded=True))
        if not self.keys:
            return b"\1" * (stop - start)
        key = max(self.keys, key=len)
        return bytes(locate(journal, start, stop, (key,))).replace(b"\3", b"\1")

    def _value_needle(self) -> bytes:
        """What a value that compares must hold. Numbers may be written in other ways."""
        if self.operator == "=" and isinstance(_literal(self.value)[0], str):
            return needle_of(self.value)
        if self.operator == "~":
            return str(max(_LETTERS.findall(self.value), key=len, default="")).lower().encode()
        return b""

    def _number_look(self) -> re.Pattern[bytes] | None:
        """How a whole number may be written behind the last key. What has an exponent or many
        digits may be it, too."""
        last = self.steps[-1].encode("utf-8", "replace") if isinstance(self.steps[-1], str) else b""
        if self.operator != "=" or last not in self.keys or not _WHOLE.fullmatch(self.value):
            return None
        digits = self.value.lstrip("-").lstrip("0").encode() or b"0"
        return re.compile(
            rb'"%b"\s*:\s*(?:"|-?0*%b(?![0-9])|-?[0-9.]+e|-?[0-9.]{15})' % (last.lower(), digits)
        )


def path_keys(steps: tuple[Step, ...]) -> tuple[bytes, ...]:
    """What the raw bytes must hold for a path to lead anywhere. Non-ASCII names may be escaped
    there, so they tell nothing."""
    return tuple(
        step.encode() for step in steps if isinstance(step, str) and step.isascii()
        and step.replace("_", "").replace("-", "").isalnum()
    )  # fmt: skip


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
