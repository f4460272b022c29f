"""What a flow must not go on with: one thing is spoiled in an honest world, and nothing is sent to
anybody after that. Each case has a control that is spoiled in a harmless way and must succeed.
"""

from dataclasses import dataclass
from typing import Any

import pytest

from inspector.auth.actions import Failed, Finished, Stage
from inspector.auth.exchange import Step
from inspector.auth.grant import Profile
from inspector.protocol.versions import Revision
from tests.auth.playbook import CODE, ISSUER, PRM, SERVER, Play, World

Spoil = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """`bad` and `good` are merged into one document, None removing a member."""

    name: str
    document: str
    bad: Spoil
    good: Spoil
    kind: str
    stage: Stage


def _rejected(name: str, document: str, bad: Spoil, good: Spoil) -> Case:
    stage = Stage.RESOURCE if document == "resource" else Stage.SERVER
    return Case(name, document, bad, good, "metadata-rejected", stage)


def _resource(name: str, bad: object, good: object = SERVER) -> Case:
    return _rejected(f"resource {name}", "resource", {"resource": bad}, {"resource": good})


def _issuers(name: str, bad: list[str]) -> Case:
    both = {"authorization_servers": [*bad, ISSUER]}
    return _rejected(f"issuer {name}", "resource", {"authorization_servers": bad}, both)


def _endpoint(name: str, member: str, bad: object, good: object = None) -> Case:
    fine = good or f"https://other.example.net/{member}?tenant=a"
    return _rejected(f"{member} {name}", "server", {member: bad}, {member: fine})


def _server(name: str, bad: Spoil, good: Spoil) -> Case:
    return _rejected(name, "server", bad, good)


BAD_URLS = {
    "script": "javascript:alert(1)",
    "file": "file:///etc/passwd",
    "plain http": "http://auth.example.com/x",
    "user name": "https://user:pw@auth.example.com/x",
    "fragment": "https://auth.example.com/x#y",
    "cloud metadata": "https://169.254.169.254/latest",
    "private": "https://10.0.0.5/x",
    "loopback": "https://127.0.0.1/x",
    "mapped": "https://[::ffff:10.0.0.5]/x",
    "disguised": "https://0x7f000001/x",
    "control": "https://auth.example.com/\x1b]0;x",
    "space": "https://auth.example.com/a b",
    "option": "--help",
    "empty": "",
    "number": 7,
}

CASES = (
    _resource("of another host", "https://evil.example/mcp"),
    _resource("of another scheme", "http://mcp.example.com/mcp"),
    _resource("of another port", "https://mcp.example.com:8443/mcp", f"{SERVER}/"),
    _resource("of another path", "https://mcp.example.com/other", "https://mcp.example.com"),
    _resource("with our name in front", "https://mcp.example.com.evil.example/mcp"),
    _resource("with our path in front", f"{SERVER}x", "https://MCP.example.com:443/mcp"),
    _resource("with a user name", "https://mcp.example.com@evil.example/mcp"),
    _resource("with a fragment", f"{SERVER}#x"),
    _resource("missing", None),
    _resource("a list", [SERVER]),
    _rejected(
        "no issuers",
        "resource",
        {"authorization_servers": None},
        {"authorization_servers": [ISSUER]},
    ),
    *(_issuers(name, [url]) for name, url in BAD_URLS.items() if isinstance(url, str)),
    _issuers("with a query", [f"{ISSUER}?a=b"]),
    *(_endpoint(name, "authorization_endpoint", url) for name, url in BAD_URLS.items()),
    *(_endpoint(name, "token_endpoint", url) for name, url in BAD_URLS.items()),
    *(_endpoint(name, "registration_endpoint", url) for name, url in BAD_URLS.items()),
    _endpoint("script", "revocation_endpoint", BAD_URLS["script"]),
    _endpoint("missing", "authorization_endpoint", None),
    _endpoint("missing", "token_endpoint", None),
    _server("issuer of another server", {"issuer": "https://evil.example"}, {"issuer": ISSUER}),
    _server("issuer with other case", {"issuer": "https://AUTH.example.com"}, {"issuer": ISSUER}),
    _server("issuer with a path", {"issuer": f"{ISSUER}/tenant"}, {"issuer": ISSUER}),
    _server("issuer missing", {"issuer": None}, {"issuer": ISSUER}),
    _server(
        "no PKCE said",
        {"code_challenge_methods_supported": None},
        {"code_challenge_methods_supported": ["S256"]},
    ),
    _server(
        "plain PKCE only",
        {"code_challenge_methods_supported": ["plain"]},
        {"code_challenge_methods_supported": ["plain", "S256"]},
    ),
    _server(
        "PKCE that is no list",
        {"code_challenge_methods_supported": "S256"},
        {"code_challenge_methods_supported": ["S256"]},
    ),
    _server(
        "no codes",
        {"response_types_supported": ["token"]},
        {"response_types_supported": ["token", "code"]},
    ),
)


