"""Rows 25, 27 to 30 and 33 to 35 on the web: HTTP is broken, too much, or leads elsewhere."""

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from inspector.session.pending import Success
from inspector.transport import http_answer, http_body, http_follow, http_sse
from tests.faults.table import wire
from tests.faults.web import eras, met
from tests.servers.rude_http import Exchange, Message, event, rude_http
from tests.servers.rude_places import Act, Host, note, result
from tests.session.scene import soon

HTML = b"<html><body><h1>Nobody home \x1b[31m</h1></body></html>"


def puts(*pieces: bytes, end: str = "close") -> Act:
    """Bytes as they stand in answer to the POST, and then "close" or "reset"."""

    async def act(host: Host, x: Exchange, m: Message) -> None:
        x.closing = True
        for piece in pieces:
            await x.write(piece)
        if end == "reset":
            x.reset()

    return act


def sends(status: int, body: bytes = b"", media: str = "", **headers: str) -> Act:
    """One whole answer to the POST."""

    async def act(host: Host, x: Exchange, m: Message) -> None:
        await x.send(status, body, media, **headers)

    return act


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
RESETS = {
    "in the header": (puts(b"HTTP/1.1 200 OK\r\nConte", end="reset"), "reset"),
    "in the body": (puts(HEAD + b'Content-Length: 900\r\n\r\n{"a', end="reset"), "reset"),
    "closed in the body": (puts(HEAD + b'Content-Length: 900\r\n\r\n{"a'), "cut the answer off"),
    "before the header": (puts(end="reset"), "reset"),
}


async def reset_stream(host: Host, x: Exchange, m: Message) -> None:
    """A reset in the middle of an event: of the stream of the answer, or of all (E)."""
    to = await host.stream(x, b'data: {"jsonrpc":')
    to.reset()
    host.over.set()


@wire(25, "HE")
async def a_reset_fails_its_call_and_the_session_survives(place: str, _: Path) -> None:
    for era in eras(place):
        for act, words in RESETS.values() if place == "H" else [RESETS["before the header"]]:
            async with met(place, act, era=era) as here:
                error = await here.why()
                assert words in error.message
                assert error.fault == "server"
                await here.good()
        async with met(place, reset_stream, era=era) as here:
            error = await here.why()
            assert "reset the connection" in error.message
            if place == "H":
                await here.good()
            else:  # the one stream is gone, and with it the session
                assert "the session is over" in error.message
                assert (await soon(here.bench.reconnect())).ready


@wire(27, "HE")
async def a_header_of_200_kb_is_an_error_of_that_call_only(place: str, _: Path) -> None:
    for era in eras(place):
        async with met(
            place, sends(200, b"{}", "application/json", X_Big="y" * 200_000), era=era
        ) as here:
            error = await here.why()
            assert "response headers of more than 100 KiB" in error.message
            assert len(error.message) < 500
            await here.good()


def bomb(count: int, window: int = 31, lead: bytes = b"") -> bytes:
    """`count` megabytes of blanks, compressed a thousand times."""
    packer = zlib.compressobj(9, zlib.DEFLATED, window)
    return (
        packer.compress(lead)
        + b"".join([packer.compress(b" " * 1_000_000) for _ in range(count)])
        + packer.flush()
    )


BOMBS = {
    "gzip": (bomb(4), "gzip", "larger than"),
    "deflate": (bomb(4, 15), "deflate", "larger than"),
    "raw deflate": (bomb(4, -15), "deflate", "larger than"),
    "twice": (gzip.compress(bomb(4)), "gzip, gzip", "which was not asked for"),
    "br": (bomb(1), "br", "which was not asked for"),
    "zstd": (bomb(1), "zstd", "which was not asked for"),
}


