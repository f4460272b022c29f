"""Requests for tokens, what their answers hold, and that no token is ever shown."""

import base64
import json
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.auth.exchange import ErrorAnswer, OAuthRequest, Step
from inspector.auth.metadata import AuthorizationServer
from inspector.auth.registration import AuthMethod, Client, ClientOrigin
from inspector.auth.secret import Secret
from inspector.auth.tokens import (
    ASSERTION_TYPE,
    LONGEST_TOKEN,
    Tokens,
    assertion_claims,
    client_credentials_request,
    code_request,
    facts,
    read_tokens,
    refresh_request,
    revocation_request,
)
from inspector.errors import InspectorError, UsageError
from inspector.protocol.json_text import Json

ISSUER = "https://auth.example.com"
RESOURCE = "https://mcp.example.com/mcp"
SERVER = AuthorizationServer(
    issuer=ISSUER, token_endpoint=f"{ISSUER}/token", revocation_endpoint=f"{ISSUER}/revoke"
)
NOW = 1_000_000.0


def _client(method: AuthMethod = AuthMethod.NONE, secret: str | None = None) -> Client:
    held = None if secret is None else Secret(secret)
    return Client("my:client", ClientOrigin.DYNAMIC, method, held, ISSUER)


def _form(request: OAuthRequest) -> dict[str, str]:
    pairs = parse_qsl(request.body.decode("ascii"))
    assert len(pairs) == len(dict(pairs))
    return dict(pairs)


def _code(client: Client, assertion: Secret | None = None) -> OAuthRequest:
    return code_request(
        SERVER,
        client,
        code=Secret("canary-code"),
        verifier=Secret("canary-verifier"),
        redirect_uri="http://127.0.0.1:1/cb",
        resource=RESOURCE,
        assertion=assertion,
    )


def _tokens(**changes: Json) -> Tokens | ErrorAnswer:
    document = {"access_token": "canary-a", "token_type": "Bearer", **changes}
    body = json.dumps({k: v for k, v in document.items() if v != "ABSENT"}).encode()
    return read_tokens(200, body, now=NOW, requested=("asked",))


def _good(**changes: Json) -> Tokens:
    tokens = _tokens(**changes)
    assert isinstance(tokens, Tokens)
    return tokens


def test_a_code_is_sent_with_verifier_redirect_and_resource() -> None:
    request = _code(_client())
    assert (request.step, request.method, request.url) == (Step.CODE, "POST", f"{ISSUER}/token")
    assert _form(request) == {
        "grant_type": "authorization_code",
        "code": "canary-code",
        "redirect_uri": "http://127.0.0.1:1/cb",
        "code_verifier": "canary-verifier",
        "resource": RESOURCE,
        "client_id": "my:client",
    }
    assert ("Content-Type", "application/x-www-form-urlencoded") in request.headers
    assert "canary" not in repr(request)


def test_a_secret_in_the_header_is_encoded_twice_and_not_in_the_form() -> None:
    request = _code(_client(AuthMethod.BASIC, "p:a ss/é"))
    encoded = dict(request.headers)["Authorization"].removeprefix("Basic ")
    assert base64.b64decode(encoded) == b"my%3Aclient:p%3Aa+ss%2F%C3%A9"
    assert "client_secret" not in _form(request)
    assert _form(request)["client_id"] == "my:client"  # the official SDK's server needs it there
    assert encoded not in repr(request)


def test_a_secret_in_the_form_is_not_in_the_header() -> None:
    request = _code(_client(AuthMethod.POST, "p&a=ss"))
    assert _form(request)["client_secret"] == "p&a=ss"
    assert _form(request)["client_id"] == "my:client"
    assert "Authorization" not in dict(request.headers)


def test_a_public_client_sends_no_secret_even_where_it_has_one() -> None:
    request = _code(_client(AuthMethod.NONE, "canary-secret"))
    assert b"canary-secret" not in request.body
    assert "Authorization" not in dict(request.headers)


def test_a_signed_assertion_is_sent_as_it_is() -> None:
    form = _form(_code(_client(AuthMethod.PRIVATE_KEY_JWT), Secret("h.p.s")))
    assert form["client_assertion"] == "h.p.s"
    assert form["client_assertion_type"] == ASSERTION_TYPE


