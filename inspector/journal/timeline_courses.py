"""What the methods of the protocol do to the books of a connection, one function each.

Decides which requests, answers and notifications are read at all: the tables `asked`, `answers`,
`replies` (ours to the server) and `notes` are by the number of the method. Everything that is not
in them costs nothing. Pure.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final

from inspector.journal.columns import Columns
from inspector.journal.entries import Direction, Kind
from inspector.journal.timeline_ledger import ROUNDS_KEPT, STREAMS_KEPT, WATCHED_KEPT, Ledger
from inspector.journal.timeline_lists import CHANGED, changed, page_answered, page_asked
from inspector.journal.timeline_opening import (
    discover_answered,
    discover_asked,
    initialize_answered,
    initialize_asked,
    initialized,
)
from inspector.journal.timeline_readings import (
    META_SUBSCRIPTION,
    asks_or_goes_on,
    described,
    id_of_message,
    member,
    obj,
    parsed,
    questions,
    roots_in,
    text,
)
from inspector.journal.timeline_values import (
    LIST_METHODS,
    TERMINAL,
    RootsAt,
    StreamAt,
    SubscriptionAt,
    TaskAt,
)
from inspector.protocol.messages import Json, JsonObject
from inspector.protocol.methods import INPUT_REQUIRED_METHODS
from inspector.protocol.versions import Era

Asked = Callable[[Ledger, int, bytes], None]
Answered = Callable[[Ledger, int, int, int, bytes], None]
Noted = Callable[[Ledger, int, int, bytes], None]

ABOVE_LOOKED_AT: Final = 256
"""So many subscriptions are looked at for the one below which a changed resource lies."""

_RESULT: Final = int(Kind.RESULT)
_SENT: Final = int(Direction.SENT)


class Courses:
    """The tables, for one journal; `body` reads the body of an entry."""

    def __init__(self, columns: Columns, body: Callable[[int], bytes]) -> None:
        self._columns = columns
        self._body = body
        self.asked: dict[int, Asked] = {}
        self.answers: dict[int, Answered] = {}
        self.replies: dict[int, Answered] = {}
        self.notes: dict[int, Noted] = {}
        self.listen = -1
        self._asked: dict[str, Asked] = {
            "initialize": lambda led, no, body: initialize_asked(led, columns, no, body),
            "server/discover": discover_asked,
            "subscriptions/listen": self._listens,
            "tasks/update": self._updates,
        }
        self._answers: dict[str, Answered] = {
            "initialize": lambda led, *rest: initialize_answered(led, columns, *rest),
            "server/discover": lambda led, *rest: discover_answered(led, columns, *rest),
            "logging/setLevel": self._level,
            "resources/subscribe": self._subscribed,
            "resources/unsubscribe": self._unsubscribed,
            "subscriptions/listen": lambda led, request, *_: self.unlistened(led, request),
            "tasks/get": self._task_told,
            "tasks/cancel": self._task_told,
            "tasks/list": self._tasks_listed,
        }
        for name in INPUT_REQUIRED_METHODS:
            self._answers[name] = self._called
        for name, kind in LIST_METHODS.items():
            self._asked[name] = partial(_page_asked, kind)
            self._answers[name] = partial(_page_answered, kind)
        self._replies: dict[str, Answered] = {"roots/list": self._roots}
        self._notes: dict[str, Noted] = {
            "notifications/initialized": _initialized,
            "notifications/roots/list_changed": _roots_changed,
            "notifications/resources/updated": _updated,
            "notifications/subscriptions/acknowledged": self._acknowledged,
            "notifications/tasks": _task_announced,
            "notifications/tasks/status": _task_announced,
        }
        for name in CHANGED:
            self._notes[name] = partial(_list_changed, name)

    def look_up(self, known: Mapping[str, int]) -> None:
        """Fills the tables with the numbers that the methods have by now."""
        self.asked = {known[name]: do for name, do in self._asked.items() if name in known}
        self.answers = {known[name]: do for name, do in self._answers.items() if name in known}
        self.replies = {known[name]: do for name, do in self._replies.items() if name in known}
        self.notes = {known[name]: do for name, do in self._notes.items() if name in known}
        self.listen = known.get("subscriptions/listen", -1)

    def _params(self, request: int) -> JsonObject:
        return member(self._body(request), "params")

    # -- log level, roots --

    def _level(self, ledger: Ledger, request: int, number: int, kind: int, body: bytes) -> None:
        if kind == _RESULT:
            ledger.level = text(self._params(request).get("level")) or ledger.level

    def _roots(self, ledger: Ledger, request: int, number: int, kind: int, body: bytes) -> None:
        roots = roots_in(member(body, "result"))
        if kind == _RESULT and roots is not None:
            ledger.roots = RootsAt(roots, number)

    # -- subscriptions --

    def _subscribed(
        self, ledger: Ledger, request: int, number: int, kind: int, body: bytes
    ) -> None:
        uri = text(self._params(request).get("uri"))
        if kind == _RESULT and uri:
            _watch(ledger, uri, number)

    def _unsubscribed(
        self, ledger: Ledger, request: int, number: int, kind: int, body: bytes
    ) -> None:
        if kind == _RESULT:
            ledger.watched.pop(text(self._params(request).get("uri")), None)

    def _listens(self, ledger: Ledger, number: int, body: bytes) -> None:
        """2026-07-28 basic/patterns/subscriptions: one stream for all. What a new filter leaves
        out is watched no longer."""
        asked = obj(member(body, "params").get("notifications"))
        ledger.streams[number] = StreamAt(number, asked)
        if len(ledger.streams) > STREAMS_KEPT:
            del ledger.streams[next(iter(ledger.streams))]
        uris = _uris(asked)
        ledger.watched = {uri: seen for uri, seen in ledger.watched.items() if uri in uris}

    def _acknowledged(self, ledger: Ledger, number: int, direction: int, body: bytes) -> None:
        params = member(body, "params")
        named = obj(params.get("_meta")).get(META_SUBSCRIPTION)
        http = self._columns.http[number]
        carried = self._columns.partners[http] if http else 0
        for request, stream in reversed(ledger.streams.items()):
            if stream.granted is not None:
                continue
            if request == carried or (
                named is not None and id_of_message(self._body(request)) == named
            ):
                granted = obj(params.get("notifications"))
                ledger.streams[request] = replace(stream, granted=granted)
                for uri in _uris(stream.asked):
                    _watch(ledger, uri, number)
                return

    def unlistened(self, ledger: Ledger, request: int) -> None:
        """A stream has ended; with the last one, nothing is announced any more."""
        if ledger.streams.pop(request, None) is not None and not ledger.streams:
            ledger.watched.clear()

    # -- calls that go on, tasks --

    def _called(self, ledger: Ledger, request: int, number: int, kind: int, body: bytes) -> None:
        if kind != _RESULT:
            return
        modern = ledger.opening.era is Era.MODERN
        if not modern and not ledger.opening.declares("tasks"):
            return
        match asks_or_goes_on(body):
            case "input_required" if modern:
                asked = questions(member(body, "result").get("inputRequests"))
                ledger.rounds[request] = (number, asked)
                if len(ledger.rounds) > ROUNDS_KEPT:
                    del ledger.rounds[next(iter(ledger.rounds))]
            case "task":
                result = member(body, "result")
                _task(ledger, result if modern else result.get("task"), number, request)
            case _:
                pass

    def _task_told(self, ledger: Ledger, request: int, number: int, kind: int, body: bytes) -> None:
        if kind == _RESULT:
            _task(ledger, member(body, "result"), number)

    def _tasks_listed(
        self, ledger: Ledger, request: int, number: int, kind: int, body: bytes
    ) -> None:
        listed = member(body, "result").get("tasks") if kind == _RESULT else None
        for one in listed if isinstance(listed, list) else []:
            _task(ledger, one, number)

    def _updates(self, ledger: Ledger, number: int, body: bytes) -> None:
        """2026-07-28 tasks: answers to the questions of a task, each key once."""
        params = member(body, "params")
        task = ledger.tasks.get(text(params.get("taskId")))
        if task is not None:
            keys = obj(params.get("inputResponses")).keys()
            asked = tuple(one for one in task.asked if one[0] not in keys)
            ledger.tasks[task.id] = replace(task, asked=asked, answered=task.answered | keys)


def _page_asked(kind: str, ledger: Ledger, number: int, body: bytes) -> None:
    page_asked(ledger, kind, number, body)


def _page_answered(
    kind: str, ledger: Ledger, request: int, number: int, outcome: int, body: bytes
) -> None:
    page_answered(ledger, kind, request, number, outcome, body)


def _initialized(ledger: Ledger, number: int, direction: int, body: bytes) -> None:
    if direction == _SENT:
        initialized(ledger)


def _roots_changed(ledger: Ledger, number: int, direction: int, body: bytes) -> None:
    if direction == _SENT and ledger.roots is not None:
        ledger.roots = replace(ledger.roots, stale=True)


def _list_changed(method: str, ledger: Ledger, number: int, direction: int, body: bytes) -> None:
    if direction != _SENT:
        changed(ledger, method)


def _updated(ledger: Ledger, number: int, direction: int, body: bytes) -> None:
    """What changed may lie below what is watched (2025-11-25 server/resources)."""
    uri = text(member(body, "params").get("uri"))
    watched = ledger.watched
    if direction == _SENT or not uri or not watched:
        return
    here = watched.get(uri) or next(
        (
            one
            for one in islice(watched.values(), ABOVE_LOOKED_AT)
            if uri.startswith(one.uri.rstrip("/") + "/")
        ),
        None,
    )
    if here is not None:
        watched[here.uri] = replace(here, updates=here.updates + 1, entry=number)


def _watch(ledger: Ledger, uri: str, number: int) -> None:
    if uri not in ledger.watched:
        if len(ledger.watched) >= WATCHED_KEPT:
            del ledger.watched[next(iter(ledger.watched))]
        ledger.watched[uri] = SubscriptionAt(uri, number)


def _uris(asked: JsonObject) -> list[str]:
    named = asked.get("resourceSubscriptions")
    return [one for one in named if isinstance(one, str)] if isinstance(named, list) else []


def _task_announced(ledger: Ledger, number: int, direction: int, body: bytes) -> None:
    if direction != _SENT:
        _task(ledger, obj(parsed(body)).get("params"), number)


def _task(ledger: Ledger, value: Json, number: int, request: int = 0) -> None:
    """A description of a task; a late one cannot bring a task back that is over."""
    said = described(value)
    if said is None:
        return
    before = ledger.tasks.get(said.id)
    if before is not None and before.over and said.status not in TERMINAL:
        return
    task = before or TaskAt(said.id, said.status, number)
    if request:
        if ledger.running.get(task.request) == said.id:
            del ledger.running[task.request]  # an id is one task, however often it is made
            ledger.progress.pop(task.request, None)
        ledger.running[request] = said.id
        task = replace(task, request=request)
    asked = tuple(one for one in said.asked if one[0] not in task.answered)
    ledger.task(replace(task, status=said.status, message=said.message, entry=number, asked=asked))
