"""Errors for a server that does not speak the era, or the revision, that it was addressed in.

Each says what the server speaks, where that can be known, and which choice would speak with it.
Whether to try another era unasked is decided elsewhere (`inspector.session.detect`).
"""

from collections.abc import Iterable
from typing import Final

from inspector.errors import WRONG_ERA, ConnectionFailed, InspectorError, RequestTimeout, excerpt
from inspector.protocol.codes import METHOD_NOT_FOUND, MODERN_ERRORS, UNSUPPORTED_PROTOCOL_VERSION
from inspector.protocol.json_text import NotJsonError, parse_json
from inspector.protocol.messages import Json
from inspector.protocol.versions import HANDSHAKE_REVISIONS, Era, Revision, parse_revision
from inspector.session.pending import Call, Failure, Lost, Outcome, Success

SPEAK_MODERN: Final = (
    "--protocol modern speaks that era; --protocol auto asks the server which one it speaks"
)
SPEAK_HANDSHAKE: Final = "--protocol handshake speaks the era before it; --protocol auto asks first"
OPENING: Final = frozenset({"initialize", "server/discover"})


def supported_in(data: Json) -> list[Json]:
    """What a version error says the server speaks."""
    named = data.get("supported") if isinstance(data, dict) else None
    return named if isinstance(named, list) else []


def refused_initialize(failure: Failure, offered: str) -> InspectorError:
    """The error for a server that refuses `initialize`."""
    named = supported_in(failure.data)
    texts = excerpt(", ".join(str(text) for text in named))
    if _speaks(named, Era.MODERN):
        return ConnectionFailed(
            f"the server does not speak the handshake era: it refused initialize with {offered}"
            f" ({failure.code}) and speaks {texts}",
            hint=SPEAK_MODERN,
            kind=WRONG_ERA,
            fault="you",
        )
    if texts:
        return ConnectionFailed(
            f"no common protocol revision: the server speaks {texts};"
            f" we speak {', '.join(HANDSHAKE_REVISIONS)}",
            hint="choose another revision with --protocol, or another version of the server",
            kind="version",
        )
    said = f"{failure.code} {excerpt(failure.message)}"
    told = f"the server refused initialize with {offered}: {said}"
    if failure.code in MODERN_ERRORS or failure.code == METHOD_NOT_FOUND:
        why = (
            "it has no initialize, as servers of the modern era only"
            if failure.code == METHOD_NOT_FOUND
            else "only servers of the modern era answer so"
        )
        return ConnectionFailed(f"{told} ({why})", hint=SPEAK_MODERN, kind=WRONG_ERA, fault="you")
    return ConnectionFailed(told, hint="the traffic shows its whole answer", kind="initialize")


def refused_discover(failure: Failure, asked: str) -> InspectorError:
    """The error for a server that refuses `server/discover`."""
    named = supported_in(failure.data)
    texts = excerpt(", ".join(str(text) for text in named))
    if failure.code == UNSUPPORTED_PROTOCOL_VERSION and texts:
        older = _speaks(named, Era.HANDSHAKE)
        return ConnectionFailed(
            f"no common protocol revision: the server speaks {texts}; we asked in {asked}",
            hint=SPEAK_HANDSHAKE if older else "choose another revision with --protocol",
            kind=WRONG_ERA if older else "version",
        )
    return ConnectionFailed(
        f"the server refused server/discover in {asked}: {failure.code} {excerpt(failure.message)}",
        hint=f"it may be a server of the handshake era: {SPEAK_HANDSHAKE}",
        kind=WRONG_ERA,
        fault="you",
    )


def speaks_older(refusal: Outcome, asked: Revision, answered: Revision) -> InspectorError:
    """The error for a server that refuses `server/discover` and takes `initialize`."""
    match refusal:
        case Failure(code=code, message=message):
            how = f"it refused server/discover with {code} {excerpt(message)}"
        case Lost(error=error):
            how = without_body(error)
        case _:
            how = "its answer to server/discover is none"
    return ConnectionFailed(
        f"the server does not speak {asked}, but {answered}: {how}",
        hint=f"--protocol {answered} speaks that; --protocol auto finds it out",
        kind=WRONG_ERA,
        fault="you",
    )


def without_body(error: InspectorError) -> str:
    """What `error` says; of a refusal by HTTP not the page that came with it."""
    return error.message.partition(": ")[0] if error.kind == "http" else error.message


def unanswered_discover(error: InspectorError) -> InspectorError:
    """`error`, with what it may mean where `server/discover` brought no answer: servers of the
    handshake era are silent, or end."""
    if isinstance(error, RequestTimeout) or error.kind in ("exited", "closed"):
        words = f"a server of the handshake era may do that: {SPEAK_HANDSHAKE}"
        error.hint = f"{error.hint}\n{words}" if error.hint else words
    return error


def named_versions(opened: bytes, calls: Iterable[Call]) -> tuple[str, ...]:
    """What the server said it speaks: in the result that opened the session, else in the answer
    to the latest attempt. Empty where it named nothing but the one that is spoken."""
    try:
        result: Json = parse_json(opened) if opened else None
    except NotJsonError:
        result = None
    found = _texts(result.get("supportedVersions")) if isinstance(result, dict) else ()
    for call in () if found else calls:
        if call.method not in OPENING:
            continue
        match call.outcome:
            case Success(result=dict(body)):
                found = _texts(body.get("supportedVersions")) or found
            case Failure(data=data):
                found = _texts(supported_in(data)) or found
    return found


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _speaks(named: Iterable[Json], era: Era) -> bool:
    revisions = [parse_revision(text) for text in named]
    return any(one is not None and one.era is era for one in revisions)
