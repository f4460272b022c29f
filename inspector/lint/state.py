"""What the linter remembers of a connection: revision, capabilities, open requests, and a place for
what each area keeps for itself.

Decides how the state follows from the messages, in order, and from nothing else, so that a
recording gives what the live session gave. All tables are bounded. Judging is left to the areas.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar, cast

from inspector.journal.entries import Direction
from inspector.journal.probes import Key
from inspector.journal.recent import KEPT, Recent
from inspector.protocol.messages import Json, JsonObject, MessageKind
from inspector.protocol.versions import LATEST_HANDSHAKE, MODERN_REVISIONS, Revision

OPEN_KEPT: Final = 10_000
"""Unanswered requests remembered for each direction."""
PARAMS_BYTES: Final = 2 << 20
"""Of their params so many bytes of JSON, which take twenty times as much where they are hostile;
of older ones only the essential is remembered."""
ESSENTIAL: Final = ("_meta", "name", "uri", "cursor", "level", "taskId")
"""Params that are remembered of a request that is too long, where they are short themselves."""
ESSENTIAL_PARTS: Final = 100
ESSENTIAL_CHARACTERS: Final = 2000
MODERN: Final = MODERN_REVISIONS[-1]
CROSSING: Final = 1.0
"""Seconds in which what goes two ways, or on two streams, may cross."""

T = TypeVar("T")


@dataclass(slots=True)
class Asked:
    """A request as long as it may be answered. Of `params` that were too long only the essential
    ones are there, and `whole` is false; `carrier` is the HTTP exchange on whose stream it came."""

    number: int
    direction: Direction
    id: Key
    id_text: str
    method: str
    params: JsonObject
    revision: Revision
    probe: bool = False
    carrier: int | None = None
    cancelled: int = 0
    cancelled_at: float = 0.0
    closed: bool = False
    whole: bool = True
    weight: int = 0
    """The bytes that the params took where they came; 0 for what is not to be forgotten."""
    given_up: bool = False
    """Nobody answered in time, and that was told."""
    mistyped: bool = False
    """Only an outcome with another JSON type of its id came so far, and that was told."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What a frame of the client was."""

    kind: MessageKind
    method: str


@dataclass(slots=True)
class Side:
    """The requests of one direction."""

    open: dict[Key, Asked] = field(default_factory=dict)
    used: Recent[Key, int] = field(default_factory=Recent)
    """Every id, with the entry that used it."""
    settled: Recent[Key, Asked] = field(default_factory=Recent)
    again: Recent[Key, bool] = field(default_factory=Recent)
    """Ids by which was asked again while a request was open: there are as many answers."""
    numbers: dict[int, Asked] = field(default_factory=dict)
    """The open ones by their entry (one of several where they are members of a batch)."""
    _heavy: OrderedDict[Key, Asked] = field(default_factory=OrderedDict)
    """The open ones with params, the oldest first, and how many bytes they have."""
    _weight: int = 0
    count: int = 0
    unread: bool = False
    """Whether there was one that was too long to be read."""

    @property
    def forgets(self) -> bool:
        """Whether there were so many that not all are remembered, or one that was not read:
        what is not known may have been told."""
        return self.unread or self.count > KEPT

    def ask(self, asked: Asked) -> None:
        """Remembers a request; of too many the oldest is forgotten."""
        self.count += 1
        if self._drop(asked.id) is not None:
            self.again.put(asked.id, True)
        self.open[asked.id] = self.numbers[asked.number] = asked
        self.used.put(asked.id, asked.number)
        if len(self.open) > OPEN_KEPT:
            self._drop(next(iter(self.open)))
        if asked.weight:
            self._heavy[asked.id] = asked
            self._weight += asked.weight
        while self._weight > PARAMS_BYTES:
            _, oldest = self._heavy.popitem(last=False)
            self._weight -= oldest.weight
            oldest.params, oldest.whole, oldest.weight = essence(oldest.params), False, 0

    def _drop(self, key: Key) -> Asked | None:
        asked = self.open.pop(key, None)
        if asked is not None:
            self.numbers.pop(asked.number, None)
            if self._heavy.pop(key, None) is not None:
                self._weight -= asked.weight
        return asked

    def clear(self) -> None:
        """Nothing is open any more."""
        self.open.clear()
        self.numbers.clear()
        self._heavy.clear()
        self._weight = 0

    def settle(self, key: Key) -> Asked | None:
        """The open request of an id, which is answered now."""
        asked = self._drop(key)
        if asked is not None:
            self.settled.put(key, asked)
        return asked


