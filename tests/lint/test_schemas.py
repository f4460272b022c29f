"""Judging schemas in bounded time, fetching nothing."""

import pytest

from inspector.lint.schemas import facts_of, mismatch, problem_of
from inspector.protocol.messages import JsonObject
from tests.hostile.bombs import doubling


def test_a_reference_to_another_host_is_found_with_its_place() -> None:
    known = facts_of({"properties": {"a": {"$ref": "https://example.com/a"}}})
    assert (known.remote, known.remote_place) == (
        "https://example.com/a",
        ("properties", "a", "$ref"),
    )


def test_a_schema_of_an_unknown_dialect_is_not_judged() -> None:
    odd: JsonObject = {"$schema": "https://example.com/own", "type": "nonsense"}
    assert problem_of(odd) == ""
    assert mismatch(odd, 1) is None


def test_a_schema_that_its_dialect_forbids_is_told_with_its_place() -> None:
    assert problem_of({"type": "object"}) == ""
    assert problem_of({"properties": {"a": {"type": "text"}}}).startswith("/properties/a/type: ")


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "https://example.com/a"},
        {"type": "string", "pattern": "(?=a)b"},
        doubling(24),
        {"type": "string", "description": "x" * 70_000},
    ],
    ids=["remote", "backtracking pattern", "references that double", "long"],
)
def test_what_cannot_be_judged_in_bounded_time_is_no_mismatch(schema: JsonObject) -> None:
    assert mismatch(schema, 1) is None


def test_a_value_that_breaks_its_schema_is_told_with_its_place() -> None:
    schema: JsonObject = {"properties": {"a": {"items": {"type": "number"}}}}
    wrong = mismatch(schema, {"a": [1, "2"]})
    assert wrong is not None
    assert wrong[1] == ("a", 1)
    assert mismatch(schema, {"a": [1, 2]}) is None
