"""Tasks of the extension `io.modelcontextprotocol/tasks` (SEP-2663), as transcripts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from inspector.errors import ConnectionFailed, PeerViolation, RequestCancelled, UsageError
from inspector.protocol.messages import Json, JsonObject
from inspector.session.extension_tasks import outcome_of
from inspector.session.options import Advertise, Options
from inspector.session.pending import Call, Failure, Lost, Success
from inspector.session.task_state import read_task
from inspector.transport.base import Closed
from tests.session.scene import Scene, error, join, notification, result, soon
from tests.session.test_modern import META, meta_of, opened

EXTENSION = "io.modelcontextprotocol/tasks"
FORM: JsonObject = {
    "method": "elicitation/create",
    "params": {"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}},
}
MODEL: JsonObject = {
    "method": "sampling/createMessage",
    "params": {"messages": [], "maxTokens": 5},
}
SEED = "2026-07-28T10:30:00Z"
DONE: JsonObject = {"content": [{"type": "text", "text": "done"}], "isError": False}


def task(status: str, poll: int = 5, **more: Json) -> JsonObject:
    """A task as the extension describes it."""
    return {
        "resultType": "complete",
        "taskId": "t1",
        "status": status,
        "createdAt": SEED,
        "lastUpdatedAt": SEED,
        "ttlMs": 60000,
        "pollIntervalMs": poll,
        **more,
    }


@asynccontextmanager
async def declaring(advertise: Advertise | None = None) -> AsyncIterator[Scene]:
    """A modern session with a server that declares the extension."""
    options = Options(protocol="modern", advertise=advertise or Advertise())
    capabilities: JsonObject = {"tools": {}, "extensions": {EXTENSION: {}}}
    async with opened(options, capabilities=capabilities) as s:
        yield s


async def start(s: Scene, poll: int = 5) -> Call:
    """A call that the server runs as a task."""
    call = await soon(s.session.call_tool("slow", {"a": 1}))
    await s.client()
    s.server(result(call.id, task("working", poll, resultType="task")))
    return call


async def expect(s: Scene, method: str) -> int:
    """The id of the next request, which must be `method` for our task."""
    sent = await s.client()
    params = sent["params"]
    assert isinstance(params, dict)
    assert (sent["method"], params["taskId"]) == (method, "t1")
    assert isinstance(sent["id"], int)
    return sent["id"]


async def test_every_request_declares_the_extension_and_the_switch_takes_it_away() -> None:
    async with declaring() as s:
        _, sent = await s.call()
        declared = meta_of(sent)[f"{META}clientCapabilities"]
        assert isinstance(declared, dict)
        assert declared["extensions"] == {EXTENSION: {}}
    async with declaring(Advertise(tasks=False)) as s:
        _, sent = await s.call()
        declared = meta_of(sent)[f"{META}clientCapabilities"]
        assert isinstance(declared, dict)
        assert "extensions" not in declared


async def test_a_task_is_polled_and_its_last_description_carries_the_result() -> None:
    async with declaring() as s:
        call = await start(s)
        s.server(result(await expect(s, "tasks/get"), task("working", statusMessage="half")))
        last = await expect(s, "tasks/get")
        s.server(
            b'{"jsonrpc":"2.0","id":%d,"result":{"taskId":"t1","status":"completed",'
            b'"createdAt":"x","lastUpdatedAt":"y","ttlMs":null,"result": {"content":[], "n":1.0}}}'
            % last
        )
        outcome = await soon(call.wait())
        assert isinstance(outcome, Success)
        assert outcome.raw == b'{"content":[], "n":1.0}'
        known = s.session.tasks.find("t1")
        assert known is not None
        assert (known.status, known.call, known.label) == ("completed", call.number, "slow")
        assert (known.polls, known.message, known.ttl) == (2, "", None)
        await s.settle()
        assert s.quiet()
        polls = [one for one in s.session.calls if one.method == "tasks/get"]
        assert [one.parent for one in polls] == [call.number, call.number]
        assert s.exchanges.root(outcome.entry) == call.entry


async def test_a_failed_task_ends_the_call_with_its_error() -> None:
    async with declaring() as s:
        call = await start(s)
        wrong: JsonObject = {"code": -32603, "message": "no fuel", "data": [1]}
        s.server(result(await expect(s, "tasks/get"), task("failed", error=wrong)))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Failure)
        assert (outcome.code, outcome.message, outcome.data) == (-32603, "no fuel", [1])


async def test_a_task_that_the_server_cancelled_ends_the_call_without_an_answer() -> None:
    async with declaring() as s:
        call = await start(s)
        s.server(result(await expect(s, "tasks/get"), task("cancelled")))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, RequestCancelled)


@pytest.mark.parametrize(
    "described",
    [
        task("completed"),
        task("completed", result="text"),
        task("failed"),
        task("failed", error={"code": "x", "message": 1}),
    ],
)
async def test_an_end_without_an_outcome_is_a_violation(described: JsonObject) -> None:
    async with declaring() as s:
        call = await start(s)
        s.server(result(await expect(s, "tasks/get"), described))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, PeerViolation)


async def test_a_task_born_finished_is_asked_for_at_once() -> None:
    async with declaring() as s:
        call = await soon(s.session.call_tool("slow"))
        await s.client()
        s.server(result(call.id, task("completed", 1_000_000, resultType="task")))
        s.server(result(await expect(s, "tasks/get"), task("completed", result=DONE)))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Success)
        assert outcome.result == DONE


async def test_a_status_that_is_announced_ends_the_call_without_a_poll() -> None:
    async with declaring() as s:
        call = await start(s, poll=1_000_000)
        await s.settle()
        s.server(notification("notifications/tasks", **task("completed", result=DONE)))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Success)
        assert outcome.raw == b'{"content":[{"type":"text","text":"done"}],"isError":false}'
        assert s.quiet()


async def test_cancelling_the_call_cancels_the_task_and_looks_how_it_stands() -> None:
    async with declaring() as s:
        call = await start(s, poll=1_000_000)
        cancelling = s.begin(call.cancel())
        s.server(result(await expect(s, "tasks/cancel"), {"resultType": "complete"}))
        s.server(result(await expect(s, "tasks/get"), task("working")))
        await join(cancelling)
        assert isinstance(call.outcome, Lost)
        await s.settle()
        assert s.quiet()
        assert s.session.tasks.tasks[0].status == "working"


async def test_a_refused_poll_ends_the_call_with_that_error() -> None:
    async with declaring() as s:
        call = await start(s)
        s.server(error(await expect(s, "tasks/get"), -32602, "Task has expired"))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Failure)
        assert outcome.message == "Task has expired"


async def test_an_answer_that_describes_no_task_is_a_violation_and_not_a_loop() -> None:
    async with declaring() as s:
        call = await start(s)
        s.server(result(await expect(s, "tasks/get"), {"resultType": "complete"}))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, PeerViolation)


async def test_a_task_that_nobody_declared_is_a_violation_that_names_the_extension() -> None:
    async with declaring(Advertise(tasks=False)) as s:
        call = await start(s)
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, PeerViolation)
        assert EXTENSION in outcome.error.message
        assert s.session.tasks.tasks == ()
        assert s.quiet()


@pytest.mark.parametrize(
    ("declared", "taken"), [({"extensions": {EXTENSION: {}}}, True), ({}, False)]
)
async def test_what_the_request_itself_declares_counts(declared: JsonObject, taken: bool) -> None:
    async with declaring(Advertise(tasks=not taken)) as s:
        meta: dict[str, Json] = {f"{META}clientCapabilities": declared}
        call = await soon(s.session.call_tool("slow", extra_meta=meta))
        await s.client()
        s.server(result(call.id, task("working", 1_000_000, resultType="task")))
        await s.settle()
        assert (call.task_id == "t1") is taken


async def test_only_a_tool_call_may_become_a_task() -> None:
    async with declaring() as s:
        call = await soon(s.session.get_prompt("p", force=True))
        await s.client()
        s.server(result(call.id, task("working", resultType="task")))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert "only tools/call" in outcome.error.message


async def test_a_task_without_an_id_is_a_violation() -> None:
    async with declaring() as s:
        call = await soon(s.session.call_tool("slow"))
        await s.client()
        s.server(result(call.id, {"resultType": "task", "status": "working"}))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, PeerViolation)


async def test_a_task_that_comes_after_the_call_was_given_up_is_cancelled() -> None:
    async with declaring() as s:
        call, _ = await s.call()
        await soon(call.cancel())
        assert (await s.client())["method"] == "notifications/cancelled"
        s.server(result(call.id, task("working", resultType="task")))
        await expect(s, "tasks/cancel")


async def test_questions_before_the_task_and_in_it_belong_to_one_call() -> None:
    async with declaring() as s:
        call, _ = await s.call()
        asked: JsonObject = {"resultType": "input_required", "inputRequests": {"who": FORM}}
        s.server(result(call.id, asked))
        ask = await soon(s.session.inbox.wait_open())
        await soon(s.session.inbox.accept(ask.number, {}))
        again = await s.client()
        assert isinstance(again["id"], int)
        s.server(result(again["id"], task("working", resultType="task")))
        s.server(result(await expect(s, "tasks/get"), task("completed", result=DONE)))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Success)
        assert call.task_id == "t1"


async def test_where_one_listens_the_task_is_listened_for_too() -> None:
    async with declaring() as s:
        listening = s.begin(s.session.subscriptions.listening.listen(("memo://x",)))
        first = await s.client()
        assert isinstance(first["id"], int)
        meta: JsonObject = {f"{META}subscriptionId": first["id"]}
        name = "notifications/subscriptions/acknowledged"
        s.server(notification(name, _meta=meta, notifications={}))
        await join(listening)
        await start(s, poll=1_000_000)
        second = await s.client()
        assert second["method"] == "subscriptions/listen"
        assert isinstance(second["params"], dict)
        assert second["params"]["notifications"] == {
            "resourceSubscriptions": ["memo://x"],
            "taskIds": ["t1"],
        }


async def test_the_end_of_the_connection_ends_the_call() -> None:
    async with declaring() as s:
        call = await start(s, poll=1_000_000)
        await s.settle()
        s.wire.end(Closed("gone"))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, ConnectionFailed)


async def test_methods_of_the_extension_need_its_declaration() -> None:
    async with declaring() as s:
        assert s.session.has_tasks
        assert not s.session.check("tasks/get")
        with pytest.raises(UsageError, match="is not part of 2026-07-28"):
            s.session.check("tasks/list")
    async with opened() as s:
        assert not s.session.has_tasks
        with pytest.raises(UsageError, match=EXTENSION):
            s.session.check("tasks/get")


async def test_no_call_can_be_made_as_a_task_by_our_wish() -> None:
    async with declaring() as s:
        with pytest.raises(UsageError, match="the server decides itself"):
            await soon(s.session.call_tool("slow", task=0))


def test_an_outcome_without_its_text_is_read_all_the_same() -> None:
    described = read_task(task("completed", result=DONE), 3)
    assert described is not None
    found = outcome_of(described, "tools/call")
    assert isinstance(found, Success)
    assert found.result == DONE
