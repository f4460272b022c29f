"""The words for what goes wrong over HTTP."""

import socket
import ssl

import httpx
import pytest

from inspector.transport.http_errors import answer_error, connection_error, status_error

URL = httpx.URL("https://server.example:8443/mcp")


def caused(cause: BaseException) -> httpx.ConnectError:
    """A ConnectError as httpx raises it, with the reason buried in a group."""
    error = httpx.ConnectError("All connection attempts failed")
    error.__cause__ = OSError("several")
    error.__cause__.__cause__ = BaseExceptionGroup("attempts", [cause])
    return error


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (caused(ConnectionRefusedError()), "refused", "nothing listens on server.example:8443"),
        (caused(ConnectionResetError()), "reset", "reset the connection while waiting"),
        (caused(socket.gaierror(-2, "unknown name")), "dns", "server.example cannot be resolved"),
        (caused(ssl.SSLError(1, "WRONG_VERSION")), "tls", "TLS with server.example:8443"),
        (caused(ssl.SSLCertVerificationError("x")), "tls", "certificate of server.example"),
        (httpx.ConnectTimeout("x"), "timeout", "did not accept a connection in time"),
        (httpx.ReadTimeout("x"), "timeout", "sent nothing for too long"),
        (httpx.ProxyError("407"), "proxy", "the proxy refused"),
        (httpx.LocalProtocolError("Illegal header"), "http", "cannot be sent"),
        (httpx.RemoteProtocolError("Receive buffer too long"), "http", "100 KiB"),
        (httpx.RemoteProtocolError("illegal status line"), "http", "does not speak HTTP"),
        (httpx.RemoteProtocolError("incomplete chunked read"), "reset", "cut the answer off"),
        (
            httpx.RemoteProtocolError("Server disconnected without sending a response."),
            "reset",
            "closed the connection without an answer",
        ),
        (httpx.ReadError(""), "connect", "failed while waiting: ReadError"),
    ],
)
def test_every_exception_gets_its_own_words(error: Exception, kind: str, words: str) -> None:
    failure = connection_error(error, URL, "waiting")
    assert failure.kind == kind
    assert words in failure.message


def test_a_status_is_told_with_what_the_body_says() -> None:
    body = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"no such tool"}}'
    error = status_error(400, "Bad Request", httpx.Headers(), body, "tools/call")
    assert error.message == (
        "HTTP 400 Bad Request in answer to tools/call: no such tool (-32602, invalid params)"
    )
    html = b"<html>" + b"x" * 5000
    assert len(status_error(500, "", httpx.Headers(), html, "ping").message) < 300


def test_what_a_server_says_at_length_is_quoted_in_part() -> None:
    """Whatever it says at length: each of these ends up in one line of ours."""
    long = "x" * 50_000
    headers = httpx.Headers({"WWW-Authenticate": long, "Retry-After": long})
    reply = b'{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"%s"}}' % long.encode()
    told = [status_error(status, long, headers, reply, "x").message for status in (401, 404, 503)]
    told.append(answer_error(200, long, b"x", "x").message)
    told.append(connection_error(httpx.RemoteProtocolError(long), URL, "x").message)
    told.append(connection_error(httpx.ProxyError(long), URL, "x").message)
    assert [len(words) for words in told if len(words) > 900] == []


def test_authorization_names_the_challenge_or_its_absence() -> None:
    headers = httpx.Headers({"WWW-Authenticate": 'Bearer realm="r"'})
    assert 'WWW-Authenticate: Bearer realm="r"' in status_error(401, "", headers, b"", "x").message
    bare = status_error(401, "Unauthorized", httpx.Headers(), b"", "x")
    assert "no WWW-Authenticate" in bare.message
    assert bare.kind == "auth"


def test_busy_servers_are_told_with_their_own_delay() -> None:
    error = status_error(429, "", httpx.Headers({"Retry-After": "30"}), b"", "x")
    assert "Retry-After: 30" in error.message
    assert "nothing is sent again" in error.hint


def test_an_answer_that_is_none_says_what_came_instead() -> None:
    assert "HTTP 202 without a body" in answer_error(202, "", b"", "tools/call").message
    assert "an empty body" in answer_error(200, "application/json", b"", "x").message
    assert "content type (none)" in answer_error(200, "", b"hello", "x").message
