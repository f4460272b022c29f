"""HTTP servers that are rude on the wire: the session lives on where it can, the failure says what
is wrong and whose fault it is, nothing that came is missing from the journal, and the next good
call works."""

import asyncio
import base64
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.errors import InspectorError
from inspector.journal.entries import Direction, Flag, Kind
from inspector.journal.facts import decode_facts
from inspector.session.pending import Failure, Lost, Outcome, Success
from inspector.workbench import Options, Workbench
from tests.servers.rude_web import EVERYWHERE, MODES, SSE_MODES, rude_web
from tests.servers.rude_web_pokes import POKES, Web
from tests.session.scene import soon


@dataclass
class Met:
    """One server in one mode, and the bench that met it."""

    bench: Workbench
    web: Web

    async def opened(self) -> bool:
        """Connects."""
        return (await soon(self.bench.connect())).ready

    async def call(self, name: str, timeout: float = 20.0) -> Outcome:
        """The outcome of a tool call."""
        async with asyncio.timeout(40):
            call = await self.bench.session.call_tool(name, {}, timeout=timeout)
            return await call.wait()

    async def why(self, name: str, timeout: float = 20.0) -> InspectorError:
        """Why a tool call has no answer."""
        outcome = await self.call(name, timeout)
        assert isinstance(outcome, Lost), outcome
        return outcome.error

    async def good(self) -> None:
        """The honest tool answers, in this session or in the one that follows it."""
        await soon(self.bench.changes.until(lambda: self.bench.session.state.ready))
        assert isinstance(await self.call("good"), Success)

    @property
    def error(self) -> InspectorError:
        """Why there is no session."""
        error = self.bench.session.state.error
        assert error is not None
        return error

    def events(self) -> Counter[str]:
        """The names of what happened."""
        journal = self.bench.journal
        rows = (journal.row(number) for number in range(1, len(journal) + 1))
        return Counter(row.method for row in rows if row.kind is Kind.EVENT)

    def flags(self) -> Counter[Flag]:
        """How often each flag stands on a frame that came in."""
        journal = self.bench.journal
        rows = [journal.row(number) for number in range(1, len(journal) + 1)]
        came = [r for r in rows if r.kind.is_frame and r.direction is Direction.RECEIVED]
        return Counter(flag for row in came for flag in row.flags)

    def texts(self) -> bytes:
        """All that the journal holds of bodies, as bytes."""
        journal, kept = self.bench.journal, []
        for number in range(1, len(journal) + 1):
            body = journal.body(number)
            kept.append(body)
            if not journal.row(number).kind.is_frame:
                facts = decode_facts(body)
                kept += [str(facts.get(key, "")).encode() for key in ("body", "text", "reason")]
                kept.append(base64.b64decode(str(facts.get("base64", ""))))
        return b"\n".join(kept)


@asynccontextmanager
async def met(mode: str, connect_timeout: float = 10.0) -> AsyncIterator[Met]:
    """A bench on that server; both are closed in bounded time."""
    async with rude_web(mode) as web:
        target = Target(url=web.url, transport="sse" if mode in SSE_MODES else "http")
        bench = Workbench(target, options=Options(no_record=True, connect_timeout=connect_timeout))
        async with asyncio.timeout(60), bench:
            yield Met(bench, web)


GOOD = (
    "honest", "json-with-charset", "json-pretty", "result-202", "result-201", "interim",
    "gzip-stream", "events-crlf", "events-cr", "events-bom", "events-split-utf8",
    "events-many-data", "events-no-space", "events-junk", "events-batch", "events-twice",
    "events-after", "events-retry", "events-resumed", "events-flood", "events-5m", "json-5m",
    "session-changes", "our-id", "answer-elsewhere", "answer-twice", "initialized-500",
    "initialized-answered", "list-500", "get-500", "get-hangs", "get-html", "get-200-json",
    "get-404", "get-reset", "get-ends", "get-answers-nothing", "delete-500", "delete-404",
    "delete-reset", "delete-hangs", "session-odd", "session-huge", "session-none",
    "forgets-subscribers",
    "with-initialize", "sse-honest", "sse-relative", "sse-absolute", "sse-endpoint-twice",
    "sse-crlf", "sse-twice", "sse-junk", "sse-flood", "sse-5m", "sse-our-id", "sse-message-first",
)  # fmt: skip


