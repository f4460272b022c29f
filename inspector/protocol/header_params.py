"""Tool arguments that travel as HTTP headers too: the `x-mcp-header` mark in an input schema
(2026-07-28 server/tools and basic/transports/streamable-http).

Reads which properties are marked and whether the marks are valid, and makes the headers of one
call. Whether a tool with invalid marks may be called is the session's business. Pure.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from inspector.protocol.headers import PARAM_PREFIX, encode_header_value, is_header_token
from inspector.protocol.json_text import NotJsonError, parse_json
from inspector.protocol.messages import Json, RawJson, Sendable, raw_members

MARK: Final = "x-mcp-header"
TYPES: Final = frozenset({"string", "integer", "boolean"})
DEPTH: Final = 64
"""Schemas nested deeper are not searched further: no argument is reached that deep by hand."""

_MAPS: Final = ("$defs", "definitions", "patternProperties", "dependentSchemas")
_LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
_SINGLE: Final = (
    "items",
    "additionalProperties",
    "additionalItems",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contains",
    "propertyNames",
    "contentSchema",
    "not",
    "if",
    "then",
    "else",
)


Fault = Literal["empty", "token", "duplicate", "type", "unreachable"]


@dataclass(frozen=True, slots=True)
class HeaderParam:
    """One marked property: the argument at `path` travels as `Mcp-Param-{name}`."""

    name: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HeaderParams:
    """The marks of one input schema; `problem` says why the tool must be rejected ("" if not),
    `fault` which sort of problem that is."""

    params: tuple[HeaderParam, ...] = ()
    problem: str = ""
    fault: Fault | None = None


def header_params(input_schema: Json) -> HeaderParams:
    """The marked properties of a tool's `inputSchema`.

    A mark must be a non-empty header token, unique without regard to case, on a property of type
    string, integer or boolean that `properties` alone lead to.
    """
    found: list[HeaderParam] = []
    taken: dict[str, str] = {}
    for path, schema in _positions(input_schema, (), DEPTH):
        if MARK not in schema:
            continue
        mark = schema[MARK]
        where = ".".join(path) if path else "the schema itself"
        fault, problem = _problem(path, mark, schema.get("type"))
        if fault or path is None or not isinstance(mark, str):
            said = f"{MARK} on {where}: {problem}" if path else problem
            return HeaderParams((), said, fault)
        if (other := taken.get(mark.lower())) is not None:
            said = f"{MARK} {mark!r} on {where}: {other} has the same name"
            return HeaderParams((), said, "duplicate")
        taken[mark.lower()] = where
        found.append(HeaderParam(mark, path))
    return HeaderParams(tuple(found))


def argument_headers(
    params: Sequence[HeaderParam], arguments: Sendable
) -> tuple[tuple[str, str], ...]:
    """The headers that mirror `arguments`; an argument that is absent, null or of a kind that no
    header can carry gets none."""
    headers = []
    for param in params:
        value = _value_at(arguments, param.path)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, str | int):
            headers.append((PARAM_PREFIX + param.name, encode_header_value(value)))
    return tuple(headers)


def _problem(path: tuple[str, ...] | None, mark: Json, kind: Json) -> tuple[Fault | None, str]:
    if not path:
        return "unreachable", f"{MARK} stands where no chain of `properties` leads"
    if not isinstance(mark, str):
        return "token", "the header name must be a string"
    if not mark:
        return "empty", "the header name is empty"
    if not is_header_token(mark):
        return "token", f"{mark!r} cannot be part of a header name"
    if not isinstance(kind, str) or kind not in TYPES:
        return "type", "only a property of type string, integer or boolean can be a header"
    return None, ""


def _positions(
    schema: Json, path: tuple[str, ...] | None, depth: int
) -> Iterator[tuple[tuple[str, ...] | None, Mapping[str, Json]]]:
    """Each schema in `schema` with the argument path to it; None where no fixed path leads."""
    if not isinstance(schema, dict) or depth == 0:
        return
    yield path, schema
    properties = schema.get("properties")
    if isinstance(properties, dict):
        for name, inner in properties.items():
            below = None if path is None else (*path, name)
            yield from _positions(inner, below, depth - 1)
    for key in _MAPS:
        held = schema.get(key)
        for inner in held.values() if isinstance(held, dict) else ():
            yield from _positions(inner, None, depth - 1)
    for key in _LISTS:
        listed = schema.get(key)
        for inner in listed if isinstance(listed, list) else ():
            yield from _positions(inner, None, depth - 1)
    for key in _SINGLE:
        yield from _positions(schema.get(key), None, depth - 1)


def _value_at(arguments: Sendable, path: tuple[str, ...]) -> Sendable:
    here = arguments
    for key in path:
        if isinstance(here, RawJson):
            text = raw_members(bytes(here)).get(key)
            here = None if text is None else RawJson(text)
        elif isinstance(here, Mapping):
            here = here.get(key)
        else:
            return None
    if not isinstance(here, RawJson):
        return here
    try:
        return parse_json(bytes(here))
    except NotJsonError:
        return None
