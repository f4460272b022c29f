"""Limits in words."""

import pytest

from inspector.forms.hints import example_of, hint_of
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
        ({"minimum": 0, "exclusiveMinimum": True}, "kind · > 0"),
        ({"maximum": 5, "exclusiveMaximum": True, "minimum": 1}, "kind · ≥ 1 · < 5"),
        ({"maximum": 5, "exclusiveMaximum": False}, "kind · ≤ 5"),
        ({"exclusiveMinimum": True}, "kind"),
        ({"deprecated": True, "readOnly": "yes"}, "kind · deprecated"),
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


@pytest.mark.parametrize(
    ("schema", "example"),
    [
        ({"type": "string", "format": "date-time"}, "2026-01-31T13:45:00Z"),
        ({"format": "email", "examples": [], "example": "x@y"}, '"x@y"'),
        ({"type": "integer", "format": "date"}, ""),
        ({"type": "integer", "examples": [1, 2]}, "1"),
        ({"type": "string", "examples": "no list"}, ""),
        ({"format": "zork"}, ""),
    ],
)
def test_an_example_is_the_schemas_own_or_one_of_its_format(schema: Json, example: str) -> None:
    assert example_of(Schemas(schema).flatten((Place(schema, schema),))) == example
