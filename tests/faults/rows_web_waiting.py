"""Rows 4, 5, 24, 26, 31, 32 and 41 on the web: nothing comes, or too slowly, or of no use."""

import asyncio
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from inspector.errors import InspectorError
from inspector.session.pending import Lost, Success
from inspector.session.state import Phase
from tests.faults.table import screen, wire
from tests.faults.web import Met, eras, looked, met
from tests.servers.rude_http import Exchange, Message
from tests.servers.rude_places import Act, Host, raw_of, result
from tests.session.scene import soon

SHORT = 0.3
"""Seconds that a call waits which gets no answer."""


async def never(host: Host, x: Exchange, m: Message) -> None:
    """Takes the request and says nothing."""
    if host.place == "E":
        await x.send(202, b"Accepted", "text/plain")
    else:
        await x.forever()


def mute(method: str) -> "Act":
    """Never answers that request."""

    async def act(host: Host, x: Exchange, m: Message) -> bool:
        if m.get("method") != method:
            return False
        await never(host, x, m)
        return True

    return act  # type: ignore[return-value]


OPENING = {"2025-11-25": "initialize", "2026-07-28": "server/discover"}


@wire(4, "HE")
async def an_opening_without_an_answer_runs_out_of_time_or_is_given_up(place: str, _: Path) -> None:
    for era in eras(place):
        host = Host(place, other=mute(OPENING[era]))  # type: ignore[arg-type]
        async with met(place, host=host, era=era, connect=False, connect_timeout=SHORT) as here:
            state = await soon(here.bench.connect())
            assert state.phase is Phase.FAILED
            assert state.error is not None
            assert state.error.kind == "timeout"
            assert OPENING[era] in state.error.message
        host = Host(place, other=mute(OPENING[era]))  # type: ignore[arg-type]
        async with met(place, host=host, era=era, connect=False) as here:
            opening = asyncio.ensure_future(here.bench.connect())
            while not here.host.sent(OPENING[era]):  # noqa: ASYNC110
                await asyncio.sleep(0.005)
            began = time.monotonic()
            await soon(here.bench.disconnect())
            await asyncio.wait({opening})
            assert time.monotonic() - began < 2.5  # a DELETE may take two seconds
            assert here.bench.session.state.phase is not Phase.READY


@wire(5, "HE")
async def a_call_without_an_answer_is_pending_and_is_withdrawn(place: str, _: Path) -> None:
    for era in eras(place):
        async with met(place, never, era=era) as here:
            call = await here.begin()
            await here.good()
            assert not call.done
            await here.cancelled_at_once(call)
            if era == "2025-11-25":
                await soon(_until(lambda h=here: h.host.sent("notifications/cancelled")))
                (sent,) = here.host.sent("notifications/cancelled")
                assert sent.message["params"]["requestId"] == call.id
            else:  # there the stream is closed
                assert here.events("stream-closed")
                assert not here.host.sent("notifications/cancelled")
            outcome = await here.call(timeout=SHORT)
            assert isinstance(outcome, Lost)
            assert outcome.error.kind == "timeout"
            await here.good()


async def _until(condition: "object") -> None:
    while not condition():  # type: ignore[operator] # noqa: ASYNC110
        await asyncio.sleep(0.005)


async def half_open(host: Host, x: Exchange, m: Message) -> None:
    """Accepts, and sends no byte: of no answer to anything from here on."""
    await x.forever()


@wire(24, "HE")
async def a_half_open_server_is_left_at_once(place: str, _: Path) -> None:
    for era in eras(place):
        deaf: list[bool] = []

        async def other(host: Host, x: Exchange, m: Message) -> bool:
            if deaf:  # noqa: B023
                await x.forever()
            return False

        async with met(place, host=Host(place, half_open, other), era=era) as here:
            deaf.append(True)
            outcome = await here.call(timeout=SHORT)
            assert isinstance(outcome, Lost)
            assert outcome.error.kind == "timeout"
            # the cancelling itself meets the same silence
            await here.cancelled_at_once(await here.begin())
            deaf.clear()
            await here.good()
            deaf.append(True)
            began = time.monotonic()
        assert time.monotonic() - began < 4  # DELETE is given up


