"""The rules of log messages."""

from pathlib import Path

import pytest

from tests.lint.bench import PREFIX, Case, Step, ask, check, http, ok, play, say


def log(level: str, data: str = "x") -> Step:
    return say("notifications/message", level=level, data=data)


LEVEL = [ask(1, "logging/setLevel", level="error"), ok(1)]
ASKED = ask(1, "tools/call", {PREFIX + "logLevel": "warning"}, name="a")

LOGS = frozenset({"dep/feature"})

CASES = (
    Case("log/level", "D", [log("trace")], [log("debug")]),
    Case("log/below-level", "D", [*LEVEL, log("warning")], [*LEVEL, log("error")]),
    Case("log/below-level", "E", [ASKED, log("debug")], [ASKED, log("warning")], noted=LOGS),
    Case(
        "log/unsolicited",
        "E",
        [ask(1, "tools/call", name="a"), log("error")],
        [ASKED, log("error")],
        noted=LOGS,
    ),
    Case(
        "log/secret-like",
        "D",
        [log("info", "key AKIAABCDEFGHIJKLMNOP used")],
        [log("info", "key used")],
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)


def test_a_log_on_another_stream_may_be_from_before_the_level_was_set(tmp_path: Path) -> None:
    late = say("notifications/message", level="debug", data=1)
    steps = [
        ask(1, "logging/setLevel", level="error"),
        http(),
        ok(1),
        (get := http(200, "text/event-stream", method="GET")),
        late,
    ]
    case = Case("none", "D", steps, (), transport="http")
    assert play(case, steps, tmp_path / "a.jsonl", [get, late]) == []
    again = play(case, steps, tmp_path / "b.jsonl")
    assert {each.rule for each in again} == {"log/below-level"}
