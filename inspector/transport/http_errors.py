"""What goes wrong over HTTP, in words: exceptions of the client and statuses of the server.

Decides message, hint and kind of each failure ("dns", "refused", "tls", "reset", "timeout",
"auth", "session", "http", "redirect"). When a failure ends a request and when the stream is
resumed is left to the transports.
"""

import re
import socket
import ssl
from collections.abc import Iterator
from typing import Final

import httpx

from inspector.errors import EXCERPT, ConnectionFailed, InspectorError, PeerViolation, excerpt
from inspector.protocol.codes import name_of
from inspector.protocol.messages import ErrorReply, RequestId, decode, read_envelope

TRUST: Final = "trust its issuer with SSL_CERT_FILE; there is no switch to skip the check"
_OTHER_NAME: Final = ("is for another host", "does the URL name the host as its certificate does?")
_CERTIFICATES: Final = {
    9: ("is not valid yet", "is a clock wrong, the server's or this machine's?"),
    10: ("has expired", "whoever runs the server has to renew it"),
    18: ("is signed by nobody but itself", TRUST),
    19: ("comes from an issuer that is not trusted here", TRUST),
    20: ("comes from an issuer that is not trusted here", TRUST),
    62: _OTHER_NAME,
    64: _OTHER_NAME,
}
"""What OpenSSL finds wrong with a certificate, by its number (X509_V_ERR_*), and what to do."""
_BYTES: Final = re.compile(r"""bytearray\(b((?:'[^']*')|(?:"[^"]*"))\)""")


def connection_error(error: Exception, url: httpx.URL | str, doing: str) -> ConnectionFailed:
    """The failure behind an exception of httpx. `doing` says what was under way ("connecting")."""
    address = httpx.URL(url)
    host = address.host
    where = f"{host}:{address.port}" if address.port else host
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            why = getattr(cause, "verify_message", "") or str(cause)
            code = getattr(cause, "verify_code", 0)
            words, hint = _CERTIFICATES.get(code, ("is not trusted", TRUST))
            return _failure(f"TLS: the certificate of {host} {words}: {why}", hint, "tls")
        if isinstance(cause, ssl.SSLError):
            reason = (getattr(cause, "reason", "") or str(cause)).lower().replace("_", " ")
            return _failure(
                f"TLS with {where} failed: {reason}", "is it http:// instead of https://?", "tls"
            )
        if isinstance(cause, socket.gaierror):
            return _failure(
                f"DNS: the name {host} cannot be resolved ({cause.strerror})",
                "check the host name and your network",
                "dns",
            )
        if isinstance(cause, ConnectionRefusedError):
            return _failure(
                f"nothing listens on {where}: connection refused",
                "is the server running, and on this port?",
                "refused",
            )
        if isinstance(cause, ConnectionResetError | BrokenPipeError):
            return _failure(f"{where} reset the connection while {doing}", "", "reset")
    if isinstance(error, httpx.ConnectTimeout):
        return _failure(f"{where} did not accept a connection in time", "", "timeout")
    if isinstance(error, httpx.TimeoutException):
        return _failure(f"{where} sent nothing for too long while {doing}", "", "timeout")
    if isinstance(error, httpx.ProxyError):
        why = excerpt(str(error))
        return _failure(f"the proxy refused: {why}", "check HTTPS_PROXY and NO_PROXY", "proxy")
    if isinstance(error, httpx.RemoteProtocolError):
        return _protocol_error(str(error), where, doing)
    if isinstance(error, httpx.LocalProtocolError | UnicodeEncodeError):
        return ConnectionFailed(
            f"the request cannot be sent: {error}",
            hint="check the values of your own headers",
            kind="http",
            fault="you",
        )
    text = str(error) or type(error).__name__
    return _failure(f"the connection to {where} failed while {doing}: {text}", "", "connect")


def _protocol_error(text: str, where: str, doing: str) -> ConnectionFailed:
    text = excerpt(_BYTES.sub(r"\1", text))
    lower = text.lower()
    if "receive buffer too long" in lower or "too long" in lower:
        return _failure(f"{where} sent response headers of more than 100 KiB", "", "http")
    if "without sending a response" in lower:
        return _failure(f"{where} closed the connection without an answer", "", "reset")
    if "incomplete" in lower or "without sending complete" in lower:
        return _failure(f"{where} cut the answer off ({text})", "", "reset")
    return _failure(f"{where} does not speak HTTP properly while {doing}: {text}", "", "http")