@asynccontextmanager
async def small_caps() -> AsyncIterator[None]:
    """The caps a thirty-second of what they are, so that a bomb can be small too: that the real
    ones hold is measured by `test_memory.py`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(http_body.Collected.__init__, "__defaults__", (2_000_000,))
        patch.setattr(http_answer.Answer.read, "__defaults__", (2_000_000,))
        patch.setattr(http_follow, "BODY_CAP", 2_000_000)
        patch.setattr(http_sse, "BODY_CAP", 2_000_000)
        yield


async def endless(host: Host, x: Exchange, m: Message) -> None:
    """JSON that never ends."""
    x.closing = True
    await x.write(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
    while True:
        await x.write(b"8000\r\n" + b"[" * 32768 + b"\r\n")


@wire(28, "HE")
async def too_much_in_a_body_is_an_error_at_the_cap(place: str, _: Path) -> None:
    async with small_caps():
        for era in eras(place)[:1]:
            for body, coding, words in BOMBS.values():
                act = sends(200, body, "application/json", Content_Encoding=coding)
                async with met(place, act, era=era) as here:
                    if place == "H":
                        assert words in (await here.why()).message
                    else:  # the body of an answer to a POST is nobody's answer there
                        await here.cancelled_at_once(await here.begin())
                    await here.good()
            async with met(place, endless, era=era) as here:
                if place == "H":
                    assert "larger than 2000000 bytes" in (await here.why()).message
                    await here.good()


@wire(28, "E")
async def a_bomb_in_the_stream_ends_it_at_the_cap(place: str, _: Path) -> None:
    async def packed(host: Host, x: Exchange, m: Message) -> bool:
        if x.seen.method != "GET":
            return False
        x.closing = True
        head = (
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n"
        )
        await x.write(head + bomb(4, lead=b"data: "))
        return True

    async with small_caps(), met(place, host=Host(place, other=packed), connect=False) as here:
        state = await soon(here.bench.connect())
        assert state.error is not None
        assert "larger than 2000000 bytes" in state.error.message


async def never_ending_event(host: Host, x: Exchange, m: Message) -> None:
    """An SSE event without an end."""
    to = await host.stream(x, b"data: ")
    while True:
        await to.write(b"x" * 100_000)


@wire(29, "HE")
async def an_event_that_never_ends_is_an_error_at_the_cap(place: str, _: Path) -> None:
    async with small_caps():
        for era in eras(place):
            async with met(place, never_ending_event, era=era) as here:
                error = await here.why()
                assert "an SSE event is larger than 2000000 bytes" in error.message
                assert here.events("stream-cut")[0]["bytes"]
                if place == "H":
                    await here.good()
                else:
                    assert (await soon(here.bench.reconnect())).ready
                    await here.good()


async def closes_early(host: Host, x: Exchange, m: Message) -> None:
    """The stream ends before the answer, with a place to resume from."""
    host.notes["asked"] = m
    to = await host.stream(x, event(note("one"), "e1", 30))
    to.closing = True
    host.over.set()


async def resumes(host: Host, x: Exchange, m: Message) -> bool:
    """The rest of a stream, to whoever says where it broke."""
    asked = host.notes.get("asked")
    if x.seen.method != "GET" or not isinstance(asked, dict) or host.place == "E":
        return False
    host.notes["from"] = x.seen.headers.get("last-event-id")
    host.notes["at"] = asyncio.get_running_loop().time()
    await x.stream(event(result(asked, "resumed"), "e2"))
    return True


@wire(30, "HE")
async def a_stream_that_ends_early_is_resumed_where_that_exists(place: str, _: Path) -> None:
    for era in eras(place):
        async with met(place, host=Host(place, closes_early, resumes), era=era) as here:
            if (place, era) == ("H", "2025-11-25"):
                outcome = await here.call()
                assert isinstance(outcome, Success)
                assert b"resumed" in outcome.raw
                assert here.host.notes["from"] == "e1"
                assert here.events("stream-waits")[0]["seconds"] == 0.03
                await here.good()
                continue
            error = await here.why()
            if place == "E":
                assert "HTTP+SSE cannot resume, so the session is over" in error.message
                assert (await soon(here.bench.reconnect())).ready
            else:
                assert "the stream ended before the response" in error.message
                assert "no stream is resumed in this revision" in error.hint
                assert "from" not in here.host.notes
                await here.good()


ODD = {
    "202": (sends(202), "HTTP 202 without a body"),
    "204": (sends(204), "HTTP 204 without a body"),
    "HTML": (sends(200, HTML, "text/html"), "content type text/html"),
    "500": (sends(500, HTML, "text/html", X_Trace="a-trace"), "HTTP 500"),
    "502 empty": (sends(502), "HTTP 502"),
    "418": (sends(418, b"teapot \xff\xfe", "text/plain; charset=utf-16"), "HTTP 418"),
}


@wire(33, "HE")
async def what_is_no_json_is_kept_with_status_headers_and_body(place: str, _: Path) -> None:
    for era in eras(place):
        for name, (act, words) in ODD.items():
            async with met(place, act, era=era) as here:
                if place == "E" and name in ("202", "204", "HTML"):
                    # there any 2xx takes the message; the answer comes by the stream, or not
                    call = await here.begin()
                    await here.cancelled_at_once(call)
                else:
                    error = await here.why()
                    assert words in error.message
                    assert error.hint
                if name in ("500", "418"):
                    (told,) = [one for one in here.exchanges() if one.get("status") in (500, 418)]
                    assert told["reason"] == "Whatever"
                    assert "body" in told or "base64" in told
                    assert str(told["responseHeaders"]).count("Content-Type") == 1
                await here.good()


BUSY = ((429, "120"), (503, "Wed, 21 Oct 2026 07:28:00 GMT"), (503, "1e9"), (429, "-1"))


@wire(34, "HE")
async def a_busy_server_is_shown_and_nothing_is_sent_again(place: str, _: Path) -> None:
    for era in eras(place):
        for status, after in BUSY:
            async with met(
                place, sends(status, b"later", "text/plain", Retry_After=after), era=era
            ) as here:
                error = await here.why()
                assert f"HTTP {status}" in error.message
                assert f"Retry-After: {after}" in error.message
                assert "nothing is sent again by itself" in error.hint
                await here.good()
                assert here.host.calls == ["poke", "good"]


@wire(35, "HE")
async def redirects_are_refused_with_the_target_shown(place: str, _: Path) -> None:
    async with rude_http() as evil:
        away = f"http://127.0.0.1:{evil.port}/steal"
        refused = {
            "another origin": (307, away, "another origin"),
            "the same by name": (308, f"http://localhost:{evil.port}/x", "another origin"),
            "302": (302, "/elsewhere", "only 307 and 308 keep method and body"),
            "301": (301, "/elsewhere", "only 307 and 308"),
            "303": (303, "/elsewhere", "only 307 and 308"),
            "circle": (307, "", "in a circle"),
            "userinfo": (307, f"http://a:b@127.0.0.1:{evil.port}/x", "another origin"),
            "file": (307, "file:///etc/passwd", "another origin"),
            "javascript": (307, "javascript:alert(1)", "which is no URL"),
        }
        for era in eras(place):
            for status, location, words in refused.values():
                act = sends(status, Location=location or ("/mcp" if place == "H" else "/messages"))
                if place == "E" and not location:
                    act = sends(status, Location="/messages?sessionId=a-session-of-a-test")
                async with met(place, act, era=era) as here:
                    error = await here.why()
                    assert words in error.message, error.message
                    if location:
                        shown = location.replace("a:b@", "").rpartition("/")[2]
                        assert shown in error.message
                    assert "b@" not in error.message
                    await here.good()
        assert evil.seen == []
