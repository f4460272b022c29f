"""What an answer to a refresh means for what is kept."""

from dataclasses import replace
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.auth.grant import Grant
from inspector.auth.metadata import AuthorizationServer
from inspector.auth.registration import AuthMethod, Client, ClientOrigin
from inspector.auth.renewal import (
    Dropped,
    Kept,
    Renewed,
    can_renew,
    not_renewed,
    renewal_request,
    renewed,
)
from inspector.auth.secret import Secret
from inspector.auth.tokens import Tokens
from inspector.errors import InspectorError
from inspector.protocol.json_text import JsonObject
from tests.auth.playbook import (
    ACCESS,
    CLIENT_SECRET,
    ISSUER,
    NOW,
    REFRESH,
    SERVER,
    Draws,
    json_answer,
)

OLD = Grant(
    SERVER,
    SERVER,
    AuthorizationServer(ISSUER, f"{ISSUER}/token"),
    Client("dynamic-1", ClientOrigin.DYNAMIC, issuer=ISSUER),
    Tokens(Secret("old-access-1"), Secret(REFRESH), ("read",), NOW - 3600, NOW),
    ("read",),
)
MINE = replace(OLD, client=Client("mine", ClientOrigin.PREREGISTERED))
FRESH: JsonObject = {"access_token": ACCESS, "token_type": "Bearer", "expires_in": 60}


def _form(grant: Grant) -> dict[str, list[str]]:
    request = renewal_request(grant, now=NOW, random=Draws())
    return parse_qs(request.body.decode("ascii"))


def test_the_request_repeats_the_resource_and_no_scope() -> None:
    assert _form(OLD) == {
        "grant_type": ["refresh_token"],
        "refresh_token": [REFRESH],
        "resource": [SERVER],
        "client_id": ["dynamic-1"],
    }
    assert "resource" not in _form(replace(OLD, resource=None))


def test_there_has_to_be_something_to_refresh_with() -> None:
    none = replace(OLD, tokens=replace(OLD.tokens, refresh=None))
    assert can_renew(OLD, NOW)
    assert not can_renew(none, NOW)
    assert not can_renew(replace(OLD, client=replace(OLD.client, expires_at=NOW)), NOW)
    with pytest.raises(InspectorError, match="no refresh token"):
        renewal_request(none, now=NOW, random=Draws())


def test_an_assertion_is_signed_anew_for_every_refresh() -> None:
    grant = replace(OLD, client=replace(OLD.client, auth_method=AuthMethod.PRIVATE_KEY_JWT))
    seen: list[JsonObject] = []

    def sign(claims: JsonObject) -> Secret:
        seen.append(claims)
        return Secret("signed")

    draws = Draws()
    for _ in range(2):
        renewal_request(grant, now=NOW, random=draws, sign=sign)
    assert seen[0]["aud"] == ISSUER
    assert seen[0]["jti"] != seen[1]["jti"]


def test_a_rotated_refresh_token_replaces_the_former_one() -> None:
    outcome = renewed(OLD, *json_answer({**FRESH, "refresh_token": "rotated-1"}), NOW)
    assert isinstance(outcome, Renewed)
    assert outcome.rotated
    assert outcome.grant.tokens.refresh == Secret("rotated-1")
    assert outcome.grant.tokens.expires_at == NOW + 60


def test_what_the_answer_leaves_out_stays() -> None:
    outcome = renewed(OLD, *json_answer(FRESH), NOW)
    assert isinstance(outcome, Renewed)
    assert not outcome.rotated
    assert outcome.grant.tokens.refresh == Secret(REFRESH)
    assert outcome.grant.tokens.scopes == ("read",)
    assert replace(outcome.grant, tokens=OLD.tokens) == OLD


@pytest.mark.parametrize(
    ("status", "error", "grant", "drops", "client_too"),
    [
        (400, "invalid_grant", OLD, True, False),
        (401, "invalid_client", OLD, True, True),
        (401, "invalid_client", MINE, False, False),
        (400, "invalid_scope", OLD, False, False),
        (500, "invalid_grant", OLD, False, False),
        (429, "slow_down", OLD, False, False),
    ],
)
def test_only_a_clear_word_drops_anything(
    status: int, error: str, grant: Grant, drops: bool, client_too: bool
) -> None:
    outcome = renewed(grant, *json_answer({"error": error}, status), NOW)
    assert isinstance(outcome, Dropped if drops else Kept)
    assert isinstance(outcome, Kept) or outcome.client_too is client_too


@pytest.mark.parametrize(
    ("status", "body", "passing"),
    [
        (503, b"", True),
        (429, b"", True),
        (408, b"", True),
        (403, b"<html>a proxy</html>", True),
        (400, b'{"error": "invalid_request"}', False),
        (200, b"<html>", False),
        (400, b"no", False),
    ],
)
def test_what_is_kept_may_pass_or_needs_a_person(status: int, body: bytes, passing: bool) -> None:
    outcome = renewed(OLD, status, body, NOW)
    assert isinstance(outcome, Kept)
    assert outcome.passing is passing


def test_silence_keeps_everything() -> None:
    outcome = not_renewed(OLD, f"{ISSUER}/token", "timed out")
    assert outcome.passing
    assert "timed out" in outcome.why.message
    assert outcome.why.fault == "network"


def test_what_the_server_says_is_shown_without_secrets() -> None:
    grant = replace(
        OLD, client=replace(OLD.client, auth_method=AuthMethod.POST, secret=Secret(CLIENT_SECRET))
    )
    said = {
        "error": "invalid_request",
        "error_description": f"no {REFRESH} of {CLIENT_SECRET} in {ACCESS}",
        "access_token": ACCESS,
    }
    outcome = renewed(grant, *json_answer(said, 400), NOW)
    assert isinstance(outcome, Kept)
    assert "invalid_request" in outcome.why.message
    for secret in (REFRESH, CLIENT_SECRET, ACCESS):
        assert secret not in repr(outcome)


@given(st.integers(100, 599), st.binary() | st.sampled_from([b"{}", b'{"error":"invalid_grant"}']))
def test_no_answer_is_fatal(status: int, body: bytes) -> None:
    outcome = renewed(OLD, status, body, NOW)
    assert isinstance(outcome, Renewed | Dropped | Kept)
    assert REFRESH not in repr(outcome)
