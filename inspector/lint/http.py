"""Rules of Streamable HTTP (`basic/transports`): statuses, media types, sessions.

Decides by what an HTTP entry says and by the messages that came in it. HTTP+SSE is left alone:
there a POST is answered elsewhere. Event streams are left to `inspector.lint.streams`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from json import JSONDecoder
from typing import Final

from inspector.journal.entries import Row
from inspector.journal.recent import Recent
from inspector.lint.exchange import Exchange, exchange_in
from inspector.lint.look import Look, finding
from inspector.lint.rule import Finding, Rule, rule
from inspector.lint.state import MODERN, Connection, Sent
from inspector.protocol.codes import METHOD_NOT_FOUND, MODERN_ERRORS
from inspector.protocol.headers import (
    EVENT_STREAM_TYPE,
    JSON_TYPE,
    LAST_EVENT_ID,
    SESSION_ID,
)
from inspector.protocol.messages import JsonObject, MessageKind
from inspector.protocol.versions import Revision

_PAGE: Final = "basic/transports"
_MODERN: Final = "basic/transports/streamable-http"

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "http/content-type",
        "A request is answered in another media type",
        _PAGE,
        error="BCDE",
        modern_page=_MODERN,
    ),
    rule(
        "http/notification-not-202",
        "What needs no answer is not answered by 202",
        _PAGE,
        error="BCDE",
        modern_page=_MODERN,
    ),
    rule(
        "http/request-202", "A request is answered by 202", _PAGE, error="BCDE", modern_page=_MODERN
    ),
    rule("http/get-not-sse-nor-405", "A GET gives neither a stream nor 405", _PAGE, error="BCD"),
    rule("http/get-not-405", "A GET or DELETE is not refused by 405", _MODERN, warn="E"),
    rule(
        "http/session-charset",
        "A session id has characters that it must not have",
        _PAGE,
        error="BCD",
    ),
    rule(
        "http/session-in-modern",
        "A session id comes where there are no sessions",
        _MODERN,
        warn="E",
    ),
    rule("http/session-on-error", "A session id comes with an error", _PAGE, info="BCD"),
    rule(
        "http/session-unknown-not-404",
        "An unknown session is not answered by 404",
        _PAGE,
        error="BCD",
    ),
    rule(
        "http/modern-error-status",
        "An error has another HTTP status than it must",
        _MODERN,
        error="E",
    ),
    rule("http/session-weak", "A session id can be guessed", _PAGE, info="BCD"),
    rule(
        "http/multi-json",
        "A JSON body holds several messages",
        _PAGE,
        error="CDE",
        modern_page=_MODERN,
    ),
    rule("http/response-on-get", "A response comes on a GET stream", _PAGE, error="BCD"),
    rule("http/no-accel-buffering", "A stream may be held back by proxies", _MODERN, warn="E"),
)


@dataclass(slots=True)
class _Exchange:
    """What is remembered of an HTTP exchange."""

    method: str
    status: int
    media: str
    session: bool
    resumed: bool
    brought: int = 0
    """The entry of the message that came in it first."""


@dataclass(slots=True)
class _Kept:
    exchanges: Recent[int, _Exchange] = field(default_factory=Recent)
    bodies: Recent[bytes, int] = field(default_factory=Recent)


def exchanged(exchange: Exchange) -> None:
    """Judges the head of an answer."""
    state, facts, asked = exchange.state, exchange.facts, exchange.asked
    status, media, headers = exchange.status, exchange.media, exchange.answered
    session = SESSION_ID.lower()
    state.held(_Kept).exchanges.put(
        exchange.row.number,
        _Exchange(facts.method, status, media, session in asked, LAST_EVENT_ID.lower() in asked),
    )
    if state.transport == "sse" or not status or not exchange.is_endpoint:
        return
    if state.revision is MODERN and not state.modern:
        return  # a probe, which a server of former years answers as it likes
    if facts.method == "POST" and 200 <= status < 300:
        _accepted(exchange, state.frames.get(exchange.row.partner or 0))
    elif facts.method == "GET":
        _got(exchange, status, media, session in asked)
    if facts.method in ("GET", "DELETE") and status != 405:
        exchange.report(
            "http/get-not-405",
            f"{facts.method} is answered by {status}; it should be refused by 405.",
            "/status",
        )
    if session in headers:
        exchange.once(
            "http/session-in-modern",
            "The answer has the header Mcp-Session-Id; this revision has no sessions",
            "/responseHeaders",
        )
        if status >= 400:
            exchange.report(
                "http/session-on-error",
                f"The answer {status} has the header Mcp-Session-Id; only that to initialize should"
                " give one.",
                "/responseHeaders",
            )
    if media == EVENT_STREAM_TYPE and headers.get("x-accel-buffering", "").lower() != "no":
        exchange.once(
            "http/no-accel-buffering",
            "The stream should have the header X-Accel-Buffering: no, so that no proxy holds it"
            " back",
            "/responseHeaders",
        )


def _accepted(exchange: Exchange, sent: Sent | None) -> None:
    kind = sent.kind if sent is not None else None
    status, media = exchange.status, exchange.media
    if kind is MessageKind.REQUEST:
        if status == 202:
            exchange.report(
                "http/request-202", "A request must be answered, not accepted by 202.", "/status"
            )
        elif media not in (JSON_TYPE, EVENT_STREAM_TYPE):
            said = f"is {media}" if media else "is missing"
            exchange.report(
                "http/content-type",
                f"The Content-Type of the answer to a request {said}; it must be {JSON_TYPE} or"
                f" {EVENT_STREAM_TYPE}.",
                "/responseHeaders",
            )
    elif kind in (MessageKind.NOTIFICATION, MessageKind.RESULT, MessageKind.ERROR):
        if status != 202:
            exchange.report(
                "http/notification-not-202",
                f"A notification or response must be accepted by 202, not by {status}.",
                "/status",
            )
        elif exchange.facts.body or exchange.answered.get("content-length", "0") not in ("0", ""):
            exchange.report(
                "http/notification-not-202",
                "The answer 202 to a notification or response must have no body.",
                "/body",
            )


def _got(exchange: Exchange, status: int, media: str, session: bool) -> None:
    missing = status == 404 and not session  # with a session it is one that has ended
    if (200 <= status < 300 and media != EVENT_STREAM_TYPE) or missing or status == 501:
        exchange.report(
            "http/get-not-sse-nor-405",
            f"A GET must give a stream ({EVENT_STREAM_TYPE}) or 405, not {status} {media}".rstrip()
            + ".",
            "/status",
        )


def check(look: Look) -> None:
    """Judges a message by the exchange that brought it."""
    found = look.state.held(_Kept).exchanges.get(look.carrier) if look.carrier else None
    if found is None or look.state.transport == "sse":
        return
    outcome = look.kind in (MessageKind.RESULT, MessageKind.ERROR)
    if outcome and found.method == "GET" and not found.resumed:
        look.report(
            "http/response-on-get",
            "A response comes on a GET stream that resumes nothing; it must come on the stream of"
            " its request.",
            "",
            look.carrier or 0,
        )
    if look.kind is MessageKind.ERROR and found.media == JSON_TYPE:
        _error(look, found)


def note(look: Look) -> None:
    """Counts the messages that a JSON body brought, be they right or wrong."""
    found = look.state.held(_Kept).exchanges.get(look.carrier) if look.carrier else None
    if found is None or found.media != JSON_TYPE or look.place or look.state.transport == "sse":
        return
    if found.brought and found.brought != look.number:
        look.report(
            "http/multi-json",
            "The body of an answer in JSON holds several messages; it must be one.",
            "",
            found.brought,
            look.carrier or 0,
        )
    found.brought = found.brought or look.number


def several(look: Look) -> bool:
    """Whether a body of JSON is two messages or more, one right after the other; tells it."""
    found = look.state.held(_Kept).exchanges.get(look.carrier) if look.carrier else None
    if found is None or found.media != JSON_TYPE or look.revision < Revision.V2025_06_18:
        return False
    text, at, decoder = look.raw.decode("utf-8", "replace").strip(), 0, JSONDecoder()
    while at < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return False
        if not isinstance(value, dict):
            return False
        at = len(text) - len(text[at:].lstrip())
    look.report(
        "http/multi-json",
        "The body of an answer in JSON is several messages in a row; it must be one.",
        "",
        look.carrier or 0,
    )
    return True


def asks(state: Connection, carrier: int) -> str:
    """The HTTP method of an exchange; "" where it was to resume a stream, or is not known."""
    found = state.held(_Kept).exchanges.get(carrier)
    return found.method if found is not None and not found.resumed else ""


def refuses(look: Look) -> bool:
    """Whether a message came with a status that refuses what was sent, and so need not name it."""
    found = look.state.held(_Kept).exchanges.get(look.carrier) if look.carrier else None
    return found is not None and found.status >= 400


def resumes(state: Connection, carrier: int) -> bool:
    """Whether an exchange goes on with a stream that another broke off."""
    found = state.held(_Kept).exchanges.get(carrier)
    return found is not None and found.resumed


def is_stream(state: Connection, carrier: int) -> bool:
    """Whether an exchange is answered by an event stream."""
    found = state.held(_Kept).exchanges.get(carrier)
    return found is not None and found.media == EVENT_STREAM_TYPE


def _error(look: Look, found: _Exchange) -> None:
    code, message = look.error.get("code"), look.error.get("message")
    wanted = 404 if code == METHOD_NOT_FOUND else 400 if code in MODERN_ERRORS else 0
    if look.revision is MODERN and wanted and found.status != wanted:
        look.report(
            "http/modern-error-status",
            f"The error {code} must come with the HTTP status {wanted}, not {found.status}.",
            "/error/code",
            look.carrier or 0,
        )
    unknown = found.session and found.status == 400 and isinstance(message, str)
    if unknown and "session" in str(message).lower():
        look.report(
            "http/session-unknown-not-404",
            "A session that the server does not know must be answered by 404, not by 400.",
            "/error",
            look.carrier or 0,
        )


def replayed(look: Look) -> bool:
    """Whether the very same message came before, and a resumed stream brings it again."""
    if not look.carrier or not look.from_server:
        return False
    kept = look.state.held(_Kept)
    mark = blake2b(look.raw, digest_size=16).digest()
    found = kept.exchanges.get(look.carrier)
    if found is not None and found.resumed and kept.bodies.get(mark):
        return True
    kept.bodies.put(mark, look.number)
    return False


def answered_notification(look: Look) -> bool:
    """Whether a message is carried by the answer to a notification or response."""
    if not look.carrier or look.kind not in (MessageKind.RESULT, MessageKind.ERROR):
        return False
    found = look.state.held(_Kept).exchanges.get(look.carrier)
    sent = look.state.frames.get(look.state.https.get(look.carrier) or 0)
    accepted = found is not None and found.method == "POST" and 200 <= found.status < 300
    return accepted and sent is not None and sent.kind is MessageKind.NOTIFICATION


def happened(
    rules: Mapping[str, Rule], state: Connection, row: Row, facts: JsonObject
) -> list[Finding | None]:
    """Judges what the transport told of a stream or a session."""
    revision, number = state.revision, row.number
    entries = (number, exchange_in(facts, row))
    if row.method == "session-id-unusable":
        said = "The session id has characters outside 0x21 to 0x7E; it must have no others."
        return [finding(rules, "http/session-charset", revision, said, entries)]
    if row.method == "session-id-short":
        said = "The session id is so short that it can be guessed; it should be hard to."
        return [finding(rules, "http/session-weak", revision, said, entries)]
    return []
