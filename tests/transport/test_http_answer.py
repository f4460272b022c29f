"""The answer to one HTTP request: what is read of it, and what its failure says."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed, PeerViolation
from inspector.journal.facts import decode_facts
from inspector.journal.journal import Journal
from inspector.transport.http_answer import Answer
from inspector.transport.http_client import HttpClient


@contextlib.asynccontextmanager
async def answered(raw: bytes) -> AsyncIterator[tuple[Answer, Journal]]:
    """What a client gets from a server that says `raw` and closes."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(raw)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    journal = Journal()
    client = HttpClient(Target(url=f"http://127.0.0.1:{port}/mcp"), journal, 1)
    try:
        async with await client.exchange("GET", client.url, ()) as answer:
            yield answer, journal
    finally:
        await client.close()
        server.close()


def http(media: str, body: bytes, status: str = "200 OK") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {media}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


@pytest.mark.parametrize(
    ("media", "status", "stream", "json"),
    [
        ("application/json; charset=utf-8", "200 OK", False, True),
        ("text/event-stream", "200 OK", True, False),
        ("text/html", "200 OK", False, False),
        ("application/json", "404 Not Found", False, False),
    ],
)
async def test_status_and_type_say_what_it_is(
    media: str, status: str, stream: bool, json: bool
) -> None:
    async with answered(http(media, b"", status)) as (answer, _):
        assert (answer.is_stream, answer.is_json) == (stream, json)
        assert answer.ok is (status == "200 OK")


async def test_the_body_of_a_failure_is_read_at_once_and_quoted() -> None:
    async with answered(http("text/plain", b"who are you?", "403 Forbidden")) as (answer, _):
        assert answer.body == b"who are you?"
        error = answer.failure("tools/call")
        assert "HTTP 403" in error.message
        assert "who are you?" in error.message


@pytest.mark.parametrize("lead", range(150, 210, 12))
async def test_a_quotation_that_is_cut_holds_no_half_of_a_secret(lead: int) -> None:
    body = b"x" * lead + b"t0ken-0123456789-abcdefghijklmnopqrstuvwxyz"
    async with answered(http("text/html", body, "500 Oops")) as (answer, journal):
        journal.redactor.learn("t0ken-0123456789-abcdefghijklmnopqrstuvwxyz")
        assert "t0ken" not in answer.failure("tools/call").message


async def test_the_hint_of_a_401_is_what_the_client_knows() -> None:
    async with answered(http("text/plain", b"", "401 Unauthorized")) as (answer, _):
        answer.hint = "log in"
        error = answer.failure("tools/call")
        assert isinstance(error, ConnectionFailed)
        assert (error.kind, error.hint) == ("auth", "log in")


async def test_a_body_that_breaks_off_is_kept_as_far_as_it_came() -> None:
    raw = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
    async with answered(raw) as (answer, journal):
        with pytest.raises(ConnectionFailed):
            await answer.read()
        assert answer.body == b"{"
        assert decode_facts(journal.body(len(journal)))["event"] == "http-broken"


async def test_a_body_beyond_the_cap_is_refused() -> None:
    async with answered(http("application/json", b"x" * 100)) as (answer, _):
        with pytest.raises(PeerViolation, match="larger than 10 bytes"):
            await answer.read(10)
