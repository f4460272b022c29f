"""A limit that stands still while a person is asked."""

import asyncio

import pytest

from inspector.transport.limit import Limit


async def test_what_takes_too_long_is_ended() -> None:
    with pytest.raises(TimeoutError):
        async with Limit(0.01):
            await asyncio.Event().wait()


async def test_no_limit_is_none() -> None:
    async with Limit(0) as limit:
        limit.pause()
        limit.resume()
        await asyncio.sleep(0)


async def test_the_time_of_a_pause_does_not_count() -> None:
    async with Limit(0.02) as limit:
        limit.pause()
        await asyncio.sleep(0.06)
        limit.resume()


async def _pause_twice_and_wait() -> None:
    async with Limit(0.02) as limit:
        limit.pause()
        limit.pause()
        limit.resume()
        await asyncio.sleep(0.04)  # one pause is left
        limit.resume()
        await asyncio.Event().wait()


async def test_after_the_last_pause_the_clock_goes_on() -> None:
    with pytest.raises(TimeoutError):
        await _pause_twice_and_wait()


async def test_a_pause_may_begin_before_the_block_and_end_after_it() -> None:
    limit = Limit(0.01)
    limit.pause()
    async with limit:
        await asyncio.sleep(0.03)
    limit.resume()


async def test_what_goes_wrong_inside_comes_out_as_it_is() -> None:
    with pytest.raises(ValueError, match="inside"):
        async with Limit(1):
            raise ValueError("inside")