@pytest.mark.parametrize("method", [AuthMethod.BASIC, AuthMethod.POST])
def test_a_missing_secret_is_the_users_to_give(method: AuthMethod) -> None:
    with pytest.raises(UsageError, match="has no secret"):
        _code(_client(method))


def test_a_missing_assertion_is_our_own_fault() -> None:
    with pytest.raises(InspectorError, match="signed assertion"):
        _code(_client(AuthMethod.PRIVATE_KEY_JWT))


def test_a_refresh_carries_the_resource_and_the_scopes_that_were_given() -> None:
    plain = refresh_request(SERVER, _client(), refresh=Secret("r"), resource=RESOURCE)
    assert _form(plain) == {
        "grant_type": "refresh_token",
        "refresh_token": "r",
        "resource": RESOURCE,
        "client_id": "my:client",
    }
    less = refresh_request(SERVER, _client(), refresh=Secret("r"), resource=None, scopes=("a", "b"))
    assert _form(less)["scope"] == "a b"
    assert "resource" not in _form(less)


def test_client_credentials_carry_the_resource() -> None:
    client = _client(AuthMethod.BASIC, "s")
    request = client_credentials_request(SERVER, client, resource=RESOURCE, scopes=("a",))
    assert _form(request) == {
        "client_id": "my:client",
        "grant_type": "client_credentials",
        "resource": RESOURCE,
        "scope": "a",
    }


def test_a_token_is_revoked_where_the_server_can() -> None:
    request = revocation_request(SERVER, _client(), token=Secret("t"), hint="refresh_token")
    assert request.url == f"{ISSUER}/revoke"
    assert _form(request)["token_type_hint"] == "refresh_token"
    other = AuthorizationServer(issuer=ISSUER, token_endpoint=f"{ISSUER}/token")
    with pytest.raises(InspectorError, match="no revocation endpoint"):
        revocation_request(other, _client(), token=Secret("t"), hint="access_token")


def test_an_assertion_names_us_the_issuer_and_five_minutes() -> None:
    assert assertion_claims("c", ISSUER, now=NOW + 0.5, token_id="j") == {
        "iss": "c",
        "sub": "c",
        "aud": ISSUER,
        "jti": "j",
        "iat": 1_000_000,
        "exp": 1_000_300,
    }


def test_tokens_are_read_with_an_absolute_end() -> None:
    tokens = _good(expires_in=3600, refresh_token="canary-r", scope="a b")
    assert tokens == Tokens(Secret("canary-a"), Secret("canary-r"), ("a", "b"), NOW, NOW + 3600)
    assert tokens.authorization() == ("Authorization", "Bearer canary-a")


def test_a_token_without_scope_has_the_scope_that_was_asked_for() -> None:
    assert _good().scopes == ("asked",)
    assert _good(scope="").scopes == ()


@pytest.mark.parametrize("kind", ["Bearer", "bearer", "BEARER"])
def test_the_case_of_the_type_does_not_count(kind: str) -> None:
    assert _good(token_type=kind).access == Secret("canary-a")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"token_type": "DPoP"}, "not Bearer"),
        ({"token_type": "ABSENT"}, "not Bearer"),
        ({"token_type": ["Bearer"]}, "not Bearer"),
        ({"access_token": "ABSENT"}, "no access_token"),
        ({"access_token": ""}, "no access_token"),
        ({"access_token": 7}, "no access_token"),
        ({"access_token": "canary-é"}, "cannot stand in a header"),
        ({"access_token": "canary\r\nX: y"}, "cannot stand in a header"),
        ({"access_token": "canary x"}, "cannot stand in a header"),
        ({"access_token": "canary-\ud800"}, "cannot stand in a header"),
    ],
)
def test_an_answer_without_a_usable_token_says_why_and_not_what(
    changes: dict[str, Json], reason: str
) -> None:
    answer = _tokens(**changes)
    assert isinstance(answer, ErrorAnswer)
    assert reason in answer.reason
    assert "canary" not in repr(answer)


def test_characters_that_bearer_tokens_do_not_have_are_said() -> None:
    assert [remark.rule for remark in _good(access_token='a"b').remarks] == ["token-syntax"]
    assert _good(access_token="aZ0-._~+/==").remarks == ()


