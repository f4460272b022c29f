"""Judging the JSON Schemas that tools carry, in bounded time and without fetching anything.

Decides which schemas are judged at all: those of a dialect that the validator has, and of bounded
size. How much work a value may be is `inspector.lint.schema_work`, what a finding says is left to
`inspector.lint.tools`.
"""

from dataclasses import dataclass
from typing import Final

from jsonschema_rs import (
    ReferencingError,
    RegexOptions,
    ValidationError,
    Validator,
    meta,
    validator_for,
)

from inspector.lint.schema_work import PATTERN_BYTES, Plan
from inspector.protocol.messages import Json, JsonObject

DEFAULT: Final = "https://json-schema.org/draft/2020-12/schema"
DIALECTS: Final = frozenset(
    {
        DEFAULT,
        "https://json-schema.org/draft/2019-09/schema",
        "http://json-schema.org/draft-07/schema",
        "http://json-schema.org/draft-06/schema",
        "http://json-schema.org/draft-04/schema",
    }
)
SIZE_LIMIT: Final = 64 * 1024
"""Characters of a schema that is judged; longer ones pass."""
VALUE_LIMIT: Final = 256 * 1024
NODES: Final = 20_000
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
_REMOTE: Final = ("http://", "https://")
_VALUES: Final = frozenset({"const", "enum", "default", "examples"})
"""Keywords that hold values, and no schemas."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a schema says of itself. `dialect` is the `$schema` as given ("" for none), `remote` a
    reference that leads to another host."""

    dialect: str = ""
    known_dialect: bool = True
    remote: str = ""
    remote_place: tuple[str | int, ...] = ()


def facts_of(schema: JsonObject) -> Facts:
    """Looks through a schema, as far as `NODES`."""
    said = schema.get("$schema")
    dialect = said if isinstance(said, str) else ""
    known = not dialect or dialect.removesuffix("#") in DIALECTS
    waiting: list[Json] = [schema]
    remote, count = "", 0
    while waiting and not remote and count <= NODES:
        here = waiting.pop()
        if isinstance(here, dict):
            count += len(here)
            for key in _REFERENCES:
                target = here.get(key)
                if not remote and isinstance(target, str) and target.startswith(_REMOTE):
                    remote = target
            waiting += [one for key, one in here.items() if key not in _VALUES and _inner(one)]
        elif isinstance(here, list):
            count += len(here)
            waiting += [one for one in here if _inner(one)]
    found = _place_of(schema, remote) if remote else ()
    return Facts(dialect, known, remote, found)


def _inner(value: Json) -> bool:
    return isinstance(value, dict | list)


def _place_of(schema: JsonObject, remote: str) -> tuple[str | int, ...]:
    """Where a schema refers to `remote`."""
    waiting: list[tuple[tuple[str | int, ...], Json]] = [((), schema)]
    for _ in range(2 * NODES):
        if not waiting:
            break
        place, here = waiting.pop()
        if isinstance(here, dict):
            for key, value in here.items():
                if key in _REFERENCES and value == remote:
                    return (*place, key)
                if key not in _VALUES and _inner(value):
                    waiting.append(((*place, key), value))
        elif isinstance(here, list):
            waiting.extend(((*place, index), one) for index, one in enumerate(here) if _inner(one))
    return ()


def problem_of(schema: JsonObject) -> str:
    """Why a schema is not valid in its dialect, "" where it is or cannot be judged."""
    if not _is_short(schema, SIZE_LIMIT) or not facts_of(schema).known_dialect:
        return ""
    try:
        meta.validate(schema)
    except ValidationError as error:
        place = "".join(f"/{step}" for step in error.instance_path)
        return f"{place or 'the schema'}: {error.message[:120]}"
    except (ReferencingError, ValueError, RecursionError):
        return ""
    return ""


class Matcher:
    """Tries values on one schema; the work of reading the schema is done once."""

    __slots__ = ("_plan", "_schema", "_tried", "_validator")

    def __init__(self, schema: JsonObject) -> None:
        self._schema = schema
        self._tried = False
        self._validator: Validator | None = None
        self._plan: Plan | None = None

    def mismatch(self, value: Json) -> tuple[str, tuple[str | int, ...]] | None:
        """How a value breaks the schema, and where; None where it does not, or cannot be judged."""
        if not self._tried:
            self._tried = True
            self._plan = _plan_of(self._schema)
            self._validator = _validator_of(self._schema) if self._plan is not None else None
        if self._validator is None or self._plan is None:
            return None
        if not _is_short(value, VALUE_LIMIT) or not self._plan.allows(value):
            return None
        try:
            if self._validator.is_valid(value):
                return None
            if not self._plan.allows(value, reasons=True):
                return "it does not fit", ()
            self._validator.validate(value)
        except ValidationError as error:
            return error.message[:200], tuple(error.instance_path)
        except (ReferencingError, ValueError, RecursionError):
            return None
        return None


def _plan_of(schema: JsonObject) -> Plan | None:
    """How much work it is to try values on a schema; None where none is to be tried."""
    if not _is_short(schema, SIZE_LIMIT):
        return None
    known = facts_of(schema)
    if not known.known_dialect or known.remote:
        return None
    plan = Plan(schema)
    return plan if plan.possible else None


def _validator_of(schema: JsonObject) -> Validator | None:
    patterns = RegexOptions(size_limit=PATTERN_BYTES, dfa_size_limit=PATTERN_BYTES)
    try:
        made: Validator = validator_for(
            schema, offline=True, validate_formats=False, pattern_options=patterns
        )
    except (ValidationError, ReferencingError, ValueError, RecursionError):
        return None
    return made


def mismatch(schema: JsonObject, value: Json) -> tuple[str, tuple[str | int, ...]] | None:
    """How a value breaks a schema, and where; None where it does not, or cannot be judged."""
    return Matcher(schema).mismatch(value)


def _is_short(value: Json, limit: int) -> bool:
    """Whether a value takes no more than `limit` bytes; looks no further than that."""
    left = limit
    waiting = [value]
    while waiting and left >= 0:
        one = waiting.pop()
        if isinstance(one, str):
            left -= len(one) + 2
        elif isinstance(one, dict):
            left -= 2 + 4 * len(one)
            if left >= 0:
                left -= sum(map(len, one))
                waiting += one.values()
        elif isinstance(one, list):
            left -= 2 + len(one)
            if left >= 0:
                waiting += one
        else:
            left -= 1
    return left >= 0
