"""Input requests become asks, and their answers come back by key."""

import asyncio
from collections.abc import Awaitable

import pytest

from inspector.errors import PeerViolation, RequestCancelled, UsageError
from inspector.protocol.messages import Json, JsonObject, RawJson, Sendable, encode_json
from inspector.session.asks import Policy
from inspector.session.inbox import OPEN_LIMIT
from inspector.session.questions import GIVEN_UP, answered, read_requests, stepped
from inspector.session.state import SessionState
from tests.session.scene import join, soon
from tests.session.test_modern import opened

FORM: JsonObject = {"method": "elicitation/create", "params": {"message": "Who?"}}
MODEL: JsonObject = {"method": "sampling/createMessage", "params": {}}


@pytest.mark.parametrize(
    "requests",
    [7, [FORM], {"a": 1}, {"a": {}}, {"a": {"method": "ping"}}, {"a": {**FORM, "params": 3}}],
)
async def test_what_cannot_be_asked_is_a_violation(requests: Json) -> None:
    async with opened() as s:
        with pytest.raises(PeerViolation):
            read_requests(requests, "the result", s.session.state)


def test_what_was_not_declared_may_not_be_asked() -> None:
    with pytest.raises(PeerViolation, match=r"may not ask .* \(input request 'a' of it\)"):
        read_requests({"a": FORM}, "it", SessionState())


def test_more_questions_than_anybody_answers_are_a_violation() -> None:
    state = SessionState(client_capabilities={"elicitation": {}})
    asked: JsonObject = {str(n): FORM for n in range(OPEN_LIMIT)}
    assert len(read_requests(asked, "it", state)) == OPEN_LIMIT
    with pytest.raises(PeerViolation, match=f"it asks {OPEN_LIMIT + 1} things at once"):
        read_requests({**asked, "more": FORM}, "it", state)


async def test_answers_come_back_by_key_when_all_are_there() -> None:
    async with opened() as s:
        call, _ = await s.call()
        wanted = read_requests({"a": FORM, "b": MODEL}, "it", s.session.state)
        waiting = s.begin(answered(s.session.inbox, call, wanted, 3))
        first = await soon(s.session.inbox.wait_open())
        await soon(s.session.inbox.accept(first.number, {"x": 1}))
        assert not waiting.done()
        await soon(s.session.inbox.accept(s.session.inbox.open[0].number, {"role": "assistant"}))
        answers = await join(waiting)
        assert {key: encode_json(value) for key, value in answers.items()} == {
            "a": b'{"action":"accept","content":{"x":1}}',
            "b": b'{"role":"assistant"}',
        }


async def test_one_no_takes_the_other_questions_back() -> None:
    async with opened() as s:
        call, _ = await s.call()
        wanted = read_requests({"a": FORM, "b": MODEL}, "it", s.session.state)
        waiting = s.begin(_caught(answered(s.session.inbox, call, wanted, 3)))
        await soon(s.session.inbox.wait_open())
        await soon(s.session.inbox.decline(s.session.inbox.open[1].number))
        assert isinstance(await join(waiting), RequestCancelled)
        assert not s.session.inbox.open
        assert s.session.inbox.asks[0].note == GIVEN_UP
        assert not call.waiting_for_us


async def test_whoever_stops_waiting_takes_the_questions_back() -> None:
    async with opened() as s:
        call, _ = await s.call()
        wanted = read_requests({"a": FORM}, "it", s.session.state)
        waiting = s.begin(answered(s.session.inbox, call, wanted, 3))
        await soon(s.session.inbox.wait_open())
        waiting.cancel()
        await asyncio.wait((waiting,))
        (ask,) = s.session.inbox.asks
        assert ask.state == "withdrawn"
        assert "wanted no more" in ask.note  # the call itself goes on


async def _caught(work: Awaitable[object]) -> object:
    try:
        return await work
    except RequestCancelled as error:
        return error


async def test_the_asks_of_one_round_know_it() -> None:
    async with opened() as s:
        call, _ = await s.call()
        wanted = read_requests({"a": FORM, "b": MODEL}, "it", s.session.state)
        waiting = s.begin(answered(s.session.inbox, call, wanted, 3, round=2))
        await soon(s.session.inbox.wait_open())
        assert [(ask.round, ask.entry) for ask in s.session.inbox.open] == [(2, 3), (2, 3)]
        waiting.cancel()
        await asyncio.wait((waiting,))


async def test_a_round_goes_on_by_itself_unless_somebody_wants_to_step() -> None:
    async with opened() as s:
        call, _ = await s.call()
        params: JsonObject = {"name": "x"}
        assert await stepped(s.session.inbox, call, call.method, params, 3, round=1) is params
        assert not s.session.inbox.asks


async def test_a_round_that_a_policy_stops_is_not_sent_and_nobody_is_asked() -> None:
    async with opened() as s:
        call, _ = await s.call()
        s.session.inbox.set_policy("round", Policy("decline"))
        with pytest.raises(RequestCancelled, match="by policy: decline"):
            await stepped(s.session.inbox, call, call.method, {"name": "x"}, 3, round=1)
        assert [(ask.state, ask.answer) for ask in s.session.inbox.asks] == [("automatic", None)]


async def test_whoever_steps_sees_the_exact_text_and_may_send_another() -> None:
    async with opened() as s:
        call, _ = await s.call()
        s.session.inbox.set_policy("round", Policy("ask"))
        params: dict[str, Sendable] = {"name": "x", "requestState": RawJson(b'"\\u0041"')}
        waiting = s.begin(stepped(s.session.inbox, call, call.method, params, 3, round=1))
        ask = await soon(s.session.inbox.wait_open())
        assert (ask.kind, ask.method, ask.round) == ("round", "tools/call", 1)
        assert ask.raw == b'{"name":"x","requestState":"\\u0041"}'
        assert ask.params["requestState"] == "A"
        assert call.waiting_for_us
        with pytest.raises(UsageError, match="a JSON object"):
            await soon(s.session.inbox.answer_raw(ask.number, RawJson(b"[1]")))
        await soon(s.session.inbox.answer_raw(ask.number, RawJson(b'{"n":1.10}')))
        assert encode_json(await join(waiting)) == b'{"n":1.10}'
