"""Tasks of 2025-11-25, from the augmented request to the outcome, as transcripts."""

import asyncio
import time

import pytest

from inspector.errors import RequestCancelled, RequestTimeout, UsageError
from inspector.journal.entries import Flag
from inspector.protocol.messages import Json, JsonObject
from inspector.session.options import Options
from inspector.session.pending import Call, Failure, Lost, Success
from inspector.session.tasks import RELATED, task_support
from tests.session.scene import Scene, error, join, notification, ready, request, result, soon


def task(status: str, poll: int = 5, **more: Json) -> JsonObject:
    """A task as the server describes it."""
    return {
        "taskId": "t1",
        "status": status,
        "createdAt": "2025-11-25T10:30:00Z",
        "lastUpdatedAt": "2025-11-25T10:40:00Z",
        "ttl": 60000,
        "pollInterval": poll,
        **more,
    }


async def start(s: Scene, poll: int = 5) -> Call:
    """A call that runs as a task."""
    call = await soon(s.session.call_tool("slow", {"a": 1}, task=60000))
    sent = await s.client()
    assert sent["params"] == {
        "name": "slow",
        "arguments": {"a": 1},
        "task": {"ttl": 60000},
        "_meta": {"progressToken": call.id},
    }
    s.server(result(2, {"task": task("working", poll)}))
    return call


async def expect(s: Scene, method: str) -> int:
    """The id of the next request, which must be `method` for our task."""
    sent = await s.client()
    assert (sent["method"], sent["params"]) == (method, {"taskId": "t1"})
    assert isinstance(sent["id"], int)
    return sent["id"]


async def test_a_task_is_polled_to_its_end_and_the_call_gets_its_result() -> None:
    """2025-11-25 basic/utilities/tasks: creation, polling, result retrieval."""
    async with ready() as s:
        call = await start(s)
        assert not call.done
        assert call.task_id == "t1"
        assert call.deadline.left(time.monotonic()) > 800
        s.server(result(await expect(s, "tasks/get"), task("working", statusMessage="half")))
        s.server(result(await expect(s, "tasks/get"), task("completed")))
        number = await expect(s, "tasks/result")
        s.server(result(number, {"content": []}))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Success)
        assert outcome.raw == b'{"content":[]}'
        known = s.session.tasks.find("t1")
        assert known is not None
        assert (known.status, known.call, known.label) == ("completed", call.number, "slow")
        assert (known.polls, known.ttl, known.poll_interval) == (2, 60000, 5)
        await s.settle()
        assert s.quiet()


async def test_a_status_notification_is_looked_into_at_once() -> None:
    async with ready() as s:
        call = await start(s, poll=1_000_000)
        await s.settle()
        s.server(notification("notifications/tasks/status", **task("completed")))
        s.server(result(await expect(s, "tasks/get"), task("completed")))
        s.server(result(await expect(s, "tasks/result"), {"content": []}))
        assert isinstance(await soon(call.wait()), Success)


async def test_input_required_asks_for_the_result_early_and_serves_what_it_needs() -> None:
    """2025-11-25 basic/utilities/tasks: input_required status."""
    async with ready() as s:
        call = await start(s)
        s.server(result(await expect(s, "tasks/get"), task("input_required", 1_000_000)))
        waiting = await expect(s, "tasks/result")
        meta: Json = {RELATED: {"taskId": "t1"}}
        s.server(request("e", "elicitation/create", message="?", _meta=meta))
        ask = await soon(s.session.inbox.wait_open())
        assert (ask.cause, ask.cause_from) == (call.number, "task")
        await soon(s.session.inbox.accept(ask.number, {}))
        assert (await s.client())["id"] == "e"
        s.server(result(waiting, {"content": [{"type": "text", "text": "done"}]}))
        s.server(result(await expect(s, "tasks/get"), task("completed")))
        assert isinstance(await soon(call.wait()), Success)
        assert s.transcript()[-5:] == [
            "← request elicitation/create",
            "→ result elicitation/create",
            "← result tasks/result",
            "→ request tasks/get",
            "← result tasks/get",
        ]


