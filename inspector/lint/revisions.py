"""By which revision a message is judged.

Decides what a message says of the revision it speaks, and which one an answer is of. What is
remembered of a connection is `inspector.lint.state`.
"""

from inspector.journal.entries import Direction
from inspector.lint.look import Look
from inspector.lint.state import MODERN
from inspector.protocol.codes import MODERN_ERRORS
from inspector.protocol.messages import MessageKind
from inspector.protocol.versions import LATEST_HANDSHAKE, Revision, parse_revision


def handshaken(look: Look) -> Revision | None:
    """The revision that an answer to `initialize` settles, None for one that it cannot."""
    said = parse_revision(look.result.get("protocolVersion"))
    return None if said is MODERN else said


def own_revision(look: Look) -> Revision | None:
    """The revision that a request names."""
    if look.kind is not MessageKind.REQUEST:
        return None
    if look.envelope.method == "initialize":
        return parse_revision(look.params.get("protocolVersion"))
    match look.params.get("_meta"):
        case {"io.modelcontextprotocol/protocolVersion": version}:
            return parse_revision(version)
    return None


def revision_of_answer(look: Look) -> Revision:
    """An answer is judged by the revision of its request, but a server of former years that is
    asked in the modern way (or the other way round) is judged by its own."""
    asked, state = look.asked, look.state
    if asked is None:
        return look.revision
    if asked.method == "initialize" and look.kind is MessageKind.RESULT:
        return handshaken(look) or asked.revision
    if asked.revision is not MODERN or state.modern or asked.direction is Direction.RECEIVED:
        return asked.revision
    proves = (
        asked.method == "server/discover" or "resultType" in look.result
        if look.kind is MessageKind.RESULT
        else look.error.get("code") in MODERN_ERRORS
    )
    if proves:
        state.modern = True
        return MODERN
    return state.negotiated or LATEST_HANDSHAKE
