"""The questions of a server as they stood: open ones to be read, and what became of the others.

They come from the server's requests and, in the modern era, from results and tasks that ask. None
of them can be answered: that is over.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from inspector.journal.entries import Direction, Kind
from inspector.journal.journal import Journal
from inspector.journal.timeline import ASKING
from inspector.journal.timeline_readings import id_of_message, obj, parsed, text
from inspector.journal.timeline_values import AskAt, ConnectionAt
from inspector.past.calls import Round, requests_before
from inspector.past.tasks import description_in
from inspector.protocol.messages import Json, JsonObject, RequestId
from inspector.session.asks import Ask, AskState
from inspector.session.declared import Unasked, ask_kind

LATEST: Final = 100
"""So many questions that are no longer open are told of."""
LOOKED_AT: Final = 2_000
"""So many requests are looked at for them."""
SEVERAL: Final = 10_000_000
"""What lies between the numbers of questions in one entry; the first has that of the entry."""
ACTIONS: Final[dict[str, AskState]] = {
    "accept": "answered",
    "decline": "declined",
    "cancel": "cancelled",
}


class PastAsks:
    """Makes the asks of one connection as of entry `number`. An ask is numbered by its entry, so
    that it keeps its number whatever else there is."""

    def __init__(self, journal: Journal, here: ConnectionAt, number: int) -> None:
        self._journal, self._here, self._number = journal, here, number

    def all(self, rounds: Iterable[Round]) -> tuple[Ask, ...]:
        """The latest, oldest first; `rounds` are the results that asked."""
        waiting = [ask for one in self._here.asks if (ask := self._open(one)) is not None]
        known = {ask.number for ask in waiting}
        closed = [ask for ask in self._requests() if ask.number not in known]
        closed += [ask for ask in self._in_results(rounds) if ask.number not in known]
        closed.sort(key=lambda ask: ask.entry)
        return tuple(sorted([*closed[-LATEST:], *waiting], key=lambda ask: (ask.entry, ask.number)))

    # -- open ones --

    def _open(self, one: AskAt) -> Ask | None:
        message = obj(parsed(self._journal.body(one.entry)))
        if not one.key:
            return self._ask(one.entry, one.method, message.get("params"), message.get("id"))
        asked = _asked_in(message)
        if not asked and one.request:
            task = next((task for task in self._here.tasks if task.request == one.request), None)
            told = description_in(self._journal, one.entry, task.id) if task else None
            asked = obj((told.raw or {}).get("inputRequests")) if told else {}
        place = list(asked).index(one.key) if one.key in asked else 0
        params = obj(asked.get(one.key)).get("params")
        return self._ask(
            one.entry, one.method, params, None, cause=one.request, key=one.key, place=place
        )

    # -- closed ones --

    def _requests(self) -> Iterator[Ask]:
        journal, columns = self._journal, self._journal.columns
        names = {columns.known[name] for name in ASKING if name in columns.known}
        found = 0
        for number in requests_before(columns, self._number, LOOKED_AT):
            if number < self._here.began or found >= LATEST:
                return
            if (
                columns.method_ids[number] not in names
                or columns.directions[number] != Direction.RECEIVED
                or columns.connections[number] != self._here.number
            ):
                continue
            found += 1
            message = obj(parsed(journal.body(number)))
            answer = columns.partners[number]
            state, said, closed = self._answered(answer if number < answer <= self._number else 0)
            ask = self._ask(
                number,
                text(message.get("method")),
                message.get("params"),
                id_of_message(journal.body(number)),
                state=state,
                answer=said,
                closed=closed,
            )
            if ask is not None:
                yield ask

    def _answered(self, answer: int) -> tuple[AskState, Json, float | None]:
        """How a question ended, what was said, and when (monotonic)."""
        if not answer:
            return "withdrawn", None, None
        columns = self._journal.columns
        closed = columns.monotonic[answer]
        message = obj(parsed(self._journal.body(answer)))
        if columns.kinds[answer] != Kind.RESULT:
            return "declined", message.get("error"), closed
        return _state_of(message.get("result")), message.get("result"), closed

    def _in_results(self, rounds: Iterable[Round]) -> Iterator[Ask]:
        journal, columns = self._journal, self._journal.columns
        for one in rounds:
            if columns.connections[one.first] != self._here.number:
                continue
            asked = _asked_in(obj(parsed(journal.body(one.answer))))
            said: JsonObject = {}
            closed: float | None = None
            if one.later:
                closed = columns.monotonic[one.later]
                params = obj(obj(parsed(journal.body(one.later))).get("params"))
                said = obj(params.get("inputResponses"))
            for place, (key, question) in enumerate(asked.items()):
                answer = said.get(key)
                ask = self._ask(
                    one.answer,
                    text(obj(question).get("method")),
                    obj(question).get("params"),
                    None,
                    cause=one.first,
                    key=key,
                    place=place,
                    round=one.count,
                    state="withdrawn" if answer is None else _state_of(answer),
                    answer=answer,
                    closed=closed,
                )
                if ask is not None:
                    yield ask

    def _ask(
        self,
        entry: int,
        method: str,
        params: Json,
        request_id: RequestId | Json,
        *,
        cause: int = 0,
        key: str = "",
        place: int = 0,
        round: int = 0,
        state: AskState = "open",
        answer: Json = None,
        closed: float | None = None,
    ) -> Ask | None:
        """None for what was no ask, because we had not declared that we answer it."""
        opening = self._here.opening
        said = obj(params)
        kind = ask_kind(method, said, opening.client_capabilities, opening.revision)
        if isinstance(kind, Unasked):
            return None
        by_request = not key and isinstance(request_id, int | str)
        return Ask(
            number=entry + place * SEVERAL,
            kind=kind,
            method=method,
            params=said,
            request_id=request_id if isinstance(request_id, int | str) and by_request else None,
            entry=entry,
            cause=cause or None,
            opened=self._journal.columns.monotonic[entry],
            state=state,
            answer=answer,
            cause_from="result" if key else "unknown",
            closed=closed,
            key=key,
            round=round,
        )


def _asked_in(message: JsonObject) -> JsonObject:
    """The input requests of a result, of a task in a notification, or of one in a result."""
    result, params = obj(message.get("result")), obj(message.get("params"))
    for place in (result, params):
        if asked := obj(place.get("inputRequests")):
            return asked
    return {}


def _state_of(result: Json) -> AskState:
    """What an answer says."""
    action = obj(result).get("action")
    return ACTIONS.get(action, "answered") if isinstance(action, str) else "answered"
