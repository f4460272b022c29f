"""How much work a schema is, told before it is done."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.lint.schema_work import STATES, WORK, Plan, states_of
from inspector.lint.schemas import Matcher, facts_of, problem_of
from inspector.protocol.messages import Json, JsonObject
from tests.hostile.bombs import bombs, doubling, nested

_LISTS = ("allOf", "anyOf", "oneOf")
_LEAVES: st.SearchStrategy[Json] = st.sampled_from(
    [True, {}, {"type": "string"}, {"$ref": "#"}, {"$ref": "#/$defs/a"}, {"enum": [1, [2, 3]]}]
)
_SCHEMAS: st.SearchStrategy[JsonObject] = st.recursive(
    _LEAVES,
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "allOf": st.lists(inner, max_size=3),
            "anyOf": st.lists(inner, max_size=3),
            "items": inner,
            "prefixItems": st.lists(inner, max_size=2),
            "properties": st.dictionaries(st.sampled_from("ab"), inner),
            "additionalProperties": inner,
            "patternProperties": st.dictionaries(st.sampled_from(["a", "."]), inner),
            "not": inner,
        },
    ),
    max_leaves=8,
).flatmap(
    lambda root: st.builds(
        lambda defined: {**(root if isinstance(root, dict) else {}), "$defs": {"a": defined}},
        _LEAVES,
    )
)
_VALUES: st.SearchStrategy[Json] = st.recursive(
    st.integers(0, 3) | st.sampled_from(["x", "ab"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=10,
)


class Spent(Exception):
    """The counting has come to what is too much."""


class Counting:
    """Tries a value as a validator would that gives up nowhere early, and counts."""

    def __init__(self, root: JsonObject) -> None:
        self.root, self.count = root, 0

    def tries(self, schema: Json, value: Json, depth: int = 0) -> int:
        if self.count > WORK or depth > 150:
            raise Spent
        self.count += 1
        if not isinstance(schema, dict):
            return self.count
        if "$ref" in schema:
            held = self.root["$defs"]
            target = held["a"] if isinstance(held, dict) and schema["$ref"] != "#" else self.root
            self.tries(target, value, depth + 1)
        for keyword in _LISTS:
            members = schema.get(keyword)
            for one in members if isinstance(members, list) else []:
                self.tries(one, value, depth + 1)
        if "not" in schema:
            self.tries(schema["not"], value, depth + 1)
        if isinstance(value, list):
            first = schema.get("prefixItems")
            for one, item in zip(first if isinstance(first, list) else [], value, strict=False):
                self.tries(one, item, depth + 1)
            if "items" in schema:
                for item in value:
                    self.tries(schema["items"], item, depth + 1)
        elif isinstance(value, dict):
            self._members(schema, value, depth)
        return self.count

    def _members(self, schema: JsonObject, value: JsonObject, depth: int) -> None:
        named, patterns = schema.get("properties"), schema.get("patternProperties")
        for key, member in value.items():
            if isinstance(named, dict) and key in named:
                self.tries(named[key], member, depth + 1)
            for one in patterns.values() if isinstance(patterns, dict) else []:
                self.tries(one, member, depth + 1)
            if "additionalProperties" in schema:
                self.tries(schema["additionalProperties"], member, depth + 1)


@pytest.mark.timeout(1200)
@given(_SCHEMAS, _VALUES)
def test_what_is_allowed_is_never_more_work_than_was_told(root: JsonObject, value: Json) -> None:
    plan = Plan(root)
    if not plan.possible or (told := plan.bound(value, reasons=False)) > WORK:
        return
    assert Counting(root).tries(root, value) <= told


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (doubling(24), "x"),
        ({"anyOf": [{"type": "array", "items": {"$ref": "#"}}] * 2}, nested(40, 1)),
        ({"items": {"enum": list(range(5000))}}, [0] * 500),
        ({"patternProperties": {f"a{n}": {} for n in range(500)}}, {f"{n}": n for n in range(500)}),
        ({"propertyNames": {"pattern": "(a{0,90}b){99}"}}, {"a" * 5000: 1}),
        ({"$dynamicRef": "#a"}, 1),
        ({"$ref": "#"}, 1),
        ({"$ref": "#a"}, 1),
        ({"$ref": "#/$defs/b", "$defs": {"b": {"$id": "urn:x", "not": {"$ref": "#"}}}}, 1),
        ({"items": {}}, nested(1200, 1)),
    ],
)
def test_what_may_be_too_much_is_not_allowed(schema: JsonObject, value: Json) -> None:
    assert not Plan(schema).allows(value)


def test_what_honest_servers_have_is_allowed_however_often_it_refers_to_itself() -> None:
    models: JsonObject = {
        f"Model{n}": {
            "type": "object",
            "properties": {
                "next": {"anyOf": [{"$ref": f"#/$defs/Model{n + 1}"}, {"type": "null"}]},
                "name": {"type": "string", "pattern": r"^\w{1,64}$"},
            },
        }
        for n in range(50)
    }
    schema: JsonObject = {"$ref": "#/$defs/Model0", "$defs": {**models, "Model50": {}}}
    value: Json = {"name": "x"}
    for _ in range(8):
        value = {"name": "x", "next": value}
    assert Plan(schema).allows(value)
    assert not Plan(schema).allows(value, reasons=True)
    assert Matcher(schema).mismatch({"next": {"name": 5}}) is not None
    value = {"name": 5}
    for _ in range(12):
        value = {"name": "x", "next": value}
    assert Matcher(schema).mismatch(value) == ("it does not fit", ())
    tree: JsonObject = {
        "type": "object",
        "required": ["name"],
        "properties": {"children": {"type": "array", "items": {"$ref": "#"}}},
    }
    leaf: Json = {"name": "a", "children": []}
    for _ in range(6):
        leaf = {"name": "a", "children": [leaf] * 3}
    assert Matcher(tree).mismatch(leaf) is None
    assert Matcher(tree).mismatch({"name": "", "children": [{"name": 1, "children": [{}]}]}) == (
        '"name" is a required property',
        ("children", 0, "children", 0),
    )
    table: Json = [{f"column{c}": row for c in range(20)} for row in range(500)]
    row: JsonObject = {f"column{c}": {"type": "integer"} for c in range(20)}
    assert Plan({"items": {"type": "object", "properties": row}}).allows(table)


@pytest.mark.parametrize(
    ("pattern", "states"), [("abc", 4), ("a{3}", 15), ("((a{99}){99}){99}", STATES), (r"\w", 303)]
)
def test_repeated_and_wide_patterns_count_for_more(pattern: str, states: int) -> None:
    assert states_of(pattern) == states


def test_no_schema_holds_up_the_linter() -> None:
    """A hang here is what the time limit of all tests is for."""
    for bomb in bombs():
        assert isinstance(bomb.schema, dict)
        facts = facts_of(bomb.schema)
        assert len(problem_of(bomb.schema)) < 20_000, bomb.name
        found = Matcher(bomb.schema).mismatch(bomb.value)
        assert found is None or len(found[0]) <= 200, bomb.name
        assert facts.remote.startswith("http") or not facts.remote_place
