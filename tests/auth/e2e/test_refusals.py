"""Everything that an authorization server, or an MCP server, can do wrong on the way to a token:
nothing secret goes where it must not, nothing is kept, and the error names the fault. Each case has
its control: the same server, honest again, lets the same client in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.auth.e2e.attempt import Outcome, attempt
from tests.auth.e2e.cases import Case, case_id
from tests.auth.e2e.consent_cases import CLIENT_CASES, CONSENT_CASES, TOKEN_CASES
from tests.auth.e2e.discovery_cases import RESOURCE_CASES, SERVER_CASES
from tests.auth.e2e.scripted_person import Person
from tests.servers.auth_server import AuthServer, serving
from tests.servers.auth_toggles import HONEST

CASES = [*RESOURCE_CASES, *SERVER_CASES, *CLIENT_CASES, *CONSENT_CASES, *TOKEN_CASES]
CLIENT_KINDS = {"client_secret", "registration_access_token", "cookie"}
"""What a flow that failed later may keep (the client), and what never was ours (the browser's)."""


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[AuthServer, AuthServer]]:
    """The server, and a bystander that the server points at."""
    with serving() as other, serving(names={"other": other.origin}) as server:
        yield server, other


@pytest.fixture
def servers(running: tuple[AuthServer, AuthServer]) -> tuple[AuthServer, AuthServer]:
    for server in running:
        server.reset(HONEST)
    return running


def nothing_was_kept(server: AuthServer, outcome: Outcome) -> bool:
    """Whether no grant is there, and no secret but the client's own in the files."""
    kept = [
        kind
        for kind, text in server.rules.secrets
        if text.encode() in outcome.kept and kind not in CLIENT_KINDS
    ]
    return outcome.grant is None and kept == [] and b"canary-" not in outcome.kept


def recorded_secrets(server: AuthServer, outcome: Outcome) -> list[str]:
    """The kinds of secrets that the recording holds in plain text."""
    return [kind for kind, text in server.rules.secrets if text.encode() in outcome.recorded]


@pytest.mark.parametrize("case", CASES, ids=case_id)
async def test_what_is_wrong_is_named_and_leads_to_no_token(
    case: Case,
    servers: tuple[AuthServer, AuthServer],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    server, other = servers
    server.reset(case.toggles)
    person = Person()
    outcome = await attempt(server, tmp_path, person, case.profile)

    assert not outcome.ok
    assert case.is_said_in(outcome.error), outcome.error
    asked = [endpoint for endpoint in case.forbidden if server.requests(endpoint)]
    assert asked == []
    assert other.leaked(server.rules.secrets) == []
    assert [seen.endpoint for seen in other.log if seen.endpoint not in {"prm", "metadata"}] == []
    assert [seen for seen in server.requests("mcp") if seen.header("authorization")] == []
    assert nothing_was_kept(server, outcome)
    assert recorded_secrets(server, outcome) == []
    assert b"canary-" not in outcome.recorded
    assert len(person.urls) <= (1 if case.consents is None else case.consents)
    assert server.rules.complaints == []

    server.reset(HONEST)
    again = await attempt(server, tmp_path_factory.mktemp("control"), Person())
    assert again.ok, again.error
    assert again.grant is not None
    assert recorded_secrets(server, again) == []


def test_there_are_more_cases_than_were_promised() -> None:
    assert len(CASES) >= 60
    assert len({case.name for case in CASES}) == len(CASES)
