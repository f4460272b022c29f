"""Which requests are one operation: what a client sends again for the same call. Pure.

In 2026-07-28 a call may take several requests with an id each: a question in a result is answered
by the same request with `inputResponses` and `requestState` (basic/patterns/mrtr), and a request
refused for its headers or its version goes out once more. Decides from the messages alone which
request goes on with which: it must ask for the same, and its state must be the question's to the
letter. Where two fit, none is taken, and both are named as doubtful. Whatever was refused and is
then asked for in the same words counts as the retry, whoever sent it.
"""

from collections.abc import Callable
from itertools import islice
from typing import Final

from inspector.journal.columns import Columns
from inspector.journal.entries import Kind
from inspector.journal.probes import NO_TIES, Key, Ties, call_mark, error_code_of, question_of
from inspector.journal.recent import KEPT, Recent
from inspector.protocol.codes import HEADER_MISMATCH, UNSUPPORTED_PROTOCOL_VERSION
from inspector.protocol.methods import INPUT_REQUIRED_METHODS

POINTS_KEPT: Final = 64
"""Places at which calls that ask for the same may be gone on with."""
UNREAD_BYTES: Final = 1024
"""Waiting calls up to this length are kept as they came, longer ones by their mark: what a call
asks for costs as much to read as all else, and hardly one is ever sent again."""


class _Point:
    """An answer after which a request is sent again: that of `request`, for what must be sent with
    it (`state`, `keys`). `leg` is the request that went on here, 0 before there is one."""

    __slots__ = ("after_list", "keys", "leg", "question", "request", "state")

    def __init__(
        self,
        request: int,
        state: Key | None,
        keys: frozenset[str] | None,
        *,
        question: bool,
        after_list: int = 0,
    ) -> None:
        self.request = request
        self.state = state
        self.keys = keys
        self.question = question
        self.after_list = after_list
        """So many tool lists must have come before (a header mismatch is followed by one)."""
        self.leg = 0

    def fits(self, ties: Ties, lists: int) -> bool:
        """Whether a request that brings `ties` may go on here."""
        if self.question and self.state is not None:
            return ties.state == self.state
        return (ties.state, ties.answers) == (self.state, self.keys) and lists >= self.after_list


