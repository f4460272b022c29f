"""The values that a field offers to choose from, and what they are called.

Decides labels: two values never look the same because one is text and the other is not. Which
fields offer values is decided by `inspector.forms.tree`.
"""

from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from inspector.forms.jsontext import NUMBER, dump
from inspector.protocol.messages import Json

LABEL_LIMIT: Final = 200
_LITERALS: Final = {"true", "false", "null"}


@dataclass(frozen=True, slots=True)
class Option:
    """One value of an enum, with the label that its title or `enumNames` gives it."""

    value: Json
    label: str


def options_of(values: list[Json], names: list[Json]) -> tuple[Option, ...]:
    """An option for every value but null; `names` are labels in the same order."""
    mixed = not all(isinstance(value, str) or value is None for value in values)
    return tuple(
        Option(value, name[:LABEL_LIMIT] if isinstance(name, str) else label_of(value, mixed=mixed))
        for value, name in zip_longest(values, names[: len(values)])
        if value is not None
    )


def label_of(value: Json, *, mixed: bool = False) -> str:
    """What a value without a title is called; `mixed` quotes text that looks like another value."""
    if isinstance(value, str) and value.strip() and not (mixed and _ambiguous(value)):
        text = value
    else:
        text = dump(value)
    return text if len(text) <= LABEL_LIMIT else text[: LABEL_LIMIT - 1] + "…"


def _ambiguous(text: str) -> bool:
    return text in _LITERALS or text[0] in '"[{' or NUMBER.fullmatch(text) is not None
