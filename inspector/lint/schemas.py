"""Judging the JSON Schemas that tools carry, in bounded time and without fetching anything.

Decides which schemas are judged at all: those of a dialect that the validator has, of bounded size
and with few references. What a finding says is left to `inspector.lint.tools`.
"""

from collections.abc import Iterator
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

from inspector.protocol.messages import Json, JsonObject, encode_json

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
REFERENCES: Final = 24
"""A schema with more `$ref`s is not tried on values: each can double the work of another."""
NODES: Final = 20_000


@dataclass(frozen=True, slots=True)
class Facts:
    """What a schema says of itself. `dialect` is the `$schema` as given ("" for none), `remote` a
    reference that leads to another host."""

    dialect: str = ""
    known_dialect: bool = True
    remote: str = ""
    remote_place: tuple[str | int, ...] = ()
    references: int = 0
    whole: bool = True


def facts_of(schema: JsonObject) -> Facts:
    """Looks through a schema, as far as `NODES`."""
    said = schema.get("$schema")
    dialect = said if isinstance(said, str) else ""
    known = not dialect or dialect.removesuffix("#") in DIALECTS
    references, remote, count = 0, "", 0
    found: tuple[str | int, ...] = ()
    for place, key, value in _members(schema):
        count += 1
        if count > NODES:
            break
        if key in ("$ref", "$dynamicRef", "$recursiveRef") and isinstance(value, str):
            references += 1
            if not remote and value.startswith(("http://", "https://")):
                remote, found = value, (*place, key)
    return Facts(dialect, known, remote, found, references, count <= NODES)


def _members(schema: Json) -> Iterator[tuple[tuple[str | int, ...], str, Json]]:
    waiting: list[tuple[tuple[str | int, ...], Json]] = [((), schema)]
    while waiting:
        place, here = waiting.pop()
        if isinstance(here, dict):
            for key, value in here.items():
                yield place, key, value
                if key not in ("const", "enum", "default", "examples"):
                    waiting.append(((*place, key), value))
        elif isinstance(here, list):
            waiting.extend(((*place, index), each) for index, each in enumerate(here))


def problem_of(schema: JsonObject) -> str:
    """Why a schema is not valid in its dialect, "" where it is or cannot be judged."""
    known = facts_of(schema)
    if not known.known_dialect or not _is_short(schema, SIZE_LIMIT):
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

    __slots__ = ("_schema", "_tried", "_validator")

    def __init__(self, schema: JsonObject) -> None:
        self._schema = schema
        self._tried = False
        self._validator: Validator | None = None

    def mismatch(self, value: Json) -> tuple[str, tuple[str | int, ...]] | None:
        """How a value breaks the schema, and where; None where it does not, or cannot be judged."""
        if not self._tried:
            self._tried, self._validator = True, _validator_of(self._schema)
        if self._validator is None or not _is_short(value, VALUE_LIMIT):
            return None
        try:
            error = next(iter(self._validator.iter_errors(value)), None)
        except (ValidationError, ReferencingError, ValueError, RecursionError):
            return None
        if error is None:
            return None
        return error.message[:200], tuple(error.instance_path)


def _validator_of(schema: JsonObject) -> Validator | None:
    known = facts_of(schema)
    if not known.known_dialect or not known.whole or known.references > REFERENCES or known.remote:
        return None
    if not _is_short(schema, SIZE_LIMIT):
        return None
    try:
        made: Validator = validator_for(
            schema, offline=True, validate_formats=False, pattern_options=RegexOptions()
        )
    except (ValidationError, ReferencingError, ValueError, RecursionError):
        return None
    return made


def mismatch(schema: JsonObject, value: Json) -> tuple[str, tuple[str | int, ...]] | None:
    """How a value breaks a schema, and where; None where it does not, or cannot be judged."""
    return Matcher(schema).mismatch(value)


def _is_short(value: Json, limit: int) -> bool:
    try:
        return len(encode_json(value)) <= limit
    except (ValueError, RecursionError):
        return False
