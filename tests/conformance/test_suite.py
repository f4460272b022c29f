"""The official conformance suite, one scenario at a time, against the command that is shipped.

Needs the npm package @modelcontextprotocol/conformance and node 22 or newer (`make conformance`
and `make test` install both); skipped with the reason where they are missing. The scenarios of a
revision are those that the suite itself calls required for it.
"""

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.servers import real
from tests.servers.nursery import born
from tests.servers.oidc_provider import node_22

SECONDS = 60
HANDSHAKE, MODERN, FALLBACK = "2025-11-25", "2026-07-28", "2025-03-26"
AUTH = (
    *(f"auth/metadata-{which}" for which in ("default", "var1", "var2", "var3")),
    "auth/basic-cimd",
    "auth/scope-from-www-authenticate",
    "auth/scope-from-scopes-supported",
    "auth/scope-omitted-when-undefined",
    "auth/scope-step-up",
    "auth/scope-retry-limit",
    "auth/token-endpoint-auth-basic",
    "auth/token-endpoint-auth-post",
    "auth/token-endpoint-auth-none",
    "auth/pre-registration",
)
REQUIRED = {
    HANDSHAKE: (
        "initialize",
        "tools_call",
        "elicitation-sep1034-client-defaults",
        "sse-retry",
        *AUTH,
    ),
    MODERN: (
        "tools_call",
        "request-metadata",
        *AUTH,
        "auth/resource-mismatch",
        "auth/offline-access-scope",
        "auth/offline-access-not-supported",
        "auth/authorization-server-migration",
        "auth/iss-supported",
        "auth/iss-not-advertised",
        "auth/iss-supported-missing",
        "auth/iss-wrong-issuer",
        "auth/iss-unexpected",
        "auth/iss-normalized",
        "auth/metadata-issuer-mismatch",
        "sep-2322-client-request-state",
        "http-standard-headers",
        "http-custom-headers",
        "http-invalid-tool-headers",
        "json-schema-ref-no-deref",
    ),
}
BEYOND = {
    HANDSHAKE: ("json-schema-2020-12-preservation",),
    MODERN: (
        "json-schema-2020-12-preservation",
        "auth/client-credentials-jwt",
        "auth/client-credentials-basic",
    ),
    FALLBACK: (
        "auth/2025-03-26-oauth-metadata-backcompat",
        "auth/2025-03-26-oauth-endpoint-fallback",
    ),
}
"""What the suite has and does not require."""


def _suite(*words: str, home: Path) -> "subprocess.CompletedProcess[str]":
    node = node_22()
    script = real.node_package("@modelcontextprotocol/conformance") / "dist" / "index.js"
    environ = {
        **os.environ,
        "PATH": f"{Path(node).parent}{os.pathsep}{os.environ['PATH']}",
        "MCP_INSPECT_HOME": str(home),
    }
    return subprocess.run(
        [node, str(script), *words],
        capture_output=True,
        text=True,
        timeout=2 * SECONDS,
        check=False,
        cwd=home,
        env=environ,
    )


@pytest.mark.parametrize("revision", REQUIRED)
def test_our_list_of_required_scenarios_is_the_suites(revision: str, tmp_path: Path) -> None:
    said = _suite("list", "--requirements", revision, home=tmp_path).stdout
    section = said.partition("Client scenarios")[2].partition("\n\n")[0]
    listed = {line.removeprefix("  - ") for line in section.splitlines() if line.startswith("  - ")}
    assert listed == set(REQUIRED[revision])


@pytest.mark.parametrize(
    ("revision", "scenario"),
    [
        (revision, scenario)
        for table in (REQUIRED, BEYOND)
        for revision, scenarios in table.items()
        for scenario in scenarios
    ],
)
def test_the_client_passes(revision: str, scenario: str, tmp_path: Path) -> None:
    command = shlex.join(born("inspector", "-m", "inspector", "conformance-client"))
    done = _suite(
        *("client", "--command", command, "--scenario", scenario),
        *("--spec-version", revision, "--force", "--timeout", str(SECONDS * 1000)),
        *("-o", str(tmp_path / "results")),
        home=tmp_path,
    )
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
