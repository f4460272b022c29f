"""Rules of progress and cancellation (`basic/utilities/progress`, `basic/utilities/cancellation`,
since 2026-07-28 below `basic/patterns`)."""

from dataclasses import dataclass, field
from typing import Final

from inspector.journal.entries import Direction
from inspector.journal.probes import Key, key_of
from inspector.journal.recent import Recent
from inspector.lint.look import Look
from inspector.lint.rule import Rule, quoted, rule
from inspector.lint.state import CROSSING, MODERN
from inspector.protocol.messages import Json, MessageKind
from inspector.protocol.numbers import measured

_PAGE: Final = "basic/utilities/progress"
_MODERN: Final = "basic/patterns/progress"
_CANCEL: Final = "basic/utilities/cancellation"
_MODERN_CANCEL: Final = "basic/patterns/cancellation"

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "prog/unknown-token",
        "Progress has a token that nobody gave",
        _PAGE,
        error="ABCDE",
        modern_page=_MODERN,
    ),
    rule(
        "prog/not-increasing",
        "Progress does not increase",
        _PAGE,
        error="ABCDE",
        modern_page=_MODERN,
    ),
    rule(
        "prog/after-completion",
        "Progress comes after the answer",
        _PAGE,
        error="ABCDE",
        modern_page=_MODERN,
    ),
    rule(
        "prog/over-total", "Progress is beyond its total", _PAGE, info="ABCDE", modern_page=_MODERN
    ),
    rule(
        "http/unrelated-on-stream",
        "A stream brings what belongs to another request",
        "basic/transports",
        warn="BCD",
        error="E",
        modern_page="basic/transports/streamable-http",
    ),
    rule(
        "stdio/message-after-cancel",
        "More comes of a request that was cancelled",
        _CANCEL,
        error="E",
        modern_page=_MODERN_CANCEL,
    ),
    rule(
        "cancel/response-after",
        "A cancelled request is answered",
        _CANCEL,
        info="ABCD",
        error="E",
        modern_page=_MODERN_CANCEL,
    ),
    rule(
        "cancel/unknown-request",
        "What is cancelled was never asked",
        _CANCEL,
        warn="ABCDE",
        modern_page=_MODERN_CANCEL,
    ),
    rule(
        "cancel/server-misuse",
        "The server cancels what is no subscription",
        _CANCEL,
        error="E",
        modern_page=_MODERN_CANCEL,
    ),
)


@dataclass(slots=True)
class _Token:
    request: int
    id: Key
    task: bool = False
    value: float | None = None
    done: int = 0
    done_at: float = 0.0
    carrier: int | None = None
    """The exchange that brought the answer."""


@dataclass(slots=True)
class _Tokens:
    """The progress tokens that a direction gave, and those of its requests."""

    direction: Direction
    given: Recent[Key, _Token] = field(default_factory=Recent)
    by_request: Recent[int, _Token] = field(default_factory=Recent)


@dataclass(slots=True)
class _Kept:
    sides: dict[Direction, _Tokens] = field(
        default_factory=lambda: {
            each: _Tokens(each) for each in (Direction.SENT, Direction.RECEIVED)
        }
    )


def note(look: Look) -> None:
    """Remembers tokens, of broken messages too."""
    sides = look.state.held(_Kept).sides
    if look.kind is MessageKind.REQUEST:
        _given(look, sides[look.direction])
    elif look.asked is not None:
        token = sides[look.asked.direction].by_request.get(look.asked.number)
        if token is not None and not _goes_on(look):
            token.done, token.done_at, token.carrier = look.number, look.at, look.carrier


def check(look: Look) -> None:
    """Judges one message."""
    sides = look.state.held(_Kept).sides
    match look.kind:
        case MessageKind.RESULT | MessageKind.ERROR:
            _late_answer(look)
        case MessageKind.NOTIFICATION if look.method == "notifications/progress":
            other = Direction.RECEIVED if look.direction is Direction.SENT else Direction.SENT
            _progress(look, sides[other])
        case MessageKind.NOTIFICATION if look.method == "notifications/cancelled":
            _cancelled(look)
        case _:
            pass


