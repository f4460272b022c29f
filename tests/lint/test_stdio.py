"""The rules of the stdio transport."""

from pathlib import Path

import pytest

from inspector.protocol.messages import JsonObject
from tests.lint.bench import PREFIX, Case, ask, back, check, event, ok, say, tell

LISTEN = ask("s", "subscriptions/listen", notifications={"toolsListChanged": True})
TAG: JsonObject = {PREFIX + "subscriptionId": "s"}
ACK = say(
    "notifications/subscriptions/acknowledged", _meta=TAG, notifications={"toolsListChanged": True}
)

GIVEN_UP = tell("notifications/cancelled", requestId=1, reason="timed out")

CASES = (
    Case(
        "stdio/stdout-pollution",
        "D",
        [back(b"Server listening")],
        [ask(1, "ping"), ok(1)],
        transport="stdio",
    ),
    Case(
        "stdio/embedded-newline",
        "D",
        [
            ask(1, "ping"),
            back(b"{"),
            back(b'  "jsonrpc": "2.0",'),
            back(b'  "id": 1, "result": {}'),
            back(b"}"),
        ],
        [ask(1, "ping"), ok(1)],
        transport="stdio",
    ),
    Case(
        "stdio/stdout-pollution",
        "D",
        [back(b'{"level": "info", "text": "started"}'), back(b"42")],
        [ask(1, "ping"), ok(1)],
        transport="stdio",
        name="-json",
    ),
    Case(
        "rpc/not-json",
        "D",
        [back(b'{"jsonrpc":"2.0","method":"x",}')],
        [ask(1, "ping"), ok(1)],
        transport="stdio",
        name="-meant-as-a-message",
    ),
    Case(
        "stdio/embedded-newline",
        "D",
        [
            ask(1, "ping"),
            back(b"{"),
            back(b'"jsonrpc": "2.0", "id": 1, "result": {'),
            back(b"3"),
            back(b"{"),
            back(b"}}"),
            GIVEN_UP,
        ],
        [ask(1, "ping"), ok(1)],
        transport="stdio",
        name="-given-up",
    ),
    Case(
        "stdio/no-exit-on-eof",
        "D",
        [event("stdin-closed"), event("sigterm", leader="alive")],
        [
            event("stdin-closed"),
            event("sigterm", leader="gone", waitSeconds=2.0),
            event("sigterm", leader="alive", waitSeconds=0.3),
        ],
        transport="stdio",
    ),
    Case(
        "stdio/no-exit-on-eof",
        "E",
        [event("stdin-closed"), event("sigterm", leader="alive")],
        [event("stdin-closed"), event("exited", exitCode=0)],
        transport="stdio",
    ),
    Case(
        "stdio/untagged-subscription",
        "E",
        [LISTEN, ACK, say("notifications/tools/list_changed")],
        [LISTEN, ACK, say("notifications/tools/list_changed", _meta=TAG)],
        transport="stdio",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)
