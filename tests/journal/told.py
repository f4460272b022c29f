"""What a timeline makes of a conversation, for tests."""

from inspector.journal.timeline import Timeline
from inspector.journal.timeline_values import ConnectionAt
from inspector.protocol.messages import Sendable
from tests.journal.conversation import Conversation, notification, request, result

META = "io.modelcontextprotocol/"


def told(talk: Conversation, number: int | None = None) -> ConnectionAt:
    """The current connection as of an entry (None: the last one)."""
    timeline = Timeline(talk.journal)
    seen = timeline.state_at(len(talk.journal) if number is None else number).current
    assert seen is not None
    return seen


def error(request_id: int | str, code: int, data: Sendable = None) -> Sendable:
    """An error answer."""
    body: dict[str, Sendable] = {"code": code, "message": "no"}
    return {"jsonrpc": "2.0", "id": request_id, "error": body | ({"data": data} if data else {})}


def shaken(revision: str = "2025-11-25", **capabilities: Sendable) -> Conversation:
    """A conversation after its handshake."""
    talk = Conversation()
    talk.sent(request("i", "initialize", protocolVersion="2025-11-25", capabilities={"roots": {}}))
    info: Sendable = {"name": "scripted"}
    talk.received(result("i", protocolVersion=revision, capabilities=capabilities, serverInfo=info))
    talk.sent(notification("notifications/initialized"))
    return talk


def modern(**capabilities: Sendable) -> Conversation:
    """A conversation of the modern era after its discovery."""
    talk = Conversation()
    talk.sent(asked("d", "server/discover"))
    talk.received(result("d", supportedVersions=["2026-07-28"], capabilities=capabilities))
    return talk


def asked(request_id: int | str, method: str, **params: Sendable) -> Sendable:
    """A request of the modern era."""
    meta: dict[str, Sendable] = {
        f"{META}protocolVersion": "2026-07-28",
        f"{META}clientCapabilities": {"elicitation": {}},
    }
    return request(request_id, method, **params, _meta=meta)