def _world(document: str, changes: Spoil) -> World:
    world = World()
    target = getattr(world, document)
    target.update(changes)
    for name in [name for name, value in target.items() if value is None]:
        del target[name]
    return world


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_spoiled_metadata_ends_the_flow_before_anybody_is_told_anything(case: Case) -> None:
    play = Play(_world(case.document, case.bad))
    failed = play.failure()
    assert (failed.kind, failed.stage) == (case.kind, case.stage)
    assert failed.remarks
    assert play.opened == []
    assert {request.method for request in play.sent} == {"GET"}
    assert len(play.sent) == (1 if case.stage is Stage.RESOURCE else 2)
    control = Play(_world(case.document, case.good))
    assert control.grant()


# Redirects: RFC 9207 section 2.4, and everything else that can be wrong with one of ours

Changes = dict[str, str | None]
ADVERTISED: Spoil = {"authorization_response_iss_parameter_supported": True}
REDIRECTS: tuple[tuple[str, Spoil, Changes, str, Changes], ...] = (
    ("iss promised and missing", ADVERTISED, {"iss": None}, "wrong-server", {}),
    ("iss of another", ADVERTISED, {"iss": "https://e.example"}, "wrong-server", {"iss": ISSUER}),
    ("iss with a slash", ADVERTISED, {"iss": f"{ISSUER}/"}, "wrong-server", {"iss": ISSUER}),
    ("iss in other case", ADVERTISED, {"iss": ISSUER.upper()}, "wrong-server", {}),
    ("iss empty", ADVERTISED, {"iss": ""}, "wrong-server", {}),
    ("iss not promised, of another", {}, {"iss": "https://e.example"}, "wrong-server", {}),
    ("iss not promised, with a slash", {}, {"iss": f"{ISSUER}/"}, "wrong-server", {"iss": ISSUER}),
    ("error of another", {}, {"error": "e", "iss": "https://e.example"}, "wrong-server", {}),
    ("no code", {}, {"code": None}, "redirect-unusable", {}),
    ("empty code", {}, {"code": ""}, "redirect-unusable", {"code": "x"}),
    ("code and error", {}, {"error": "access_denied"}, "redirect-unusable", {"error": None}),
    ("denied", {}, {"code": None, "error": "access_denied"}, "denied", {}),
    ("in trouble", {}, {"code": None, "error": "server_error"}, "denied", {}),
)


@pytest.mark.parametrize(
    ("server", "bad", "kind", "good"), [pytest.param(*case[1:], id=case[0]) for case in REDIRECTS]
)
def test_a_redirect_that_says_nothing_good_sends_no_code(
    server: Spoil, bad: Changes, kind: str, good: Changes
) -> None:
    world = _world("server", server)
    play = Play(world)
    play.go()
    assert play.consent(**bad)
    failed = play.action
    assert isinstance(failed, Failed)
    assert (failed.kind, failed.stage) == (kind, Stage.CONSENT)
    assert Step.CODE not in play.steps_sent()
    assert CODE not in repr((failed, play.flow.steps))
    control = Play(world)
    control.go()
    assert control.consent(**good)
    assert isinstance(control.go(), Finished)
    play.flow.retry(play.now)
    assert play.grant()


