"""The rules of capabilities."""

from pathlib import Path

import pytest

from inspector.protocol.messages import Json, JsonObject
from tests.lint.bench import SERVER_ALL, Case, Step, ask, bad, check, ok, say, want

LOG = say("notifications/message", level="info", data="x")
ASKED: JsonObject = {
    "message": "Who?",
    "requestedSchema": {"type": "object", "properties": {}},
}
FORM: JsonObject = {
    "method": "elicitation/create",
    "params": {"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}},
}
CALL = ask(1, "tools/call", name="a")
NO_TOOLS: JsonObject = {name: each for name, each in SERVER_ALL.items() if name != "tools"}


def discovered(**capabilities: Json) -> Step:
    return ok(
        1, supportedVersions=["2026-07-28"], capabilities=capabilities, ttlMs=0, cacheScope="public"
    )


CASES = (
    Case(
        "cap/list-changed-undeclared",
        "D",
        [say("notifications/tools/list_changed")],
        [say("notifications/prompts/list_changed")],
        server={"tools": {}, "prompts": {"listChanged": True}},
    ),
    Case(
        "cap/updated-undeclared",
        "D",
        [
            ask(1, "resources/subscribe", uri="a:b"),
            say("notifications/resources/updated", uri="a:b"),
        ],
        [ask(1, "resources/subscribe", uri="a:b")],
        server={"resources": {}},
    ),
    Case("cap/logging-undeclared", "D", [LOG], [], server={}),
    Case(
        "cap/completions-undeclared",
        "C",
        [
            ask(
                1,
                "completion/complete",
                ref={"type": "ref/prompt", "name": "p"},
                argument={"name": "a", "value": ""},
            ),
            ok(1, completion={"values": []}),
        ],
        [],
        server={},
    ),
    Case(
        "cap/feature-works-undeclared",
        "D",
        [ask(1, "tools/list"), ok(1, tools=[])],
        [ask(1, "tools/list"), bad(1, -32601)],
        server=NO_TOOLS,
    ),
    Case(
        "cap/declared-not-implemented",
        "D",
        [ask(1, "tools/list"), bad(1, -32601)],
        [ask(1, "tools/list"), ok(1, tools=[])],
    ),
    Case(
        "cap/client-feature-undeclared", "D", [want(1, "roots/list")], [want(1, "ping")], client={}
    ),
    Case(
        "cap/client-feature-undeclared",
        "D",
        [
            want(
                1,
                **ASKED,
                mode="url",
                url="https://a.example/",
                elicitationId="1",
                method="elicitation/create",
            )
        ],
        [want(1, method="elicitation/create", **ASKED)],
        name="-mode",
    ),
    Case(
        "cap/client-feature-undeclared",
        "E",
        [CALL, ok(1, resultType="input_required", inputRequests={"k": FORM})],
        [CALL, ok(1, content=[])],
        client={},
    ),
    Case(
        "cap/client-feature-undeclared",
        "E",
        [
            CALL,
            ok(1, resultType="input_required", inputRequests={"k": FORM}),
            ask(2, "tools/call", name="b"),
            ok(
                2,
                resultType="input_required",
                inputRequests={
                    "k": {
                        "method": "sampling/createMessage",
                        "params": {"messages": [], "maxTokens": 1, "tools": []},
                    }
                },
            ),
        ],
        [CALL, ok(1, resultType="input_required", inputRequests={"k": FORM})],
        client={"elicitation": {}, "sampling": {}},
        name="-tools",
    ),
    Case(
        "cap/extension-key",
        "E",
        [ask(1, "server/discover"), discovered(extensions={"tasks": {}})],
        [ask(1, "server/discover"), discovered(extensions={"com.example/tasks": {}})],
    ),
    Case(
        "cap/missing-capability-data",
        "E",
        [CALL, bad(1, -32021)],
        [CALL, bad(1, -32021, data={"requiredCapabilities": {"sampling": {}}})],
    ),
    Case(
        "dep/feature",
        "E",
        [CALL, ok(1, resultType="input_required", inputRequests={"k": {"method": "roots/list"}})],
        [CALL, ok(1, resultType="input_required", inputRequests={"k": FORM})],
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)
