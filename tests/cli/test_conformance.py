"""What the conformance suite says in the environment, and what is done about it."""

import jsonschema_rs
import pytest

from inspector.auth.profile import build_profile
from inspector.cli.conformance import _SCRIPTS as SCRIPTS
from inspector.cli.conformance import CONTEXT, REVISION, SCENARIO, assignment, call_first, stub
from inspector.cli.conformance_person import CLIENT_DOCUMENT
from inspector.errors import UsageError
from tests.cli.running import Runner
from tests.servers import real

URL = "http://127.0.0.1:1/mcp"


def test_the_revision_is_pinned_and_without_one_the_era_is_found_out() -> None:
    assert assignment({REVISION: "2025-06-18"}).options().protocol == "2025-06-18"
    assert assignment({}).options().protocol == "auto"


@pytest.mark.parametrize("context", ["{", "[]", "3"])
def test_a_context_that_is_no_object_is_the_suites_fault_and_named(context: str) -> None:
    with pytest.raises(UsageError, match=CONTEXT):
        assignment({CONTEXT: context})


def test_a_client_of_the_context_is_used_and_else_the_metadata_document() -> None:
    given = '{"name": "x", "client_id": "me", "client_secret": "s3cret", "issuer": "https://as"}'
    with assignment({CONTEXT: given}).oauth() as choice:
        client = build_profile(choice, URL).client
        assert client is not None
        assert (client.client_id, client.issuer) == ("me", "https://as")
    with assignment({}).oauth() as choice:
        assert build_profile(choice, URL).document_url == CLIENT_DOCUMENT


def test_a_private_key_lies_in_a_file_only_while_it_is_needed() -> None:
    environ = {CONTEXT: '{"client_id": "me", "private_key_pem": "-----BEGIN"}'}
    with assignment(environ).oauth() as choice:
        assert choice.private_key is not None
        assert choice.private_key.read_text() == "-----BEGIN"
        assert choice.private_key.stat().st_mode & 0o077 == 0
        path = choice.private_key
    assert not path.exists()


def test_every_scenario_with_a_script_of_its_own_is_not_the_ordinary_one() -> None:
    assert call_first not in SCRIPTS.values()


@pytest.mark.parametrize(
    "schema",
    [
        {
            "type": "object",
            "properties": {
                "text": {"type": "string"},
                "count": {"type": "integer"},
                "share": {"type": "number"},
                "yes": {"type": "boolean"},
                "list": {"type": "array"},
                "nothing": {"type": "null"},
                "inner": {
                    "type": "object",
                    "properties": {"deep": {"type": "string"}},
                    "required": ["deep"],
                },
                "choice": {"enum": [3, 4]},
                "fixed": {"const": "c"},
                "given": {"type": "integer", "default": 7},
            },
            "required": ["text", "count", "share", "yes", "list", "nothing", "inner", "choice"],
        },
        {"type": "object"},
        True,
    ],
)
def test_stub_arguments_fit_their_schema(schema: object) -> None:
    assert jsonschema_rs.is_valid(schema, stub(schema))  # type: ignore[arg-type]


def test_without_a_scenario_the_first_tool_of_a_real_server_is_called(run: Runner) -> None:
    port = real.free_port()
    with real.running(real.modern_server("http", port), port) as origin:
        done = run("conformance-client", f"{origin}/mcp")
        assert done.code == 0, done.stderr
        assert "2026-07-28" in done.stderr
        assert "tools/call: answered" in done.stderr
        pinned = run("conformance-client", f"{origin}/mcp", **{REVISION: "2025-11-25"})
        assert pinned.code == 0, pinned.stderr
        assert "2025-11-25" in pinned.stderr


def test_no_server_and_no_url_are_told_apart(run: Runner) -> None:
    assert run("conformance-client", URL, **{SCENARIO: "tools_call"}).code == 3
    assert run("conformance-client", "not-a-url").code == 2
