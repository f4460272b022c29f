"""What the browser opens, and which redirect is believed."""

from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.auth.authorize import (
    AuthorizationRequest,
    Denied,
    Granted,
    NotOurs,
    PendingAuthorization,
    RedirectOutcome,
    Unusable,
    WrongServer,
    authorization_request,
    merge_query,
)
from inspector.auth.metadata import AuthorizationServer
from inspector.auth.pkce import make_state, make_verifier, s256_challenge
from inspector.auth.secret import Secret

ISSUER = "https://auth.example.com"
REDIRECT = "http://127.0.0.1:4321/cb"
STATE = make_state(b"s" * 32)
VERIFIER = make_verifier(b"v" * 32)
TABLE_TEXTS = ("secret-error", "secret-description", "secret-uri")


def _request(
    *,
    endpoint: str = f"{ISSUER}/authorize",
    advertised: bool = False,
    scopes: tuple[str, ...] | None = None,
    resource: str | None = "https://mcp.example.com/mcp",
) -> AuthorizationRequest:
    server = AuthorizationServer(
        issuer=ISSUER,
        token_endpoint=f"{ISSUER}/token",
        authorization_endpoint=endpoint,
        iss_advertised=advertised,
    )
    return authorization_request(
        server,
        client_id="client/1",
        redirect_uri=REDIRECT,
        resource=resource,
        scopes=scopes,
        state=STATE,
        verifier=VERIFIER,
    )


def _take(advertised: bool = False, **fields: str) -> RedirectOutcome:
    pending = PendingAuthorization(_request(advertised=advertised))
    return pending.take(f"{REDIRECT}?{urlencode({'state': STATE.reveal(), **fields})}")


def test_the_authorization_url_has_all_that_the_rules_ask_for() -> None:
    url = _request(scopes=("a", "b")).url()
    assert url.startswith(f"{ISSUER}/authorize?response_type=code&")
    assert dict(parse_qsl(urlsplit(url).query)) == {
        "response_type": "code",
        "client_id": "client/1",
        "redirect_uri": REDIRECT,
        "state": STATE.reveal(),
        "code_challenge": s256_challenge(VERIFIER),
        "code_challenge_method": "S256",
        "resource": "https://mcp.example.com/mcp",
        "scope": "a b",
    }
    assert VERIFIER.reveal() not in url


def test_without_scopes_and_resource_neither_is_sent() -> None:
    names = dict(parse_qsl(urlsplit(_request(resource=None).url()).query))
    assert not {"scope", "resource", "prompt"} & set(names)


def test_offline_access_asks_for_consent() -> None:
    url = _request(scopes=("a", "offline_access")).url()
    assert dict(parse_qsl(urlsplit(url).query))["prompt"] == "consent"


def test_an_existing_query_is_kept_as_it_stands() -> None:
    url = _request(endpoint=f"{ISSUER}/authorize?tenant=a%2Fb&flag").url()
    assert url.count("?") == 1
    assert url.startswith(f"{ISSUER}/authorize?tenant=a%2Fb&flag&response_type=code&")


def test_a_name_of_ours_occurs_once() -> None:
    merged = merge_query("https://a.example/x?state=evil&%73tate=evil&b=1", (("state", "mine"),))
    assert merged == "https://a.example/x?b=1&state=mine"


def test_nothing_prints_state_verifier_or_code() -> None:
    pending = PendingAuthorization(_request())
    granted = _take(code="canary-code")
    assert isinstance(granted, Granted)
    assert granted.code.reveal() == "canary-code"
    for text in (repr(pending), repr(granted)):
        assert STATE.reveal() not in text
        assert VERIFIER.reveal() not in text
        assert "canary" not in text


