"""Rules of the JSON-RPC envelope (page `basic`): version, ids, correlation, errors, batches.

Decides what is wrong with the outside of a message, and which request an outcome answers. What is
inside is judged by the other areas, and only where nothing is wrong out here.
"""

from typing import Final

from inspector.journal.entries import Direction
from inspector.journal.probes import Key, key_of
from inspector.lint import http
from inspector.lint.look import Look
from inspector.lint.rule import Rule, quoted, rule
from inspector.lint.state import MODERN, Asked, Connection, Side
from inspector.protocol.codes import MODERN_ERRORS, RESOURCE_NOT_FOUND, URL_ELICITATION_REQUIRED
from inspector.protocol.messages import MessageKind, RequestId

_PAGE: Final = "basic"
_ALL: Final = "ABCDE"

RULES: Final[tuple[Rule, ...]] = (
    rule("rpc/not-json", "A message is not UTF-8 JSON", _PAGE, error=_ALL),
    rule("rpc/bad-version", 'A message\'s jsonrpc is not "2.0"', _PAGE, error=_ALL),
    rule("rpc/id-null", "A request's id is null", _PAGE, error=_ALL),
    rule("rpc/id-type", "An id is neither a string nor an integer", _PAGE, error=_ALL),
    rule("rpc/id-reuse", "A request's id is in use, or was used before", _PAGE, error=_ALL),
    rule("rpc/response-unknown-id", "A response answers no request", _PAGE, error=_ALL),
    rule("rpc/response-duplicate", "A request is answered twice", _PAGE, error=_ALL),
    rule("rpc/id-type-mismatch", "A response's id has another JSON type", _PAGE, error=_ALL),
    rule("rpc/result-and-error", "A response has a result and an error", _PAGE, error=_ALL),
    rule("rpc/neither", "A message is no request, notification or response", _PAGE, error=_ALL),
    rule("rpc/error-shape", "An error lacks an integer code or a message", _PAGE, error=_ALL),
    rule("rpc/error-id-missing", "An error does not name its request", _PAGE, info=_ALL),
    rule("rpc/reserved-code", "An error code is reserved", _PAGE, error="E"),
    rule("rpc/legacy-code", "An error code is of the range left to former years", _PAGE, warn="E"),
    rule("rpc/batch", "Messages come in an array", _PAGE, error="ACDE"),
    rule("rpc/batch-initialize", "initialize is part of a batch", "basic/lifecycle", error="B"),
    rule("rpc/notification-answered", "A notification is answered", _PAGE, error=_ALL),
    rule("rpc/params-not-object", "A message's params are no object", _PAGE, error=_ALL),
    rule("rpc/request-unanswered", "A request is never answered", _PAGE, warn=_ALL),
    rule("rpc/server-request-modern", "The server sends a request", "basic/patterns", error="E"),
)

_ABSENT: Final = object()


def check(look: Look) -> bool:
    """Judges the outside; whether the inside is worth judging."""
    value = look.value
    if value.get("jsonrpc") != "2.0":
        said = quoted(value["jsonrpc"]) if "jsonrpc" in value else "absent"
        look.report("rpc/bad-version", f'jsonrpc is {said}, it must be "2.0".', "/jsonrpc")
    before = len(look.findings)
    if "method" in value:
        _asking(look)
    else:
        _answering(look)
    return len(look.findings) == before


def _asking(look: Look) -> None:
    value = look.value
    if not isinstance(value["method"], str):
        look.report("rpc/neither", "method must be a string.", "/method")
        return
    if value.get("params", {}) is None or not isinstance(value.get("params", {}), dict):
        look.report("rpc/params-not-object", "params must be an object where present.", "/params")
    identifier = value.get("id", _ABSENT)
    if identifier is None:
        look.report("rpc/id-null", "The id of a request must not be null.", "/id")
    elif identifier is not _ABSENT and look.envelope.id is None:
        said = quoted(look.envelope.id_text)
        look.report("rpc/id-type", f"The id {said} must be a string or an integer.", "/id")
    elif look.envelope.id is not None:
        _identified(look, look.envelope.id)


def _identified(look: Look, identifier: RequestId) -> None:
    side, key = look.state.sides[look.direction], key_of(identifier)
    earlier = side.open.get(key)
    if look.revision is MODERN:
        if earlier is not None:
            look.report(
                "rpc/id-reuse",
                f"The id {_shown(look)} is that of a request in flight; it must be unique among"
                " those.",
                "/id",
                earlier.number,
            )
        if look.from_server:
            look.report(
                "rpc/server-request-modern",
                f"The server sends the request {quoted(look.method)}; in this revision it must ask"
                " by an input_required result.",
                "/method",
            )
    elif (number := side.used.get(key)) is not None and look.method != "initialize":
        # initialize begins a session of its own, sent again on another transport too
        look.report(
            "rpc/id-reuse",
            f"The id {_shown(look)} was used before; the sender must not use one twice in a"
            " session.",
            "/id",
            number,
        )


