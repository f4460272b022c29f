"""Random scripts for a session beside a scripted server, and what is compared at every step.

`play` plays one and looks after each step, when everything has come to rest, at what the live
session knows (`live`); `told` is the same of a timeline's state.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

from inspector.errors import InspectorError
from inspector.journal.entries import Direction
from inspector.journal.journal import Journal
from inspector.journal.timeline_readings import items_of
from inspector.journal.timeline_values import ConnectionAt
from inspector.protocol.messages import Json, JsonObject
from inspector.session.catalog import KINDS, METHOD_OF
from inspector.session.options import Options
from inspector.session.pending import Call
from inspector.session.roots import Root
from inspector.session.session import Session
from tests.session.scene import EVERYTHING, Scene, error, initialized, notification, request, scene
from tests.session.scene import result as answer_to

Looks = dict[int, dict[str, Any]]
URIS: Final = ("memo://a", "memo://a/b", "memo://c")
META: Final = "io.modelcontextprotocol/"
KIND_OF: Final = {method: kind for kind, method in METHOD_OF.items()}


def live(session: Session) -> dict[str, Any]:
    """What the session knows now, in plain values."""
    state, engine = session.state, session.engine
    streams = session.subscriptions.listening.streams
    # A call may outlast its task, until the last poll is answered, and its request, while somebody
    # thinks about a question in the answer; a report that comes then is of no request.
    over = {task.id for task in session.tasks.tasks if task.over}
    waiting = {call.entry for call in engine.calls.all_pending()}
    finished = {
        call.entry
        for call in session.calls
        if (call.task_id in over or call.rounds)
        or (call.task_id is None and call.entry not in waiting)
    }
    return {
        "phase": state.phase.value,
        "revision": state.revision,
        "why": state.why,
        "offered": state.offered,
        "server": state.server_info,
        "capabilities": state.capabilities,
        "client": state.client_capabilities,
        "instructions": state.instructions,
        "lists": {
            kind: (here.state, here.raw, bool(here.error), here.entries)
            for kind, here in session.catalog.lists.items()
        },
        "open": waiting,
        "asks": {(ask.entry, ask.key) for ask in session.inbox.open if ask.owed},
        "progress": {
            call.entry: (call.progress.entry, call.progress.count)
            for call in session.calls
            if call.progress is not None and not call.done and call.entry not in finished
        },
        "ended": {call.entry for call in session.calls if call.done} | finished,
        "watched": {one.uri: (one.updates, one.entry) for one in session.subscriptions.items},
        "streams": {one.call.entry: one.granted for one in streams if one.open},
        "tasks": {one.id: (one.status, one.entry) for one in session.tasks.tasks},
        "level": state.log_level,
        "roots": [root.as_json() for root in session.roots],
        "roots told": any(
            ask.kind == "roots" and ask.request_id is not None and ask.state == "automatic"
            for ask in session.inbox.asks
        ),
    }


def told(journal: Journal, seen: ConnectionAt, beside: dict[str, Any]) -> dict[str, Any]:
    """The same of a state; what no entry can tell is taken from `beside`: a log level, roots and
    capabilities that the server was not told of yet."""
    opening = seen.opening
    progress = {one.number: one.progress for one in seen.open if one.progress is not None}
    progress |= {one.request: one.progress for one in seen.tasks if one.progress is not None}
    fresh = seen.roots is not None and not seen.roots.stale
    return {
        "phase": seen.phase.value,
        "revision": opening.revision,
        "why": opening.why if seen.phase.value == "ready" else "",
        "offered": opening.offered,
        "server": opening.server_info,
        "capabilities": opening.capabilities,
        "client": opening.client_capabilities,
        "instructions": opening.instructions,
        "lists": {
            kind: (
                here.state,
                tuple(text for _, text in items_of(journal, here)),
                bool(here.error),
                here.pages,
            )
            for kind, here in seen.lists.items()
        },
        "open": {
            one.number for one in seen.open if one.direction is Direction.SENT and not one.given_up
        },
        "asks": {(one.entry, one.key) for one in seen.asks},
        "progress": {
            number: (one.entry, one.count)
            for number, one in progress.items()
            if number not in beside["ended"]  # a call ends when its task cannot be asked for
        },
        "ended": beside["ended"],
        "watched": {one.uri: (one.updates, one.entry) for one in seen.subscriptions},
        "streams": {one.request: one.granted for one in seen.streams},
        "tasks": {one.id: (one.status, one.entry) for one in seen.tasks},
        "level": seen.log_level if opening.revision != "2026-07-28" else beside["level"],
        "roots": list(seen.roots.roots) if fresh and seen.roots else beside["roots"],
        "roots told": seen.roots is not None,
    }


class Player:
    """One script: `steps` random steps, each followed by a look."""

    def __init__(self, played: Scene, chance: random.Random, *, modern: bool) -> None:
        self.looks: Looks = {}
        self._scene, self._chance, self._modern = played, chance, modern
        self._session = played.session
        self._asked = 0
        self._names = 0
        self._begun: list[asyncio.Task[Any]] = []
        self._watching: asyncio.Task[Any] | None = None

    async def play(self, steps: int) -> None:
        """The opening, and then whatever comes."""
        self._begin(self._session.open())
        await self._look()
        capabilities: JsonObject = {
            key: value for key, value in EVERYTHING.items() if self._chance.random() < 0.8
        }
        if self._modern:
            capabilities.pop("tasks", None)
            capabilities["extensions"] = {f"{META}tasks": {}}
            said: JsonObject = {
                "supportedVersions": ["2026-07-28"],
                "capabilities": capabilities,
                "_meta": {f"{META}serverInfo": {"name": "scripted"}},
                "instructions": "Be kind.",
            }
        else:
            revision = self._chance.choice(["2025-11-25", "2025-11-25", "2025-06-18"])
            said = initialized(revision, capabilities)
        self._scene.server(answer_to(1, said))
        await self._look()
        acts: list[Callable[[], Awaitable[None] | None]] = [
            self._answer, self._answer, self._answer, self._list, self._announce, self._call,
            self._progress, self._progress, self._cancel, self._watch, self._update, self._noise,
            self._task, self._task_status, self._acknowledge, self._decide, self._decide,
        ]  # fmt: skip
        if not self._modern:
            acts += [self._ask, self._withdraw, self._level, self._roots, self._again]
        for _ in range(steps):
            done = self._chance.choice(acts)()
            if done is not None:
                await done
            await self._look()

    async def end(self) -> None:
        """Nothing that was begun outlives the script."""
        await self._session.close()
        for task in self._begun:
            with suppress(InspectorError):
                await task

    async def _look(self) -> None:
        await self._scene.settle()
        self.looks[len(self._scene.journal)] = live(self._session)

    def _begin(self, work: Any) -> None:
        async def contained() -> None:
            with suppress(InspectorError):
                await work

        self._begun.append(self._scene.begin(contained()))

    @property
    def _listens(self) -> bool:
        """Whether a new filter is on its way: what it will leave out no message tells yet."""
        streams = self._session.subscriptions.listening.streams
        unanswered = any(one.open and one.granted is None for one in streams)
        return unanswered or (self._watching is not None and not self._watching.done())

    def _some_call(self) -> Call | None:
        pending = self._session.engine.calls.all_pending()
        return self._chance.choice(pending) if pending else None

    # -- the client --

    def _list(self) -> None:
        self._begin(self._session.catalog.refresh(self._chance.choice(KINDS)))

    def _call(self) -> None:
        self._begin(self._session.request("tools/call", {"name": "x"}))

    def _task(self) -> None:
        self._begin(self._session.call_tool("x", {}, task=None if self._modern else 0))

    async def _cancel(self) -> None:
        call = self._some_call()
        if call is not None and not call.done:
            await call.cancel("enough")

    def _watch(self) -> None:
        if self._modern and self._listens:
            return  # each filter is made from what was watched before
        act = self._chance.choice([self._session.subscribe, self._session.unsubscribe])
        self._begin(act(self._chance.choice(URIS)))
        self._watching = self._begun[-1]

    def _level(self) -> None:
        self._begin(self._session.set_log_level(self._chance.choice(["debug", "error"])))

    def _roots(self) -> None:
        self._names += 1
        self._begin(self._session.set_roots([Root(f"file:///r{self._names}")]))

    async def _decide(self) -> None:
        asks = self._session.inbox.open
        if asks:
            ask = self._chance.choice(asks)
            if ask.kind == "sampling":
                await self._session.inbox.answer_raw(ask.number, {"model": "m"})
            elif self._modern or self._chance.random() < 0.5:
                await self._session.inbox.accept(ask.number, {})
            else:
                await self._session.inbox.decline(ask.number)

    # -- the server --

    def _answer(self) -> None:
        call = self._some_call()
        if call is None:
            return
        if self._chance.random() < 0.15:
            self._scene.server(error(call.id, -32603, "no"))
            return
        self._scene.server(answer_to(call.id, self._body(call)))

    def _body(self, call: Call) -> Json:
        self._names += 1
        name = f"n{self._names}"
        if kind := KIND_OF.get(call.method):
            page: JsonObject = {kind: [{"name": name}, {"name": name + "b"}]}
            if self._chance.random() < 0.5:
                page["nextCursor"] = self._chance.choice(["one", "two", name])
            return page
        params = call.params if isinstance(call.params, dict) else {}
        task: JsonObject = {"taskId": name, "status": "working"}
        if call.method == "tools/call":
            if self._modern:
                often = self._chance.random()
                if often < 0.3 and not self._listens:  # a task listens as well
                    return {"resultType": "task", **task, "pollIntervalMs": 300_000}
                if often < 0.7:
                    asked: JsonObject = {"method": "elicitation/create", "params": _FORM}
                    return {
                        "resultType": "input_required",
                        "inputRequests": {"k": asked},
                        "requestState": name,
                    }
            elif "task" in params:
                return {"task": {**task, "pollInterval": 300_000}}
        if call.method == "tasks/get":
            told_of = str(params.get("taskId"))
            status = self._chance.choice(["working", "completed", "failed"])
            extra: JsonObject = {"result": {"content": []}} if status == "completed" else {}
            return {"taskId": told_of, "status": status, **extra, **self._slow}
        return {"content": []}

    @property
    def _slow(self) -> JsonObject:
        return {"pollIntervalMs" if self._modern else "pollInterval": 300_000}

    def _again(self) -> None:
        """An answer that came before, or one for a call that was given up."""
        done = [call for call in self._session.calls if call.done]
        if done:
            self._scene.server(answer_to(self._chance.choice(done).id, {"late": True}))

    def _announce(self) -> None:
        what = self._chance.choice(["tools", "resources", "prompts"])
        self._scene.server(notification(f"notifications/{what}/list_changed"))

    def _progress(self) -> None:
        tokens = [c.progress_token for c in self._session.calls if c.progress_token is not None]
        if tokens:
            token = self._chance.choice(tokens)
            self._scene.server(
                notification("notifications/progress", progressToken=token, progress=1)
            )

    def _update(self) -> None:
        uri = self._chance.choice(URIS)
        self._scene.server(notification("notifications/resources/updated", uri=uri))

    def _noise(self) -> None:
        self._scene.server(notification("notifications/message", level="info", data="x"))

    def _task_status(self) -> None:
        tasks = self._session.tasks.tasks
        if tasks:
            params: JsonObject = {
                "taskId": self._chance.choice(tasks).id,
                "status": self._chance.choice(["working", "cancelled"]),
                **self._slow,
            }
            name = "notifications/tasks" if self._modern else "notifications/tasks/status"
            self._scene.server(notification(name, **params))

    def _acknowledge(self) -> None:
        waiting = [
            call
            for call in self._session.engine.calls.all_pending()
            if call.method == "subscriptions/listen"
        ]
        if waiting:
            call = self._chance.choice(waiting)
            params = call.params if isinstance(call.params, dict) else {}
            granted = params.get("notifications")
            meta: JsonObject = {f"{META}subscriptionId": call.id}
            assert isinstance(granted, dict)
            self._scene.server(
                notification(
                    "notifications/subscriptions/acknowledged", notifications=granted, _meta=meta
                )
            )

    def _ask(self) -> None:
        self._asked += 1
        method, params = self._chance.choice(
            [("roots/list", {}), ("elicitation/create", _FORM), ("sampling/createMessage", _SAMPLE)]
        )
        self._scene.server(request(f"s{self._asked}", method, **params))

    def _withdraw(self) -> None:
        asks = self._session.inbox.open
        if asks and (named := self._chance.choice(asks).request_id) is not None:
            self._scene.server(notification("notifications/cancelled", requestId=named))


_FORM: Final[JsonObject] = {
    "message": "m",
    "requestedSchema": {"type": "object", "properties": {"a": {"type": "string"}}},
}
_SAMPLE: Final[JsonObject] = {"messages": [], "maxTokens": 1}


async def play(seed: int, steps: int, *, modern: bool = False) -> tuple[Journal, Looks]:
    """Plays the script of a seed; the journal, and what was live after how many entries."""
    options = Options(protocol="modern") if modern else Options()
    async with scene(options) as played:
        player = Player(played, random.Random(seed), modern=modern)
        try:
            await player.play(steps)
        finally:
            await player.end()
            # behind the last look: the flags that the end sets do not hold as of it
            played.journal.event("over", {}, connection=played.connection)
    return played.journal, player.looks
