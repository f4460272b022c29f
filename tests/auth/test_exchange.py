"""Requests hide what they carry; answers are read without ever raising."""

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.auth.exchange import (
    Step,
    get,
    number_of,
    post_form,
    read_error,
    read_object,
    shown,
    text_of,
    texts_of,
)
from inspector.protocol.json_text import Json

ALMOST_JSON = st.text(alphabet='{}[]":,errortul0 ', max_size=60).map(str.encode)


def test_a_request_does_not_print_its_headers_or_its_body() -> None:
    headers = (("Authorization", "Basic canary-1"),)
    request = post_form(Step.CODE, "https://a.example/token", (("code", "canary-2"),), headers)
    assert "canary" not in repr(request)
    assert request.body == b"code=canary-2"
    assert headers[0] in request.headers


@given(st.lists(st.tuples(st.text(min_size=1), st.text(min_size=1))))
def test_a_form_carries_every_value_whole(pairs: list[tuple[str, str]]) -> None:
    body = post_form(Step.CODE, "https://a.example/", tuple(pairs)).body
    assert parse_qsl(body.decode("ascii"), max_num_fields=None) == pairs


def test_a_lone_surrogate_does_not_stop_a_form() -> None:
    assert post_form(Step.CODE, "https://a.example/", (("a", "\ud800"),)).body == b"a=%3F"


def test_a_document_is_asked_for_as_json() -> None:
    request = get(Step.SERVER_METADATA, "https://a.example/", (("MCP-Protocol-Version", "x"),))
    assert request.method == "GET"
    assert request.headers == (("Accept", "application/json"), ("MCP-Protocol-Version", "x"))


def test_an_oauth_error_is_read() -> None:
    answer = read_error(400, b'{"error":"invalid_grant","error_description":"d","error_uri":"u"}')
    assert (answer.error, answer.description, answer.uri) == ("invalid_grant", "d", "u")
    assert answer.reason == ""


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"{}", b'{"error":7}', b'{"error":"\\n"}'])
def test_what_is_no_oauth_error_says_so(body: bytes) -> None:
    answer = read_error(502, body)
    assert answer.error == ""
    assert answer.reason.startswith("HTTP 502, and no OAuth error")


@pytest.mark.parametrize(
    ("status", "error", "final", "unknown"),
    [
        (400, "invalid_grant", True, False),
        (401, "invalid_client", False, True),
        (400, "unauthorized_client", False, True),
        (400, "invalid_scope", False, False),
        (500, "invalid_grant", False, False),
        (503, "invalid_client", False, False),
    ],
)
def test_only_a_clear_no_ends_a_grant(status: int, error: str, final: bool, unknown: bool) -> None:
    answer = read_error(status, b'{"error":"%s"}' % error.encode())
    assert (answer.final, answer.client_unknown) == (final, unknown)


@given(st.one_of(st.binary(max_size=60), ALMOST_JSON), st.integers(100, 599))
def test_no_body_raises(body: bytes, status: int) -> None:
    assert isinstance(read_object(body), dict | str)
    answer = read_error(status, body)
    assert bool(answer.error) != bool(answer.reason)


def test_fields_of_another_type_are_not_there() -> None:
    document: dict[str, Json] = {"a": 1, "b": "x", "c": ["x", 1], "d": ["x", "y"], "e": "x y"}
    assert [text_of(document, name) for name in "abz"] == ["", "x", ""]
    assert [texts_of(document, name) for name in "cdez"] == [None, ("x", "y"), None, None]


@pytest.mark.parametrize("value", [True, "1", None, [], float("nan"), float("inf"), 10**400, 1e300])
def test_what_is_no_number_of_seconds_is_none(value: Json) -> None:
    assert number_of(value) is None


def test_numbers_are_numbers() -> None:
    assert [number_of(0), number_of(-1), number_of(1.5)] == [0.0, -1.0, 1.5]


def test_what_the_network_sent_is_shown_short_and_in_ascii() -> None:
    assert shown("\x1b[31mé") == "'\\x1b[31m\\xe9'"
    assert len(shown("x" * 10_000)) < 300
    assert len(shown(["x"] * 10_000)) < 500
