"""The rules of how a connection begins."""

from pathlib import Path

import pytest

from tests.lint.bench import SERVER, Case, Step, ask, back, bad, check, ok, want

OPEN = ask(
    1,
    "initialize",
    protocolVersion="2025-11-25",
    capabilities={},
    clientInfo={"name": "client", "version": "1"},
)


def opened(version: str) -> Step:
    return ok(1, protocolVersion=version, capabilities={}, serverInfo=SERVER)


CASES = (
    Case(
        "life/request-before-init",
        "D",
        [OPEN, opened("2025-11-25"), want(1, "roots/list")],
        [OPEN, opened("2025-11-25"), want(1, "ping")],
        opened=False,
        also=frozenset({"cap/client-feature-undeclared"}),
    ),
    Case(
        "life/version-unsupported",
        "D",
        [OPEN, opened("2025-13-01")],
        [OPEN, opened("2025-11-25")],
        opened=False,
    ),
    Case(
        "life/version-unsupported",
        "D",
        [OPEN, opened("2026-07-28")],
        [OPEN, opened("2025-11-25")],
        opened=False,
        name="-modern",
    ),
    Case(
        "life/version-downgrade",
        "D",
        [OPEN, opened("2024-11-05")],
        [OPEN, opened("2025-11-25")],
        opened=False,
    ),
    Case(
        "life/version-error-data",
        "E",
        [ask(1, "server/discover"), bad(1, -32022, data={"supported": ["2026-07-28"]})],
        [
            ask(1, "server/discover"),
            bad(1, -32022, data={"supported": ["2026-07-28"], "requested": "2099-01-01"}),
        ],
    ),
    Case(
        "life/no-server-info",
        "E",
        [
            ask(1, "tools/call", name="a"),
            back({"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete", "content": []}}),
        ],
        [ask(1, "tools/call", name="a"), ok(1, content=[])],
    ),
    Case(
        "life/discover-missing",
        "E",
        [
            ask(1, "server/discover"),
            bad(1, -32601),
            ask(2, "tools/list"),
            ok(2, tools=[], ttlMs=0, cacheScope="private"),
        ],
        [ask(1, "server/discover"), bad(1, -32601)],
        opened=False,
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)
