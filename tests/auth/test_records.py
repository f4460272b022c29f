"""Records: whatever is written is read again to the letter, and nothing else is read at all."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.auth.grant import Grant
from inspector.auth.records import (
    GRANTS,
    GrantRecord,
    Unreadable,
    client_name,
    grant_name,
    grants_of,
    read_client,
    read_grant,
    write_client,
    write_grant,
)
from inspector.auth.registration import Client
from tests.auth.grants import ISSUER, NOW, SERVER, a_client, a_grant, clients, grants


@given(grants, st.floats(allow_nan=False))
def test_a_grant_that_was_written_is_read_again_to_the_letter(grant: Grant, at: float) -> None:
    record = GrantRecord(grant, at)
    text = write_grant(record)
    assert text.isascii()
    assert read_grant(text) == record


@given(clients)
def test_a_client_that_was_written_is_read_again_to_the_letter(client: Client) -> None:
    assert read_client(write_client(client)) == client


@given(st.text())
def test_any_other_text_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        read_grant(text)


@given(st.integers(0))
def test_a_torn_record_is_unreadable(cut: int) -> None:
    whole = write_grant(GrantRecord(a_grant(), NOW))
    with pytest.raises(Unreadable):
        read_grant(whole[: cut % len(whole)])


@pytest.mark.parametrize("field", ["server_url", "server", "client", "tokens"])
def test_a_record_without_a_needed_field_is_unreadable_and_its_error_tells_no_secret(
    field: str,
) -> None:
    document = json.loads(write_grant(GrantRecord(a_grant(), NOW)))
    document["grant"][field] = ["acc3ss", 7]
    with pytest.raises(Unreadable) as caught:
        read_grant(json.dumps(document))
    assert "acc3ss" not in str(caught.value)


@pytest.mark.parametrize(("key", "value"), [("version", 2), ("kind", "client"), ("version", None)])
def test_a_record_of_another_version_or_kind_is_unreadable(key: str, value: object) -> None:
    document = json.loads(write_grant(GrantRecord(a_grant(), NOW)))
    with pytest.raises(Unreadable):
        read_grant(json.dumps(document | {key: value}))


def test_depth_is_unreadable_and_no_crash() -> None:
    with pytest.raises(Unreadable):
        read_grant("[" * 100_000)


def test_what_a_later_version_adds_does_not_stop_this_one() -> None:
    document = json.loads(write_client(a_client()))
    document["client"]["new"] = 1
    assert read_client(json.dumps(document)) == a_client()


def test_names_tell_neither_server_nor_issuer_and_differ_by_both() -> None:
    names = {
        grant_name(SERVER, ISSUER),
        grant_name(SERVER, "https://other.example"),
        grant_name("https://other.example", ISSUER),
        client_name(ISSUER),
    }
    assert len(names) == 4
    assert not any("example" in name for name in names)
    assert grant_name(SERVER, ISSUER).startswith(grants_of(SERVER))
    assert grants_of(SERVER).startswith(GRANTS)


def test_one_server_has_one_name_however_its_url_is_written() -> None:
    assert grants_of("https://MCP.example.com:443/mcp/") == grants_of(SERVER)
    assert grants_of("https://mcp.example.com/mcp?a=1") != grants_of(SERVER)