@pytest.mark.parametrize("mode", GOOD)
async def test_what_can_be_understood_is_and_the_next_call_works(mode: str) -> None:
    async with met(mode) as server:
        assert await server.opened()
        assert isinstance(await server.call("poke"), Success)
        await server.good()


BROKEN = {
    "html-200": "content type text/html",
    "html-as-json": "holds no response to it: it is not JSON",
    "json-as-text": "content type text/plain",
    "json-as-nothing": "content type (none)",
    "json-as-octets": "content type application/octet-stream",
    "json-bom": "byte order mark",
    "json-utf-16": "it is not UTF-8",
    "json-two": "there is more after the end",
    "json-number": "neither an object nor an array",
    "json-wrong-id": "it answers the id 4711",
    "json-id-text": "a string is not a number",
    "json-id-null": "id null is no request id",
    "json-both": "both a result and an error",
    "json-error-text": "its error is not an object",
    "json-request": "a message of the server's own, ping",
    "json-deep": "nested deeper than 512 levels",
    "result-500": "HTTP 500",
    "204": "HTTP 204 without a body",
    "401": "the server wants authorization",
    "402-json": 'HTTP 402 Whatever in answer to tools/call: {"detail": "pay"}',
    "418": "HTTP 418",
    "502": "HTTP 502",
    "redirect-loop": "redirects in a circle",
    "redirect-nowhere": "HTTP 307 without a Location",
    "redirect-javascript": "HTTP 307 redirects to 'javascript:alert(1)'",
    "length-too-long": "cut the answer off",
    "length-too-short": "it ends in the middle",
    "length-text": "bad Content-Length",
    "chunk-reset": "reset the connection",
    "chunk-junk": "illegal chunk header: 'zz",
    "no-http": "does not speak HTTP properly",
    "http-0.9": "does not speak HTTP properly",
    "empty-head": "closed the connection without an answer",
    "resets": "reset the connection",
    "gzip-broken": "it ends in the middle",
    "gzip-lie": "the gzip body is broken",
    "brotli": "Content-Encoding br",
    "sse-names": "the stream ended before the response",
    "events-no-blank-line": "the stream ended before the response",
    "events-no-newline": "the stream ended before the response",
    "events-json-lines": "the stream ended before the response",
    "events-two-json": "the stream ended before the response",
    "events-wrong-id": "the stream ended before the response",
    "events-empty": "the stream ended before the response",
    "events-comments": "the stream ended before the response",
    "events-reset": "reset the connection",
    "events-closed": "the stream ended before the response",
    "events-resumed-404": "HTTP 404",
    "session-forgotten": "the server ended the session",
    "sse-post-500": "HTTP 500",
    "sse-post-404": "HTTP 404",
}
FRAMING = {"chunk-reset", "chunk-junk", "gzip-broken", "no-http", "http-0.9", "length-too-short"}
"""Modes in which what stands on the wire is more than the body of the answer."""


@pytest.mark.parametrize("mode", BROKEN)
async def test_a_broken_answer_says_what_is_wrong_and_is_kept(mode: str) -> None:
    async with met(mode) as server:
        assert await server.opened()
        error = await server.why("poke")
        assert BROKEN[mode] in error.message
        assert error.fault == ("you" if mode == "401" else "server")
        await server.good()
        kept = server.texts()
        for piece in server.web.said if mode not in FRAMING else ():
            for line in piece.splitlines():
                said = line.removeprefix(b"data: ")
                assert said in kept or said.startswith((b"id: ", b"event: "))


@pytest.mark.parametrize(
    ("mode", "hint"),
    [
        ("sse-names", "an event named 'response' came"),
        ("events-no-blank-line", "no blank line ended it"),
        ("events-json-lines", "no blank line ended it"),
        ("events-closed", "gave no event id"),
        ("result-500", "is a result all the same"),
    ],
)
async def test_a_hint_says_more(mode: str, hint: str) -> None:
    async with met(mode) as server:
        assert await server.opened()
        assert hint in (await server.why("poke")).hint


