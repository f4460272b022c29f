"""The calls as of an entry, and what had come of them by then."""

from typing import TYPE_CHECKING

from inspector.journal.timeline import Timeline
from inspector.past.calls import LATEST, PastCalls, requests_before
from inspector.session.pending import Failure, Lost, Success
from tests.past.story import RECEIVED, SENT, Story

if TYPE_CHECKING:
    from inspector.session.pending import Call


def calls_at(story: Story, number: int) -> "dict[int, Call]":
    """The calls by entry."""
    here = Timeline(story.journal).state_at(number).current
    assert here is not None
    now = story.journal.columns.monotonic[number]
    return {call.number: call for call in PastCalls(story.journal).as_of(number, here, now)}


def test_a_call_is_open_until_its_answer_and_its_clock_stands_still() -> None:
    story = Story()
    story.open(tools={})
    asked = story.ask(1, "tools/call", name="add", arguments={"a": 1})
    story.journal.stderr(b"busy", connection=1)
    said = story.answer(1, {"content": []})
    before, after = calls_at(story, asked + 1)[asked], calls_at(story, said)[asked]
    assert not before.done
    assert before.outcome is None
    assert before.elapsed == 0.0
    assert before.label == "add"
    assert isinstance(after.outcome, Success)
    assert after.outcome.entry == said
    assert after.elapsed == 1.0


def test_an_error_a_cancelled_call_and_one_without_an_end_say_why() -> None:
    story = Story()
    story.open(tools={})
    refused = story.ask(1, "tools/call", name="a")
    story.frame(RECEIVED, {"id": 1, "error": {"code": -32602, "message": "no"}})
    cancelled = story.ask(2, "tools/call", name="b")
    story.frame(SENT, {"method": "notifications/cancelled", "params": {"requestId": 2}})
    left = story.ask(3, "tools/call", name="c")
    end = story.journal.event("exited", {"code": 1}, connection=1)
    calls = calls_at(story, end)
    failure, gone, lost = (calls[number].outcome for number in (refused, cancelled, left))
    assert isinstance(failure, Failure)
    assert (failure.code, failure.message) == (-32602, "no")
    assert isinstance(gone, Lost)
    assert gone.error.kind == "cancelled"
    assert isinstance(lost, Lost)
    assert lost.error.kind == "connect"


def test_a_call_of_an_earlier_connection_is_remembered_with_its_outcome() -> None:
    story = Story()
    story.open(tools={})
    asked = story.ask(1, "tools/call", name="a")
    story.answer(1, {"content": []})
    story.journal.begin_connection({"name": "story"})
    end = story.open(tools={})
    assert isinstance(calls_at(story, end)[asked].outcome, Success)


def test_the_task_of_a_call_ends_it() -> None:
    story = Story()
    story.open(tools={}, tasks={})
    asked = story.ask(1, "tools/call", name="slow", task={})
    made = story.answer(1, {"task": {"taskId": "t", "status": "working"}})
    story.ask(2, "tasks/result", taskId="t")
    end = story.answer(2, {"content": [{"type": "text", "text": "done"}]})
    before, after = calls_at(story, made)[asked], calls_at(story, end)[asked]
    assert not before.done
    assert before.task_id == "t"
    assert isinstance(after.outcome, Success)
    assert after.outcome.entry == end


def test_no_more_than_the_latest_are_handed_out() -> None:
    story = Story()
    story.open(tools={})
    for number in range(1, LATEST + 50):
        story.ask(number, "tools/call", name="a")
        story.answer(number, {"content": []})
    calls = calls_at(story, len(story.journal))
    made = [number for number, call in calls.items() if call.method == "tools/call"]
    assert len(made) == LATEST
    assert max(made) == len(story.journal) - 1


def test_requests_are_found_from_the_end() -> None:
    story = Story()
    story.open()
    story.list_tools(1, "a")
    columns = story.journal.columns
    assert list(requests_before(columns, len(story.journal), 9)) == [5, 2]
    assert list(requests_before(columns, 4, 9)) == [2]
    assert list(requests_before(columns, 1, 9)) == []
