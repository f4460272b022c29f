"""What is wrong with a value, as a value: where (a JSON pointer) and what.

Decides only these shapes and how pointers are spelt; who finds problems is
`inspector.forms.values` (as typed) and `inspector.forms.validate` (against the schema).
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong at the place `pointer` ("" is the whole value)."""

    pointer: str
    message: str


@dataclass(frozen=True, slots=True)
class NotValidated:
    """No verdict, and why: an unsupported dialect, a broken schema, a limit that was reached."""

    reason: str


def pointer_of(path: Iterable[str | int]) -> str:
    """The JSON pointer of a path of keys and indexes."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)
