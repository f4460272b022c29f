"""A call can be cancelled at once in whatever it waits for (T13), and so can connecting."""

import asyncio
from functools import partial

import pytest

from inspector.session.state import Phase
from tests.auth.rig import until
from tests.faults.rows_web_http import HEAD
from tests.faults.web import met
from tests.servers.rude_http import Exchange, Message, event
from tests.servers.rude_places import Act, Host, note
from tests.session.scene import soon


async def no_head(host: Host, x: Exchange, m: Message) -> None:
    await x.forever()


async def half_a_head(host: Host, x: Exchange, m: Message) -> None:
    await x.write(b"HTTP/1.1 200 OK\r\nContent-")
    await x.forever()


async def interim_for_ever(host: Host, x: Exchange, m: Message) -> None:
    while True:
        await x.write(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 50)
        await asyncio.sleep(0.01)


async def headers_for_ever(host: Host, x: Exchange, m: Message) -> None:
    await x.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        await x.write(b"X: y\r\n")
        await asyncio.sleep(0.01)


async def half_a_body(host: Host, x: Exchange, m: Message) -> None:
    await x.write(HEAD + b'Content-Length: 500\r\n\r\n{"jsonrpc"')
    await x.forever()


async def half_a_chunk(host: Host, x: Exchange, m: Message) -> None:
    await x.write(HEAD + b"Transfer-Encoding: chunked\r\n\r\nffff\r\n{")
    await x.forever()


async def body_of_an_error(host: Host, x: Exchange, m: Message) -> None:
    await x.write(b"HTTP/1.1 500 Oops\r\nContent-Length: 500\r\n\r\n<html>")
    await x.forever()


async def half_an_event(host: Host, x: Exchange, m: Message) -> None:
    await host.stream(x, b'data: {"jsonrpc"')
    await x.forever()


async def silent_stream(host: Host, x: Exchange, m: Message) -> None:
    await host.stream(x, event(note()))
    await x.forever()


async def never_comes_back(host: Host, x: Exchange, m: Message) -> None:
    """The stream ends, and is to be opened again in thirty thousand years."""
    to = await host.stream(x, event(note(), "e1", 999_999_999_999))
    to.closing = True


TURNS = 50

STATES: dict[str, tuple[str, Act]] = {
    "no head": ("H", no_head),
    "half a head": ("H", half_a_head),
    "interim answers": ("H", interim_for_ever),
    "headers": ("H", headers_for_ever),
    "half a body": ("H", half_a_body),
    "half a chunk": ("H", half_a_chunk),
    "body of an error": ("H", body_of_an_error),
    "half an event": ("H", half_an_event),
    "a silent stream": ("H", silent_stream),
    "a resumption": ("H", never_comes_back),
    "the POST, E": ("E", no_head),
    "half an event, E": ("E", half_an_event),
    "a silent stream, E": ("E", silent_stream),
}


@pytest.mark.parametrize("name", STATES)
async def test_a_call_is_cancelled_at_once_in_whatever_it_waits_for(name: str) -> None:
    place, act = STATES[name]
    eras = (
        ["2025-11-25"] if place == "E" or name == "a resumption" else ["2025-11-25", "2026-07-28"]
    )
    for era in eras:
        async with met(place, act, era=era) as here:
            call = await here.begin()
            await until(partial(len, here.host.calls))
            for _ in range(TURNS):  # the client reads what came; it is cancelled before or after
                await asyncio.sleep(0)
            if name == "a resumption":
                await until(partial(here.events, "stream-waits"))
                assert here.events("stream-waits")[0]["seconds"] == 300
            await here.cancelled_at_once(call)
            if not name.startswith("half an event, E"):
                await here.good()


@pytest.mark.parametrize("place", ["H", "E"])
@pytest.mark.parametrize("act", [no_head, half_a_head, interim_for_ever])
async def test_connecting_can_be_given_up_in_whatever_it_waits_for(place: str, act: Act) -> None:
    async def rude(host: Host, x: Exchange, m: Message) -> bool:
        await act(host, x, m)
        return True

    async with met(place, host=Host(place, other=rude), connect=False) as here:
        opening = asyncio.ensure_future(here.bench.connect())
        await until(partial(len, here.host.seen))
        await soon(here.bench.disconnect())
        await asyncio.wait({opening})
        assert here.bench.session.state.phase is not Phase.READY
        assert len(here.host.seen) == 1  # neither sent again nor followed by anything
