"""The active rules, judged by the evidence of a probe."""

from pathlib import Path

import pytest

from inspector.lint.catalog import RULES
from tests.lint.bench import Case, ask, bad, check, http, ok, play, tell

LOCAL = "http://127.0.0.1:8931/mcp"
PING, PONG = ask(1, "ping"), ok(1)
SESSION = (("Mcp-Session-Id", "<masked>"),)
VERSION = (("MCP-Protocol-Version", "1999-01-01"),)
STRANGER = (("Origin", "http://attacker.invalid"),)
DISCOVER = ask(1, "server/discover")
DISCOVERED = ok(1, supportedVersions=["2026-07-28"], capabilities={}, ttlMs=0, cacheScope="private")
BEGIN = ask(
    "again", "initialize", protocolVersion="2025-11-25", capabilities={},
    clientInfo={"name": "c", "version": "1"},
)  # fmt: skip
BEGUN = ok(
    "again", protocolVersion="2025-11-25", capabilities={},
    serverInfo={"name": "s", "version": "1"},
)  # fmt: skip
OPENED = [BEGIN, http(response=SESSION), BEGUN, tell("notifications/initialized")]
PAGE = [ask(1, "tools/list"), ok(1, tools=[], nextCursor="p2")]
NEVER = ask(2, "tools/list", cursor="p9")

CASES = (
    *(
        Case(
            "http/version-header-ignored",
            letter,
            [PING, http(request=VERSION), PONG],
            [PING, http(400, request=VERSION), bad(1, -32600)],
            transport="http",
        )
        for letter in "CD"
    ),
    Case(
        "http/missing-session-not-400",
        "D",
        [*OPENED, PING, http(404), bad(1, -32001)],
        [*OPENED, PING, http(400), bad(1, -32600)],
        transport="http",
        opened=False,
    ),
    Case(
        "http/missing-session-not-400",
        "D",
        [*OPENED, PING, http(200), PONG],
        [*OPENED, PING, http(200, request=SESSION), PONG],
        transport="http",
        opened=False,
        name="-taken",
    ),
    Case(
        "http/origin-unchecked",
        "B",
        [PING, http(request=STRANGER), PONG],
        [PING, http(403, request=STRANGER), bad(1, -32600)],
        transport="http",
    ),
    Case(
        "http/origin-unchecked",
        "E",
        [DISCOVER, http(request=STRANGER), DISCOVERED],
        [DISCOVER, http(request=(("Origin", "https://app.here.com"),)), DISCOVERED],
        transport="http",
    ),
    Case(
        "http/bind-all",
        "D",
        [PING, http(403, url="http://192.0.2.7:8931/mcp"), bad(1, -32600)],
        [PING, http(url="http://[::1]:8931/mcp"), PONG],
        transport="http",
        url=LOCAL,
    ),
    Case("page/bad-cursor-code", "D", [NEVER, bad(2, -32603)], [NEVER, bad(2, -32602)]),
    Case(
        "page/bad-cursor-code",
        "E",
        [
            ask(1, "tools/list"),
            ok(1, tools=[], nextCursor="p2", ttlMs=0, cacheScope="private"),
            NEVER,
            ok(2, tools=[], ttlMs=0, cacheScope="private"),
        ],
        [NEVER, ok(2, tools=[], ttlMs=0, cacheScope="private")],
        name="-page",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)


def test_the_rules_that_need_a_probe_are_those_that_are_marked_so() -> None:
    assert {row.id for row in RULES.values() if row.active} == {case.rule for case in CASES}


def test_a_session_that_has_ended_is_missed_by_nobody(tmp_path: Path) -> None:
    gone = [PING, http(404, request=SESSION), bad(1, -32001)]
    ended = [PING, http(request=SESSION), PONG, http(200, "", method="DELETE", request=SESSION)]
    for index, before in enumerate((gone, ended)):
        steps = [*OPENED, *before, ask(2, "ping"), http(404), bad(2, -32001)]
        case = Case("none", "D", steps, (), transport="http", opened=False)
        assert play(case, steps, tmp_path / f"{index}.jsonl") == []


def test_a_refusal_for_another_reason_says_nothing_of_sessions(tmp_path: Path) -> None:
    steps = [*OPENED, PING, http(429, ""), ask(2, "ping"), http(503, "")]
    case = Case("none", "D", steps, (), transport="http", opened=False)
    assert play(case, steps, tmp_path / "a.jsonl") == []


def test_a_cursor_that_was_given_may_be_refused_in_any_way(tmp_path: Path) -> None:
    steps = [*PAGE, ask(2, "tools/list", cursor="p2"), bad(2, -32603)]
    assert play(Case("none", "D", steps, ()), steps, tmp_path / "a.jsonl") == []


def test_another_server_at_another_port_of_the_machine_is_another_server(tmp_path: Path) -> None:
    steps = [PING, http(url="http://192.0.2.7:8932/mcp"), PONG]
    case = Case("none", "D", steps, (), transport="http", url=LOCAL)
    assert play(case, steps, tmp_path / "a.jsonl") == []