# Answers of the token endpoint

TOKENS: tuple[tuple[str, Spoil, Spoil], ...] = (
    ("no token", {"access_token": None}, {"access_token": "t"}),
    ("empty token", {"access_token": ""}, {"access_token": "t.t"}),
    ("a number", {"access_token": 7}, {"access_token": "7"}),
    ("not ASCII", {"access_token": "tök"}, {"access_token": "tok"}),
    ("a new line", {"access_token": "t\r\nX-Evil: 1"}, {"access_token": "t-X"}),
    ("a space", {"access_token": "t t"}, {"access_token": "t="}),
    ("too long", {"access_token": "t" * 65537}, {"access_token": "t" * 65536}),
    ("no type", {"token_type": None}, {"token_type": "bearer"}),
    ("another type", {"token_type": "DPoP"}, {"token_type": "BEARER"}),
    ("an error in a success", {"access_token": None, "error": "x"}, {"error": None}),
    ("no text", {"access_token": float("nan")}, {"expires_in": "60"}),
)


@pytest.mark.parametrize(("bad", "good"), [pytest.param(*case[1:], id=case[0]) for case in TOKENS])
def test_a_token_that_cannot_be_used_is_none(bad: Spoil, good: Spoil) -> None:
    play = Play(_world("token", bad))
    failed = play.failure()
    assert (failed.kind, failed.stage) == ("token-refused", Stage.TOKEN)
    assert len([step for step in play.steps_sent() if step is Step.CODE]) == 1
    assert Play(_world("token", good)).grant()


# Registrations

REGISTRATIONS: tuple[tuple[str, Spoil, Spoil], ...] = (
    ("no id", {"client_id": None}, {}),
    ("an id of control characters", {"client_id": "a\nb"}, {"client_id": "a b"}),
    ("an id that is a number", {"client_id": 7}, {"client_id": "7"}),
    ("a secret that is a list", {"client_secret": ["s"]}, {"client_secret": "secret-1"}),
    (
        "a proof without a secret",
        {"token_endpoint_auth_method": "client_secret_basic"},
        {"token_endpoint_auth_method": "client_secret_basic", "client_secret": "secret-1"},
    ),
    (
        "a proof that we do not have",
        {"token_endpoint_auth_method": "tls_client_auth", "client_secret": "secret-1"},
        {"token_endpoint_auth_method": "none", "client_secret": "secret-1"},
    ),
    (
        "an expired secret",
        {"client_secret": "secret-1", "client_secret_expires_at": 5},
        {"client_secret": "secret-1", "client_secret_expires_at": 0},
    ),
)


@pytest.mark.parametrize(
    ("bad", "good"), [pytest.param(*case[1:], id=case[0]) for case in REGISTRATIONS]
)
def test_a_registration_that_cannot_be_used_opens_no_browser(bad: Spoil, good: Spoil) -> None:
    play = Play(_world("registration", bad))
    failed = play.failure()
    assert (failed.kind, failed.stage) == ("registration-refused", Stage.CLIENT)
    assert play.opened == []
    assert play.flow.registered is None
    assert Play(_world("registration", good)).grant()


@pytest.mark.parametrize(
    "fails", [(301, b""), (307, b""), (401, b""), (403, b""), (404, b""), (410, b"")]
)
def test_where_nothing_is_published_nothing_is_guessed(fails: tuple[int, bytes]) -> None:
    world = World()
    world.answers = {f"{PRM}/mcp": fails, PRM: fails}
    play = Play(world)
    assert play.failure().kind == "metadata-absent"
    assert [request.method for request in play.sent] == ["GET", "GET"]
    world.answers = {f"{PRM}/mcp": fails}
    assert Play(world).grant()


def test_2025_03_26_goes_on_without_a_word_about_pkce_and_says_so() -> None:
    world = _world("server", {"code_challenge_methods_supported": None})
    play = Play(world, profile=Profile(SERVER, Revision.V2025_03_26))
    assert play.grant()
    assert "pkce-unknown" in {r.rule for s in play.flow.steps for r in s.remarks}