@pytest.mark.parametrize(
    ("advertised", "iss", "accepted"),
    [
        (True, ISSUER, True),
        (True, None, False),
        (True, "https://evil.example", False),
        (True, f"{ISSUER}/", False),
        (True, "HTTPS://auth.example.com", False),
        (True, "", False),
        (False, None, True),
        (False, ISSUER, True),
        (False, "https://evil.example", False),
        (False, f"{ISSUER}:443", False),
        (False, "", False),
    ],
)
def test_the_issuer_table_holds_for_codes_and_for_errors(
    advertised: bool, iss: str | None, accepted: bool
) -> None:
    named = {} if iss is None else {"iss": iss}
    granted = _take(advertised, code="c", **named)
    error, description, uri = TABLE_TEXTS
    denied = _take(advertised, error=error, error_description=description, error_uri=uri, **named)
    if accepted:
        assert granted == Granted(Secret("c"))
        assert denied == Denied(*TABLE_TEXTS)
    else:
        assert isinstance(granted, WrongServer)
        assert isinstance(denied, WrongServer)
        assert not any(text in repr(denied) for text in TABLE_TEXTS)


def test_two_issuers_are_none() -> None:
    pending = PendingAuthorization(_request())
    fields = f"state={STATE.reveal()}&code=c&iss={ISSUER}&iss=https://evil.example"
    assert isinstance(pending.take(f"/cb?{fields}"), WrongServer)
    assert pending.ended


@pytest.mark.parametrize(
    "redirect",
    [
        "",
        "/cb",
        "/cb?code=c",
        "/cb?error=access_denied",
        "/cb?state=&code=c",
        "/cb?state=wrong&code=c",
        "/cb?state=wrong&error=access_denied",
        f"/cb?state={STATE.reveal()}&state=wrong&code=c",
        f"/cb?state={STATE.reveal()[:-1]}&code=c",
        f"/other?state={STATE.reveal()}&code=c",
        f"//evil.example/cb?state={STATE.reveal()}&code=c",
        f"http://127.0.0.1:4322/cb?state={STATE.reveal()}&code=c",
        f"https://127.0.0.1:4321/cb?state={STATE.reveal()}&code=c",
        f"http://127.0.0.1:x/cb?state={STATE.reveal()}",
        f"/cb?state={STATE.reveal()}&" + "&".join("x" * 1000),
        "/cb?x=" + "x" * 100_000,
    ],
)
def test_a_redirect_that_is_not_ours_does_not_end_the_wait(redirect: str) -> None:
    pending = PendingAuthorization(_request())
    outcome = pending.take(redirect)
    assert isinstance(outcome, NotOurs)
    assert STATE.reveal() not in repr(outcome)
    assert not pending.ended
    assert pending.take(f"/cb?state={STATE.reveal()}&code=c") == Granted(Secret("c"))


def test_a_thousand_wrong_redirects_then_the_right_one_succeed() -> None:
    pending = PendingAuthorization(_request())
    for number in range(1000):
        assert isinstance(pending.take(f"/cb?state={number}&error=access_denied"), NotOurs)
    assert isinstance(pending.take(f"/cb?state={STATE.reveal()}&code=c"), Granted)


def test_a_state_is_used_once() -> None:
    pending = PendingAuthorization(_request())
    redirect = f"{REDIRECT}?state={STATE.reveal()}&code=c"
    assert isinstance(pending.take(redirect), Granted)
    assert pending.take(redirect) == NotOurs("the authorization is over")


@pytest.mark.parametrize(
    "fields", ["", "&code=", "&error=", "&code=a&code=b", "&code=a&error=b", "&error=a&error=b"]
)
def test_a_redirect_of_ours_that_says_nothing_clear_is_unusable(fields: str) -> None:
    pending = PendingAuthorization(_request())
    assert isinstance(pending.take(f"/cb?state={STATE.reveal()}{fields}"), Unusable)
    assert pending.ended


def test_a_pasted_url_may_have_white_space_around_it() -> None:
    pending = PendingAuthorization(_request())
    assert isinstance(pending.take(f"  {REDIRECT}?state={STATE.reveal()}&code=c\n"), Granted)


@given(st.text(st.characters(codec=None), max_size=60))
def test_no_redirect_raises(text: str) -> None:
    pending = PendingAuthorization(_request(advertised=True))
    for redirect in (text, f"/cb?{text}", f"http://{text}/cb?state={STATE.reveal()}&code=c"):
        assert isinstance(pending.take(redirect), NotOurs)
    ours = pending.take(f"/cb?state={STATE.reveal()}&iss={ISSUER}&code=c&x={text}")
    assert isinstance(ours, Granted | Unusable | WrongServer | NotOurs)
