"""Where metadata is looked for, and when the search ends."""

import pytest

from inspector.auth.discovery import (
    Answer,
    Outcome,
    after_status,
    default_endpoints,
    origin_root_issuer,
    outcome_of,
    resource_metadata_candidates,
    server_metadata_candidates,
)
from inspector.auth.remarks import Judged, refusal, warning
from inspector.protocol.versions import REVISIONS, Revision

B, C, D, E = REVISIONS[1:]
PRM = "https://mcp.example.com/.well-known/oauth-protected-resource"


def _resource(server_url: str, challenge_url: str | None = None) -> list[str]:
    return [c.url for c in resource_metadata_candidates(server_url, challenge_url)]


def _server(issuer: str, revision: Revision) -> list[str]:
    return [c.url for c in server_metadata_candidates(issuer, revision)]


def test_the_challenge_is_asked_first_then_the_path_then_the_root() -> None:
    found = _resource("https://mcp.example.com/a/mcp", "https://elsewhere.example/prm")
    assert found == ["https://elsewhere.example/prm", f"{PRM}/a/mcp", PRM]


def test_a_place_is_asked_once() -> None:
    assert _resource("https://mcp.example.com/mcp", f"{PRM}/mcp") == [f"{PRM}/mcp", PRM]
    assert _resource("https://mcp.example.com/", "") == [PRM]
    assert _resource("HTTPS://MCP.example.com:443") == [PRM]


def test_a_slash_at_the_end_and_a_query_are_part_of_the_resource() -> None:
    assert _resource("https://mcp.example.com/mcp/") == [f"{PRM}/mcp/", f"{PRM}/mcp", PRM]
    assert _resource("https://mcp.example.com/mcp?t=1") == [f"{PRM}/mcp?t=1", PRM]


@pytest.mark.parametrize("revision", [D, E])
def test_an_issuer_with_a_path_has_three_places(revision: Revision) -> None:
    base = "https://auth.example.com"
    assert _server(f"{base}/tenant1", revision) == [
        f"{base}/.well-known/oauth-authorization-server/tenant1",
        f"{base}/.well-known/openid-configuration/tenant1",
        f"{base}/tenant1/.well-known/openid-configuration",
    ]
    assert _server(f"{base}/tenant1/", revision) == _server(f"{base}/tenant1", revision)


@pytest.mark.parametrize("issuer", ["https://auth.example.com", "https://auth.example.com/"])
def test_an_issuer_without_a_path_has_two_places(issuer: str) -> None:
    assert _server(issuer, E) == [
        "https://auth.example.com/.well-known/oauth-authorization-server",
        "https://auth.example.com/.well-known/openid-configuration",
    ]


@pytest.mark.parametrize("revision", [B, C])
def test_older_revisions_know_rfc_8414_only(revision: Revision) -> None:
    assert _server("https://auth.example.com/t", revision) == [
        "https://auth.example.com/.well-known/oauth-authorization-server/t"
    ]


def test_every_candidate_says_whose_rule_it_is() -> None:
    found = resource_metadata_candidates("https://a.example/mcp", "https://b.example/")
    found += server_metadata_candidates("https://a.example/t", E)
    assert all(candidate.source for candidate in found)


def test_the_origin_is_the_issuer_in_2025_03_26_only() -> None:
    url = "https://api.example.com:8443/v1/mcp"
    assert origin_root_issuer(url, B) == "https://api.example.com:8443"
    assert [origin_root_issuer(url, revision) for revision in (C, D, E)] == [None, None, None]


def test_default_endpoints_lie_at_the_origin() -> None:
    server = default_endpoints("https://api.example.com/v1/mcp", B, [Outcome.ABSENT])
    assert server is not None
    assert server.guessed
    assert server.authorization_endpoint == "https://api.example.com/authorize"
    assert server.token_endpoint == "https://api.example.com/token"
    assert server.registration_endpoint == "https://api.example.com/register"


@pytest.mark.parametrize(
    "outcomes", [[Outcome.REJECTED], [Outcome.FAILED], [Outcome.ABSENT, Outcome.REJECTED], []]
)
def test_metadata_that_was_rejected_is_not_replaced_by_a_guess(outcomes: list[Outcome]) -> None:
    assert default_endpoints("https://api.example.com/mcp", B, outcomes) is None


@pytest.mark.parametrize("revision", [C, D, E])
def test_later_revisions_have_no_default_endpoints(revision: Revision) -> None:
    assert default_endpoints("https://a.example/mcp", revision, [Outcome.ABSENT]) is None


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (200, Answer.READ),
        (302, Answer.NEXT),
        (401, Answer.NEXT),
        (404, Answer.NEXT),
        (204, Answer.STOP),
        (429, Answer.STOP),
        (500, Answer.STOP),
        (503, Answer.STOP),
    ],
)
def test_only_a_clear_answer_goes_on(status: int, answer: Answer) -> None:
    assert after_status(status) is answer


def test_a_page_is_absent_metadata_and_a_broken_rule_rejects() -> None:
    unreadable: Judged[str] = Judged(None, (refusal("metadata-unreadable", "it is no JSON", "x"),))
    assert outcome_of(unreadable) is Outcome.ABSENT
    assert outcome_of(Judged("d", (refusal("r", "m", "s"),))) is Outcome.REJECTED
    assert outcome_of(Judged("d", (warning("r", "m", "s"),))) is None
