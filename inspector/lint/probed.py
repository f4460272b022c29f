"""Active rules: what only a deliberate probe brings to light (`basic/transports`, pagination).

Decides by evidence alone, whoever made it: a recording of a probe is judged like any other. What
counts as a probe, in an exchange with the server's own endpoint:

- a request header MCP-Protocol-Version of no revision that ever was, answered by 2xx;
- a message other than `initialize` without Mcp-Session-Id after the server gave one, not refused
  by 400;
- an Origin whose host is under a name that belongs to nobody (RFC 2606), answered by 2xx;
- an address of this machine that is no loopback one, for a target that is, answered at all;
- a cursor that this connection never got, not refused by -32602.

Sending them is left to whoever probes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

from inspector.journal.entries import Row
from inspector.journal.recent import KEPT, Recent
from inspector.lint.exchange import WELL_KNOWN, Exchange
from inspector.lint.look import Look
from inspector.lint.rule import Finding, Rule, quoted, rule
from inspector.lint.state import MODERN, Connection
from inspector.protocol.codes import INVALID_PARAMS, METHOD_NOT_FOUND
from inspector.protocol.headers import PROTOCOL_VERSION, SESSION_ID
from inspector.protocol.messages import JsonObject, MessageKind
from inspector.protocol.versions import parse_revision

_PAGE: Final = "basic/transports"
_MODERN: Final = "basic/transports/streamable-http"
_SESSION: Final = SESSION_ID.lower()
_NOBODY: Final = (".invalid", ".example")
_LISTS: Final = frozenset(
    {"tools/list", "resources/list", "resources/templates/list", "prompts/list", "tasks/list"}
)
_ELSEWHERE: Final = frozenset({401, 403, 405, 429})
"""Refusals that are about something else than the session."""

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "http/version-header-ignored",
        "A version header that means nothing is accepted",
        _PAGE,
        error="CD",
        active=True,
    ),
    rule(
        "http/missing-session-not-400",
        "A missing session id is not answered by 400",
        _PAGE,
        warn="BCD",
        active=True,
    ),
    rule(
        "http/origin-unchecked",
        "The Origin of a request is not checked",
        _PAGE,
        error="BCDE",
        modern_page=_MODERN,
        active=True,
    ),
    rule(
        "http/bind-all",
        "A local server listens on all addresses",
        _PAGE,
        warn="ABCDE",
        modern_page=_MODERN,
        active=True,
    ),
    rule(
        "page/bad-cursor-code",
        "A cursor that was never given is not refused by -32602",
        "server/utilities/pagination",
        warn="ABCDE",
        active=True,
    ),
)


@dataclass(slots=True)
class _Kept:
    session: bool = False
    cursors: Recent[str, bool] = field(default_factory=Recent)
    given: int = 0
    unread: bool = False
    statuses: Recent[int, int] = field(default_factory=Recent)


def exchanged(exchange: Exchange) -> None:
    """Judges the answer to a probe, and remembers whether there is a session."""
    state, status = exchange.state, exchange.status
    if not status:
        return
    _bound(exchange)
    if not exchange.is_endpoint:
        return
    kept = state.held(_Kept)
    if status >= 400:
        kept.statuses.put(exchange.row.number, status)
    taken = 200 <= status < 300
    version = exchange.asked.get(PROTOCOL_VERSION.lower(), "")
    if version and taken and parse_revision(version) is None:
        exchange.report(
            "http/version-header-ignored",
            f"The request says {PROTOCOL_VERSION} {quoted(version)}, and the server takes it; a"
            " version that it does not know must be refused by 400.",
            "/status",
        )
    if (origin := exchange.asked.get("origin", "")) and taken and _is_nobody(origin):
        exchange.report(
            "http/origin-unchecked",
            f"The request comes from the origin {quoted(origin)}, and the server takes it; it must"
            " check the Origin, so that no web page speaks to it in a user's name.",
            "/status",
        )
    if state.transport != "sse" and state.revision is not MODERN:
        _sessions(exchange, kept, taken)


def happened(
    _rules: Mapping[str, Rule], state: Connection, row: Row, _facts: JsonObject
) -> list[Finding | None]:
    """Notes that a session id can be sent in no header, which is told as such: it comes back
    nowhere."""
    if row.method == "session-id-unusable":
        state.held(_Kept).session = False
    return []


def _sessions(exchange: Exchange, kept: _Kept, taken: bool) -> None:
    sent = exchange.state.frames.get(exchange.row.partner or 0)
    with_session = _SESSION in exchange.asked
    if with_session:
        if exchange.status == 404 or (exchange.facts.method == "DELETE" and taken):
            kept.session = False
        return
    if exchange.facts.method != "POST" or sent is None:
        return
    if sent.method == "initialize":
        if taken:
            kept.session = _SESSION in exchange.answered
        return
    refused = 400 < exchange.status < 500 and exchange.status not in _ELSEWHERE
    accepted = taken and sent.kind is MessageKind.REQUEST
    if kept.session and (refused or accepted):
        exchange.report(
            "http/missing-session-not-400",
            f"A message without {SESSION_ID} is answered by {exchange.status}; a server that gave a"
            " session id should refuse it by 400.",
            "/status",
        )


def _is_nobody(origin: str) -> bool:
    parts = _parts(origin)
    host = parts.hostname if parts is not None else None
    return host is not None and f".{host}".endswith(_NOBODY)


def _bound(exchange: Exchange) -> None:
    place = _other_address(exchange.state.url, exchange.facts.url)
    if place:
        exchange.report(
            "http/bind-all",
            f"The server answers at {place} too; one that runs locally should listen on the"
            " loopback address only.",
            "/url",
        )


@lru_cache(maxsize=64)
def _other_address(url: str, asked: str) -> str:
    """Host and port that were asked, where these are the server's own at an address of this machine
    that is no loopback one, as its URL has; "" where they are not."""
    home, there = _parts(url), _parts(asked)
    if home is None or there is None or WELL_KNOWN in there.path:
        return ""
    same = home.scheme == there.scheme and home.path.rstrip("/") == there.path.rstrip("/")
    if not same or home.port != there.port or not _is_loopback(home) or _is_loopback(there):
        return ""
    try:
        ip_address(there.hostname or "")
    except ValueError:
        return ""
    return there.netloc


def _parts(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port, parts.hostname
    except ValueError:
        return None
    return parts


def _is_loopback(parts: SplitResult) -> bool:
    host = parts.hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def note(look: Look) -> None:
    """Remembers the cursors that the server gave, be the page right or wrong."""
    asked = look.asked
    if asked is None or asked.method not in _LISTS or not look.from_server:
        return
    kept = look.state.held(_Kept)
    cursor = look.result.get("nextCursor")
    if isinstance(cursor, str):
        kept.cursors.put(cursor, True)
        kept.given += 1
    elif not look.whole:
        kept.unread = True


def check(look: Look) -> None:
    """Judges the answer to a cursor."""
    asked = look.asked
    if asked is None or asked.method not in _LISTS or not look.from_server:
        return
    cursor = asked.params.get("cursor")
    if not isinstance(cursor, str):
        return
    kept = look.state.held(_Kept)
    if kept.unread or kept.given > KEPT or kept.cursors.get(cursor):
        return
    if look.kind is MessageKind.ERROR:
        code = look.error.get("code")
        status = kept.statuses.get(look.carrier or 0) or 400
        if code in (INVALID_PARAMS, METHOD_NOT_FOUND) or status != 400:
            return
        said = f"with the code {code}"
    elif kept.given:
        said = "by a page"
    else:
        return  # a server that has no pages need not look at cursors
    look.report(
        "page/bad-cursor-code",
        f"The cursor {quoted(cursor)}, which the server never gave, is answered {said}; it should"
        f" be refused with the code {INVALID_PARAMS}.",
        "/error/code" if look.kind is MessageKind.ERROR else "",
        asked.number,
    )
