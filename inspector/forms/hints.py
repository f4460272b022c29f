"""A field's type and limits in a few words, as its line shows them.

Decides the wording only; what the schema says is read by `inspector.forms.schema`.
"""

from typing import Final

from inspector.forms.jsontext import dump
from inspector.forms.schema import Flat
from inspector.protocol.messages import Json, JsonObject

_MARKS: Final = {"deprecated": "deprecated", "readOnly": "read-only", "writeOnly": "write-only"}
_SAMPLES: Final = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T13:45:00Z",
    "time": "13:45:00Z",
    "duration": "P1DT12H",
    "email": "name@example.com",
    "uri": "https://example.com/path",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "hostname": "host.example.com",
    "json-pointer": "/a/0",
    "byte": "aGVsbG8=",
}


def hint_of(kind: str, flat: Flat, *, listed: bool, nullable: bool) -> str:
    """Words for a field of `kind`; `listed` tells that its enum is offered as options."""
    limits = _bounds(flat.limits)
    words = [kind]
    if flat.enum is not None and not listed:
        words.append(f"one of {len(flat.enum)} values")
    for keyword, sign in (
        ("minimum", "≥"),
        ("maximum", "≤"),
        ("exclusiveMinimum", ">"),
        ("exclusiveMaximum", "<"),
        ("multipleOf", "multiple of"),
    ):
        words.append(_limit(limits, keyword, sign))
    for least, most, what in (
        ("minLength", "maxLength", "characters"),
        ("minItems", "maxItems", "items"),
        ("minProperties", "maxProperties", "entries"),
    ):
        words.append(_count(limits.get(least), limits.get(most), what))
    words.append(_limit(limits, "pattern", "like"))
    words.append("unique" if limits.get("uniqueItems") is True else "")
    words.extend(word for keyword, word in _MARKS.items() if limits.get(keyword) is True)
    words.append("or null" if nullable else "")
    return " · ".join(filter(None, words))


def example_of(flat: Flat) -> str:
    """A value as the schema exemplifies it, or one of its format; "" where neither is known."""
    if flat.examples:
        return dump(flat.examples[0])[:60]
    return _SAMPLES.get(flat.format, "") if flat.types in (None, ("string",)) else ""


def _bounds(limits: JsonObject) -> JsonObject:
    """Limits as drafts after 4 spell them: there `exclusiveMinimum` was a flag."""
    made = dict(limits)
    for bound, exclusive in (
        ("minimum", "exclusiveMinimum"),
        ("maximum", "exclusiveMaximum"),
    ):
        if limits.get(exclusive) is True and bound in limits:
            made[exclusive] = made.pop(bound)
    return made


def _count(least: Json, most: Json, what: str) -> str:
    """How many characters, items or entries: "1 to 3 items", "at least 1 item"."""
    low = least if isinstance(least, int | float) and not isinstance(least, bool) else 0
    high = most if isinstance(most, int | float) and not isinstance(most, bool) else None
    last = low if high is None else high
    noun = {"entries": "entry"}.get(what, what[:-1]) if last == 1 else what
    if high is None:
        return f"at least {dump(low)} {noun}" if low else ""
    if low == high:
        return f"{dump(low)} {noun}"
    return f"{dump(low)} to {dump(high)} {noun}" if low else f"at most {dump(high)} {noun}"


def _limit(limits: dict[str, Json], keyword: str, sign: str) -> str:
    value = limits.get(keyword)
    if value is None or isinstance(value, bool | list | dict):
        return ""
    text = value if isinstance(value, str) else dump(value)
    return f"{sign} {text[:60]}"