@pytest.mark.parametrize("refresh", [7, "é", "a\nb", "\ud800"])
def test_a_refresh_token_that_cannot_be_sent_is_ignored_and_said(refresh: Json) -> None:
    tokens = _good(refresh_token=refresh)
    assert tokens.refresh is None
    assert [remark.rule for remark in tokens.remarks] == ["refresh-syntax"]


@pytest.mark.parametrize(
    ("value", "seconds", "said"),
    [
        (None, None, False),
        (0, 0.0, False),
        (3600, 3600.0, False),
        (1.5, 1.5, False),
        ("3600", 3600.0, True),
        (-1, None, True),
        (True, None, True),
        ("soon", None, True),
        (1e300, None, True),
        ([], None, True),
    ],
)
def test_the_lifetime_is_a_number_or_unknown(
    value: Json, seconds: float | None, said: bool
) -> None:
    tokens = _good(expires_in=value)
    assert tokens.expires_at == (None if seconds is None else NOW + seconds)
    assert bool(tokens.remarks) == said


def test_a_token_counts_as_expired_a_little_before_its_end() -> None:
    tokens = _good(expires_in=100)
    assert [tokens.is_expired(NOW + s) for s in (0, 69, 70, 1000)] == [False, False, True, True]
    assert not _good().is_expired(NOW + 1e9)


def test_a_refresh_keeps_what_the_answer_left_out() -> None:
    first = _good(refresh_token="r1", scope="a")
    silent = read_tokens(
        200, b'{"access_token":"b","token_type":"Bearer"}', now=NOW + 5, requested=None
    )
    assert isinstance(silent, Tokens)
    kept = silent.after(first)
    assert (kept.access, kept.refresh, kept.scopes) == (Secret("b"), Secret("r1"), ("a",))
    assert kept.received_at == NOW + 5
    rotated = _good(refresh_token="r2", scope="b").after(first)
    assert (rotated.refresh, rotated.scopes) == (Secret("r2"), ("b",))


def test_facts_show_no_part_of_a_token() -> None:
    jwt = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJjYW5hcnkifQ.c2ln"
    tokens = _good(access_token=jwt, refresh_token="canary-r", expires_in=60, scope="a b")
    assert facts(tokens, NOW + 10) == (
        ("type", "Bearer, JWT"),
        ("expires", "in 50 s"),
        ("scope", "a b"),
        ("refresh token", "yes"),
    )
    assert dict(facts(tokens, NOW + 60))["expires"] == "expired"
    assert dict(facts(_good(scope=""), NOW)) == {
        "type": "Bearer, opaque",
        "expires": "the server does not say",
        "scope": "none",
        "refresh token": "no",
    }
    for text in (repr(tokens), str(tokens), str(facts(tokens, NOW))):
        assert "canary" not in text
        assert "eyJ" not in text


def test_an_error_is_read_also_where_the_status_says_success() -> None:
    body = b'{"error":"invalid_grant","error_description":"expired"}'
    for status in (200, 400):
        answer = read_tokens(status, body, now=NOW, requested=None)
        assert isinstance(answer, ErrorAnswer)
        assert (answer.error, answer.description) == ("invalid_grant", "expired")
    assert isinstance(read_tokens(200, b"<html>", now=NOW, requested=None), ErrorAnswer)
    assert isinstance(read_tokens(201, b"{}", now=NOW, requested=None), ErrorAnswer)


VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10)
NAMES = st.sampled_from(["access_token", "token_type", "expires_in", "refresh_token", "scope"])


@given(st.dictionaries(NAMES, VALUES), st.sampled_from([200, 400, 500]))
def test_no_answer_raises(document: dict[str, Json], status: int) -> None:
    body = json.dumps({"token_type": "Bearer", **document}).encode()
    answer = read_tokens(status, body, now=NOW, requested=None)
    if isinstance(answer, Tokens):
        assert answer.authorization()[1].isascii()
        assert facts(answer, NOW)
    else:
        assert answer.reason or answer.error


def test_a_refresh_token_that_is_too_long_is_ignored() -> None:
    def refresh(length: int) -> Secret | None:
        body = {"access_token": "t", "token_type": "Bearer", "refresh_token": "r" * length}
        found = read_tokens(200, json.dumps(body).encode(), now=0.0, requested=None)
        assert isinstance(found, Tokens)
        return found.refresh

    assert refresh(LONGEST_TOKEN)
    assert refresh(LONGEST_TOKEN + 1) is None
