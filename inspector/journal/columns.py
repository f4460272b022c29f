"""The journal's memory: one `array` per fact, one element per entry, no object per entry.

Decides how an entry is packed (44 bytes) and what a `Row` is made of. Index 0 of every column is
a filler, so that the index is the entry number; above `count` there is spare room. Which values go
in is decided by the journal and the correlator; bodies are elsewhere.
"""

from array import array
from bisect import bisect_left
from enum import IntEnum
from typing import Final

from inspector.journal.entries import NO_FLAGS, Direction, Flag, Kind, Row

METHOD_LENGTH: Final = 256
METHODS_KEPT: Final = 20_000
OTHER_METHOD: Final = "…"
_KINDS: Final = tuple(Kind)
_DIRECTIONS: Final = tuple(Direction)


class Form(IntEnum):
    """How a body stands in its line of the recording."""

    JSON = 0
    """Verbatim: one line of valid JSON."""
    TEXT = 1
    """A JSON string of the text: not JSON, or of several lines."""
    BASE64 = 2
    """A JSON string of base64: not UTF-8."""


class Links:
    """A sparse relation child -> cause between entry numbers, children ascending. 8 bytes each."""

    def __init__(self) -> None:
        self._children = array("I")
        self._causes = array("I")

    def add(self, child: int, cause: int) -> None:
        """Notes the cause of a child that is not smaller than any child before it."""
        self._causes.append(cause)
        self._children.append(child)

    def causes(self, child: int) -> list[int]:
        """The causes of a child, usually none or one."""
        children = self._children
        at = bisect_left(children, child)
        found: list[int] = []
        while at < len(children) and children[at] == child:
            found.append(self._causes[at])
            at += 1
        return found

    def children(self, cause: int) -> list[int]:
        """The children of a cause, ascending."""
        return [self._children[at] for at in positions(self._causes, cause, 0, len(self._causes))]

    def between(self, start: int, stop: int) -> list[tuple[int, int]]:
        """Children from `start` up to `stop`, with their causes."""
        first = bisect_left(self._children, start)
        last = bisect_left(self._children, stop)
        return list(zip(self._children[first:last], self._causes[first:last], strict=False))

    def __len__(self) -> int:
        return len(self._children)


