"""What a task of the extension needs of a person: asked once, answered by an update."""

import pytest

from inspector.errors import RequestCancelled
from inspector.protocol.messages import JsonObject
from inspector.session import tasks
from inspector.session.options import Advertise
from inspector.session.pending import Lost, Success
from inspector.session.tasks import poll_after
from tests.session.scene import error, result, soon
from tests.session.test_extension_tasks import DONE, FORM, MODEL, declaring, expect, start, task


async def test_what_the_task_needs_is_asked_once_and_answered_by_an_update() -> None:
    async with declaring() as s:
        call = await start(s)
        needs = task("input_required", inputRequests={"who": FORM, "what": MODEL})
        s.server(result(await expect(s, "tasks/get"), needs))
        form = await soon(s.session.inbox.wait_open())
        assert (form.key, form.cause, form.cause_from, form.owed) == (
            "who",
            call.number,
            "result",
            True,
        )
        assert call.waiting_for_us
        s.server(result(await expect(s, "tasks/get"), needs))  # seen again before the answer
        pending = await expect(s, "tasks/get")
        assert len(s.session.inbox.open) == 2
        await soon(s.session.inbox.accept(form.number, {"name": "Ada"}))
        await s.settle()
        assert s.quiet()  # both go together
        message: JsonObject = {"role": "assistant", "content": [], "model": "m"}
        await soon(s.session.inbox.accept(s.session.inbox.open[0].number, message))
        update = await s.client()
        assert update["method"] == "tasks/update"
        assert isinstance(update["params"], dict)
        assert isinstance(update["id"], int)
        assert update["params"]["inputResponses"] == {
            "who": {"action": "accept", "content": {"name": "Ada"}},
            "what": message,
        }
        s.server(result(update["id"], {"resultType": "complete"}))
        s.server(result(pending, needs))  # the server has not looked at the answers yet
        s.server(result(await expect(s, "tasks/get"), task("completed", result=DONE)))
        assert isinstance(await soon(call.wait()), Success)
        assert s.transcript().count("→ request tasks/update") == 1
        assert not s.session.inbox.open


async def test_a_further_key_is_asked_while_the_first_is_open() -> None:
    async with declaring() as s:
        await start(s)
        one: JsonObject = {"a": FORM}
        s.server(result(await expect(s, "tasks/get"), task("input_required", inputRequests=one)))
        await soon(s.session.inbox.wait_open())
        both: JsonObject = {"a": FORM, "b": MODEL}
        s.server(result(await expect(s, "tasks/get"), task("input_required", inputRequests=both)))
        await expect(s, "tasks/get")
        assert [ask.key for ask in s.session.inbox.open] == ["a", "b"]


async def test_what_the_task_needs_no_longer_is_taken_back() -> None:
    async with declaring() as s:
        await start(s)
        needs = task("input_required", inputRequests={"who": FORM})
        s.server(result(await expect(s, "tasks/get"), needs))
        ask = await soon(s.session.inbox.wait_open())
        s.server(result(await expect(s, "tasks/get"), task("working")))
        await expect(s, "tasks/get")
        known = s.session.inbox.find(ask.number)
        assert known is not None
        assert known.state == "withdrawn"


async def test_an_end_that_comes_before_the_answer_takes_the_question_back() -> None:
    async with declaring() as s:
        call = await start(s)
        needs = task("input_required", inputRequests={"who": FORM})
        s.server(result(await expect(s, "tasks/get"), needs))
        await soon(s.session.inbox.wait_open())
        s.server(result(await expect(s, "tasks/get"), task("completed", result=DONE)))
        assert isinstance(await soon(call.wait()), Success)
        await s.settle()
        assert not s.session.inbox.open
        assert s.quiet()


async def test_a_no_that_cannot_be_said_ends_call_and_task() -> None:
    """2026-07-28 basic/patterns/mrtr: there is no error to send for a declined sampling."""
    async with declaring() as s:
        call = await start(s)
        needs = task("input_required", 1_000_000, inputRequests={"what": MODEL})
        s.server(result(await expect(s, "tasks/get"), needs))
        ask = await soon(s.session.inbox.wait_open())
        await soon(s.session.inbox.decline(ask.number))
        s.server(result(await expect(s, "tasks/cancel"), {"resultType": "complete"}))
        s.server(result(await expect(s, "tasks/get"), task("cancelled")))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, RequestCancelled)


async def test_a_question_that_was_not_declared_ends_call_and_task() -> None:
    async with declaring(Advertise(sampling=False)) as s:
        call = await start(s)
        needs = task("input_required", 1_000_000, inputRequests={"what": MODEL})
        s.server(result(await expect(s, "tasks/get"), needs))
        s.server(result(await expect(s, "tasks/cancel"), {"resultType": "complete"}))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert "may not ask sampling/createMessage" in outcome.error.message


async def test_refused_answers_are_told_where_the_call_is_looked_at() -> None:
    async with declaring() as s:
        call = await start(s)
        needs = task("input_required", 1_000_000, inputRequests={"who": FORM})
        s.server(result(await expect(s, "tasks/get"), needs))
        ask = await soon(s.session.inbox.wait_open())
        await soon(s.session.inbox.accept(ask.number, {}))
        s.server(error(await expect(s, "tasks/update"), -32602, "no such key"))
        await soon(s.changes.until(lambda: "no such key" in call.hint))


def test_polls_grow_rare_while_somebody_answers_and_never_faster_than_the_server_wants() -> None:
    assert [poll_after(1000, waits) for waits in range(7)] == [1, 1, 2, 4, 8, 10, 10]
    assert poll_after(None, 10_000) == 10
    assert poll_after(30_000, 5) == 30
    assert [poll_after(0, waits) for waits in (0, 3)] == [0.02, 0.08]
    assert poll_after(10**9, 3) == 300


async def test_each_poll_that_finds_the_question_open_waits_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def after(interval: int | None, waits: int) -> float:
        asked.append(waits)
        return 0.0 if len(asked) < 5 else 3600.0

    monkeypatch.setattr(tasks, "poll_after", after)
    async with declaring() as s:
        await start(s)
        needs = task("input_required", inputRequests={"who": FORM})
        for _ in range(4):
            s.server(result(await expect(s, "tasks/get"), needs))
        await s.settle()
        assert asked == [0, 1, 2, 3, 4]
        # the answer is out: the task is looked at without that pause
        await soon(s.session.inbox.accept(s.session.inbox.open[0].number, {"name": "Ada"}))
        update = await expect(s, "tasks/update")
        s.server(result(update, {"resultType": "complete"}))
        s.server(result(await expect(s, "tasks/get"), needs))
        await s.settle()
        assert asked[5:] == [1]
