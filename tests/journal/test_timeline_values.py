"""The values of a state: what is over, declared and current."""

from inspector.journal.timeline_values import Opening, Phase, StateAt, TaskAt


def test_a_phase_is_over_when_nothing_can_follow() -> None:
    assert [phase for phase in Phase if phase.over] == [Phase.CLOSED, Phase.FAILED]


def test_a_task_is_over_in_its_terminal_statuses_only() -> None:
    statuses = ("working", "input_required", "completed", "failed", "cancelled", "strange")
    assert [TaskAt("t", one, 1).over for one in statuses] == [False, False, True, True, True, False]


def test_false_and_null_declare_nothing() -> None:
    opening = Opening(capabilities={"tools": {}, "prompts": False, "logging": None})
    assert [opening.declares(one) for one in ("tools", "prompts", "logging", "x")] == [
        True,
        False,
        False,
        False,
    ]


def test_before_the_first_connection_nothing_is_current() -> None:
    assert StateAt(0, ()).current is None
    assert StateAt(0, ()).connection(1) is None
