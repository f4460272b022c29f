"""Calls end once, and the table finds them by exactly their id."""

import asyncio

from inspector.errors import RequestTimeout
from inspector.session.deadline import Deadline
from inspector.session.pending import LOGS_PER_CALL, RECENT, Call, Calls, Lost, Success


async def _ignore(call: Call, reason: str) -> None:
    call.hint = reason


def make(number: int, request_id: int | str) -> Call:
    """A call that nobody sent."""
    return Call(number, request_id, "ping", None, deadline=Deadline(0, 0, 0), cancel=_ignore)


async def test_a_call_ends_once() -> None:
    call = make(1, 1)
    assert call.finish(Success({}, b"{}", 3))
    assert not call.finish(Lost(RequestTimeout("late")))
    assert await call.wait() == Success({}, b"{}", 3)
    assert call.done
    before = call.elapsed
    assert call.elapsed == before


async def test_all_who_wait_hear_of_the_outcome() -> None:
    call = make(1, 1)
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        waiters = [group.create_task(call.wait()) for _ in range(3)]
        await asyncio.sleep(0)
        call.finish(Success(1, b"1", 1))
    assert [waiter.result() for waiter in waiters] == [Success(1, b"1", 1)] * 3


async def test_only_an_open_call_can_be_cancelled() -> None:
    call = make(1, 1)
    await call.cancel("why")
    assert call.hint == "why"
    call.finish(Success(1, b"1", 1))
    await call.cancel("again")
    assert call.hint == "why"


def test_a_number_and_a_string_are_different_ids() -> None:
    calls = Calls()
    one, text = make(1, 1), make(2, "1")
    calls.add(one)
    calls.add(text)
    assert calls.pending(1) is one
    assert calls.pending("1") is text
    assert calls.pending(None) is None
    calls.answered(one)
    assert calls.all_pending() == (text,)
    assert calls.by_id(1) is one


def test_a_newer_call_with_the_same_id_is_not_ended_by_the_older_one() -> None:
    calls = Calls()
    first, second = make(1, "x"), make(2, "x")
    calls.add(first)
    calls.add(second)
    calls.answered(first)
    assert calls.pending("x") is second
    assert calls.by_id("x") is second


def test_only_the_recent_calls_are_remembered() -> None:
    calls = Calls()
    for number in range(RECENT + 5):
        calls.add(make(number, number))
    assert len(calls.recent) == RECENT
    assert calls.by_number(4) is None
    assert calls.by_number(5) is not None
    assert calls.pending(0) is not None, "an open request is never forgotten"


def test_the_logs_of_one_call_are_bounded() -> None:
    call = make(1, 1)
    for number in range(LOGS_PER_CALL + 5):
        call.note_log(number)
    assert len(call.logs) == LOGS_PER_CALL
