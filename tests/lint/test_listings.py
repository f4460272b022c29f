"""The rule of tools that depend on the connection."""

from pathlib import Path

import pytest

from inspector.protocol.messages import Json
from tests.lint.bench import Case, Step, again, ask, check, http, ok, play, say

UNHELD = (("X-Accel-Buffering", "no"),)


def _tools(*names: str) -> list[Json]:
    return [
        {
            "name": name,
            "description": name,
            "inputSchema": {"type": "object", "additionalProperties": False},
        }
        for name in names
    ]


def _listed(*names: str) -> Step:
    steps = [
        ask("l", "tools/list"), http(), ok("l", tools=_tools(*names), ttlMs=0, cacheScope="private")
    ]  # fmt: skip

    def step(talk: object) -> None:
        for each in steps:
            each(talk)  # type: ignore[arg-type]

    return step


CASES = (
    Case(
        "tool/list-varies-per-connection",
        "E",
        [_listed("a", "b"), again(_listed("a")), _listed("a", "b")],
        [_listed("a", "b"), again(_listed("a", "b")), _listed("a", "b")],
        transport="http",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)


@pytest.mark.parametrize(
    "steps",
    [
        [_listed("a"), again(_listed("a", "b"))],
        [_listed("a"), again(_listed("b")), _listed("b")],
        [_listed("a"), again(_listed("b")), say("notifications/tools/list_changed"), _listed("a")],
    ],
    ids=["later", "changed", "announced"],
)
def test_what_changes_in_the_course_of_time_does_not_depend_on_the_connection(
    steps: list[Step], tmp_path: Path
) -> None:
    case = Case("none", "E", steps, (), transport="http")
    found = {each.rule for each in play(case, steps, tmp_path / "a.jsonl")}
    assert "tool/list-varies-per-connection" not in found