def _goes_on(look: Look) -> bool:
    """Whether the answer is a task, whose progress may go on."""
    return isinstance(look.result.get("task"), dict) or look.result.get("resultType") == "task"


def _given(look: Look, side: _Tokens) -> None:
    meta = look.params.get("_meta")
    token = meta.get("progressToken") if isinstance(meta, dict) else None
    if look.envelope.id is None:
        return
    if isinstance(token, int | str) and not isinstance(token, bool):
        given = _Token(look.number, key_of(look.envelope.id))
        side.given.put(key_of(token), given)
        side.by_request.put(look.number, given)


def _progress(look: Look, side: _Tokens) -> None:
    said: Json = look.params.get("progressToken")
    if not isinstance(said, int | str) or isinstance(said, bool):
        return
    token = side.given.get(key_of(said))
    if token is None and look.state.sides[side.direction].forgets:
        return
    if token is None:
        look.report(
            "prog/unknown-token",
            f"No request gave the token {quoted(said)}; progress must refer to one that was given.",
            "/params/progressToken",
        )
        return
    asked = look.state.sides[side.direction].open.get(token.id)
    if (
        asked is not None
        and asked.cancelled
        and look.revision is MODERN
        and look.state.transport == "stdio"
        and look.at - asked.cancelled_at >= CROSSING
    ):
        look.report(
            "stdio/message-after-cancel",
            "Progress comes of a request that was cancelled; nothing more must be sent for it.",
            "/params/progressToken",
            token.request,
            asked.cancelled,
        )
        return
    if token.done:
        if look.carrier != token.carrier and look.at - token.done_at < CROSSING:
            return  # what comes on two streams may overtake
        look.report(
            "prog/after-completion",
            "Progress comes after the request was answered; it must stop then.",
            "/params/progressToken",
            token.request,
            token.done,
        )
        return
    _stream(look, token)
    value, total = measured(look.params.get("progress")), measured(look.params.get("total"))
    if value is None:
        return
    if token.value is not None and value <= token.value:
        look.report(
            "prog/not-increasing",
            f"Progress is {value:g} after {token.value:g}; it must increase each time.",
            "/params/progress",
            token.request,
        )
    token.value = value
    if total is not None and value > total:
        look.report(
            "prog/over-total",
            f"Progress is {value:g} of a total of {total:g}.",
            "/params/progress",
            token.request,
        )


def _stream(look: Look, token: _Token) -> None:
    frame = look.state.https.get(look.carrier) if look.carrier else None
    if frame and frame != token.request:
        look.report(
            "http/unrelated-on-stream",
            "The progress of one request comes on the response stream of another; a stream should"
            " bring only what belongs to its own request.",
            "",
            token.request,
            frame,
        )


def _late_answer(look: Look) -> None:
    asked = look.asked
    if asked is None or not asked.cancelled or not look.from_server:
        return
    message = look.error.get("message")
    knows = isinstance(message, str) and "cancel" in message.lower()
    if look.at - asked.cancelled_at < CROSSING and not knows:
        return
    # In the modern era a request is cancelled over HTTP by closing its stream.
    if look.revision is MODERN and look.state.transport != "stdio":
        return
    look.report(
        "cancel/response-after",
        "The request was cancelled, and it is answered all the same.",
        "",
        asked.number,
        asked.cancelled,
    )


def _cancelled(look: Look) -> None:
    said: Json = look.params.get("requestId")
    if not isinstance(said, int | str) or isinstance(said, bool):
        return
    key, state = key_of(said), look.state
    own = state.sides[look.direction]
    if look.revision is MODERN and look.from_server:
        asked = state.sides[Direction.SENT].open.get(key)
        if asked is not None and asked.method == "subscriptions/listen":
            asked.closed = True
            return
        if asked is None and state.sides[Direction.SENT].used.get(key) is not None:
            return
        look.report(
            "cancel/server-misuse",
            f"The server cancels {quoted(said)}; it must cancel nothing but a subscription.",
            "/params/requestId",
            asked.number if asked is not None else 0,
        )
    elif own.used.get(key) is None and not own.forgets:
        look.report(
            "cancel/unknown-request",
            f"No request of this direction had the id {quoted(said)}; only one's own requests"
            " should be cancelled.",
            "/params/requestId",
        )