def essence(params: JsonObject) -> JsonObject:
    """What is remembered of long params."""
    return {name: params[name] for name in ESSENTIAL if name in params and _short(params[name])}


def _short(value: Json) -> bool:
    parts = characters = 0
    waiting = [value]
    while waiting and parts <= ESSENTIAL_PARTS and characters <= ESSENTIAL_CHARACTERS:
        one = waiting.pop()
        parts += 1
        if isinstance(one, str):
            characters += len(one)
        elif isinstance(one, dict):
            characters += sum(map(len, one))
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return parts <= ESSENTIAL_PARTS and characters <= ESSENTIAL_CHARACTERS


class Memory:
    """A place for what each area keeps for itself."""

    def __init__(self) -> None:
        self._held: dict[object, object] = {}

    def held(self, make: Callable[[], T]) -> T:
        """What an area keeps, made when first asked for; `make` is its key."""
        found = self._held.get(make)
        if found is None:
            found = self._held[make] = make()
        return cast("T", found)


class Connection(Memory):
    """One connection, as far as its messages told by now.

    `negotiated` is what the handshake settled, `offered` what `initialize` offered; `modern` says
    that the server proved to be of the modern era. Capabilities are those of the handshake or of
    the last `server/discover` (`told` says whether the server gave any yet). `shared` is the
    memory of all connections, `authorized` says that the client sent credentials.
    """

    def __init__(self, number: int, facts: JsonObject, shared: Memory | None = None) -> None:
        super().__init__()
        self.number = number
        self.shared = shared if shared is not None else Memory()
        self.authorized = False
        self.url = str(facts.get("url", ""))
        self.transport = str(facts.get("transport", ""))
        if self.transport == "auto":
            self.transport = "http" if self.url else "stdio"
        self.negotiated: Revision | None = None
        self.offered: Revision | None = None
        self.modern = False
        self.client: JsonObject = {}
        self.server: JsonObject = {}
        self.told = False
        self.initialized = False
        self.over = False
        self.heard = 0
        """The entry of the last message that the server sent."""
        self.garbled = 0
        """The entry of the last one that could not be read: it may have been any."""
        self.sides = {Direction.SENT: Side(), Direction.RECEIVED: Side()}
        self.https: Recent[int, int] = Recent()
        """HTTP exchanges by their entry, with the frame that each carried out."""
        self.frames: Recent[int, Sent] = Recent()
        """What the frames were that the client sent, by entry."""
        self._told: set[str] = set()

    @property
    def revision(self) -> Revision:
        """The revision by which a message is judged that does not name its own."""
        if self.negotiated is not None:
            return self.negotiated
        if self.modern:
            return MODERN
        return self.offered or LATEST_HANDSHAKE

    def first(self, what: str) -> bool:
        """Whether this is asked for the first time: for what is told once a connection."""
        if what in self._told:
            return False
        self._told.add(what)
        return True

    def capabilities(self, asked: Asked | None) -> JsonObject:
        """What the client declared: for a request of the modern era in that very request."""
        if asked is not None and asked.revision is MODERN:
            match asked.params.get("_meta"):
                case {"io.modelcontextprotocol/clientCapabilities": dict(declared)}:
                    return declared
            return {}
        return self.client


def declares(capabilities: JsonObject, *path: str) -> bool:
    """Whether a capability is declared: an object, or true."""
    here: object = capabilities
    for step in path:
        if not isinstance(here, dict) or step not in here:
            return False
        here = here[step]
    return here is not False and here is not None
