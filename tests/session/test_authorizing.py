"""Clocks stand still while a request waits for a token."""

import asyncio

from inspector.session.authorizing import Authorizing
from inspector.session.deadline import Deadline
from inspector.session.pending import Call, Calls
from inspector.transport.limit import Limit


async def _cancel(call: Call, reason: str) -> None:
    del call, reason


def a_call(
    calls: Calls, number: int, method: str = "tools/call", parent: int | None = None
) -> Call:
    call = Call(
        number, number, method, None, deadline=Deadline(1, 1, 0.0), cancel=_cancel, parent=parent
    )
    calls.add(call)
    return call


def clocks(calls: Calls) -> Authorizing:
    return Authorizing(
        calls, lambda call: call.deadline.pause(5.0), lambda call: call.deadline.resume(9.0)
    )


def stands(call: Call) -> bool:
    """Whether the clock of `call` stands still."""
    return call.deadline.paused


async def test_only_the_clock_of_the_call_that_waits_stands_still() -> None:
    calls = Calls()
    one, other = a_call(calls, 1), a_call(calls, 2)
    authorizing = clocks(calls)
    authorizing.turn(1, True)
    assert stands(one)
    assert not stands(other)
    authorizing.turn(1, False)
    assert not stands(one)
    assert one.deadline.left(4.0) == 1.0  # four seconds were not its own


async def test_a_call_waits_with_its_further_request() -> None:
    calls = Calls()
    top, further = a_call(calls, 1), a_call(calls, 2, parent=1)
    authorizing = clocks(calls)
    authorizing.turn(2, True)
    assert stands(top)
    calls.answered(further)
    authorizing.turn(2, False)
    assert not stands(top)


async def test_connecting_waits_with_the_stream_that_it_needs() -> None:
    calls = Calls()
    opening, other = a_call(calls, 1, "initialize"), a_call(calls, 2)
    authorizing = clocks(calls)
    async with Limit(0.01) as limit:
        authorizing.opening = limit
        authorizing.turn(None, True)
        assert stands(opening)
        assert not stands(other)
        await asyncio.sleep(0.05)  # longer than the limit, which stands still
        authorizing.turn(None, False)
    assert not stands(opening)


async def test_two_waits_of_one_connection_end_one_after_the_other() -> None:
    calls = Calls()
    opening = a_call(calls, 1, "initialize")
    authorizing = clocks(calls)
    authorizing.turn(None, True)
    authorizing.turn(None, True)
    authorizing.turn(None, False)
    assert stands(opening)
    authorizing.turn(None, False)
    assert not stands(opening)
    authorizing.turn(None, False)  # one too many does no harm
    assert opening.deadline.left(100.0) == 0.0
