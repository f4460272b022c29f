"""What the journal may keep of an OAuth exchange."""

import base64
import json

import pytest

from inspector.auth.evidence import (
    MASK,
    fields_sent,
    secrets_received,
    secrets_sent,
    shown_body,
    shown_headers,
)
from inspector.auth.exchange import OAuthRequest, Step, post_form

TOKEN = "canary-Acc3ss-t0ken-value"


def test_codes_verifiers_tokens_and_client_secrets_of_a_request_are_secrets() -> None:
    request = post_form(
        Step.CODE,
        "https://as.example/token",
        (
            ("grant_type", "authorization_code"),
            ("code", "the code+1"),
            ("code_verifier", "the-verifier"),
            ("client_secret", "the-secret"),
            ("client_assertion", "the-assertion"),
            ("client_assertion_type", "urn:x"),
        ),
    )
    assert set(secrets_sent(request)) == {
        "the code+1",
        "the-verifier",
        "the-secret",
        "the-assertion",
    }
    assert dict(fields_sent(request))["code"] == MASK
    assert dict(fields_sent(request))["grant_type"] == "authorization_code"


def test_the_secret_inside_basic_credentials_is_learned_alone_too() -> None:
    coded = base64.b64encode(b"id:s%2Fecret").decode()
    request = OAuthRequest(Step.CODE, "POST", "https://x/", (("Authorization", f"Basic {coded}"),))
    assert set(secrets_sent(request)) == {coded, "s%2Fecret", "s/ecret"}


def test_an_honest_answer_is_kept_as_sent() -> None:
    body = json.dumps({"access_token": TOKEN, "token_type": "Bearer", "expires_in": 3600}).encode()
    assert secrets_received(Step.CODE, body) == (TOKEN,)
    assert shown_body(Step.CODE, body, "application/json") == body


@pytest.mark.parametrize(
    "body",
    [
        b'{"access_token": "canary-\\u0041cc3ss-t0ken-value", "token_type": "Bearer"}',
        b'{"access\\u005ftoken": "canary-Acc3ss-t0ken-value"}',
        b'{"access_token": "ab"}',
        b'{"surprise": "canary-Acc3ss-t0ken-value"}',
        b'{"data": [{"token": "canary-Acc3ss-t0ken-value\\n"}]}',
        b'{"access_token": 123456}',
    ],
)
def test_an_answer_that_cannot_be_masked_by_value_is_written_anew(body: bytes) -> None:
    kept = shown_body(Step.CODE, body, "application/json")
    assert kept != body
    assert MASK.encode() in kept
    assert b"t0ken-value" not in kept
    assert b'"ab"' not in kept


@pytest.mark.parametrize(
    ("body", "media"),
    [
        (f"access_token={TOKEN}&scope=x".encode(), "application/x-www-form-urlencoded"),
        (f"<html>{TOKEN}</html>".encode(), "text/html; charset=utf-8"),
        (TOKEN.encode(), ""),
        (json.dumps([TOKEN]).encode(), "application/json"),
        (b"\xff" + TOKEN.encode(), "application/octet-stream"),
    ],
)
def test_what_nobody_can_read_is_not_kept(body: bytes, media: str) -> None:
    kept = shown_body(Step.REFRESH, body, media).decode()
    assert TOKEN not in kept
    assert f"{len(body)} bytes" in kept


def test_the_token_in_a_form_is_learned() -> None:
    assert secrets_received(Step.CODE, f"access_token={TOKEN}&scope=x".encode()) == (TOKEN,)


def test_what_an_error_says_is_no_secret() -> None:
    body = b'{"error": "invalid_grant", "error_description": "the code has expired 2026abcdef"}'
    assert secrets_received(Step.CODE, body) == ()
    assert shown_body(Step.CODE, body, "application/json") == body


def test_a_registration_shows_all_but_its_secrets() -> None:
    body = json.dumps(
        {
            "client_id": "client-940e9a8717f8-shown",
            "redirect_uris": ["http://127.0.0.1:40123/callback"],
            "client_secret": "s3cret-of-the-client",
            "registration_access_token": "r3gistration-token",
            "token_endpoint_auth_method": "client_secret_basic",
        }
    ).encode()
    secrets = secrets_received(Step.REGISTRATION, body)
    assert set(secrets) == {"s3cret-of-the-client", "r3gistration-token"}
    assert shown_body(Step.REGISTRATION, body, "application/json") == body


def test_a_place_that_a_token_is_for_is_no_secret() -> None:
    body = b'{"access_token": "canary-Acc3ss-t0ken", "resource": "https://mcp.example:8443/mcp1"}'
    assert secrets_received(Step.CODE, body) == ("canary-Acc3ss-t0ken",)


def test_metadata_is_public() -> None:
    page = b"<html>nothing here</html>"
    assert shown_body(Step.RESOURCE_METADATA, page, "text/html") == page
    headers = (("Location", "https://x/?a=b"),)
    assert shown_headers(Step.SERVER_METADATA, headers) == headers


def test_a_redirect_of_a_token_endpoint_shows_its_place_alone() -> None:
    shown = shown_headers(
        Step.CODE,
        (
            ("Location", f"https://u:p@x.example/cb?x=1#access_token={TOKEN}"),
            ("Set-Cookie", f"sid={TOKEN}"),
            ("Content-Type", "text/html"),
        ),
    )
    assert shown == (
        ("Location", f"https://x.example/cb {MASK}"),
        ("Set-Cookie", MASK),
        ("Content-Type", "text/html"),
    )