class Operations:
    """The calls of all connections, and where each may be gone on with."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._calls = {
            columns.intern(name) for name in (*INPUT_REQUIRED_METHODS, "server/discover")
        }
        self._tools = columns.intern("tools/list")
        self.begun = False
        """Whether there was any request of the modern era; before, there is nothing to tell."""
        self._waiting: dict[int, bytes | tuple[bytes, Ties]] = {}
        """Calls without an answer: as they came, or what they ask for and what they bring."""
        self._repeatable: set[int] = set()
        """Methods of which a call may be gone on with by one that brings nothing."""
        self._points: Recent[bytes, list[_Point]] = Recent()
        self._crowded: Recent[bytes, bool] = Recent()
        self._lists: dict[int, int] = {}

    def asked(self, number: int, method: int, ties: Ties, raw: bytes) -> None:
        """A request came by: links it to what it goes on with."""
        self.begun = True
        if method not in self._calls:
            return
        if len(self._waiting) >= 2 * KEPT:
            self._waiting = dict(islice(self._waiting.items(), KEPT, None))
        brings = ties.state is not None or ties.answers is not None
        if not (brings or method in self._repeatable or len(raw) > UNREAD_BYTES):
            self._waiting[number] = raw
            return
        side = self._side(number)
        group = _group(side, method, raw)
        if group is None:
            return
        self._waiting[number] = group, ties
        points = self._points.get(group)
        if not points:
            return
        lists = self._lists.get(side, 0)
        fitting = [point for point in points if point.fits(ties, lists)]
        open_ones = [point for point in fitting if not self._gone_on(point)]
        if not open_ones and not brings:
            return  # asked for in the same words, but nothing waits for that
        found = open_ones or fitting
        if len(found) == 1 and not self._crowded.get(group):
            found[0].leg = number
            self._columns.links.add(number, found[0].request)
        else:
            for point in found:
                self._columns.doubts.add(number, point.request)

    def answered(self, request: int, kind: int, raw: bytes) -> None:
        """A request has its outcome: it may have to be sent again."""
        method = self._columns.method_ids[request]
        waited = self._waiting.pop(request, None)
        if waited is None:
            if method == self._tools and kind == Kind.RESULT:
                side = self._side(request)
                self._lists[side] = self._lists.get(side, 0) + 1
            return
        question = question_of(raw) if kind == Kind.RESULT else None
        code = error_code_of(raw) if kind != Kind.RESULT else None
        if question is None and code not in (HEADER_MISMATCH, UNSUPPORTED_PROTOCOL_VERSION):
            return
        if method not in self._calls:
            return  # the row is a batch, which knows nothing of retries
        side = self._side(request)
        group, ties = (
            (_group(side, method, waited), NO_TIES) if isinstance(waited, bytes) else waited
        )
        if group is None:
            return
        if question is not None:
            point = _Point(request, question.state, question.keys, question=True)
        else:
            lists = self._lists.get(side, 0) + (code == HEADER_MISMATCH)
            point = _Point(request, ties.state, ties.answers, question=False, after_list=lists)
        if point.state is None and point.keys is None:
            self._repeatable.add(method)
        self._add(group, point)

    def _add(self, group: bytes, point: _Point) -> None:
        points = self._points.get(group) or []
        if len(points) >= POINTS_KEPT:
            points = [one for one in points if not self._gone_on(one)]
            if len(points) >= POINTS_KEPT:
                self._crowded.put(group, True)
                points = points[1:]
        self._points.put(group, [*points, point])

    def _gone_on(self, point: _Point) -> bool:
        """Whether somebody went on here, and was answered: one that got no answer may be tried
        again."""
        return bool(point.leg and self._columns.partners[point.leg])

    def _side(self, number: int) -> int:
        return self._columns.connections[number] << 2 | self._columns.directions[number]


def _group(side: int, method: int, raw: bytes) -> bytes | None:
    """The same for all calls that ask for the same; None where that cannot be read."""
    mark = call_mark(raw)
    return None if mark is None else b"%d/%d/" % (side, method) + mark


class TaskTable:
    """Which request made a task. A task outlives its connection, so an id that this connection did
    not make is looked for in the others; an id that was made twice is nobody's."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._here: Recent[tuple[int, Key], tuple[int, ...]] = Recent()
        self._anywhere: Recent[Key, tuple[int, ...]] = Recent()
        self._made: Recent[int, bool] = Recent()

    def __bool__(self) -> bool:
        return bool(self._here)

    def described(self, task: Key, request: int, *, created: bool) -> None:
        """The answer to `request` makes a task, or tells of one."""
        here = (self._columns.connections[request], task)
        known = self._here.get(here)
        if not created:
            if known is None and self._anywhere.get(task) is None:
                self._here.put(here, (request,))
                self._anywhere.put(task, (request,))
            return
        self._made.put(request, True)
        makers = tuple(one for one in known or () if self._made.get(one) and one != request)
        self._here.put(here, (*makers, request))
        elsewhere = tuple(
            one
            for one in self._anywhere.get(task) or ()
            if self._columns.connections[one] != here[0]
        )
        self._anywhere.put(task, (*elsewhere[-1:], *makers[-1:], request))

    def makers(self, task: Key, number: int) -> tuple[int, ...]:
        """The requests that an entry about `task` may belong to: one, several where that is
        doubtful, none where nothing is known."""
        here = self._here.get((self._columns.connections[number], task))
        return here or self._anywhere.get(task) or ()

    def tie(self, number: int, task: Key) -> None:
        """Links a request that names `task`."""
        makers = [one for one in self.makers(task, number) if one != number]
        add: Callable[[int, int], None] = (
            self._columns.links.add if len(makers) == 1 else self._columns.doubts.add
        )
        for maker in makers:
            add(number, maker)
