"""Tasks as they stood."""

from inspector.journal.timeline import Timeline
from inspector.past.tasks import description_in, past_tasks, task_in
from tests.past.story import RECEIVED, Story


def test_a_task_is_told_with_its_call_its_polls_and_its_last_description() -> None:
    story = Story()
    story.open(tools={}, tasks={})
    asked = story.ask(1, "tools/call", name="slow", task={})
    made = story.answer(1, {"task": {"taskId": "t", "status": "working", "ttl": 5000}})
    for number, words in ((2, "half"), (3, "nearly")):
        story.ask(number, "tasks/get", taskId="t")
        end = story.answer(
            number, {"taskId": "t", "status": "working", "statusMessage": words, "ttl": 5000}
        )

    def told(number: int) -> tuple[str, int, int | None, int, str]:
        here = Timeline(story.journal).state_at(number).current
        assert here is not None
        (task,) = past_tasks(story.journal, here.tasks, number)
        return task.message, task.polls, task.call, task.entry, task.label

    assert told(made) == ("", 0, asked, made, "slow")
    assert told(end - 2) == ("half", 1, asked, end - 2, "slow")
    assert told(end) == ("nearly", 2, asked, end, "slow")


def test_a_description_is_found_where_it_stands() -> None:
    story = Story()
    described = {"taskId": "t", "status": "working"}
    in_result = story.answer(1, {**described})
    in_list = story.answer(2, {"tasks": [{"taskId": "u", "status": "failed"}, {**described}]})
    told = story.frame(RECEIVED, {"method": "notifications/tasks/status", "params": {**described}})
    for entry in (in_result, in_list, told):
        found = description_in(story.journal, entry, "t")
        assert found is not None
        assert found.status == "working"
        assert found.entry == entry
    assert description_in(story.journal, in_list, "v") is None


def test_an_answer_that_makes_no_task_names_none() -> None:
    story = Story()
    plain = story.answer(1, {"content": []})
    made = story.answer(2, {"task": {"taskId": "t", "status": "working"}})
    assert task_in(story.journal, plain) is None
    assert task_in(story.journal, made) == "t"
