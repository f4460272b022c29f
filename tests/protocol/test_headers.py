"""Header names, secrets among them, and values that survive HTTP."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.protocol.headers import (
    bits_of,
    decode_header_value,
    encode_header_value,
    is_header_token,
    is_sensitive,
    media_type,
)


@given(st.text(st.characters()))
def test_every_text_survives_as_a_header_value(text: str) -> None:
    encoded = encode_header_value(text)
    assert decode_header_value(encoded) == text
    assert encoded.isascii()
    assert encoded == encoded.strip()
    assert not {"\r", "\n", "\0", "\t"} & set(encoded)


@pytest.mark.parametrize(
    ("value", "encoded"),
    [
        ("us-west1", "us-west1"),
        ("a b", "a b"),
        ("", ""),
        (" a", "=?base64?IGE=?="),
        ("é", "=?base64?w6k=?="),
        ("=?base64?x?=", "=?base64?PT9iYXNlNjQ/eD89?="),
        (42, "42"),
        (-(2**70), str(-(2**70))),
        (True, "true"),
        (False, "false"),
    ],
)
def test_values_are_plain_where_they_can_be(value: str | int | bool, encoded: str) -> None:
    assert encode_header_value(value) == encoded


@pytest.mark.parametrize("text", ["=?base64?!?=", "=?base64?/w==?=", "=?base64?é?="])
def test_a_broken_sentinel_has_no_value(text: str) -> None:
    assert decode_header_value(text) is None


@pytest.mark.parametrize("name", ["Authorization", "mcp-session-id", "X-My-Token", "X-API-KEY"])
def test_secrets_are_known_by_their_header(name: str) -> None:
    assert is_sensitive(name)


@pytest.mark.parametrize("name", ["Accept", "Mcp-Name", "MCP-Protocol-Version", "Last-Event-ID"])
def test_other_headers_are_shown(name: str) -> None:
    assert not is_sensitive(name)


def test_header_names_are_tokens() -> None:
    assert is_header_token("X-Region_1")
    assert not is_header_token("")
    assert not is_header_token("X Region")


def test_a_media_type_is_compared_without_parameters_and_case() -> None:
    assert media_type("Text/Event-Stream; charset=utf-8") == "text/event-stream"
    assert media_type("") == ""


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [("", 0, 0), ("7", 3, 3), ("session-1", 40, 50), ("1234567890123456", 50, 54),
     ("0d0f7d9c1f8a4f1e9a3e6f3a0c5b7d21", 125, 128), ("----", 0, 0),
     ("6f1b8c2e-9d3a-4f5b-8c7d-1e2f3a4b5c6d", 120, 128)],
)  # fmt: skip
def test_how_much_chance_an_id_may_hold_is_told_by_its_characters(
    text: str, least: int, most: int
) -> None:
    assert least <= bits_of(text) <= most
