"""How a pydantic model reads what a peer sent: leniently, without coercion, never raising.

What is wrong with an optional member costs that member alone, what is wrong with a required one
makes the whole item `Invalid`. The models themselves are `inspector.protocol.models`.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationError
from pydantic.alias_generators import to_camel

from inspector.protocol.messages import Json, JsonObject
from inspector.protocol.numbers import measured


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("is not a string")
    return value


def _bool(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("is not a boolean")
    return value


def _number(value: object) -> float:
    number = measured(value)
    if number is None:
        raise ValueError("is not a number")
    return number


def _integer(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    number = _number(value)
    if not number.is_integer():
        raise ValueError("is not an integer")
    return int(number)


def _object(value: object) -> JsonObject:
    if not isinstance(value, dict):
        raise ValueError("is not an object")
    return cast("JsonObject", value)


def _as_it_is(value: object) -> Json:
    return cast("Json", value)


if TYPE_CHECKING:
    Text: TypeAlias = str
    Flag: TypeAlias = bool
    Number: TypeAlias = float
    Integer: TypeAlias = int
    Object: TypeAlias = JsonObject
    Anything: TypeAlias = Json
else:
    # pydantic's own string refuses lone surrogates, which JSON may carry, and it cannot follow
    # the recursive alias `Json`; so each type is checked by hand.
    Text = Annotated[str, PlainValidator(_text)]
    Flag = Annotated[bool, PlainValidator(_bool)]
    Number = Annotated[float, PlainValidator(_number)]
    Integer = Annotated[int, PlainValidator(_integer)]
    Object = Annotated[dict, PlainValidator(_object)]
    Anything = Annotated[object, PlainValidator(_as_it_is)]


@dataclass(frozen=True, slots=True)
class Invalid:
    """An item that cannot be shown as what it should be, and why, in a plain sentence."""

    reason: str
    item: Json


class Model(BaseModel):
    """What all models share. `odd` says which optional members were left out and why."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=False
    )

    raw: Object = Field(alias="\0raw")
    odd: tuple[str, ...] = Field(default=(), alias="\0odd")


class Part(BaseModel):
    """A nested object that is shown only with its owner."""

    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel)


M = TypeVar("M", bound=Model)
Path: TypeAlias = tuple[int | str, ...]


def read_as(model: type[M], item: Json, extra: JsonObject | None = None) -> M | Invalid:
    """`item` as a `model`; `extra` are members that are read in place of absent ones."""
    if not isinstance(item, dict):
        return Invalid("is not an object", item)
    members: Json = {**item, **(extra or {})}
    odd: list[str] = []
    gone: set[Path] = set()
    # Every pass takes away what is wrong at the deepest place, so nesting bounds their number.
    while isinstance(members, dict):
        try:
            return model.model_validate({**members, "\0raw": item, "\0odd": tuple(odd)})
        except ValidationError as error:
            errors = error.errors(include_url=False, include_input=False)
        places: set[Path] = set()
        for each in errors:
            place: Path = each["loc"]
            missing = each["type"] == "missing"
            reason = f"{'.'.join(str(part) for part in place)} {_plain(each['msg'])}"
            if len(place) == 1 and (missing or place[0] in _required(model)):
                return Invalid(reason, item)
            if place not in gone:
                odd.append(reason)
            places.add(place[:-1] if missing else place)
        gone |= places
        for place in sorted(places, key=_last_first, reverse=True):
            members = _without(members, place)
    return Invalid("is not readable", item)


def _last_first(place: Path) -> tuple[tuple[int, str], ...]:
    return tuple((part, "") if isinstance(part, int) else (0, part) for part in place)


def _without(value: Json, place: Path) -> Json:
    """`value` without what is at `place`; copies only along the way."""
    here, rest = place[0], place[1:]
    if isinstance(value, dict) and isinstance(here, str) and here in value:
        if not rest:
            return {key: member for key, member in value.items() if key != here}
        return {**value, here: _without(value[here], rest)}
    if isinstance(value, list) and isinstance(here, int) and here < len(value):
        inner = [] if not rest else [_without(value[here], rest)]
        return [*value[:here], *inner, *value[here + 1 :]]
    return value


def _required(model: type[Model]) -> set[str]:
    return {
        field.alias or name for name, field in model.model_fields.items() if field.is_required()
    }


def _plain(message: str) -> str:
    if message == "Field required":
        return "is missing"
    if message.startswith("Input should be a valid list"):
        return "is not an array"
    if message.startswith("Input should be a valid dictionary"):
        return "is not an object"
    return message.removeprefix("Value error, ")
