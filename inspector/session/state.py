"""What is known about a session at one moment, as one immutable value.

The engine replaces the value as a whole, so any thread may read it without a lock. How a session
gets from one phase to the next is decided elsewhere in this room.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from inspector.errors import InspectorError

if TYPE_CHECKING:
    from inspector.protocol.messages import Json, JsonObject
    from inspector.protocol.versions import Revision
    from inspector.session.freshness import Freshness
    from inspector.transport.base import TransportFacts


class Phase(Enum):
    """Where a session is in its life."""

    IDLE = "idle"
    CONNECTING = "connecting"
    NEGOTIATING = "negotiating"
    READY = "ready"
    CLOSING = "closing"
    CLOSED = "closed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SessionState:
    """A snapshot of one session.

    `revision_text` is what the server named, also where we do not know it (then `revision` is
    None); `offered` is what we asked for; `why` says in one sentence how the two came together.
    `initialize_raw` is the exact text of the result that opened the session. `connected_at` is
    monotonic, in seconds. `discover_freshness` is what the answer to `server/discover` says of its
    own life. `connection` is the journal's number of this connection's section.
    """

    phase: Phase = Phase.IDLE
    revision: "Revision | None" = None
    revision_text: str = ""
    offered: str = ""
    why: str = ""
    transport: "TransportFacts | None" = None
    server_info: "JsonObject" = field(default_factory=dict)
    capabilities: "JsonObject" = field(default_factory=dict)
    client_capabilities: "JsonObject" = field(default_factory=dict)
    instructions: str = ""
    error: InspectorError | None = None
    connected_at: float | None = None
    connection: int = 0
    log_level: str | None = None
    initialize_raw: bytes = b""
    discover_freshness: "Freshness | None" = None

    @property
    def ready(self) -> bool:
        """Whether requests can be sent."""
        return self.phase is Phase.READY

    @property
    def over(self) -> bool:
        """Whether this session has ended for good."""
        return self.phase in (Phase.CLOSED, Phase.FAILED)

    def declares(self, *path: str) -> bool:
        """Whether the server declared the capability at `path`, e.g. `("resources", "subscribe")`.

        A capability is declared by an object, or by `true` for a flag inside one.
        """
        return capability_at(self.capabilities, path)


def capability_at(capabilities: "JsonObject", path: tuple[str, ...]) -> bool:
    """Whether `capabilities` declares the member at `path`; `false` and `null` declare nothing."""
    here: Json = capabilities
    for key in path:
        if not isinstance(here, dict):
            return False
        here = here.get(key)
    return here is not None and here is not False
