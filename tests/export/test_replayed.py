"""The comparison inside generated tests."""

import json
from typing import Any

import pytest

from inspector.export.replayed import Json, check, differences, digest, stable


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("at 2026-01-31T12:00:00.123Z", "at 2026-02-01T08:15:00Z"),
        ("id 6f9619ff-8b86-d011-b42d-00cf4fc964ff", "id 00000000-1111-2222-3333-444444444444"),
        ("in /tmp/abc123/x.txt", "in /tmp/zzz/y.txt"),
        ("on 127.0.0.1:3001", "on 127.0.0.1:4002"),
        ("hash 0123456789abcdef", "hash fedcba9876543210"),
        (1769860800, 1769860999),
    ],
)
def test_what_no_two_runs_share_is_no_difference(was: Any, now: Any) -> None:
    assert differences({"x": was}, {"x": now}) == []


@pytest.mark.parametrize(
    ("was", "now", "says"),
    [
        ({"a": 1}, {"a": 2}, "$.a was 1 and is 2"),
        ({"a": 1}, {}, "$.a is gone"),
        ({}, {"a": 1}, "$.a is new"),
        ([1], [1, 2], "$ had 1 items and has 2"),
        ({"a": True}, {"a": 1}, "$.a was True and is 1"),
        ({"a": "5"}, {"a": 5}, "$.a was str and is int"),
        ({"a": None}, {"a": 0}, "$.a was NoneType and is int"),
        ({"a": "price 5"}, {"a": "price 6"}, "$.a was 'price 5' and is 'price 6'"),
    ],
)
def test_what_changed_is_named_with_its_place(was: Any, now: Any, says: str) -> None:
    assert differences(was, now) == [says]


def test_1_and_1_0_are_one_number_and_meta_is_not_looked_at() -> None:
    assert differences({"a": 1, "_meta": {"x": 1}}, {"a": 1.0, "_meta": {"y": 2}}) == []


def test_by_shape_only_names_and_types_count() -> None:
    was: Json = {"a": "x", "b": [1, 2], "c": {"d": 1}}
    assert differences(was, {"a": "y", "b": [3], "c": {"d": 9}}, shape_only=True) == []
    assert differences(was, {"a": 1, "b": [], "c": {}}, shape_only=True) == [
        "$.a was str and is int",
        "$.c.d is gone",
    ]


def test_what_a_recording_masked_may_be_anything() -> None:
    assert differences({"a": "key [masked 12ab]!"}, {"a": "key k-77!"}) == []
    assert differences({"a": "key [redacted]!"}, {"a": "other k-77!"})
    assert differences({"a": "[redacted]"}, {"a": 5}) == []


@pytest.mark.parametrize(
    ("answer", "recorded", "fails"),
    [
        ({"result": {"x": 1}}, {"result": {"x": 1}}, ""),
        ({"result": {"x": 2}}, {"result": {"x": 1}}, "was 1 and is 2"),
        ({"error": {"code": -1}}, {"error": {"code": -1, "message": "m"}}, ""),
        ({"error": {"code": -2}}, {"error": {"code": -1}}, "the error was -1"),
        ({"result": {}}, {"error": {"code": -1}}, "was refused, and now answers"),
        ({"error": {"code": -1}}, {"result": {}}, "is refused now"),
        ({"result": {"isError": True}}, {"result": {}}, "isError is True now"),
    ],
)
def test_an_answer_is_checked_against_its_recording(
    answer: dict[str, Any], recorded: dict[str, Any], fails: str
) -> None:
    if not fails:
        check(answer, json.dumps(recorded))
        return
    with pytest.raises(AssertionError, match=fails):
        check(answer, json.dumps(recorded))


def test_a_long_answer_is_known_by_its_fingerprint() -> None:
    mark = digest({"a": "x" * 100_000, "at": "2026-01-31"})
    check({"result": {"at": "2027-01-31", "a": "x" * 100_000}}, "{}", fingerprint=mark)
    with pytest.raises(AssertionError, match="has changed"):
        check({"result": {"at": "2027-01-31", "a": "x" * 100_001}}, "{}", fingerprint=mark)


def test_ordinary_numbers_and_words_are_compared() -> None:
    assert stable("costs 1234567 EUR, room 12:5, deadbeef") == (
        "costs 1234567 EUR, room 12:5, deadbeef"
    )
