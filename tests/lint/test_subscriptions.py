"""The rules of subscriptions."""

from pathlib import Path

import pytest

from inspector.protocol.messages import JsonObject
from tests.lint.bench import PREFIX, Case, ask, check, event, http, say

LISTEN = ask("s", "subscriptions/listen", notifications={"toolsListChanged": True})
TAG: JsonObject = {PREFIX + "subscriptionId": "s"}
ACK = say(
    "notifications/subscriptions/acknowledged", _meta=TAG, notifications={"toolsListChanged": True}
)
TOOLS = say("notifications/tools/list_changed", _meta=TAG)
CALL = ask(1, "tools/call", {"progressToken": "t"}, name="a")
PROGRESS = say("notifications/progress", progressToken="t", progress=1)
STREAM = http(200, "text/event-stream", response=(("X-Accel-Buffering", "no"),))

CASES = (
    Case(
        "sub/abrupt-end",
        "E",
        [LISTEN, ACK, event("exited", exitCode=1)],
        [LISTEN, ACK, say("notifications/cancelled", requestId="s"), event("exited", exitCode=1)],
        transport="stdio",
    ),
    Case("sub/no-ack-first", "E", [LISTEN, TOOLS, ACK], [LISTEN, ACK, TOOLS]),
    Case(
        "sub/not-requested",
        "E",
        [LISTEN, ACK, say("notifications/prompts/list_changed", _meta=TAG)],
        [LISTEN, ACK, TOOLS],
    ),
    Case(
        "sub/not-requested",
        "E",
        [say("notifications/tools/list_changed", _meta=TAG)],
        [LISTEN, ACK, TOOLS],
        name="-at-all",
    ),
    Case(
        "sub/id-missing",
        "E",
        [LISTEN, ACK, say("notifications/tools/list_changed")],
        [LISTEN, ACK, TOOLS],
    ),
    Case(
        "sub/request-scoped-on-listen",
        "E",
        [CALL, LISTEN, STREAM, ACK, PROGRESS],
        [LISTEN, STREAM, ACK, CALL, STREAM, PROGRESS],
        transport="http",
        also=frozenset({"http/unrelated-on-stream"}),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)
