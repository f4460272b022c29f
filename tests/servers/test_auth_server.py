"""The authorization server of the tests is honest when nothing is toggled: shown by hand, with
httpx alone, and by the official SDK's client, which knows nothing of ours."""

import base64
import hashlib
import json
import secrets
from collections.abc import Iterator
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest

from tests.servers.auth_server import AuthServer, serving
from tests.servers.auth_toggles import Canned, Toggles, canned_json
from tests.servers.scripted_browser import browse, redirect_of
from tests.servers.sdk_client import add_as_official_client

BACK = "http://127.0.0.1:1/back"


@pytest.fixture
def server() -> Iterator[AuthServer]:
    with serving() as running:
        yield running


def register(server: AuthServer, **more: object) -> dict[str, str]:
    asked = {"redirect_uris": [BACK], "token_endpoint_auth_method": "none", **more}
    answer = httpx.post(f"{server.origin}/register", json=asked)
    assert answer.status_code == 201, answer.text
    client: dict[str, str] = answer.json()
    return client


def authorize_url(server: AuthServer, client_id: str, verifier: str, /, **more: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    fields = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": BACK,
        "state": "s" * 43,
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
        "resource": server.url,
        **more,
    }
    return f"{server.origin}/authorize?{urlencode(fields)}"


def redeem(server: AuthServer, **more: str) -> httpx.Response:
    form = {"grant_type": "authorization_code", "redirect_uri": BACK, "resource": server.url}
    return httpx.post(f"{server.origin}/token", data={**form, **more})


def granted(server: AuthServer) -> dict[str, str]:
    client, verifier = register(server), secrets.token_urlsafe(32)
    to = redirect_of(authorize_url(server, client["client_id"], verifier), BACK)
    fields = {name: values[0] for name, values in parse_qs(urlsplit(to).query).items()}
    assert fields["iss"] == server.issuer
    form = {"client_id": client["client_id"], "code": fields["code"], "code_verifier": verifier}
    answer = redeem(server, **form)
    assert answer.status_code == 200, answer.text
    return {**form, **answer.json()}


def ping(server: AuthServer, token: str) -> httpx.Response:
    headers = {
        "Authorization": f"Bearer {token}",
        "Accept": "application/json, text/event-stream",
    }
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "by hand", "version": "1"},
        },
    }
    return httpx.post(server.url, json=message, headers=headers)


def test_without_a_token_it_says_where_its_metadata_is(server: AuthServer) -> None:
    answer = ping(server, "made-up")
    assert answer.status_code == 401
    named = answer.headers["WWW-Authenticate"].split('"')[1]
    document = httpx.get(named).json()
    assert document["resource"] == server.url
    assert document["authorization_servers"] == [server.issuer]


def test_a_token_that_was_consented_to_opens_the_mcp_server(server: AuthServer) -> None:
    token = granted(server)
    answer = ping(server, token["access_token"])
    assert answer.status_code == 200
    assert "protected" in answer.text
    assert server.rules.complaints == []


def test_a_code_is_good_once_and_its_second_use_ends_its_tokens(server: AuthServer) -> None:
    first = granted(server)
    form = {name: first[name] for name in ("client_id", "code", "code_verifier")}
    assert redeem(server, **form).json()["error"] == "invalid_grant"
    assert ping(server, first["access_token"]).status_code == 401


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"code_verifier": "v" * 43}, "invalid_grant"),
        ({"code": "made up"}, "invalid_grant"),
        ({"resource": "https://elsewhere.example/mcp"}, "invalid_target"),
        ({"redirect_uri": "http://127.0.0.1:2/"}, "invalid_grant"),
        ({"client_id": "somebody"}, "invalid_client"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
    ],
)
def test_a_wrong_token_request_is_refused(
    server: AuthServer, change: dict[str, str], error: str
) -> None:
    client, verifier = register(server), secrets.token_urlsafe(32)
    to = redirect_of(authorize_url(server, client["client_id"], verifier), BACK)
    code = parse_qs(urlsplit(to).query)["code"][0]
    form = {"client_id": client["client_id"], "code": code, "code_verifier": verifier}
    answer = redeem(server, **{**form, **change})
    assert answer.json()["error"] == error
    assert server.rules.complaints


@pytest.mark.parametrize(
    "change",
    [
        {"redirect_uri": "http://127.0.0.1:9/other"},
        {"code_challenge_method": "plain"},
        {"state": "short"},
        {"resource": ""},
        {"client_id": "somebody"},
        {"response_type": "token"},
    ],
)
def test_a_wrong_authorization_request_gets_no_redirect(
    server: AuthServer, change: dict[str, str]
) -> None:
    client = register(server)
    url = authorize_url(server, client["client_id"], "v" * 43, **change)
    assert browse(url)[-1][1] == 400
    assert [kind for kind, _ in server.rules.secrets if kind == "code"] == []


def test_refresh_tokens_rotate_and_an_old_one_ends_all(server: AuthServer) -> None:
    old = granted(server)
    form = {
        "grant_type": "refresh_token",
        "refresh_token": old["refresh_token"],
        "client_id": old["client_id"],
        "resource": server.url,
    }
    new = httpx.post(f"{server.origin}/token", data=form).json()
    assert ping(server, new["access_token"]).status_code == 200
    assert httpx.post(f"{server.origin}/token", data=form).json()["error"] == "invalid_grant"
    assert ping(server, new["access_token"]).status_code == 401


def test_forms_are_filled_in_on_the_way(server: AuthServer) -> None:
    server.turn(forms=True)
    client = register(server)
    went = browse(authorize_url(server, client["client_id"], "v" * 43), stop_at=BACK)
    assert [urlsplit(url).path for url, _ in went] == ["/authorize", "/login", "/consent", "/back"]
    assert b"password=lovelace" in server.requests("login")[0].body


def test_canned_answers_come_in_their_order(server: AuthServer) -> None:
    answers = (canned_json({"error": "once"}, 500), None, Canned(503))
    server.turn(canned={"register": answers})
    body = json.dumps({"redirect_uris": [BACK], "token_endpoint_auth_method": "none"})
    statuses = [httpx.post(f"{server.origin}/register", content=body).status_code for _ in "1234"]
    assert statuses == [500, 201, 503, 503]


def test_what_leaked_is_found_wherever_it_was_sent() -> None:
    with serving() as server, serving() as other:
        token = granted(server)["access_token"]
        assert other.leaked(server.rules.secrets) == []
        httpx.get(f"{other.origin}/x?t={token}")
        assert other.leaked(server.rules.secrets) == ["access_token"]


@pytest.mark.parametrize(
    "toggles",
    [
        Toggles(),
        Toggles(forms=True),
        Toggles(prm_places=("root",), challenge=("Bearer",)),
        Toggles(prm_places=("path",), challenge=('Bearer realm="x"',)),
        Toggles(issuer_path="/tenant", metadata_places=("openid",)),
        Toggles(issuer_path="/tenant", metadata_places=("appended",)),
        Toggles(metadata={"token_endpoint_auth_methods_supported": ["client_secret_post"]}),
        Toggles(accepted_calls=2),
    ],
    ids=["plain", "forms", "root", "path", "openid", "appended", "post", "void-later"],
)
async def test_the_official_client_gets_in(toggles: Toggles) -> None:
    with serving(toggles) as server:
        assert await add_as_official_client(server.url, 2, 3) == "5"
        assert server.rules.complaints == []
