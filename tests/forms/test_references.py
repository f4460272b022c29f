"""Where references lead."""

import pytest

from inspector.forms.references import REFERENCE_LIMIT, References
from inspector.protocol.messages import Json, JsonObject

SCHEMA: JsonObject = {
    "$id": "http://x/dir/root.json",
    "$anchor": "top",
    "$defs": {
        "a": {"$id": "sub/a.json", "$defs": {"in": {"$anchor": "item", "title": "a's"}}},
        "b": {"$id": "sub/b.json", "$defs": {"in": {"$anchor": "item", "title": "b's"}}},
        "old": {"$id": "#plain", "title": "plain"},
        "draft4": {"id": "http://x/four", "title": "four"},
    },
}


def title(reference: str, resource: Json = SCHEMA) -> Json:
    place = References(SCHEMA).find(reference, resource)
    if place is None or not isinstance(place.schema, dict):
        return None
    return place.schema.get("title", "found")


@pytest.mark.parametrize(
    ("reference", "wanted"),
    [
        ("#", "found"),
        ("#top", "found"),
        ("#plain", "plain"),
        ("sub/a.json", "found"),
        ("http://x/dir/sub/a.json", "found"),
        ("/dir/sub/a.json#item", "a's"),
        ("sub/b.json#item", "b's"),
        ("http://x/dir/sub/b.json#/$defs/in", "b's"),
        ("http://x/four", "four"),
        ("#/$defs/a/$defs/in", "a's"),
        ("#/%24defs/old", "plain"),
        ("#/$defs/none", None),
        ("c.json", None),
        ("http://[", None),
        ("#" + "/a" * REFERENCE_LIMIT, None),
    ],
)
def test_a_reference_leads_to_what_its_name_or_pointer_says(reference: str, wanted: Json) -> None:
    assert title(reference) == wanted


def test_a_reference_is_read_from_the_resource_it_stands_in() -> None:
    defs = SCHEMA["$defs"]
    assert isinstance(defs, dict)
    assert title("b.json", defs["a"]) == "found"
    assert title("#item", defs["a"]) == "a's"
    assert title("#item", defs["b"]) == "b's"
    assert title("b.json") is None
