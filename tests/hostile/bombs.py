"""Schemas that are made to hang, to swell or to reach out, by name, each with a value to try on it.

Decides nothing about what must become of them: the tests of everything that reads a schema take
this table as a whole. `small()` leaves out those that only their size makes dangerous; `{port}` in
an address stands for that of a server that must never be asked.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from inspector.protocol.messages import Json, JsonObject

SELF: Final[JsonObject] = {"$ref": "#"}
DRAFT_2019: Final = "https://json-schema.org/draft/2019-09/schema"
GREEDY: Final = ("^(a+)+$", "^(a|aa)+$", "^(a|a)*$", "(x+x+)+y", "^([a-zA-Z]+)*$", "^(.*a){25}$")
REMOTE: Final = (
    "http://127.0.0.1:{port}/s.json",
    "https://127.0.0.1:{port}/s.json",
    "//127.0.0.1:{port}/s.json",
    "ftp://127.0.0.1:{port}/s.json",
    "http://user:pass@127.0.0.1:{port}/s#/$defs/a",
    "HTTP://127.0.0.1:{port}/s.json#x",
    "http://[::ffff:127.0.0.1]:{port}/",
    "file:///etc/passwd",
    "file://127.0.0.1:{port}/etc/passwd",
    "unix:///tmp/x.sock",
    "http+unix://%2Ftmp%2Fx.sock/s",
    "s.json",
    "../s.json#/a",
    "?x",
    "data:application/json,{}",
    "urn:uuid:1",
)


@dataclass(frozen=True, slots=True)
class Bomb:
    """A schema, and a value that makes it work."""

    name: str
    schema: Json
    value: Json = 1
    large: bool = False
    """Only its size is what is wrong with it."""


def nested(depth: int, leaf: Json) -> Json:
    """`leaf` in so many lists."""
    for _ in range(depth):
        leaf = [leaf]
    return leaf


def wrapped(depth: int, schema: Json, keyword: str, beside: Json) -> Json:
    """`schema` in so many `allOf`, with `keyword` beside each."""
    for _ in range(depth):
        schema = {"allOf": [schema], keyword: beside}
    return schema


def doubling(levels: int, keyword: str = "allOf") -> JsonObject:
    """Each level refers to the next one twice."""
    held: JsonObject = {
        f"d{level}": {keyword: [{"$ref": f"#/$defs/d{level + 1}"}] * 2} for level in range(levels)
    }
    return {"$ref": "#/$defs/d0", "$defs": {**held, f"d{levels}": {"type": "integer"}}}


def _deep(depth: int, keyword: str) -> Json:
    schema: Json = {"type": "string"}
    for _ in range(depth):
        schema = {"properties": {"a": schema}} if keyword == "properties" else {keyword: schema}
    return schema


def _cycles() -> Iterator[Bomb]:
    mutual: JsonObject = {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}
    yield Bomb("itself", SELF)
    yield Bomb("itself in allOf", {"allOf": [SELF, SELF]})
    yield Bomb("itself in not", {"not": SELF})
    yield Bomb("itself in if", {"if": SELF, "then": SELF, "else": SELF})
    yield Bomb("each other", {"$ref": "#/$defs/a", "$defs": mutual})
    yield Bomb("by anchor", {"$anchor": "x", "anyOf": [{"$ref": "#x"}, {"$ref": "#x"}]})
    dynamic: JsonObject = {"$dynamicAnchor": "x", "allOf": [{"$dynamicRef": "#x"}] * 2}
    yield Bomb("dynamic", dynamic)
    recursive: JsonObject = {"$recursiveAnchor": True, "allOf": [{"$recursiveRef": "#"}]}
    yield Bomb("recursive", {"$schema": DRAFT_2019, **recursive})
    yield Bomb("by $id", {"$id": "urn:a", "items": {"$id": "urn:b", "items": {"$ref": "urn:a"}}})
    yield Bomb("a pointer into a reference", {"$defs": {"a": SELF}, "$ref": "#/$defs/a/$ref"})
    for keyword in ("allOf", "anyOf", "oneOf"):
        inner: Json = {"type": "array", "items": SELF}
        yield Bomb(f"itself twice below {keyword}", {keyword: [inner, inner]}, nested(40, 1))
    named: JsonObject = {"properties": {"a": SELF, "b": SELF}, "additionalProperties": SELF}
    yield Bomb("itself by every name", {"allOf": [named, named]}, {"a": {"a": {"b": {}}}})


def _doublings() -> Iterator[Bomb]:
    for keyword in ("allOf", "anyOf", "oneOf"):
        for levels in (11, 24, 60):
            yield Bomb(f"{keyword} doubled {levels} times", doubling(levels, keyword), "x")
    properties: JsonObject = {
        f"d{n}": {"properties": {k: {"$ref": f"#/$defs/d{n + 1}"} for k in "ab"}} for n in range(40)
    }
    yield Bomb("properties doubled", {"$ref": "#/$defs/d0", "$defs": properties}, {})
    for name in ("unevaluatedProperties", "unevaluatedItems"):
        inners: list[Json] = [False, {"type": "integer"}]
        for inner in inners:
            schema = wrapped(60, {"properties": {"z": {}}, "prefixItems": [{}]}, name, inner)
            value: Json = {"a": 1, "b": 2} if name == "unevaluatedProperties" else [1, 2, 3]
            yield Bomb(f"{name} {inner} in itself", schema, value)
    yield Bomb("not in not", _deep(200, "not"))
    choice: Json = {"type": "integer"}
    for _ in range(12):
        choice = {"oneOf": [choice, choice], "if": choice}
    yield Bomb("oneOf and if in each other", choice, "x", large=True)


def _patterns() -> Iterator[Bomb]:
    text = "a" * 40 + "!"
    for index, pattern in enumerate(GREEDY):
        yield Bomb(f"pattern {index}", {"type": "string", "pattern": pattern}, text)
        key: JsonObject = {"type": "object", "patternProperties": {pattern: {"type": "integer"}}}
        yield Bomb(f"pattern {index} of keys", key, {text: 1})
        names: JsonObject = {"type": "object", "propertyNames": {"pattern": pattern}}
        yield Bomb(f"pattern {index} of names", names, {text: 1})
    backwards = r"(a*)*(a*)*(a*)*\1\2\3b$"
    yield Bomb("a pattern with backward references", {"pattern": backwards}, "a" * 200)
    yield Bomb("a pattern that looks ahead", {"pattern": "^(?=(a+))(?:a|a?)+b$"}, text)
    yield Bomb("a pattern that swells", {"pattern": "((((a{99}){99}){99}){99}){99}"}, "a" * 999)
    many: JsonObject = {f"p{n}": {"pattern": r"(\p{L}{200}){10}"} for n in range(1000)}
    yield Bomb("a thousand patterns that swell", {"properties": many}, {})
    yield Bomb("a long pattern", {"pattern": "(a|b)?" * 9000}, "ab" * 4000)
    for name in ("regex", "idn-email", "uri-template", "iri", "idn-hostname", "date-time", "x" * 9):
        yield Bomb(f"format {name}", {"format": name}, "({" * 50_000, large=True)


def _remote() -> Iterator[Bomb]:
    for index, address in enumerate(REMOTE):
        yield Bomb(f"remote {index}", {"properties": {"a": {"$ref": address}}}, {"a": 1})
    base = "http://127.0.0.1:{port}/base/"
    yield Bomb("remote by $id", {"$id": base, "items": {"$ref": "s.json"}}, [1])
    yield Bomb("remote by $id inside", {"items": {"$id": base, "allOf": [{"$ref": "s"}]}}, [1])
    yield Bomb("remote by id", {"id": base, "$ref": "s.json#/a"})
    for keyword in ("$schema", "$dynamicRef", "$recursiveRef"):
        yield Bomb(f"remote by {keyword}", {keyword: base + "s.json#a"})
    yield Bomb("remote by vocabulary", {"$vocabulary": {base: True}, "$schema": base})
    yield Bomb("a dialect of 10 KB", {"$schema": "urn:" + "x" * 10_000})


def _numbers() -> Iterator[Bomb]:
    limits: JsonObject = {"minItems": 10**18, "maxItems": 10**400, "minLength": 2**63}
    yield Bomb("huge limits", limits, [])
    yield Bomb("a hair's breadth", {"multipleOf": 1e-300, "minimum": -1e308}, 3.7)
    yield Bomb("negative limits", {"maxLength": -1, "multipleOf": 0, "minProperties": -5}, "x")
    listed: JsonObject = {"type": "array", "minItems": 10**9, "items": {"type": "string"}}
    yield Bomb("a list of a milliard", listed, [])
    yield Bomb("a tuple of 3,000", {"type": "array", "prefixItems": [{"type": "null"}] * 3000}, [])


def _sizes() -> Iterator[Bomb]:
    names = [f"p{index}" for index in range(100_000)]
    yield Bomb("a million to choose from", {"enum": list(range(1_000_000))}, -1, large=True)
    yield Bomb("a million texts", {"enum": [str(n) for n in range(1_000_000)]}, "x", large=True)
    wide: JsonObject = {name: {"type": "string", "default": name} for name in names}
    yield Bomb("100,000 properties", {"type": "object", "properties": wide}, {}, large=True)
    demanded: JsonObject = {"type": "object", "required": list(names)}
    yield Bomb("100,000 demands", demanded, {}, large=True)
    for keyword in ("oneOf", "anyOf", "allOf"):
        members: list[Json] = [{"const": n} for n in range(10_000)]
        yield Bomb(f"10,000 in {keyword}", {keyword: members}, -1, large=True)
    defs: JsonObject = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(20_000)}
    yield Bomb("a chain of 20,000", {"$ref": "#/$defs/d0", "$defs": defs}, large=True)
    anchors: JsonObject = {f"d{n}": {"$anchor": f"a{n}", "$id": f"i{n}"} for n in range(20_000)}
    yield Bomb("20,000 names", {"$ref": "#a1", "$defs": anchors}, large=True)
    keys: JsonObject = {f"^k{n}.*x": {} for n in range(20_000)}
    yield Bomb("20,000 patterns of keys", {"patternProperties": keys}, {"k": 1}, large=True)
    text = "x" * 10_000_000
    for keyword in ("title", "description", "const", "default", "format", "pattern", "$comment"):
        yield Bomb(f"10 MB of {keyword}", {"type": "string", keyword: text}, "x", large=True)
    yield Bomb("a name of 10 MB", {"type": "object", "properties": {text: {}}}, {}, large=True)
    flat: list[Json] = [0] * 200_000
    yield Bomb("a default of 200,000", {"type": "array", "default": flat}, [], large=True)
    examples: JsonObject = {"type": "object", "examples": [dict.fromkeys(names, 1)]}
    yield Bomb("examples of 100,000", examples, {}, large=True)
    for keyword in ("items", "properties", "not", "additionalProperties"):
        yield Bomb(f"{keyword} nested deep", _deep(240, keyword), {}, large=True)
    yield Bomb(
        "a default nested deep", {"type": "array", "default": nested(490, 1)}, [], large=True
    )
    kinds: list[Json] = ["string", "null"] * 50_000
    yield Bomb("100,000 types", {"type": kinds}, large=True)


def _nonsense() -> Iterator[Bomb]:
    wrong: list[Json] = [None, 5, "x", [], {}, [None], True]
    keywords = (
        "$ref", "type", "properties", "allOf", "enum", "required", "items", "pattern",
        "additionalProperties", "default", "$defs", "dependentSchemas", "if", "$id",
    )  # fmt: skip
    for keyword in keywords:
        parts: JsonObject = {f"p{index}": {keyword: one} for index, one in enumerate(wrong)}
        yield Bomb(f"{keyword} of every kind", {"type": "object", "properties": parts}, {})


def _products() -> Iterator[Bomb]:
    """A schema and a value that are short, and long to try on each other."""
    count: list[Json] = list(range(5000))
    yield Bomb("each of an enum", {"items": {"enum": count}}, [-1] * 20_000, large=True)
    consts: list[Json] = [{"const": n} for n in range(3000)]
    for keyword in ("anyOf", "oneOf"):
        last: Json = [2999] * 20_000
        yield Bomb(f"each of {keyword}", {"items": {keyword: consts}}, last, large=True)
    patterns: JsonObject = {f"a{n}": {} for n in range(3000)}
    keys: JsonObject = {f"b{n}": 1 for n in range(20_000)}
    yield Bomb("each key on each pattern", {"patternProperties": patterns}, keys, large=True)
    texts: Json = ["ab" * 60_000]
    slow: JsonObject = {"items": {"pattern": "(a|b|ab)*(.{0,90}a){9}c$"}}
    yield Bomb("a long text on a long pattern", slow, texts, large=True)


@cache
def bombs() -> tuple[Bomb, ...]:
    """All of them; made once a process, and changed by nobody."""
    made = (_cycles, _doublings, _patterns, _remote, _numbers, _sizes, _nonsense, _products)
    return tuple(bomb for one in made for bomb in one())


def small() -> tuple[Bomb, ...]:
    """Those that are dangerous though they are short."""
    return tuple(bomb for bomb in bombs() if not bomb.large)


def aimed(schema: Json, port: int) -> Json:
    """The schema with `port` in its addresses."""
    if isinstance(schema, str):
        return schema.replace("{port}", str(port)) if len(schema) < 200 else schema
    if isinstance(schema, list):
        return [aimed(one, port) for one in schema]
    if isinstance(schema, dict):
        return {aimed_key(key, port): aimed(one, port) for key, one in schema.items()}
    return schema


def aimed_key(key: str, port: int) -> str:
    """A member's name with `port` in it."""
    return key.replace("{port}", str(port)) if len(key) < 200 else key
