"""A person may take as long over an answer as they like, in both eras and over every transport.

The clock is put forward by far more than every limit that there is while an ask is open; the
controls show that the same leap ends a call that waits for the server.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import pytest

from inspector.config.targets import Target
from inspector.errors import RequestTimeout
from inspector.protocol.messages import Json, JsonObject
from inspector.session.asks import Ask, Policy
from inspector.session.pending import Call, Lost, Success
from inspector.workbench import Options, Workbench
from tests.servers import real
from tests.servers.rude_http import Peer, rude_http
from tests.session.scene import Scene, ready, request, result, soon
from tests.session.test_modern import opened
from tests.session.test_real_peers import text_of
from tests.session.test_rounds import FORM, MODEL, again, question

HOUR = 3600.0


class Leap:
    """A monotonic clock that can be put forward, for every timer of this process."""

    def __init__(self) -> None:
        self.ahead = 0.0

    async def an_hour(self) -> None:
        """An hour goes by, and whatever was due meanwhile happens."""
        self.ahead += HOUR
        for _ in range(50):
            await asyncio.sleep(0)


@pytest.fixture
def leap(monkeypatch: pytest.MonkeyPatch) -> Leap:
    """The clock of the test: event loops, deadlines and HTTP connections go by it."""
    made, real_clock = Leap(), time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: real_clock() + made.ahead)
    return made


async def until(condition: Callable[[], bool]) -> None:
    """Waits, not for ever, until `condition` holds."""
    for _ in range(6000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come about")


def timed_out(call: Call) -> bool:
    """Whether a limit ended the call."""
    return isinstance(call.outcome, Lost) and isinstance(call.outcome.error, RequestTimeout)


def form(request_id: int | str) -> JsonObject:
    """A question in the handshake era."""
    return request(request_id, "elicitation/create", message="?", requestedSchema={})


# -- on a scripted wire --


async def test_without_a_question_the_same_hour_ends_a_call(leap: Leap) -> None:
    async with ready() as s:
        call, _ = await s.call()
        await leap.an_hour()
        assert timed_out(call)


@pytest.mark.parametrize("named", [True, False])
async def test_an_hour_over_a_request_ends_no_call(leap: Leap, named: bool) -> None:
    async with ready() as s:
        call, _ = await s.call()
        s.server(form("e"), about=call.id if named else None)
        ask = await soon(s.session.inbox.wait_open())
        await leap.an_hour()
        s.server(request("p", "ping"))
        assert (await s.client())["id"] == "p"  # the server is answered meanwhile
        await leap.an_hour()
        assert not call.done
        await soon(s.session.inbox.accept(ask.number, {}))
        await s.client()
        assert isinstance(await s.answer(call, {"content": []}), Success)


async def test_an_hour_over_a_request_of_which_nobody_knows_the_call_ends_none(leap: Leap) -> None:
    async with ready() as s:
        calls = [(await s.call())[0] for _ in range(2)]
        s.server(form("e"))
        ask = await soon(s.session.inbox.wait_open())
        await leap.an_hour()
        await soon(s.session.inbox.decline(ask.number))
        await s.client()
        for call in calls:
            assert isinstance(await s.answer(call, {"content": []}), Success)


async def test_once_it_is_answered_the_hour_is_the_servers_again(leap: Leap) -> None:
    async with ready() as s:
        call, _ = await s.call()
        s.server(form("e"), about=call.id)
        ask = await soon(s.session.inbox.wait_open())
        await leap.an_hour()
        await soon(s.session.inbox.decline(ask.number))
        await s.client()
        await leap.an_hour()
        assert timed_out(call)


async def test_an_hour_over_each_question_in_a_result_ends_no_call(leap: Leap) -> None:
    async with opened() as s:
        s.session.inbox.set_policy("round", Policy("ask"))
        call, sent = await s.call()
        for turn in range(2):
            assert isinstance(sent["id"], int)
            requests: JsonObject = {"who": FORM, "what": MODEL}
            s.server(result(sent["id"], question(inputRequests=requests, requestState=str(turn))))
            await hours_over(s, leap, 3)  # both questions, and then the step
            assert not call.done
            sent = await again(s)
        assert isinstance(sent["id"], int)
        s.server(result(sent["id"], {"content": []}))
        assert isinstance(await soon(call.wait()), Success)


async def test_the_hour_after_the_answers_is_the_servers_again(leap: Leap) -> None:
    async with opened() as s:
        call, _ = await s.call()
        s.server(result(call.id, question(inputRequests={"who": FORM})))
        await hours_over(s, leap, 1)
        await again(s)
        await leap.an_hour()
        await until(lambda: call.done)
        assert timed_out(call)


async def hours_over(s: Scene, leap: Leap, asks: int) -> None:
    """Takes an hour over each of the next asks."""
    for _ in range(asks):
        ask = await soon(s.session.inbox.wait_open())
        await leap.an_hour()
        await soon(s.session.inbox.answer_raw(ask.number, _answer(ask)))


def _answer(ask: Ask) -> JsonObject:
    if ask.kind == "round":
        return ask.params
    if ask.kind == "sampling":
        text: JsonObject = {"type": "text", "text": "Hm."}
        return {"role": "assistant", "content": text, "model": "m"}
    return {"action": "accept", "content": {"name": "Ada"}}


# -- on sockets and pipes --


@asynccontextmanager
async def on(target: Target, protocol: str) -> AsyncIterator[Workbench]:
    """A workbench that is connected."""
    async with Workbench(target, options=Options(protocol=protocol, no_record=True)) as bench:
        state = await soon(bench.connect())
        assert state.ready, state.error
        yield bench


async def pings_answered(peer: Peer, count: int) -> None:
    """Returns when so many pings of the peer have an answer."""
    await until(lambda: any(seen.message.get("id") == f"p{count}" for seen in peer.seen))


async def test_a_stream_of_comments_and_pings_stays_open_for_hours(leap: Leap) -> None:
    async with rude_http("asks-patiently") as peer, on(Target(url=peer.url), "2025-11-25") as bench:
        call = await soon(bench.session.call_tool("poke", {}))
        ask = await soon(bench.session.inbox.wait_open())
        for hours in range(1, 4):
            await leap.an_hour()
            await pings_answered(peer, 10 * hours)
        assert not call.done
        await soon(bench.session.inbox.accept(ask.number, {}))
        assert text_of(await soon(call.wait())) == "ok"


async def test_a_stream_that_only_comments_ends_with_its_call(leap: Leap) -> None:
    async with rude_http("comments-only") as peer, on(Target(url=peer.url), "2025-11-25") as bench:
        call = await soon(bench.session.call_tool("poke", {}))
        await peer.wait_for("POST", 3)
        await leap.an_hour()
        await until(lambda: call.done)
        assert timed_out(call)


@pytest.fixture(scope="module")
def demo_url() -> Iterator[str]:
    """The demo server over HTTP."""
    port = real.free_port()
    with real.running(real.demo("--http", str(port)), port) as origin:
        yield f"{origin}/mcp"


@pytest.fixture(params=["stdio", "http"])
def demo(request: pytest.FixtureRequest) -> Target:
    """The demo server, on the official SDK, over each transport."""
    if request.param == "stdio":
        return real.demo()
    return Target(url=request.getfixturevalue("demo_url"))


@pytest.fixture(scope="module")
def sse_url() -> Iterator[str]:
    """The demo server over HTTP+SSE."""
    port = real.free_port()
    with real.running(real.demo("--sse", str(port)), port) as origin:
        yield f"{origin}/sse"


@pytest.mark.peer
async def test_hours_over_a_question_on_the_old_transport_end_no_call(
    leap: Leap, sse_url: str
) -> None:
    async with on(Target(url=sse_url), "2025-11-25") as bench:
        call = await soon(bench.session.call_tool("ask_form", {}))
        ask = await soon(bench.session.inbox.wait_open())
        for _ in range(3):
            await leap.an_hour()
        assert not call.done
        await soon(bench.session.inbox.decline(ask.number))
        assert text_of(await soon(call.wait())) == "You chose to decline."


@pytest.mark.peer
@pytest.mark.parametrize("protocol", ["2025-11-25", "modern"])
async def test_hours_over_a_question_of_a_real_server_end_no_call(
    leap: Leap, demo: Target, protocol: str
) -> None:
    wanted: tuple[tuple[str, Json], ...] = (("ask_form", "Ada"), ("ask_model", "Hm."))
    async with on(demo, protocol) as bench:
        for tool, said in wanted:
            call = await soon(bench.session.call_tool(tool, {}))
            ask = await soon(bench.session.inbox.wait_open())
            for _ in range(3):
                await leap.an_hour()
            assert not call.done
            await soon(bench.session.inbox.answer_raw(ask.number, _answer(ask)))
            assert str(said) in text_of(await soon(call.wait()))