def dripping(gap: float, whole: bool) -> Act:
    """An answer byte by byte; all of it, or never."""

    async def act(host: Host, x: Exchange, m: Message) -> None:
        raw = raw_of(result(m))
        if host.place == "E":
            to = await host.stream(x, b"data: ")
        else:
            to = x
            head = {"Content-Type": "application/json", "Content-Length": str(len(raw))}
            await x.head(200, head)
        for number in range(len(raw)):
            if not whole and number == 40:
                await x.forever()
            await to.write(raw[number : number + 1])
            await asyncio.sleep(gap)
        if host.place == "E":
            await to.write(b"\n\n")

    return act


@wire(26, "HE")
async def a_drip_is_counted_and_has_a_budget(place: str, _: Path) -> None:
    for era in eras(place):
        async with met(place, dripping(0.001, True), era=era) as here:
            assert isinstance(await here.call(), Success)
        async with met(place, dripping(0, False), era=era) as here:
            call = await here.begin(timeout=0)  # no limit but the person
            await soon(_until(lambda c=call: c.arriving >= 40))
            assert call.arriving <= 46
            assert not call.done
            await here.cancelled_at_once(call)
            outcome = await here.call(timeout=SHORT)  # bytes are no progress
            assert isinstance(outcome, Lost)
            assert outcome.error.kind == "timeout"
            assert "bytes of an answer came" in outcome.error.hint
            if place == "H":
                await here.good()


async def comments_for_ever(host: Host, x: Exchange, m: Message) -> None:
    """Keeps the stream alive and brings nothing."""
    to = await host.stream(x)
    while True:
        await to.write(b": still here\n\n")
        await asyncio.sleep(0.01)


@wire(31, "HE")
async def comments_are_no_messages_and_stop_no_clock(place: str, _: Path) -> None:
    for era in eras(place):
        async with met(place, comments_for_ever, era=era) as here:
            outcome = await here.call(timeout=SHORT)
            assert isinstance(outcome, Lost)
            assert outcome.error.kind == "timeout"
            assert len(here.events("sse-ignored")) <= 3  # a keep-alive a second fills no journal
            if place == "H":
                await here.good()


async def progresses(host: Host, x: Exchange, m: Message) -> None:
    """Reports progress for longer than a call may be silent, and answers."""
    token = m["params"]["_meta"]["progressToken"]
    to = await host.stream(x)
    for number in range(8):
        told = {"progressToken": token, "progress": number}
        about = {"jsonrpc": "2.0", "method": "notifications/progress", "params": told}
        await to.write(b"data: " + raw_of(about) + b"\n\n")
        await asyncio.sleep(0.1)
    await to.write(b"data: " + raw_of(result(m)) + b"\n\n")


@wire(31, "HE")
async def progress_does_stop_the_clock(place: str, _: Path) -> None:
    for era in eras(place):
        async with met(place, progresses, era=era) as here:
            assert isinstance(await here.call(timeout=0.4), Success)


@wire(32, "H")
async def a_404_ends_the_session_and_one_more_is_opened(place: str, _: Path) -> None:
    gone: list[str] = []

    async def other(host: Host, x: Exchange, m: Message) -> bool:
        if x.seen.headers.get("mcp-session-id") in gone and m.get("method") != "initialize":
            await x.send(404, b"gone", "text/plain")
            return True
        return False

    async with met(place, host=Host(place, other=other)) as here:
        await here.good()
        gone.append("a-session-of-a-test-00000001")
        error = await here.why()
        assert "the server ended the session (HTTP 404 to our session id)" in error.message
        await soon(_until(lambda: len(here.host.sent("initialize")) == 2))
        await soon(here.bench.changes.until(lambda: here.bench.session.state.ready))
        assert here.host.calls == ["good"]  # no call is sent again by itself
        await here.good()
        assert [one.get("reopening") for one in here.events("session-expired")] == [None, True]


