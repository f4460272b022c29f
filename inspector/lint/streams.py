"""Rules of event streams (`basic/transports`): their ids, their ends, and the stream of HTTP+SSE.

Decides by what stood beside the messages in their events, and by what the transport told of its
streams. Which message answers what is left to the other areas.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

from inspector.journal.entries import Direction, Row, SseFacts
from inspector.journal.probes import key_of
from inspector.journal.recent import Recent
from inspector.lint import http
from inspector.lint.exchange import exchange_in
from inspector.lint.look import Look, finding
from inspector.lint.rule import Finding, Rule, quoted, rule
from inspector.lint.state import MODERN, Asked, Connection
from inspector.protocol.messages import JsonObject, MessageKind
from inspector.protocol.versions import Revision

_PAGE: Final = "basic/transports"
_MODERN: Final = "basic/transports/streamable-http"

RULES: Final[tuple[Rule, ...]] = (
    rule("http/broadcast", "One message comes on two streams", _PAGE, error="BCD"),
    rule(
        "http/stream-ended-early",
        "A stream ends before its response",
        _PAGE,
        warn="BCD",
        info="E",
        modern_page=_MODERN,
    ),
    rule(
        "http/stream-left-open",
        "A stream stays open after its response",
        _PAGE,
        warn="BCDE",
        modern_page=_MODERN,
    ),
    rule("http/event-id-duplicate", "Two events have one id", _PAGE, error="BCD"),
    rule(
        "http/no-retry-before-close",
        "A stream that is to be resumed does not say when",
        _PAGE,
        warn="D",
    ),
    rule("http/sse-ids-in-modern", "Events have ids where nothing is resumed", _MODERN, info="E"),
    rule("sse/no-endpoint-event", "The stream does not name its endpoint", _PAGE, error="A"),
    rule("sse/endpoint-cross-origin", "The endpoint is of another origin", _PAGE, error="A"),
)

AT_ONCE: Final = 0.25
"""Seconds within which two notifications that are alike are one, sent on two streams."""
OLDEST: Final = Revision.V2024_11_05
"""HTTP+SSE is of this revision, whichever is negotiated over it."""


@dataclass(slots=True)
class _Kept:
    messages: Recent[bytes, tuple[int, int, float]] = field(default_factory=Recent)
    ids: Recent[str, tuple[bytes, int, int]] = field(default_factory=Recent)
    """Of each event id what stood in its event, its entry, and the exchange that brought it."""
    primed: Recent[int, bool] = field(default_factory=Recent)
    """Exchanges on whose stream an id came by itself, which is there to resume it by."""
    retried: Recent[int, bool] = field(default_factory=Recent)
    """Exchanges, and requests, on whose stream the server said when to come again."""
    broken: Recent[int, bool] = field(default_factory=Recent)
    ended: Recent[int, bool] = field(default_factory=Recent)
    """Requests of which it was told that their stream ended early."""


def broadcast(look: Look) -> bool:
    """Whether the very same message came on another stream before; tells it. Notifications other
    than progress may be alike and mean two things, unless they come on the stream of a request and
    on that of a GET at once."""
    if look.kind not in (MessageKind.REQUEST, MessageKind.NOTIFICATION):
        return False
    if not look.carrier or not look.from_server or look.state.transport == "sse":
        return False
    alike = look.kind is MessageKind.REQUEST or look.method == "notifications/progress"
    seen = look.state.held(_Kept).messages
    mark = blake2b(look.raw, digest_size=16).digest()
    number, carrier, at = seen.get(mark) or (0, 0, 0.0)
    seen.put(mark, (look.number, look.carrier, look.at))
    if not number or carrier == look.carrier:
        return False
    asked = [http.asks(look.state, each) for each in (carrier, look.carrier)]
    if not alike and (sorted(asked) != ["GET", "POST"] or look.at - at > AT_ONCE):
        return False
    if look.envelope.id is not None:
        look.state.sides[look.direction].again.put(key_of(look.envelope.id), True)
    if not alike:
        seen.put(mark, (0, 0, 0.0))  # the pair is told; what is like it is of another pair
    look.report(
        "http/broadcast",
        "The same message came on another stream; each must be sent on one only.",
        "",
        number,
        look.carrier,
    )
    return True


def brought(look: Look, event: SseFacts) -> None:
    """Judges what stood beside a message in its event."""
    state, carrier = look.state, look.carrier or 0
    if event.retry is not None:
        state.held(_Kept).retried.put(carrier, True)
    if event.id and state.transport != "sse":
        mark = blake2b(look.raw, digest_size=16).digest()
        entries = (look.number, carrier)
        resumed = http.resumes(state, carrier)
        found = _identified(look.rules, state, entries, event.id, mark, resumed)
        look.findings += [each for each in found if each is not None]


def opened(state: Connection) -> None:
    """A session begins, in which no id was used yet."""
    state.held(_Kept).ids = Recent()


def _identified(
    rules: Mapping[str, Rule],
    state: Connection,
    entries: tuple[int, int],
    name: str,
    mark: bytes,
    resumed: bool,
) -> list[Finding | None]:
    if state.revision is MODERN:
        if not state.modern or not state.first("http/sse-ids-in-modern"):
            return []
        said = "Events have ids, and this revision resumes nothing (told once a connection)."
        return [finding(rules, "http/sse-ids-in-modern", state.revision, said, entries)]
    ids = state.held(_Kept).ids
    known = ids.get(name)
    if known is None:
        ids.put(name, (mark, *entries))
    # A resumed stream brings events again, and may begin by the id from which it goes on.
    if known is None or (resumed and (mark == known[0] or not mark)):
        return []
    said = f"The event id {quoted(name)} was used before; it must be unique in its session."
    told = (*entries, known[1])
    return [finding(rules, "http/event-id-duplicate", state.revision, said, told)]


def happened(
    rules: Mapping[str, Rule], state: Connection, row: Row, facts: JsonObject
) -> list[Finding | None]:
    """Judges what the transport told of a stream."""
    revision, number = state.revision, row.number
    carrier = exchange_in(facts, row)
    entries = (number, carrier)
    match row.method:
        case "sse-priming" | "sse-unknown":
            return _primed(rules, state, entries, facts)
        case "http-broken" | "stream-cut":
            state.held(_Kept).broken.put(carrier, True)
            if revision is MODERN:
                return _ended_early(rules, state, entries, facts)
        case "stream-ended":
            return _ended_early(rules, state, entries, facts)
        case "stream-waits":
            if facts.get("lastEventId") and revision > Revision.V2025_06_18:
                return _waits(rules, state, entries, facts)
            return _ended_early(rules, state, entries, facts)
        case "stream-left-open":
            said = "The stream stays open after its response; it should be closed then."
            return [finding(rules, "http/stream-left-open", revision, said, entries)]
        case "endpoint-missing" if state.transport == "sse":
            said = "The stream came without an endpoint event, by which it must begin."
            return [finding(rules, "sse/no-endpoint-event", OLDEST, said, entries)]
        case "endpoint-refused":
            said = (
                f"The endpoint {quoted(facts.get('uri'))} is of another origin than the stream; it"
                " must be of the same."
            )
            return [finding(rules, "sse/endpoint-cross-origin", OLDEST, said, entries)]
    return []


def _primed(
    rules: Mapping[str, Rule], state: Connection, entries: tuple[int, int], facts: JsonObject
) -> list[Finding | None]:
    """An event without a message."""
    if facts.get("retry") is not None:
        state.held(_Kept).retried.put(entries[1], True)
    name, text = facts.get("id"), facts.get("text")
    if not isinstance(name, str) or not name or state.transport == "sse":
        return []
    if not text:
        state.held(_Kept).primed.put(entries[1], True)
    mark = text.encode("utf-8", "replace") if isinstance(text, str) else b""
    resumed = http.resumes(state, entries[1])
    return _identified(rules, state, entries, name, mark, resumed)


def _asked(state: Connection, facts: JsonObject, carrier: int) -> Asked | None:
    """The open request whose stream an event is about."""
    side = state.sides[Direction.SENT]
    about = facts.get("about")
    if isinstance(about, int | str) and not isinstance(about, bool):
        return side.open.get(key_of(about))
    return side.numbers.get(state.https.get(carrier) or 0)


def _waits(
    rules: Mapping[str, Rule], state: Connection, entries: tuple[int, int], facts: JsonObject
) -> list[Finding | None]:
    """Since 2025-11-25 a server may end a stream and have it resumed; it should say when. The
    stream of a GET may be over for good, unless it was primed to be resumed."""
    asked, carrier, kept = _asked(state, facts, entries[1]), entries[1], state.held(_Kept)
    number = asked.number if asked is not None else 0
    if kept.broken.get(carrier) or (asked.cancelled if asked else not kept.primed.get(carrier)):
        return []
    if kept.retried.get(carrier) or kept.retried.get(number):
        kept.retried.put(number, True)
        return []
    said = "The stream ended to be resumed without a retry event, which should say when."
    told = (*entries, number)
    return [finding(rules, "http/no-retry-before-close", state.revision, said, told)]


def _ended_early(
    rules: Mapping[str, Rule], state: Connection, entries: tuple[int, int], facts: JsonObject
) -> list[Finding | None]:
    asked, kept = _asked(state, facts, entries[1]), state.held(_Kept)
    if asked is None or asked.cancelled or asked.closed or kept.ended.get(asked.number):
        return []
    kept.ended.put(asked.number, True)
    told = (*entries, asked.number)
    if asked.method == "subscriptions/listen":
        said = "The stream ended without a word, which ends the subscription."
        return [finding(rules, "sub/abrupt-end", state.revision, said, told)]
    said = "The stream ended before its response; it should stay open until then."
    return [finding(rules, "http/stream-ended-early", state.revision, said, told)]
