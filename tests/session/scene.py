"""A session beside a scripted server, for tests that read as transcripts.

The test says what the server sends (`server`), takes what the client sent (`client`), and every
wait is bounded. `transcript` is what crossed the wire, one short line per frame.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Final, TypeVar

import msgspec

from inspector.journal.entries import Direction
from inspector.journal.exchanges import Exchanges
from inspector.journal.journal import Journal
from inspector.protocol.messages import Json, JsonObject, RequestId
from inspector.session.changes import Changes
from inspector.session.nest import Nest
from inspector.session.options import Options
from inspector.session.pending import Call, Outcome
from inspector.session.session import Session
from inspector.transport.memory import MemoryTransport

T = TypeVar("T")
PATIENCE: Final = 60.0
EVERYTHING: Final[JsonObject] = {
    "tools": {"listChanged": True},
    "resources": {"subscribe": True, "listChanged": True},
    "prompts": {"listChanged": True},
    "completions": {},
    "logging": {},
    "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}},
}


async def soon(work: Coroutine[object, object, T]) -> T:
    """The result of `work`, which may not take for ever."""
    async with asyncio.timeout(PATIENCE):
        return await work


def request(request_id: RequestId, method: str, **params: Json) -> JsonObject:
    """A request of the server."""
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def notification(method: str, **params: Json) -> JsonObject:
    """A notification of the server."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def result(request_id: RequestId, body: Json) -> JsonObject:
    """An answer of the server."""
    return {"jsonrpc": "2.0", "id": request_id, "result": body}


def error(request_id: RequestId | None, code: int, message: str, data: Json = None) -> JsonObject:
    """An error answer of the server."""
    body: JsonObject = {"code": code, "message": message}
    if data is not None:
        body["data"] = data
    return {"jsonrpc": "2.0", "id": request_id, "error": body}


def initialized(revision: str = "2025-11-25", capabilities: JsonObject | None = None) -> JsonObject:
    """The result of `initialize`."""
    return {
        "protocolVersion": revision,
        "capabilities": EVERYTHING if capabilities is None else capabilities,
        "serverInfo": {"name": "scripted", "version": "1"},
        "instructions": "Be kind.",
    }


class Scene:
    """One session and the far end of its wire."""

    def __init__(self, options: Options, group: asyncio.TaskGroup) -> None:
        self.journal = Journal()
        self.exchanges = Exchanges(self.journal)
        self.changes = Changes()
        self.connection = self.journal.begin_connection({"protocol": options.protocol})
        self.wire = MemoryTransport(self.journal, self.connection)
        self.expired: list[Session] = []
        self._group = group
        self.session = Session(
            transport=self.wire,
            journal=self.journal,
            options=options,
            changes=self.changes,
            nest=Nest(group),
            connection=self.connection,
            call_numbers=itertools.count(1),
            ask_numbers=itertools.count(1),
            on_expired=self.expired.append,
        )

    async def client(self) -> JsonObject:
        """The next message that the client sent."""
        message: JsonObject = msgspec.json.decode(await soon(self.wire.next_sent()))
        return message

    def server(self, message: Json | bytes, about: RequestId | None = None) -> int:
        """The server says `message`; its entry number."""
        raw = message if isinstance(message, bytes) else msgspec.json.encode(message)
        return self.wire.feed(raw, about)

    def begin(self, work: Coroutine[object, object, T]) -> asyncio.Task[T]:
        """Runs `work` beside the test."""
        return self._group.create_task(_coroutine(work))

    async def open(
        self, revision: str = "2025-11-25", capabilities: JsonObject | None = None
    ) -> None:
        """The whole handshake."""
        opening = self.begin(self.session.open())
        first = await self.client()
        first_id = first["id"]
        assert isinstance(first_id, int)
        self.server(result(first_id, initialized(revision, capabilities)))
        assert (await self.client())["method"] == "notifications/initialized"
        await join(opening)
        assert self.session.state.ready

    async def call(self, method: str = "tools/call", **params: Json) -> tuple[Call, JsonObject]:
        """A call of ours, and the request that it sent."""
        call = await soon(self.session.request(method, {"name": "x", **params}))
        return call, await self.client()

    async def answer(self, call: Call, body: Json) -> Outcome:
        """The server answers `call`; its outcome."""
        self.server(result(call.id, body))
        return await soon(call.wait())

    def transcript(self) -> list[str]:
        """What crossed the wire since the handshake, one line per frame."""
        lines = []
        for number in range(1, len(self.journal) + 1):
            row = self.journal.row(number)
            if row.kind.is_frame:
                arrow = "→" if row.direction is Direction.SENT else "←"
                lines.append(f"{arrow} {row.kind.name.lower()} {row.method}".rstrip())
        start = next(
            (i + 1 for i, line in enumerate(lines) if line.endswith("notifications/initialized")), 0
        )
        return lines[start:]

    def quiet(self) -> bool:
        """Whether the client has sent nothing that the test did not take."""
        return self.wire._unread.empty()

    async def settle(self) -> None:
        """Lets everything run that can run now."""
        for _ in range(20):
            await asyncio.sleep(0)


async def _coroutine(work: Coroutine[object, object, T]) -> T:
    return await work


async def join(task: asyncio.Task[T]) -> T:
    """The result of `task`, which may not take for ever."""
    async with asyncio.timeout(PATIENCE):
        return await task


@asynccontextmanager
async def scene(options: Options | None = None) -> AsyncIterator[Scene]:
    """A session that is not open yet; closed, with all its tasks, at the end."""
    async with asyncio.TaskGroup() as group:
        played = Scene(options or Options(), group)
        try:
            yield played
        finally:
            await soon(played.session.close())
            played.journal.close()


@asynccontextmanager
async def ready(
    capabilities: JsonObject | None = None,
    *,
    revision: str = "2025-11-25",
    options: Options | None = None,
) -> AsyncIterator[Scene]:
    """A session after its handshake."""
    async with scene(options) as played:
        await played.open(revision, capabilities)
        yield played