def settled(here: Met) -> bool:
    """Whether no session is being opened."""
    state = here.bench.session.state
    return state.ready or state.over


@wire(32, "H")
async def a_server_that_forgets_every_session_is_not_opened_for_ever(place: str, _: Path) -> None:
    async def other(host: Host, x: Exchange, m: Message) -> bool:
        if m.get("method") in ("initialize", "notifications/initialized"):
            return False
        await x.send(404, b"gone", "text/plain")
        return True

    async with met(place, host=Host(place, other=other)) as here:
        for _number in range(3):
            with suppress(InspectorError):
                assert not isinstance(await here.call("good"), Success)
            await soon(here.bench.changes.until(partial(settled, here)))
        assert len(here.host.sent("initialize")) <= 2
        assert here.bench.session.state.error is not None


@wire(41, "HE")
async def a_clock_that_jumps_ends_no_call_and_no_wait(place: str, _: Path) -> None:
    """What waits counts by the monotonic clock; the expiry of a token: `rows_auth.py`."""
    for era in eras(place):
        async with met(place, dripping(0.001, True), era=era) as here:
            call = await here.begin(timeout=5)
            for jump in (3600.0, -3600.0):
                with pytest.MonkeyPatch.context() as patch:
                    now = time.time()
                    patch.setattr(time, "time", lambda t=now + jump: t)
                    await asyncio.sleep(0.02)
                    assert not call.done
            outcome = await soon(call.wait())
            assert isinstance(outcome, Success)
            assert 0 <= call.elapsed < 30


@screen(4, "H")
async def the_screen_counts_while_it_opens_and_can_be_left(place: str, _: Path) -> None:
    host = Host(place, other=mute("initialize"))  # type: ignore[arg-type]
    async with looked(place, host=host) as here:
        await here.shows("waits for its answer since 1 s", "given up after 20 s")
        await here.pilot.press("ctrl+c")
        await here.until(lambda: here.phase is not Phase.NEGOTIATING, here.text)


@screen(5, "E")
async def the_screen_lives_while_a_call_gets_no_answer(place: str, _: Path) -> None:
    async with looked(place, never) as here:
        await here.press_call()
        await here.shows("● running", "^X cancels")
        await here.pilot.press("1")
        await here.pilot.press("2")
        await here.pilot.press("ctrl+x")
        await here.shows("no answer: cancelled")
        await here.until(lambda: bool(host_heard(here.host)), here.text)


def host_heard(host: Host) -> int:
    """How often the host was told that nobody waits any more."""
    return len(host.sent("notifications/cancelled"))


@screen(26, "H")
async def the_screen_counts_the_bytes_of_a_drip(place: str, _: Path) -> None:
    async with looked(place, dripping(0, False)) as here:
        await here.press_call()
        await here.shows("40 B of an answer came, not whole yet")
        await here.pilot.press("ctrl+x")
        await here.shows("no answer: cancelled")


@screen(24, "E")
@screen(31, "E")
async def the_screen_counts_while_nothing_but_comments_comes(place: str, _: Path) -> None:
    async with looked(place, comments_for_ever) as here:
        await here.press_call()
        await here.shows("● running", "no progress reported yet")
        await here.pilot.press("ctrl+x")
        await here.shows("no answer: cancelled")


@screen(32, "H")
async def the_screen_says_that_the_session_has_ended(place: str, _: Path) -> None:
    gone: list[str] = []

    async def other(host: Host, x: Exchange, m: Message) -> bool:
        if m.get("method") == "tools/call" and not gone:
            gone.append("once")
            await x.send(404, b"gone", "text/plain")
            return True
        return False

    async with looked(place, host=Host(place, other=other)) as here:
        await here.press_call()
        await here.shows("the server ended the session (HTTP 404 to our session id)")
        await here.traffic_shows("session-expired")