async def test_an_ask_on_the_stream_of_tasks_result_belongs_to_the_tasks_call() -> None:
    async with ready() as s:
        call = await start(s)
        s.server(result(await expect(s, "tasks/get"), task("input_required", 1_000_000)))
        waiting = await expect(s, "tasks/result")
        s.server(request("e", "elicitation/create", message="?"), about=waiting)
        ask = await soon(s.session.inbox.wait_open())
        assert (ask.cause, ask.cause_from) == (call.number, "stream")


async def test_cancelling_the_call_cancels_the_task() -> None:
    """2025-11-25 basic/utilities/tasks: tasks/cancel, not notifications/cancelled."""
    async with ready() as s:
        call = await start(s, poll=1_000_000)
        cancelling = s.begin(call.cancel())
        s.server(result(await expect(s, "tasks/cancel"), task("cancelled")))
        await join(cancelling)
        assert isinstance(call.outcome, Lost)
        assert isinstance(call.outcome.error, RequestCancelled)
        await s.settle()
        assert s.quiet()
        assert s.session.tasks.tasks[0].status == "cancelled"


@pytest.mark.parametrize("status", ["working", "completed"])
async def test_a_task_that_never_ends_is_given_up_after_the_longest_time(status: str) -> None:
    """2025-11-25 basic/lifecycle: implementations SHOULD enforce a maximum timeout."""
    async with ready(options=Options(timeout=0.1, max_timeout=0.3)) as s:
        call = await soon(s.session.call_tool("slow", task=0))
        await s.client()
        s.server(result(2, {"task": task(status, poll=10, ttl=None)}))
        methods: list[str] = []
        heard = asyncio.Event()

        async def serve() -> None:
            while True:
                sent = await s.client()
                method, request_id = str(sent["method"]), sent.get("id")
                methods.append(method)
                heard.set()
                if method == "tasks/get" and isinstance(request_id, int):
                    s.server(result(request_id, task("working", poll=10, ttl=None)))
                elif method == "tasks/cancel" and isinstance(request_id, int):
                    s.server(result(request_id, task("cancelled", ttl=None)))

        serving = s.begin(serve())
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, RequestTimeout)
        assert "the task of tools/call did not end in 0.3" in outcome.error.message
        expected = 1 if status == "completed" else 0  # of tasks/result only
        await soon(s.changes.until(lambda: "tasks/cancel" in methods and not s.session.pending))
        async with asyncio.timeout(60):
            while methods.count("notifications/cancelled") < expected:
                heard.clear()
                await heard.wait()
        await s.settle()
        assert methods.count("notifications/cancelled") == expected
        serving.cancel()


async def test_a_task_that_begins_after_its_call_was_given_up_is_cancelled_too() -> None:
    """2025-11-25 basic/utilities/tasks: a task ends by tasks/cancel only."""
    async with ready() as s:
        call = await soon(s.session.call_tool("slow", {}, task=1))
        await s.client()
        await soon(call.cancel())
        assert (await s.client())["method"] == "notifications/cancelled"
        late = s.server(result(call.id, {"task": task("working")}))
        s.server(result(await expect(s, "tasks/cancel"), task("cancelled")))
        await s.settle()
        assert Flag.LATE in s.journal.row(late).flags
        assert [(known.status, known.call) for known in s.session.tasks.tasks] == [
            ("cancelled", call.number)
        ]
        s.server(result(call.id, {"task": task("working", taskId="t2")}))
        await s.settle()
        assert s.quiet()
        assert len(s.session.tasks.tasks) == 1


async def test_a_task_that_the_server_cancelled_ends_its_call() -> None:
    async with ready() as s:
        call = await start(s)
        s.server(result(await expect(s, "tasks/get"), task("cancelled")))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert "was cancelled" in outcome.error.message


async def test_a_failed_task_still_has_a_result_to_fetch() -> None:
    """2025-11-25 basic/utilities/tasks: tasks/result returns the error of a failed task."""
    async with ready() as s:
        call = await start(s)
        s.server(result(await expect(s, "tasks/get"), task("failed")))
        s.server(error(await expect(s, "tasks/result"), -32000, "it broke"))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Failure)
        assert outcome.message == "it broke"


