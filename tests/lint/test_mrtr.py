"""The rules of results and of requests in several rounds."""

from pathlib import Path

import pytest

from inspector.protocol.messages import JsonObject
from tests.lint.bench import PREFIX, SERVER, Case, Step, ask, back, check, ok

CALL = ask(1, "tools/call", name="a")
FORM: JsonObject = {
    "method": "elicitation/create",
    "params": {"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}},
}


def rounds(count: int) -> list[Step]:
    steps: list[Step] = []
    for number in range(count):
        more: JsonObject = {"requestState": str(number)} if number else {}
        steps += [
            ask(number, "tools/call", None, name="a", **more),
            ok(number, resultType="input_required", requestState=str(number + 1)),
        ]
    return steps


CASES = (
    Case(
        "result/type-missing",
        "E",
        [
            CALL,
            back(
                {
                    "jsonrpc": "2.0",
                    "id": 1,
                    "result": {"content": [], "_meta": {PREFIX + "serverInfo": SERVER}},
                }
            ),
        ],
        [CALL, ok(1, content=[])],
    ),
    Case(
        "result/type-unknown",
        "E",
        [CALL, ok(1, resultType="partial", content=[])],
        [CALL, ok(1, content=[])],
    ),
    Case(
        "mrtr/unsupported-method",
        "E",
        [
            ask(1, "prompts/list"),
            ok(
                1,
                resultType="input_required",
                requestState="x",
                prompts=[],
                ttlMs=0,
                cacheScope="public",
            ),
        ],
        [CALL, ok(1, resultType="input_required", requestState="x")],
        also=frozenset({"cache/on-input-required"}),
    ),
    Case(
        "mrtr/empty",
        "E",
        [CALL, ok(1, resultType="input_required")],
        [CALL, ok(1, resultType="input_required", requestState="x")],
    ),
    Case(
        "mrtr/bad-request-kind",
        "E",
        [CALL, ok(1, resultType="input_required", inputRequests={"k": {"method": "ping"}})],
        [CALL, ok(1, resultType="input_required", inputRequests={"k": FORM})],
    ),
    Case("mrtr/loop", "E", rounds(11), rounds(10)),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)
