"""Judges values and messages against the shape table of one revision.

A verdict is the same as that of the official schema of the revision; problems are said in plain
words with a JSON pointer. Judging never raises, whatever the peer sent. Rules that no schema can
say (order, correlation, capabilities) are not decided here.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

from jsonschema_rs import ValidationError, ValidationErrorKind, Validator, validator_for

from inspector.protocol.json_pointer import pointer
from inspector.protocol.json_text import NotJsonError, parse_json
from inspector.protocol.messages import Json, MessageKind
from inspector.protocol.methods import INPUT_REQUIRED_METHODS, METHODS
from inspector.protocol.shapes import fields_of, schema_of, type_in, type_of_message
from inspector.protocol.shapes_base import ID, JSONRPC, AllOf, C, D, E, Record, Ref, Shape, need
from inspector.protocol.versions import Revision

PROBLEM_LIMIT: Final = 100
"""Most problems reported of one value."""

LISTED: Final = 101
"""Items of one list in which all problems are told, and of all lists together `ITEMS_TOLD`."""
ITEMS_TOLD: Final = 600
PARTS_TOLD: Final = 20_000
"""Values in a value of which more than the first problem is told."""

JUDGED_DEPTH: Final = 100
"""Levels of a value that are judged: the validator cannot take more than 255, and no type of the
protocol has as many as 20; deeper are only parts that may be anything."""
_TASKABLE: Final = frozenset({"tools/call", "sampling/createMessage", "elicitation/create"})
_HUGE: Final = 1.7e308
_TELLING: Final = frozenset({"type", "method", "mode", "jsonrpc"})
"""Members by which the options of a choice are told apart."""

_ARTICLES: Final = {
    "null": "null",
    "boolean": "a boolean",
    "integer": "an integer",
    "number": "a number",
    "string": "a string",
    "array": "an array",
    "object": "an object",
}


@dataclass(frozen=True, slots=True)
class ShapeProblem:
    """What is wrong, where: `pointer` is a JSON pointer (RFC 6901), "" for the whole value;
    `message` is a clause about what stands there ("is a string, should be an object")."""

    pointer: str
    message: str


class ShapeChecker:
    """Checks values against the types of one revision; each type's validator is made when it is
    first needed and kept."""

    def __init__(self, revision: Revision) -> None:
        self.revision = revision
        self._validators: dict[str, Validator] = {}
        self._of_messages: dict[tuple[MessageKind, str], Validator] = {}

    @property
    def made(self) -> int:
        """How many validators exist by now."""
        return len(self._validators)

    def check(self, type_name: str, raw_or_value: bytes | Json) -> list[ShapeProblem]:
        """The problems of a value (or of JSON text) as `type_name`; empty where it is valid.

        Raises KeyError where the revision has no such type.
        """
        if type_in(type_name, self.revision) is None:
            raise KeyError(f"{self.revision} has no type {type_name}")
        try:
            value = _value(raw_or_value)
        except NotJsonError as error:
            return [ShapeProblem("", str(error))]
        return _verdict(self._validator(type_name, Ref(type_name)), value)

    def check_message(
        self, kind: MessageKind, method: str, raw_or_value: bytes | Json
    ) -> list[ShapeProblem] | None:
        """The problems of a whole message; `method` is its own or that of the request which it
        answers. None where the table has no type for it, so that nothing can be said.

        Of the types that an answer may have (a task, a wish for input) the one is taken that the
        answer says it is.
        """
        try:
            value = _value(raw_or_value)
        except NotJsonError as error:
            return [ShapeProblem("", str(error))]
        # A cache that knows what a server made up would keep texts of any length.
        name = _type_of_message(kind, method if method in METHODS else "", self.revision)
        if name is None:
            return None
        if kind is MessageKind.RESULT:
            name = self._answer_type(name, method, value)
        validator = self._of_messages.get((kind, name))
        if validator is None:
            shape = self._message_shape(kind, name)
            validator = self._of_messages[kind, name] = self._validator(
                f"{kind.name} {name}", shape
            )
        return _verdict(validator, value)

    def _message_shape(self, kind: MessageKind, name: str) -> Shape:
        match kind:
            case MessageKind.RESULT:
                return Record((need("jsonrpc", JSONRPC), need("id", ID), need("result", Ref(name))))
            # Up to 2025-06-18 the envelope, and what `_meta` may be, stand apart from the method.
            case MessageKind.REQUEST if self.revision <= C:
                return AllOf((Ref("JSONRPCRequest"), Ref(name)))
            case MessageKind.NOTIFICATION if self.revision <= C:
                return AllOf((Ref("JSONRPCNotification"), Ref(name)))
            case _:
                return Ref(name)

    def _answer_type(self, name: str, method: str, message: Json) -> str:
        result = message.get("result") if isinstance(message, dict) else None
        if not isinstance(result, dict):
            return name
        if self.revision is E:
            kind = result.get("resultType")
            if kind == "input_required" and method in INPUT_REQUIRED_METHODS:
                return "InputRequiredResult"
            if kind == "task" and method == "tools/call":
                return "TaskCreatedResult"
        elif self.revision is D and method in _TASKABLE and "task" in result:
            own = {field.name for field in fields_of(name, self.revision) if field.required}
            if not own & result.keys():
                return "CreateTaskResult"
        return name

    def _validator(self, key: str, shape: Shape) -> Validator:
        validator = self._validators.get(key)
        if validator is None:
            schema = schema_of(shape, self.revision)
            validator = self._validators[key] = validator_for(schema, validate_formats=False)
        return validator


def _verdict(validator: Validator, value: Json) -> list[ShapeProblem]:
    # An infinity is no number to the validator; a lone surrogate makes it raise, and so does what
    # is nested deep (a ValueError, and while it tells an error). So only the verdict on a cleaned
    # copy counts.
    with suppress(ValueError, RecursionError):
        if validator.is_valid(value):
            return []
    cleaned = _cleaned(value)
    # All errors are made before the first one is seen, which takes half a minute for a list of
    # 100,000 items that are all wrong. What is only wrong behind those looked at is told alone.
    shortened, parts = _shortened(cleaned)
    found = _problems(validator.iter_errors(shortened)) if parts <= PARTS_TOLD else []
    if not found:
        try:
            validator.validate(cleaned)
        except ValidationError as error:
            found = _problems([error])
    return found


def _shortened(value: Json) -> tuple[Json, int]:
    """A copy in which no list has more than `LISTED` items and all together hardly more than
    `ITEMS_TOLD`, and how many values are in it."""
    left, parts = ITEMS_TOLD, 0
    copies: list[Json] = [value]
    waiting: list[tuple[Json, Callable[[Json], None]]] = [(value, partial(_put, copies, 0))]
    for here, put in waiting:
        parts += 1
        if parts > PARTS_TOLD:
            break
        copy: Json = here
        if isinstance(here, list):
            kept = here[: max(1, min(LISTED, left))]
            left -= len(kept)
            copy = list(kept)
            waiting.extend((one, partial(_put, copy, at)) for at, one in enumerate(kept))
        elif isinstance(here, dict):
            copy = dict(here)
            waiting.extend((one, partial(copy.__setitem__, key)) for key, one in here.items())
        put(copy)
    return copies[0], parts


def _put(items: list[Json], at: int, value: Json) -> None:
    items[at] = value


@lru_cache(maxsize=1024)
def _type_of_message(kind: MessageKind, method: str, revision: Revision) -> str | None:
    return type_of_message(kind, method, revision)


def _value(raw_or_value: bytes | Json) -> Json:
    return parse_json(raw_or_value) if isinstance(raw_or_value, bytes) else raw_or_value


def _problems(errors: Iterable[ValidationError]) -> list[ShapeProblem]:
    found: dict[ShapeProblem, None] = {}
    for error in errors:
        found |= dict.fromkeys(_explain(error))
        if len(found) >= PROBLEM_LIMIT:
            break
    return list(found)[:PROBLEM_LIMIT]


def _explain(error: ValidationError) -> list[ShapeProblem]:
    place = pointer(*error.instance_path)
    match error.kind:
        case ValidationErrorKind.AnyOf():
            return _explain_choice(error)
        case ValidationErrorKind.Required():
            message = f'lacks the member "{error.kind.property}"'
        case ValidationErrorKind.Type():
            message = f"is {_kind(error.instance)}, should be {_kinds(error.kind.types)}"
        case ValidationErrorKind.Enum():
            message = _should_be(error.instance, list(error.kind.options))
        case ValidationErrorKind.Constant():
            message = _should_be(error.instance, [error.kind.expected_value])
        case ValidationErrorKind.Minimum():
            message = f"is {error.instance}, should be at least {error.kind.limit}"
        case ValidationErrorKind.Maximum():
            message = f"is {error.instance}, should be at most {error.kind.limit}"
        case ValidationErrorKind.MaxItems():
            message = f"has more than {error.kind.limit} items"
        case _:
            message = error.message
    return [ShapeProblem(place, message)]


def _explain_choice(error: ValidationError) -> list[ShapeProblem]:
    """The problems of the option that the value means to be: by its telling members, then by the
    least that is wrong. Where it can be none of them, what would have been possible."""
    here = error.instance_path
    options = list(_options(error, here))
    meant = [option for option in options if not any(_tells(each, here) for each in option)]
    if meant:
        best = min(meant, key=lambda option: sum(map(_weight, option)))
        return [problem for each in best for problem in _explain(each)]
    expected: dict[str, tuple[object, list[object]]] = {}
    types: list[str] = []
    for each in (each for option in options for each in option):
        match each.kind:
            case ValidationErrorKind.Type() if each.instance_path == here:
                types += each.kind.types
            case ValidationErrorKind.Constant() if _tells(each, here):
                _, values = expected.setdefault(pointer(*each.instance_path), (each.instance, []))
                values.append(each.kind.expected_value)
            case ValidationErrorKind.Enum() if _tells(each, here):
                _, values = expected.setdefault(pointer(*each.instance_path), (each.instance, []))
                values += each.kind.options
    if expected:
        return [
            ShapeProblem(place, _should_be(found, values))
            for place, (found, values) in expected.items()
        ]
    return [ShapeProblem(pointer(*here), f"is {_kind(error.instance)}, should be {_kinds(types)}")]


def _options(error: ValidationError, here: list[str | int]) -> Iterator[list[ValidationError]]:
    """The errors of each option, where an option that is itself a choice gives its own."""
    kind = error.kind
    if not isinstance(kind, ValidationErrorKind.AnyOf):
        return
    for option in kind.context:
        inner = option[0] if len(option) == 1 else None
        if (
            inner is not None
            and isinstance(inner.kind, ValidationErrorKind.AnyOf)
            and inner.instance_path == here
        ):
            yield from _options(inner, here)
        else:
            yield option


def _tells(error: ValidationError, here: list[str | int]) -> bool:
    """Whether the error says that the value is not meant to be this option at all."""
    path = error.instance_path
    match error.kind:
        case ValidationErrorKind.Type():
            return path == here
        case ValidationErrorKind.Constant() | ValidationErrorKind.Enum():
            return path[:-1] == here and path[-1:] != [] and path[-1] in _TELLING
        case _:
            return False


def _weight(error: ValidationError) -> int:
    """A missing member speaks more against an option than one that is wrong."""
    return 3 if isinstance(error.kind, ValidationErrorKind.Required) else 1


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int():
            return "an integer"
        case str():
            return "a string"
        case list():
            return "an array"
        case dict():
            return "an object"
        case _:
            return "a number"


def _kinds(types: Iterable[str]) -> str:
    names = [_ARTICLES.get(name, name) for name in dict.fromkeys(types)]
    return " or ".join(names)


def _should_be(found: object, values: Sequence[object]) -> str:
    allowed = list(dict.fromkeys(map(_show, values)))
    which = allowed[0] if len(allowed) == 1 else f"one of {', '.join(allowed)}"
    return f"is {_show(found)}, should be {which}"


def _show(value: object) -> str:
    if not isinstance(value, str):
        return str(value) if isinstance(value, int | float) else _kind(value)
    return f'"{value}"' if len(value) <= 60 else f'"{value[:60]}…"'


def _cleaned(value: Json, levels: int = JUDGED_DEPTH) -> Json:
    """A copy that the validator can take: it knows no infinities and no lone surrogates, and what
    is nested deeper than any type has is empty."""
    if isinstance(value, float) and not math.isfinite(value):
        return math.copysign(_HUGE, value)
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_cleaned(each, levels - 1) for each in value] if levels else []
    if isinstance(value, dict):
        inside = value.items() if levels else ()
        return {str(_cleaned(name)): _cleaned(inner, levels - 1) for name, inner in inside}
    return value