async def test_a_task_that_the_server_forgot_ends_its_call_with_the_error() -> None:
    async with ready() as s:
        call = await start(s)
        s.server(error(await expect(s, "tasks/get"), -32602, "no such task"))
        assert isinstance(await soon(call.wait()), Failure)


async def test_progress_of_a_task_arrives_until_its_end() -> None:
    """2025-11-25 basic/utilities/tasks: the progress token stays valid."""
    async with ready() as s:
        call = await start(s, poll=1_000_000)
        s.server(notification("notifications/progress", progressToken=2, progress=5))
        assert call.progress is not None
        assert call.progress.progress == 5.0


async def test_an_ordinary_result_to_an_augmented_request_is_taken_as_it_is() -> None:
    async with ready() as s:
        call = await soon(s.session.call_tool("slow", {}, task=0))
        assert (await s.client())["params"] == {
            "name": "slow",
            "arguments": {},
            "task": {},
            "_meta": {"progressToken": 2},
        }
        assert isinstance(await s.answer(call, {"content": []}), Success)
        assert s.session.tasks.tasks == ()


async def test_a_task_is_asked_for_only_where_server_and_tool_allow_it() -> None:
    """2025-11-25 basic/utilities/tasks: capability and execution.taskSupport."""
    async with ready({"tools": {}}) as s:
        with pytest.raises(UsageError, match=r"tasks\.requests\.tools\.call"):
            await s.session.call_tool("slow", {}, task=1)
        forced = await soon(s.session.call_tool("slow", {}, task=1, force=True))
        await s.client()
        assert forced.entry
    async with ready(revision="2025-06-18") as s:
        with pytest.raises(UsageError, match="2025-06-18 has no tasks"):
            await s.session.call_tool("slow", {}, task=1)
    async with ready() as s:
        tools: Json = [
            {"name": "never"},
            {"name": "must", "execution": {"taskSupport": "required"}},
            {"name": "may", "execution": {"taskSupport": "optional"}},
        ]
        reading = s.begin(s.session.catalog.refresh("tools"))
        await s.client()
        s.server(result(2, {"tools": tools}))
        await join(reading)
        with pytest.raises(UsageError, match="does not allow"):
            await s.session.call_tool("never", {}, task=1)
        for name, augmented in (("never", False), ("may", False), ("must", True)):
            await soon(s.session.call_tool(name, {}))
            params = (await s.client())["params"]
            assert isinstance(params, dict)
            assert ("task" in params) is augmented


async def test_all_pages_of_tasks_are_listed() -> None:
    """2025-11-25 basic/utilities/tasks: tasks/list."""
    async with ready() as s:
        listing = s.begin(s.session.tasks.list_all())
        assert "params" not in await s.client()
        s.server(result(2, {"tasks": [task("completed")], "nextCursor": "c"}))
        assert (await s.client())["params"] == {"cursor": "c"}
        other = {**task("working"), "taskId": "t2", "ttl": None}
        s.server(result(3, {"tasks": [other, {"nonsense": 1}, 7]}))
        await join(listing)
        assert [(t.id, t.status, t.ttl, t.call) for t in s.session.tasks.tasks] == [
            ("t1", "completed", 60000, None),
            ("t2", "working", None, None),
        ]


async def test_a_late_status_cannot_bring_a_task_back() -> None:
    async with ready() as s:
        s.server(notification("notifications/tasks/status", **task("completed")))
        s.server(notification("notifications/tasks/status", **task("working")))
        assert s.session.tasks.tasks[0].over


async def test_the_result_of_any_task_can_be_asked_for_by_force() -> None:
    async with ready() as s:
        call = await soon(s.session.tasks.result("t9", Flag.FORCED))
        assert (await s.client())["params"] == {"taskId": "t9"}
        await s.answer(call, {})
        assert call.forced


@pytest.mark.parametrize(
    ("tool", "support"),
    [
        (None, "forbidden"),
        ({}, "forbidden"),
        ({"execution": {"taskSupport": "always"}}, "forbidden"),
        ({"execution": {"taskSupport": "optional"}}, "optional"),
        ({"execution": {"taskSupport": "required"}}, "required"),
    ],
)
def test_task_support_is_forbidden_unless_said_otherwise(tool: Json, support: str) -> None:
    assert task_support(tool) == support