def _failure(message: str, hint: str, kind: str) -> ConnectionFailed:
    network = kind in ("dns", "timeout", "connect", "proxy")
    return ConnectionFailed(message, hint=hint, kind=kind, fault="network" if network else "server")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The exception and all that it was made from, groups included."""
    waiting: list[BaseException] = [error]
    seen: set[int] = set()
    while waiting:
        current = waiting.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        if isinstance(current, BaseExceptionGroup):
            waiting.extend(current.exceptions)
        waiting.extend(cause for cause in (current.__cause__, current.__context__) if cause)


def status_error(
    status: int, reason: str, headers: httpx.Headers, body: bytes, what: str, login: str = ""
) -> InspectorError:
    """The failure that an HTTP status means for `what` ("tools/call", "the event stream");
    `login` says what to do where it wants authorization."""
    line = f"HTTP {status} {excerpt(reason)}".rstrip()
    said = _said(body)
    if status == 401:
        challenge = excerpt(headers.get("WWW-Authenticate", ""))
        return ConnectionFailed(
            f"{line}: the server wants authorization for {what};"
            + (f" WWW-Authenticate: {challenge}" if challenge else " it sent no WWW-Authenticate"),
            hint=login or "give a token: --header 'Authorization: Bearer …'",
            kind="auth",
            fault="you",
        )
    if status in (429, 503):
        after = excerpt(headers.get("Retry-After", ""))
        return ConnectionFailed(
            f"{line} in answer to {what}{said}" + (f"; Retry-After: {after}" if after else ""),
            hint="nothing is sent again by itself; try later",
            kind="busy",
        )
    hint = {
        403: "the server refuses this client, origin or token",
        404: "check the path of the URL",
        405: "this URL does not take that; is it the right path?",
    }.get(status, "the HTTP entry in the traffic list has headers and body")
    return ConnectionFailed(f"{line} in answer to {what}{said}", hint=hint, kind="http")


def session_error(status: int, body: bytes, request_id: RequestId | None) -> InspectorError | None:
    """What a refusal says of our session id; None where it is about the request itself.

    404 ends the session (2025-11-25 basic/transports). Official SDKs of former years answer 400
    "No valid session ID" instead, with an error that names no request.
    """
    unknown = status == 400 and b"session" in body.lower()
    if unknown and request_id is not None and read_envelope(body).id == request_id:
        return None
    if status != 404 and not unknown:
        return None
    if unknown:
        message = f"the server does not know our session (HTTP 400{_said(body)})"
        hint = "reconnect: that begins a new session"
    else:
        message = "the server ended the session (HTTP 404 to our session id)"
        hint = "a session that has worked is opened anew by itself: call again"
    return ConnectionFailed(message, hint=hint, kind="session")


def answer_error(status: int, media: str, body: bytes, what: str) -> InspectorError:
    """A 2xx that is no answer to a request (2025-11-25 basic/transports)."""
    if status != 200 and not body:
        text = f"HTTP {status} without a body in answer to the request {what}"
    elif not body:
        text = f"an empty body in answer to the request {what}"
    else:
        text = (
            f"{what} was answered with content type {excerpt(media) or '(none)'}, which is neither"
            f" application/json nor text/event-stream{_said(body)}"
        )
    return PeerViolation(text, hint="the HTTP entry in the traffic list has headers and body")


def _said(body: bytes) -> str:
    """What the body of a failure says, short; empty where it is empty."""
    match decode(body) if body else None:
        case ErrorReply(code=code, message=message):
            name = name_of(code)
            return f": {excerpt(message)} ({code}{', ' + name if name else ''})"
        case _:
            text = " ".join(body[: EXCERPT * 4].decode("utf-8", "replace").split())
            more = f" (at least {len(body):,} bytes)" if len(body) > 10 * EXCERPT else ""
            return f": {excerpt(text)}{more}" if text else ""