def _answering(look: Look) -> None:
    value = look.value
    if "result" in value and "error" in value:
        look.report("rpc/result-and-error", "A response must have either a result or an error.")
        return
    if "result" not in value and "error" not in value:
        look.report("rpc/neither", "It must have a method, a result or an error.")
        return
    identifier = value.get("id")
    if identifier is not None and look.envelope.id is None:
        said = quoted(look.envelope.id_text)
        look.report("rpc/id-type", f"The id {said} must be a string or an integer.", "/id")
        return
    if "error" in value:
        _error_shape(look)
    elif identifier is None:
        _nobody(look)


def _nobody(look: Look) -> None:
    """A result that does not say what it answers."""
    state = look.state
    carried = _carried(state, look)
    frame = state.https.get(look.carrier) or 0 if look.carrier else 0
    sent = state.frames.get(frame)
    if sent.kind is MessageKind.NOTIFICATION if sent is not None else not _others(look).open:
        look.report(
            "rpc/notification-answered",
            "A result comes without an id where no request is open: it can only answer a"
            " notification, and none must be answered.",
            "/id",
            frame,
        )
        return
    look.report(
        "rpc/response-unknown-id",
        "The result has no id; it must have that of the request which it answers.",
        "/id",
        carried.number if carried is not None else 0,
    )


def _others(look: Look) -> Side:
    """The requests that this one may answer."""
    other = Direction.RECEIVED if look.direction is Direction.SENT else Direction.SENT
    return look.state.sides[other]


def _error_shape(look: Look) -> None:
    error = look.value["error"]
    code = error.get("code") if isinstance(error, dict) else None
    if not isinstance(error, dict):
        look.report("rpc/error-shape", "error must be an object.", "/error")
    elif isinstance(code, bool) or not isinstance(code, int):
        look.report("rpc/error-shape", "The code of an error must be an integer.", "/error/code")
    elif not isinstance(error.get("message"), str):
        look.report(
            "rpc/error-shape", "The message of an error must be a string.", "/error/message"
        )


def answered(state: Connection, look: Look) -> Asked | None:
    """The request that an outcome answers, which is open no longer; judges how it says so."""
    side = _others(look)
    identifier = look.envelope.id
    carried = _carried(state, look)
    if identifier is not None:
        key = key_of(identifier)
        if (asked := side.settle(key)) is not None:
            return asked
        if (done := side.settled.get(key)) is not None:
            if done.mistyped:
                done.mistyped = False
                return done
            if not done.cancelled and not side.again.get(key):
                look.report(
                    "rpc/response-duplicate",
                    f"The request {_shown(look)} was answered already; it must be answered once.",
                    "/id",
                    done.number,
                )
            return None
        twin = _twin(key)
        if twin is not None and (asked := side.settle(twin)) is not None:
            look.report(
                "rpc/id-type-mismatch",
                f"The id {_shown(look)} answers {asked.id_text}; it must be the very id of the"
                " request, of the same JSON type.",
                "/id",
                asked.number,
            )
            asked.mistyped = True
            return asked
    if look.kind is MessageKind.ERROR and (identifier is None or carried is not None):
        if identifier is None and http.refuses(look):
            return side.settle(carried.id) if carried is not None else None
        look.report(
            "rpc/error-id-missing",
            "The error does not have the id of the request that it answers.",
            "/id",
            carried.number if carried is not None else 0,
        )
        return side.settle(carried.id) if carried is not None else None
    if side.forgets and identifier is not None:
        return None
    said = f"the id {_shown(look)}" if identifier is not None else "no id"
    look.report(
        "rpc/response-unknown-id", f"The response has {said}, and no request has that.", "/id"
    )
    return None


def _carried(state: Connection, look: Look) -> Asked | None:
    """The open request that was sent in the HTTP exchange which brought this."""
    frame = state.https.get(look.carrier) if look.carrier else None
    if not frame or look.direction is not Direction.RECEIVED:
        return None
    return state.sides[Direction.SENT].numbers.get(frame)


def codes(look: Look) -> None:
    """Judges the code of an error."""
    code = look.error.get("code")
    if look.kind is not MessageKind.ERROR or not isinstance(code, int):
        return
    left = {RESOURCE_NOT_FOUND, URL_ELICITATION_REQUIRED}
    if code in left or (-32099 <= code <= -32020 and code not in MODERN_ERRORS):
        look.report(
            "rpc/reserved-code",
            f"The code {code} is reserved and has no meaning in this revision; it must not be"
            " sent.",
            "/error/code",
        )
    elif -32019 <= code <= -32000:
        look.report(
            "rpc/legacy-code",
            f"The code {code} is of the range that no new code should come from.",
            "/error/code",
        )


def _twin(key: Key) -> Key | None:
    """The same id with the other JSON type."""
    if isinstance(key, int):
        return str(key)
    return int(key) if key.isascii() and key.isdigit() and len(key) < 20 else None


def _shown(look: Look) -> str:
    text = look.envelope.id_text
    return text if len(text) <= 60 else f"{text[:60]}…"