class Columns:
    """All columns of a journal. Written by the appending thread, read by any."""

    __slots__ = (
        "connections",
        "count",
        "directions",
        "doubts",
        "flags",
        "http",
        "kinds",
        "known",
        "links",
        "method_ids",
        "methods",
        "monotonic",
        "offsets",
        "partners",
        "room",
        "sizes",
        "stored",
        "wall",
    )

    def __init__(self) -> None:
        self.count = 0
        """Entries that readers may look at; raised last, when every column has its element."""
        self.room = 0
        """The columns have elements for this many entries; those above `count` are zero."""
        self.offsets = array("Q")
        self.sizes = array("I")
        self.monotonic = array("d")
        self.wall = array("d")
        self.kinds = array("B")
        self.directions = array("B")
        self.connections = array("H")
        self.method_ids = array("H")
        self.partners = array("I")
        self.flags = array("H")
        self.http = array("I")
        """For frames the number of the HTTP entry that carried it; for HTTP entries the status."""
        self.stored = Links()
        """Entries that are not stored verbatim: number -> twice the bytes in the file, and one
        more where these are base64."""
        self.links = Links()
        """Entry -> request (or request's answer) that it belongs to, where `partners` cannot say
        it because the entry has a partner of its own."""
        self.doubts = Links()
        """Entry -> requests of which it goes on with one, but nothing tells which."""
        self.methods: list[str] = [""]
        self.known: dict[str, int] = {"": 0}
        """The number of each of `methods`."""
        self.grow()

    def intern(self, method: str) -> int:
        """The number of a method; a peer that invents many or long ones gets `OTHER_METHOD`."""
        found = self.known.get(method)
        if found is not None:
            return found
        if len(method) > METHOD_LENGTH:
            return self.intern(method[: METHOD_LENGTH - 1] + OTHER_METHOD)
        if len(self.methods) >= METHODS_KEPT and method != OTHER_METHOD:
            return self.intern(OTHER_METHOD)
        number = len(self.methods)
        self.methods.append(method)
        self.known[method] = number
        return number

    def grow(self) -> None:
        """Makes room for more entries: a sixteenth more, so that appending stays O(1)."""
        more = max(256, self.count // 16)
        for column in self._all():
            column.frombytes(bytes(more * column.itemsize))
        self.room = len(self.http) - 1

    def add(
        self,
        kind: int,
        direction: int,
        connection: int,
        monotonic: float,
        wall: float,
        method_id: int,
        offset: int,
        size: int,
        flags: int,
        http: int,
        partner: int,
    ) -> int:
        """Fills in the next entry and returns its number; readers see it when `count` says so."""
        number = self.count + 1
        if number > self.room:
            self.grow()
        self.offsets[number] = offset
        self.sizes[number] = size
        self.monotonic[number] = monotonic
        self.wall[number] = wall
        self.kinds[number] = kind
        self.directions[number] = direction
        self.connections[number] = connection
        self.method_ids[number] = method_id
        if partner:
            self.partners[number] = partner
        if flags:
            self.flags[number] = flags
        if http:
            self.http[number] = http
        return number

    def stored_as(self, number: int) -> tuple[int, Form]:
        """How many bytes an entry's body takes in the file, and in which form it stands there."""
        packed = self.stored.causes(number) if len(self.stored) else None
        if not packed:
            return self.sizes[number], Form.JSON
        return packed[0] >> 1, Form.BASE64 if packed[0] & 1 else Form.TEXT

    def row(self, number: int) -> Row:
        """The row of an entry. IndexError where there is none."""
        if not 1 <= number <= self.count:
            raise IndexError(f"there is no entry {number}")
        kind = _KINDS[self.kinds[number]]
        flags = self.flags[number]
        partner = self.partners[number] or None
        http: int | None = self.http[number] or None
        status = http if kind is Kind.HTTP else None
        if kind is Kind.HTTP:
            http = None
        elif http is not None and http <= self.count:
            status = self.http[http] or None
        return Row(
            number=number,
            kind=kind,
            direction=_DIRECTIONS[self.directions[number]],
            connection=self.connections[number],
            monotonic=self.monotonic[number],
            wall=self.wall[number],
            method=self.methods[self.method_ids[number]],
            size=self.sizes[number],
            partner=partner,
            latency=self.latency(number),
            http=http,
            flags=Flag(flags) if flags else NO_FLAGS,
            status=status,
        )

    def latency(self, number: int) -> float | None:
        """Seconds from request to this outcome; None for whatever is no paired outcome."""
        if self.kinds[number] not in (Kind.RESULT, Kind.ERROR, Kind.BATCH, Kind.MALFORMED):
            return None
        partner = self.partners[number]
        if not partner or partner >= number:
            return None
        return self.monotonic[number] - self.monotonic[partner]

    def memory(self) -> int:
        """Bytes held by the columns, spare room included."""
        return sum(column.__sizeof__() for column in self._all())

    def _all(self) -> "tuple[array[int] | array[float], ...]":
        return (
            self.offsets,
            self.sizes,
            self.monotonic,
            self.wall,
            self.kinds,
            self.directions,
            self.connections,
            self.method_ids,
            self.partners,
            self.flags,
            self.http,
        )


def positions(column: "array[int]", value: int, start: int, stop: int) -> list[int]:
    """Where `value` stands in `column[start:stop]`, ascending."""
    found: list[int] = []
    while True:
        try:
            start = column.index(value, start, stop) + 1
        except ValueError:
            return found
        found.append(start - 1)
