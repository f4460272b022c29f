"""A field's type and limits in a few words, as its line shows them.

Decides the wording only; what the schema says is read by `inspector.forms.schema`.
"""

from inspector.forms.jsontext import dump
from inspector.forms.schema import Flat
from inspector.protocol.messages import Json


def hint_of(kind: str, flat: Flat, *, listed: bool, nullable: bool) -> str:
    """Words for a field of `kind`; `listed` tells that its enum is offered as options."""
    limits = flat.limits
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
    words.append("or null" if nullable else "")
    return " · ".join(filter(None, words))


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
