"""A task reads alike in both eras, and what describes none is none."""

import pytest

from inspector.protocol.messages import Json
from inspector.session.task_state import read_task, task_support


def test_the_durations_of_either_era_are_read() -> None:
    older = read_task({"taskId": "t", "status": "working", "ttl": 5, "pollInterval": 7}, 3)
    newer = read_task({"taskId": "t", "status": "working", "ttlMs": 5, "pollIntervalMs": 7}, 3)
    assert older is not None
    assert newer is not None
    assert (older.ttl, older.poll_interval) == (newer.ttl, newer.poll_interval) == (5, 7)


@pytest.mark.parametrize("described", [None, [], {}, {"taskId": "t"}, {"taskId": 1, "status": "x"}])
def test_what_has_no_id_or_no_status_is_no_task(described: Json) -> None:
    assert read_task(described, 1) is None


@pytest.mark.parametrize("interval", [True, "5", -1, 10**13, None])
def test_an_interval_that_makes_no_sense_counts_as_not_said(interval: Json) -> None:
    task = read_task({"taskId": "t", "status": "working", "pollIntervalMs": interval}, 1)
    assert task is not None
    assert task.poll_interval is None


@pytest.mark.parametrize(
    ("status", "over"),
    [("working", False), ("input_required", False), ("odd", False), ("failed", True)],
)
def test_a_task_is_over_at_a_terminal_status_only(status: str, over: bool) -> None:
    task = read_task({"taskId": "t", "status": status}, 1)
    assert task is not None
    assert task.over is over


@pytest.mark.parametrize(
    ("tool", "support"),
    [
        ({"execution": {"taskSupport": "required"}}, "required"),
        ({"execution": {"taskSupport": "optional"}}, "optional"),
        ({"execution": {"taskSupport": "sometimes"}}, "forbidden"),
        ({"execution": None}, "forbidden"),
        (None, "forbidden"),
    ],
)
def test_a_tool_forbids_tasks_unless_it_says_otherwise(tool: Json, support: str) -> None:
    assert task_support(tool) == support
