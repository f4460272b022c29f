"""What a session looked like as of an entry: the values that a timeline hands out.

Plain immutable values. Entry numbers stand in for bodies wherever that is enough, so that a state
is small; what an entry says in full is read by `inspector.journal.timeline_readings` when somebody
looks. How a state comes about is decided by the other `timeline_` modules. Pure.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Literal

from inspector.journal.entries import Direction
from inspector.protocol.messages import JsonObject
from inspector.protocol.versions import Era, Revision

ListState = Literal["unknown", "unsupported", "loading", "ready", "failed", "stale"]
LIST_KINDS: Final = ("tools", "resources", "resourceTemplates", "prompts")
LIST_METHODS: Final[Mapping[str, str]] = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}
TERMINAL: Final = frozenset({"completed", "failed", "cancelled"})
"""The statuses of a task that has reached its end."""


class Phase(Enum):
    """Where a connection was in its life, as far as the wire tells."""

    CONNECTING = "connecting"
    NEGOTIATING = "negotiating"
    READY = "ready"
    CLOSING = "closing"
    CLOSED = "closed"
    FAILED = "failed"

    @property
    def over(self) -> bool:
        """Whether the connection has ended for good."""
        return self in (Phase.CLOSED, Phase.FAILED)


@dataclass(frozen=True, slots=True)
class Opening:
    """What was offered and what came of it.

    `revision` is None until there is one; `why` says in one sentence how it was found. `entry` is
    the answer that opened the session (0: none). `client_capabilities` are those of the latest
    request that declared some.
    """

    era: Era | None = None
    offered: str = ""
    revision: Revision | None = None
    why: str = ""
    server_info: JsonObject = field(default_factory=dict)
    capabilities: JsonObject = field(default_factory=dict)
    client_capabilities: JsonObject = field(default_factory=dict)
    instructions: str = ""
    entry: int = 0

    def declares(self, name: str) -> bool:
        """Whether the server declared the capability `name`."""
        return self.capabilities.get(name) not in (None, False)


@dataclass(frozen=True, slots=True)
class ListAt:
    """One list as far as it was read. `pages` are the entries of the answers that its items stand
    in. `error` says why it is incomplete or failed ("" if it is whole)."""

    kind: str
    state: ListState = "unknown"
    pages: tuple[int, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class ProgressAt:
    """The latest progress report of a request (its entry), and how many there were."""

    entry: int
    count: int


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """A request without an answer. `since` is monotonic, in seconds. `given_up` tells that nobody
    waits for it any more though no entry says so; known as of the last entry only."""

    number: int
    direction: Direction
    method: str
    since: float
    progress: ProgressAt | None = None
    given_up: bool = False


@dataclass(frozen=True, slots=True)
class SubscriptionAt:
    """A subscribed resource: since which entry, how many updates came, and the latest one."""

    uri: str
    since: int
    updates: int = 0
    entry: int = 0


@dataclass(frozen=True, slots=True)
class StreamAt:
    """An open `subscriptions/listen`: its request, the filter asked for and the one granted (None:
    not acknowledged yet)."""

    request: int
    asked: JsonObject
    granted: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class TaskAt:
    """What is known of a task. `request` made it (0: not seen), `entry` described it last.
    `progress` is that of the call. `asked` are its questions without an answer: key and method."""

    id: str
    status: str
    entry: int
    request: int = 0
    message: str = ""
    progress: ProgressAt | None = None
    asked: tuple[tuple[str, str], ...] = ()
    answered: frozenset[str] = frozenset()

    @property
    def over(self) -> bool:
        """Whether the task has reached its end."""
        return self.status in TERMINAL


@dataclass(frozen=True, slots=True)
class AskAt:
    """A question of the server that nobody has answered: the entry that asks, and the key in it
    where that is an answer to `request`, or tells of its task."""

    entry: int
    method: str
    key: str = ""
    request: int = 0


@dataclass(frozen=True, slots=True)
class RootsAt:
    """The roots that the server was told, and by which entry. `stale`: it was told since that they
    have changed, and has not asked again."""

    roots: tuple[JsonObject, ...]
    entry: int
    stale: bool = False


@dataclass(frozen=True, slots=True)
class ConnectionAt:
    """One connection. `facts` are those that it began with, `transport` the kind it ended up with
    ("" where nothing says it). `roots` is None where the server was never told any. `forgotten`
    counts open requests that are not told of, because there are too many."""

    number: int
    began: int
    facts: JsonObject
    phase: Phase
    transport: str
    opening: Opening
    lists: Mapping[str, ListAt]
    open: tuple[OpenRequest, ...]
    subscriptions: tuple[SubscriptionAt, ...]
    streams: tuple[StreamAt, ...]
    tasks: tuple[TaskAt, ...]
    asks: tuple[AskAt, ...]
    roots: RootsAt | None
    log_level: str | None
    error: str = ""
    forgotten: int = 0


@dataclass(frozen=True, slots=True)
class StateAt:
    """The connections as of entry `number`, in the order in which they began; the latest ones
    where there were very many."""

    number: int
    connections: tuple[ConnectionAt, ...]

    @property
    def current(self) -> ConnectionAt | None:
        """The latest connection that is not beside another, None before the first."""
        return next((one for one in reversed(self.connections) if "aside" not in one.facts), None)

    def connection(self, number: int) -> ConnectionAt | None:
        """The connection with this number."""
        return next((one for one in self.connections if one.number == number), None)
