"""Which client we are: chosen in order, registered as a native application, read with care."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.auth.exchange import ErrorAnswer
from inspector.auth.metadata import AuthorizationServer
from inspector.auth.registration import (
    AskForClient,
    AuthMethod,
    Client,
    ClientOrigin,
    RegisterClient,
    UseClient,
    WrongIssuer,
    check_document_url,
    choose_auth_method,
    choose_client,
    read_registration,
    registration_body,
    registration_request,
    requested_auth_method,
)
from inspector.auth.secret import Secret
from inspector.errors import UsageError
from inspector.protocol.json_text import Json

ISSUER = "https://auth.example.com"
DOCUMENT = "https://app.example.com/client.json"
REDIRECT = "http://127.0.0.1:1234/callback"
NOW = 1_000_000.0


def _server(
    *,
    register: bool = True,
    documents: bool = False,
    methods: tuple[str, ...] | None = None,
    grants: tuple[str, ...] | None = None,
) -> AuthorizationServer:
    return AuthorizationServer(
        issuer=ISSUER,
        token_endpoint=f"{ISSUER}/token",
        registration_endpoint=f"{ISSUER}/register" if register else "",
        metadata_documents=documents,
        auth_methods=methods,
        grant_types=grants,
    )


def _stored(issuer: str = ISSUER, expires_at: float | None = None) -> Client:
    return Client("stored", ClientOrigin.DYNAMIC, AuthMethod.BASIC, Secret("s"), issuer, expires_at)


MINE = Client("mine", ClientOrigin.PREREGISTERED, issuer=ISSUER)


def test_a_client_registered_before_comes_first() -> None:
    choice = choose_client(
        _server(documents=True),
        now=NOW,
        preregistered=MINE,
        document_url=DOCUMENT,
        stored=_stored(),
    )
    assert choice == UseClient(MINE)


def test_a_metadata_document_comes_second_where_it_is_advertised() -> None:
    advertised = choose_client(
        _server(documents=True), now=NOW, document_url=DOCUMENT, stored=_stored()
    )
    assert isinstance(advertised, UseClient)
    assert advertised.client.client_id == DOCUMENT
    assert advertised.client.auth_method is AuthMethod.NONE
    assert advertised.client.issuer == ""
    silent = choose_client(_server(), now=NOW, document_url=DOCUMENT)
    assert isinstance(silent, RegisterClient)


def test_dynamic_registration_comes_third_and_is_done_once() -> None:
    assert choose_client(_server(), now=NOW) == RegisterClient(f"{ISSUER}/register")
    assert choose_client(_server(), now=NOW, stored=_stored()) == UseClient(_stored())


def test_the_user_is_asked_where_nothing_else_is_left() -> None:
    choice = choose_client(_server(register=False), now=NOW, document_url=DOCUMENT)
    assert choice == AskForClient("the authorization server registers no clients")


def test_an_expired_secret_is_registered_anew() -> None:
    choice = choose_client(_server(), now=NOW, stored=_stored(expires_at=NOW))
    assert isinstance(choice, RegisterClient)
    assert "expired" in choice.why
    fresh = _stored(expires_at=NOW + 1)
    assert choose_client(_server(), now=NOW, stored=fresh) == UseClient(fresh)


def test_a_client_of_another_server_is_not_used_here() -> None:
    choice = choose_client(_server(), now=NOW, stored=_stored("https://old.example"))
    assert isinstance(choice, RegisterClient)
    assert "another authorization server" in choice.why


def test_the_users_credentials_are_not_sent_to_another_server() -> None:
    other = Client("mine", ClientOrigin.PREREGISTERED, issuer="https://old.example")
    choice = choose_client(_server(), now=NOW, preregistered=other)
    assert choice == WrongIssuer("https://old.example", ISSUER)


def test_the_users_secret_is_proved_as_the_server_offers() -> None:
    mine = Client("mine", ClientOrigin.PREREGISTERED, secret=Secret("s"))
    choice = choose_client(_server(methods=("client_secret_post",)), now=NOW, preregistered=mine)
    assert isinstance(choice, UseClient)
    assert choice.client.auth_method is AuthMethod.POST


@pytest.mark.parametrize("url", [DOCUMENT, "https://a.example:8443/x"])
def test_an_https_url_with_a_path_is_a_client_id(url: str) -> None:
    check_document_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://app.example.com/client.json",
        "https://app.example.com",
        "https://app.example.com/",
        "https://app.example.com/a#b",
        "https://u@app.example.com/a",
        "https://app.example.com/a/../b",
        "https:///a",
        "https://[::1/a",
        "https://app.example.com/a b",
        "https://app.example.com/é",
        "client.json",
        "",
    ],
)
def test_another_url_is_none(url: str) -> None:
    with pytest.raises(UsageError, match="metadata document"):
        check_document_url(url)


@pytest.mark.parametrize(
    ("supported", "secret", "method"),
    [
        (None, True, AuthMethod.BASIC),
        (("client_secret_post", "client_secret_basic"), True, AuthMethod.BASIC),
        (("none", "client_secret_post"), True, AuthMethod.POST),
        (("none",), True, AuthMethod.NONE),
        (("tls_client_auth",), True, AuthMethod.BASIC),
        (("client_secret_basic",), False, AuthMethod.NONE),
    ],
)
def test_a_client_proves_itself_as_offered(
    supported: tuple[str, ...] | None, secret: bool, method: AuthMethod
) -> None:
    assert choose_auth_method(supported, has_secret=secret) is method


@pytest.mark.parametrize(
    ("methods", "asked"),
    [
        (None, AuthMethod.BASIC),
        (("client_secret_basic", "none"), AuthMethod.NONE),
        (("client_secret_post",), AuthMethod.POST),
        (("client_secret_post", "client_secret_basic"), AuthMethod.POST),
        (("private_key_jwt", "client_secret_basic", "client_secret_post"), AuthMethod.BASIC),
        ((), AuthMethod.BASIC),
    ],
)
def test_we_ask_for_no_secret_where_we_can(
    methods: tuple[str, ...] | None, asked: AuthMethod
) -> None:
    assert requested_auth_method(_server(methods=methods)) is asked


def test_we_register_as_a_native_application() -> None:
    body = registration_body(
        _server(methods=("none",)), redirect_uris=[REDIRECT], scopes=("a", "b")
    )
    assert body == {
        "client_name": "mcp-inspect",
        "redirect_uris": [REDIRECT],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        "application_type": "native",
        "scope": "a b",
    }
    request = registration_request(_server(methods=("none",)), redirect_uris=[REDIRECT])
    assert (request.method, request.url) == ("POST", f"{ISSUER}/register")
    assert ("Content-Type", "application/json") in request.headers
    assert "scope" not in json.loads(request.body)


def test_a_server_without_refresh_is_not_asked_for_it() -> None:
    server = _server(grants=("authorization_code",))
    assert registration_body(server, redirect_uris=[REDIRECT])["grant_types"] == [
        "authorization_code"
    ]


@pytest.mark.parametrize("uri", ["http://localhost:3000/callback", "https://a.example/cb"])
def test_a_redirect_goes_to_this_machine_or_to_https(uri: str) -> None:
    assert registration_body(_server(), redirect_uris=[uri])["redirect_uris"] == [uri]


@pytest.mark.parametrize(
    "uri", ["http://a.example/cb", "app://cb", "/cb", "http://[::1/", "http://localhost/#x"]
)
def test_a_redirect_goes_nowhere_else(uri: str) -> None:
    with pytest.raises(UsageError, match="redirected"):
        registration_body(_server(), redirect_uris=[uri])


def _read(document: dict[str, Json], *methods: str, status: int = 201) -> Client | ErrorAnswer:
    body = json.dumps(document).encode()
    return read_registration(status, body, server=_server(methods=methods or None), now=NOW)


def test_a_public_client_is_read() -> None:
    assert _read({"client_id": "c", "token_endpoint_auth_method": "none"}) == Client(
        "c", ClientOrigin.DYNAMIC, AuthMethod.NONE, None, ISSUER
    )
    assert _read({"client_id": "c"}, status=200) == _read({"client_id": "c"})


def test_a_confidential_client_is_read_and_its_secret_is_not_printed() -> None:
    client = _read(
        {
            "client_id": "c",
            "client_secret": "canary-1",
            "client_secret_expires_at": NOW + 60,
            "token_endpoint_auth_method": "client_secret_post",
        }
    )
    assert isinstance(client, Client)
    assert client.auth_method is AuthMethod.POST
    assert client.secret == Secret("canary-1")
    assert "canary" not in repr(client)
    assert (client.is_expired(NOW + 59), client.is_expired(NOW + 60)) == (False, True)


@pytest.mark.parametrize("expires", [0, None, "soon", True])
def test_a_secret_that_never_expires_never_does(expires: Json) -> None:
    client = _read({"client_id": "c", "client_secret": "s", "client_secret_expires_at": expires})
    assert isinstance(client, Client)
    assert client.expires_at is None
    assert not client.is_expired(1e12)


def test_the_method_follows_the_server_where_the_answer_is_silent() -> None:
    silent: dict[str, Json] = {"client_id": "c", "client_secret": "s"}
    post, none = _read(silent, "client_secret_post"), _read(silent)
    assert isinstance(post, Client)
    assert isinstance(none, Client)
    assert (post.auth_method, none.auth_method) == (AuthMethod.POST, AuthMethod.BASIC)


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({}, "no client_id"),
        ({"client_id": 7}, "no client_id"),
        ({"client_id": "a\n"}, "no client_id"),
        ({"client_id": "\ud800"}, "no client_id"),
        ({"client_id": "c", "client_secret": "é"}, "client_secret that cannot be sent"),
        ({"client_id": "c", "client_secret": 7}, "client_secret that cannot be sent"),
        ({"client_id": "c", "token_endpoint_auth_method": "client_secret_basic"}, "cannot prove"),
        (
            {"client_id": "c", "client_secret": "s", "token_endpoint_auth_method": "tls"},
            "cannot prove",
        ),
        (
            {"client_id": "c", "client_secret": "s", "client_secret_expires_at": 5},
            "expired before its first use",
        ),
    ],
)
def test_an_answer_that_cannot_be_used_says_why(document: dict[str, Json], reason: str) -> None:
    answer = _read(document)
    assert isinstance(answer, ErrorAnswer)
    assert reason in answer.reason


def test_a_rejected_registration_says_what_the_server_said() -> None:
    answer = _read({"error": "invalid_redirect_uri", "error_description": "no"}, status=400)
    assert answer == ErrorAnswer(400, "invalid_redirect_uri", "no")
    assert isinstance(read_registration(201, b"<html>", server=_server(), now=NOW), ErrorAnswer)


@given(st.binary(max_size=80), st.integers(100, 599))
def test_no_body_raises(body: bytes, status: int) -> None:
    assert isinstance(
        read_registration(status, body, server=_server(), now=NOW), Client | ErrorAnswer
    )
