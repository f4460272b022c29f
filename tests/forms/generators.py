"""Hypothesis strategies: any JSON, JSON that looks like a schema, and values for such schemas."""

from hypothesis import strategies as st

from inspector.protocol.messages import Json

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=2**63, max_value=2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.text(st.characters(codec=None), max_size=3)
    | st.sampled_from(
        ["5", "1.10", "true", "null", '"a"', " 5", "a b", "", "\n", "a\nb", "\r\n", "\ud800"]
    )
)
ANY_JSON: st.SearchStrategy[Json] = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)

NAMES = st.sampled_from(["a", "b", "c", "a.b", "ключ", "", "x/y~z"])
TYPES: st.SearchStrategy[Json] = st.sampled_from(
    ["string", "integer", "number", "boolean", "object", "array", "null", "file", 5]
)
REFERENCES = st.sampled_from(
    ["#", "#/$defs/a", "#/properties/a", "#/$defs/none", "#anchor", "http://x/y", "#/allOf/0", "%"]
)


def _schemas(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    parts = st.lists(inner, max_size=3)
    named = st.dictionaries(NAMES, inner, max_size=3)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.one_of(TYPES, st.lists(TYPES, max_size=3)),
            "properties": named,
            "required": st.lists(NAMES, max_size=3),
            "items": inner | parts,
            "prefixItems": parts,
            "additionalProperties": inner,
            "patternProperties": named,
            "propertyNames": inner,
            "if": inner,
            "then": inner,
            "else": inner,
            "dependentSchemas": named,
            "minItems": st.integers(-1, 30) | SCALARS,
            "exclusiveMinimum": SCALARS,
            "examples": parts | ANY_JSON,
            "allOf": parts,
            "anyOf": parts,
            "oneOf": parts,
            "$defs": named,
            "$ref": REFERENCES,
            "$anchor": st.just("anchor"),
            "$id": st.sampled_from(["http://x/y", "#a", "y"]),
            "enum": st.lists(ANY_JSON, max_size=4),
            "enumNames": st.lists(ANY_JSON, max_size=4),
            "const": ANY_JSON,
            "default": ANY_JSON,
            "title": st.text(max_size=5) | ANY_JSON,
            "format": st.sampled_from(["email", "date", "zork", 5]),
            "minimum": SCALARS,
            "maxLength": SCALARS,
            "nullable": st.booleans(),
        },
    )


SCHEMAS: st.SearchStrategy[Json] = st.recursive(
    st.booleans() | ANY_JSON | st.fixed_dictionaries({"type": TYPES}), _schemas, max_leaves=12
)


def values_for(schema: Json, depth: int = 0) -> st.SearchStrategy[Json]:
    """Values that mostly fit a schema; where it is unclear what fits, any JSON."""
    if not isinstance(schema, dict) or depth > 4:
        return ANY_JSON
    options = schema.get("enum")
    if isinstance(options, list) and options:
        return st.sampled_from(options) | ANY_JSON
    for keyword in ("anyOf", "oneOf", "allOf"):
        members = schema.get(keyword)
        if isinstance(members, list) and members:
            return st.one_of(*(values_for(member, depth + 1) for member in members))
    match schema.get("type"):
        case "string":
            return st.text(max_size=8)
        case "integer":
            return st.integers()
        case "number":
            return st.floats(allow_nan=False, allow_infinity=False)
        case "boolean":
            return st.booleans()
        case "array":
            return st.lists(values_for(schema.get("items"), depth + 1), max_size=4)
        case "object":
            properties = schema.get("properties")
            known = properties if isinstance(properties, dict) else {}
            fields = {name: values_for(part, depth + 1) for name, part in known.items()}
            extra = st.dictionaries(NAMES, ANY_JSON, max_size=2)
            declared = st.fixed_dictionaries({}, optional=fields)
            return st.tuples(extra, declared).map(lambda pair: {**pair[0], **pair[1]})
        case _:
            return ANY_JSON
