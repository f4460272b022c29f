"""The books of a connection: copies that stay, and bounds that hold."""

from inspector.journal.timeline_ledger import OPEN_KEPT, TASKS_KEPT, Ledger
from inspector.journal.timeline_values import Phase, TaskAt


def test_a_copy_stays_as_it_was() -> None:
    ledger = Ledger(1, 1, {"transport": "http"})
    ledger.asked(2)
    kept = ledger.copy()
    ledger.asked(3)
    ledger.closed(2)
    ledger.task(TaskAt("t", "working", 4))
    assert (list(kept.open), kept.tasks) == ([2], {})
    assert list(ledger.open) == [3]
    assert kept.weight < ledger.weight


def test_kept_books_are_small_and_copied_whole() -> None:
    ledger = Ledger(1, 1, {})
    for number in (*range(1000), 7):
        ledger.asked(number)
    kept = ledger.kept()
    assert kept.weight < 1000 * 8
    assert list(kept.copy().open.items()) == list(ledger.open.items())
    assert kept.copy().kept().copy().open == ledger.open


def test_a_request_is_closed_once() -> None:
    ledger = Ledger(1, 1, {})
    ledger.asked(2)
    ledger.progress[2] = (5, 1)
    assert [ledger.closed(2), ledger.closed(2)] == [True, False]
    assert ledger.progress == {}


def test_a_batch_is_open_until_each_of_its_requests_is_answered() -> None:
    ledger = Ledger(1, 1, {})
    ledger.asked(2)
    ledger.asked(2)
    assert ledger.closed(2)
    assert 2 in ledger.open
    assert ledger.closed(2)
    assert 2 not in ledger.open


def test_the_oldest_open_requests_are_forgotten_and_counted() -> None:
    ledger = Ledger(1, 1, {})
    for number in range(OPEN_KEPT + 1):
        ledger.asked(number)
        ledger.progress[number] = (number, 1)
    assert ledger.forgotten + len(ledger.open) == OPEN_KEPT + 1
    assert next(reversed(ledger.open)) == OPEN_KEPT
    assert ledger.progress.keys() == ledger.open.keys()


def test_tasks_are_bounded_and_the_end_of_one_ends_its_progress() -> None:
    ledger = Ledger(1, 1, {})
    ledger.running[2] = "mine"
    ledger.progress[2] = (3, 1)
    ledger.task(TaskAt("mine", "working", 3, request=2))
    assert ledger.progress
    ledger.task(TaskAt("mine", "completed", 4, request=2))
    assert (ledger.running, ledger.progress) == ({}, {})
    for number in range(TASKS_KEPT):
        ledger.task(TaskAt(str(number), "working", 5))
    assert len(ledger.tasks) == TASKS_KEPT
    assert "mine" not in ledger.tasks


def test_the_end_closes_everything_and_keeps_the_first_reason() -> None:
    ledger = Ledger(1, 1, {})
    ledger.asked(2)
    ledger.end(Phase.FAILED, "it broke")
    ledger.end(Phase.CLOSED)
    assert (ledger.open, ledger.phase, ledger.error) == ({}, Phase.FAILED, "it broke")