@pytest.mark.parametrize(
    ("mode", "hint"),
    [
        ("hangs", "--timeout"),
        ("slow-head", "--timeout"),
        ("events-hang", "--timeout"),
        ("list-hangs", ""),
        ("sse-never", "--timeout"),
        ("sse-post-hangs", "--timeout"),
        ("sse-wrong-id", "unknown id 4711"),
        ("sse-answer-in-post", "HTTP+SSE takes answers from the event stream only"),
    ],
)
async def test_a_call_that_gets_no_answer_times_out_and_the_next_one_works(
    mode: str, hint: str
) -> None:
    async with met(mode) as server:
        assert await server.opened()
        if mode == "list-hangs":
            call = await server.bench.session.request("tools/list", timeout=0.3)
            await soon(call.wait())
        else:
            assert hint in (await server.why("poke", timeout=0.3)).hint
        await server.good()
        assert all(piece in server.texts() for piece in server.web.said if mode[0] == "s")


UNOPENED = {
    "initialize-html": "content type text/html",
    "initialize-hangs": "initialize got no answer",
    "initialize-empty": "an empty body",
    "initialize-202": "HTTP 202 without a body",
    "initialize-reset": "reset the connection",
    "initialize-error": "-32603 not today",
    "initialize-junk-stream": "the stream ended before the response",
    "initialize-wrong-id": "it answers the id 4711, not 1",
    "sse-no-endpoint": "no connection within 1 s",
    "sse-other-origin": "another origin",
    "sse-endpoint-junk": "holds no URL",
    "sse-endpoint-javascript": "another origin",
    "sse-html": "content type text/html",
    "sse-404": "HTTP 404",
    "sse-hangs": "no connection within 1 s",
    "sse-lost-at-once": "the event stream ended",
}


@pytest.mark.parametrize("mode", UNOPENED)
async def test_a_server_that_does_not_open_says_why(mode: str) -> None:
    async with met(mode, connect_timeout=1.0) as server:
        assert not await server.opened()
        assert UNOPENED[mode] in server.error.message


@pytest.mark.parametrize("mode", ["sse-lost-in-call", "sse-reset-in-call"])
async def test_a_lost_stream_of_http_sse_ends_the_session_and_says_so(mode: str) -> None:
    async with met(mode) as server:
        assert await server.opened()
        assert "the session is over" in (await server.why("poke")).message
        assert server.events()["stream-lost"] == 1
        server.web.hang_up.clear()
        assert (await soon(server.bench.reconnect())).ready


async def test_a_json_rpc_error_under_500_is_the_answer() -> None:
    async with met("error-500-json") as server:
        assert await server.opened()
        outcome = await server.call("poke")
        assert isinstance(outcome, Failure)
        assert (outcome.code, outcome.message) == (-5, "db")


@pytest.mark.parametrize("mode", ["initialized-404", "list-404"])
async def test_404_outside_of_a_call_renews_the_session_but_not_for_ever(mode: str) -> None:
    async with met(mode) as server:
        assert await server.opened()
        await soon(server.bench.session.catalog.look("tools"))
        if mode == "list-404":
            await server.good()
        else:
            await soon(server.bench.changes.until(lambda: server.web.sessions == 2))
        assert server.web.sessions == 2


async def test_a_get_that_is_not_routed_is_no_end_of_the_session() -> None:
    """Frameworks answer a GET that nobody wrote with 404, where the page wants 405."""
    async with met("get-404") as server:
        assert await server.opened()
        await server.good()
        assert server.web.sessions == 1
        assert server.events()["no-event-stream"] == 1


async def test_requests_that_could_not_wait_for_initialized_say_so() -> None:
    async with met("initialized-hangs") as server:
        assert await server.opened()
        await server.good()
        assert server.events()["sent-unordered"] == 1


async def test_a_session_id_that_comes_later_is_told_once_and_not_taken() -> None:
    async with met("session-changes") as server:
        assert await server.opened()
        for _ in range(2):
            assert isinstance(await server.call("poke"), Success)
        assert server.events()["session-id-changed"] == 2
        assert server.web.seen[-1].headers["mcp-session-id"] == "session-number-1"


async def test_of_two_different_answers_the_first_counts_and_the_others_are_shown() -> None:
    async with met("answer-twice") as server:
        assert await server.opened()
        outcome = await server.call("poke")
        assert isinstance(outcome, Success)
        assert b"first" in outcome.raw
        await soon(server.bench.changes.until(lambda: server.flags()[Flag.DUPLICATE] == 2))


def test_every_mode_of_the_server_is_met_by_a_test() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert [mode for mode in MODES if f'"{mode}"' not in text] == []
    assert {*POKES, *EVERYWHERE, *SSE_MODES} == set(MODES)
