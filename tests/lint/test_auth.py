"""The rules of authorization."""

from pathlib import Path

import pytest

from inspector.journal.entries import HttpFacts
from inspector.protocol.messages import Json, JsonObject, encode_json
from tests.lint.bench import URL, Case, Step, Talk, ask, check, http

PRM: JsonObject = {"resource": URL, "authorization_servers": ["https://as.example/t"]}
PRM_URL = "http://server.example/.well-known/oauth-protected-resource/mcp"
SERVER: JsonObject = {
    "issuer": "https://as.example/t",
    "authorization_endpoint": "https://as.example/authorize",
    "code_challenge_methods_supported": ["S256"],
    "authorization_response_iss_parameter_supported": True,
}
SERVER_URL = "https://as.example/.well-known/oauth-authorization-server/t"
PING = ask(1, "tools/list")


def refused(challenge: str) -> list[Step]:
    return [PING, http(401, "", response=(("WWW-Authenticate", challenge),))]


def document(url: str, value: Json | bytes) -> list[Step]:
    body = value if isinstance(value, bytes) else encode_json(value)

    def step(talk: Talk) -> None:
        facts = HttpFacts(
            "GET", url, (), 200, "", (("Content-Type", "application/json"),), body=body
        )
        talk.journal.http(facts, connection=talk.connection)

    return [step]


def resource(**more: Json) -> list[Step]:
    return document(PRM_URL, {**PRM, **more})


def elsewhere(url: str) -> list[Step]:
    return document(url, {**PRM, "resource": "http://other.example/mcp"})


def server(**more: Json) -> list[Step]:
    return document(SERVER_URL, {name: each for name, each in {**SERVER, **more}.items() if each})


TOLD = 'Bearer resource_metadata="http://server.example/x", scope="read"'

CASES = (
    Case("auth/no-resource-metadata", "C", refused("Bearer"), refused(TOLD), transport="http"),
    Case(
        "auth/no-resource-metadata",
        "D",
        refused('Bearer scope="read"'),
        refused(TOLD),
        transport="http",
    ),
    Case(
        "auth/no-scope-hint",
        "D",
        refused('Bearer resource_metadata="http://server.example/x"'),
        refused(TOLD),
        transport="http",
    ),
    Case("auth/prm-invalid", "D", document(PRM_URL, b"<html>"), resource(), transport="http"),
    Case(
        "auth/prm-invalid",
        "D",
        resource(authorization_servers=[]),
        resource(),
        transport="http",
        name="-servers",
    ),
    Case(
        "auth/prm-resource-mismatch",
        "D",
        resource(resource="http://other.example/mcp"),
        resource(resource="http://server.example"),
        transport="http",
    ),
    Case(
        "auth/prm-resource-mismatch",
        "D",
        [
            *refused('Bearer resource_metadata="http://server.example/prm.json", scope="a"'),
            *elsewhere("http://server.example/prm.json"),
        ],
        [
            *refused('Bearer scope="a", resource_metadata=http://server.example/other.json'),
            *elsewhere("http://server.example/prm.json"),
        ],
        transport="http",
        name="-named",
    ),
    Case(
        "auth/no-pkce-metadata",
        "D",
        server(code_challenge_methods_supported=None),
        server(),
        transport="http",
    ),
    Case(
        "auth/issuer-mismatch",
        "E",
        server(issuer="https://as.example/u"),
        server(),
        transport="http",
    ),
    Case(
        "auth/http-endpoint",
        "D",
        server(token_endpoint="http://as.example/t"),
        server(token_endpoint="http://localhost/t"),
        transport="http",
    ),
    Case(
        "auth/offline-scope",
        "E",
        resource(scopes_supported=["offline_access"]),
        resource(scopes_supported=["read"]),
        transport="http",
    ),
    Case(
        "auth/iss-not-advertised",
        "E",
        server(authorization_response_iss_parameter_supported=None),
        server(),
        transport="http",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)
