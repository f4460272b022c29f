"""Limits in words."""

import pytest

from inspector.forms.hints import hint_of
from inspector.forms.references import Place
from inspector.forms.schema import Schemas
from inspector.protocol.messages import Json


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, "kind"),
        ({"minimum": 1, "exclusiveMaximum": 2.5}, "kind · ≥ 1 · < 2.5"),
        ({"minLength": 1, "maxLength": 9}, "kind · 1 to 9 characters"),
        ({"pattern": "^a" + "b" * 99}, "kind · like ^a" + "b" * 58),
        ({"uniqueItems": True, "maxItems": 3}, "kind · at most 3 items · unique"),
        ({"enum": [1, 2]}, "kind · one of 2 values"),
        ({"minimum": [], "maximum": True, "pattern": {}}, "kind"),
    ],
)
def test_limits_are_told_and_garbage_is_not(schema: Json, words: str) -> None:
    flat = Schemas(schema).flatten((Place(schema, schema),))
    assert hint_of("kind", flat, listed=False, nullable=False) == words


def test_null_is_told_last_and_listed_values_are_not_counted() -> None:
    schema: Json = {"enum": [1]}
    flat = Schemas(schema).flatten((Place(schema, schema),))
    assert hint_of("1 of 1", flat, listed=True, nullable=True) == "1 of 1 · or null"
