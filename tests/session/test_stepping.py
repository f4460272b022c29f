"""A call that was asked back, gone through request by request (2026-07-28 basic/patterns/mrtr)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest
from jsonschema_rs import validator_for

from inspector.errors import RequestCancelled
from inspector.protocol.messages import JsonObject, RawJson
from inspector.protocol.shapes import schema_for
from inspector.protocol.versions import Revision
from inspector.session.asks import Ask, Policy
from inspector.session.pending import Call, Lost, Success
from inspector.session.questions import GIVEN_UP
from tests.session.scene import Scene, result, soon
from tests.session.test_extension_tasks import declaring, expect, start, task
from tests.session.test_modern import opened
from tests.session.test_rounds import FORM, MODEL, again, params_of, question

STATE = b'"\\u0041\\/b \xe2\x80\xae 1.10"'


@asynccontextmanager
async def asked_back(result_text: bytes) -> AsyncIterator[tuple[Scene, Call]]:
    """A stepped call whose first answer has those members."""
    async with opened() as s:
        s.session.inbox.set_policy("round", Policy("ask"))
        call, _ = await s.call(arguments={"a": 1})
        s.server(
            b'{"jsonrpc":"2.0","id":%d,"result":{"resultType":"input_required",%s}}'
            % (int(call.id), result_text)
        )
        yield s, call


async def next_ask(s: Scene) -> Ask:
    """The ask that is open."""
    return await soon(s.session.inbox.wait_open())


async def test_nothing_goes_out_before_the_step_is_agreed_to_and_then_every_byte_does() -> None:
    async with asked_back(b'"requestState":' + STATE) as (s, call):
        step = await next_ask(s)
        assert (step.kind, step.round, step.cause) == ("round", 1, call.number)
        assert step.raw == b'{"name":"x","arguments":{"a":1},"requestState":' + STATE + b"}"
        await s.settle()
        assert s.quiet()
        assert call.waiting_for_us
        await soon(s.session.inbox.accept(step.number))
        sent = await soon(s.wire.next_sent())
        assert b'"requestState":' + STATE in sent
        assert call.rounds == 1


async def test_the_step_comes_after_the_answers_and_shows_them() -> None:
    async with asked_back(b'"inputRequests":{"who":%s}' % _json(FORM)) as (s, call):
        form = await next_ask(s)
        assert (form.kind, form.round) == ("elicitation", 1)
        await soon(s.session.inbox.decline(form.number))
        step = await next_ask(s)
        answers: JsonObject = {"who": {"action": "decline"}}
        assert step.params["inputResponses"] == answers
        assert "requestState" not in step.params
        await soon(s.session.inbox.accept(step.number))
        second = await again(s)
        assert params_of(second)["inputResponses"] == answers
        assert isinstance(second["id"], int)
        s.server(result(second["id"], question(requestState="more")))
        step = await next_ask(s)
        assert step.round == 2
        await soon(s.session.inbox.accept(step.number))
        third = await again(s)
        assert isinstance(third["id"], int)
        s.server(result(third["id"], {"content": []}))
        assert isinstance(await soon(call.wait()), Success)


async def test_what_was_edited_goes_out_as_it_was_edited_once() -> None:
    async with asked_back(b'"requestState":"s"') as (s, call):
        step = await next_ask(s)
        edited = b'{"name":"x","arguments":{"a":1.10},"requestState":"\\u0042","new":null}'
        await soon(s.session.inbox.answer_raw(step.number, RawJson(edited)))
        sent = await soon(s.wire.next_sent())
        assert edited[:-1] in sent  # behind it stands the `_meta` of every request
        leg = s.session.calls[-1]
        s.server(result(leg.id, question(requestState="t")))
        step = await next_ask(s)
        assert step.params == {"name": "x", "arguments": {"a": 1}, "requestState": "t"}
        assert not call.done


@pytest.mark.parametrize("how", ["decline", "cancel"])
async def test_a_step_that_is_not_taken_ends_the_call_and_sends_nothing(how: str) -> None:
    async with asked_back(b'"requestState":"s"') as (s, call):
        step = await next_ask(s)
        await soon(getattr(s.session.inbox, how)(step.number))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, RequestCancelled)
        assert "was not sent" in outcome.error.hint
        closed = s.session.inbox.find(step.number)
        assert closed is not None
        assert closed.answer is None  # nothing was sent, so nothing is shown as sent
        await s.settle()
        assert s.quiet()


async def test_cancelling_the_call_takes_the_step_back() -> None:
    async with asked_back(b'"requestState":"s"') as (s, call):
        step = await next_ask(s)
        await soon(call.cancel("enough"))
        await s.settle()
        closed = s.session.inbox.find(step.number)
        assert closed is not None
        assert (closed.state, closed.note) == ("withdrawn", GIVEN_UP)
        assert s.quiet()
        assert isinstance(call.outcome, Lost)


async def test_stepping_can_be_switched_on_in_the_middle_of_a_call() -> None:
    async with opened() as s:
        call, _ = await s.call()
        s.server(result(call.id, question(requestState="s")))
        second = await again(s)
        s.session.inbox.set_policy("round", Policy("ask"))
        assert isinstance(second["id"], int)
        s.server(result(second["id"], question(inputRequests={"m": MODEL}, requestState="t")))
        model = await next_ask(s)
        await soon(s.session.inbox.answer_raw(model.number, {}))
        step = await next_ask(s)
        assert (step.kind, step.round, step.params["inputResponses"]) == ("round", 2, {"m": {}})


async def test_a_canned_answer_without_members_is_an_answer_all_the_same() -> None:
    async with opened() as s:
        s.session.inbox.set_policy("sampling", Policy("answer", {}))
        call, _ = await s.call()
        s.server(result(call.id, question(inputRequests={"m": MODEL})))
        assert params_of(await again(s))["inputResponses"] == {"m": {}}


async def test_a_no_to_a_question_in_a_result_is_not_shown_as_sent() -> None:
    async with opened() as s:
        call, _ = await s.call()
        s.server(result(call.id, question(inputRequests={"m": MODEL})))
        model = await next_ask(s)
        await soon(s.session.inbox.decline(model.number, "not now"))
        closed = s.session.inbox.find(model.number)
        assert closed is not None
        assert (closed.state, closed.answer, closed.note) == ("declined", None, "not now")
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert "not now" in outcome.error.message


@pytest.mark.parametrize("how", ["accept", "decline", "cancel"])
async def test_what_is_said_to_a_form_goes_out_as_the_specification_has_it(how: str) -> None:
    """2026-07-28 schema, InputResponse: to decline and to dismiss a form are answers of it."""
    check = validator_for(schema_for("CallToolRequest", Revision.V2026_07_28))
    async with opened() as s:
        call, _ = await s.call()
        asked: JsonObject = {"who": FORM, "what": MODEL, "where": {"method": "roots/list"}}
        s.server(result(call.id, question(inputRequests=asked, requestState="s")))
        form = await next_ask(s)
        await soon(getattr(s.session.inbox, how)(form.number))
        model = await next_ask(s)
        text: JsonObject = {"type": "text", "text": "x"}
        said: JsonObject = {"role": "assistant", "content": text, "model": "m"}
        await soon(s.session.inbox.accept(model.number, said))
        second = await again(s)
        check.validate(second)
        answers = params_of(second)["inputResponses"]
        assert isinstance(answers, dict)
        assert (answers["who"], answers["where"]) == ({"action": how}, {"roots": []})
        wrong = {"action": "reject"}
        assert not check.is_valid(
            {**second, "params": {**_dict(second), "inputResponses": {"who": wrong}}}
        )


def _dict(message: JsonObject) -> JsonObject:
    params = message["params"]
    assert isinstance(params, dict)
    return params


async def test_the_answers_to_a_task_are_stepped_too() -> None:
    async with declaring() as s:
        s.session.inbox.set_policy("round", Policy("ask"))
        call = await start(s)
        asking = task("input_required", poll=10_000_000, inputRequests={"who": FORM})
        s.server(result(await expect(s, "tasks/get"), asking))
        await soon(s.session.inbox.decline((await next_ask(s)).number))
        step = await next_ask(s)
        assert (step.kind, step.method, step.round) == ("round", "tasks/update", 0)
        assert step.raw == b'{"taskId":"t1","inputResponses":{"who":{"action":"decline"}}}'
        await s.settle()
        assert s.quiet()
        assert call.waiting_for_us
        await soon(s.session.inbox.accept(step.number))
        await expect(s, "tasks/update")


async def test_answers_to_a_task_that_are_withheld_end_call_and_task() -> None:
    async with declaring() as s:
        s.session.inbox.set_policy("round", Policy("ask"))
        call = await start(s)
        asking = task("input_required", poll=10_000_000, inputRequests={"who": FORM})
        s.server(result(await expect(s, "tasks/get"), asking))
        await soon(s.session.inbox.decline((await next_ask(s)).number))
        await soon(s.session.inbox.decline((await next_ask(s)).number))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, RequestCancelled)
        await expect(s, "tasks/cancel")


def _json(value: JsonObject) -> bytes:
    return msgspec.json.encode(value)
