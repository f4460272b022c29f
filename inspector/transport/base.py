"""What every transport is: it journals each byte that crosses the wire, then hands it to a sink.

This module fixes the vocabulary (`Outgoing`, `Closed`, `TransportFacts`), the two sides of the
contract (`Sink`, `Transport`), the task scope that every transport owns, and the choice of
transport for a target. How bytes travel is decided by the modules beside it; what a message means
is decided by the session.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from inspector.config.targets import Target
from inspector.errors import InspectorError, UsageError
from inspector.journal.entries import NO_FLAGS, Flag
from inspector.protocol.messages import MessageKind, RequestId
from inspector.protocol.versions import Era, Revision

if TYPE_CHECKING:
    from inspector.auth.late import TokenSource
    from inspector.journal.journal import Journal


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One message to send: its bytes without a newline, and the envelope already known of it.

    `headers` are extra HTTP headers of this message only (other transports ignore them); `flags`
    are put on the journal entry.
    """

    raw: bytes
    kind: MessageKind
    id: RequestId | None = None
    method: str = ""
    name: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    flags: Flag = NO_FLAGS


@dataclass(frozen=True, slots=True)
class Closed:
    """How a transport ended. `expected` is True where we asked for it.

    `signal` is the name of the signal that ended the process ("SIGSEGV"), or empty.
    """

    reason: str
    exit_code: int | None = None
    signal: str = ""
    expected: bool = False
    stderr_tail: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TransportFacts:
    """A snapshot for display. `state` is a few words ("open", "closed stdout", ...).

    `session` tells whether the server gave a session id (which itself is a secret); `streams`
    counts the response streams open right now; `unfinished` is how many bytes came on stdout after
    the last line end.
    """

    kind: str
    label: str
    pid: int | None = None
    url: str = ""
    session: bool = False
    streams: int = 0
    state: str = "closed"
    unfinished: int = 0


class Sink(Protocol):
    """What a transport reports to: the session. Called on the event loop, never concurrently."""

    def received(self, number: int, raw: bytes, about: RequestId | None) -> None:
        """Bytes came in and stand in the journal as entry `number`: a message, a batch, or a
        malformed line. `about` is the request whose HTTP exchange carried them, which is how an
        error without a usable id still finds its request."""

    def failed(self, request_id: RequestId, error: InspectorError, number: int | None) -> None:
        """This one request can get no answer any more; the session lives on. Ignored by the sink
        where that request already has its outcome. `number` is the entry that tells why."""

    def remark(self, request_id: RequestId, words: str) -> None:
        """Something came that may be why this request gets no answer; it stays open."""

    def arriving(self, request_id: RequestId | None, count: int) -> None:
        """So many bytes of what may be its answer have come (None: of anybody's), and they are no
        whole message yet."""

    def authorizing(self, request_id: RequestId | None, on: bool) -> None:
        """That request (None: the connection itself) waits for a token, or has ended to: the time
        in between is not the server's."""

    def closed(self, closed: Closed) -> None:
        """The whole transport ended. Said once."""

    def session_expired(self) -> None:
        """The server answered 404 to our session id: it takes a new `initialize` to go on."""


class Transport(ABC):
    """One way to exchange messages with one server. The only appender of wire entries.

    Life: `open`, any number of `send`, `close`. All on one event loop. `close` may be called from
    any task, at any time after `open` began, and more than once.
    """

    kind: str = ""
    closing_cancels = False
    """Whether `abandon` itself tells the server that nobody waits any more (2026-07-28
    basic/patterns/cancellation)."""

    @property
    @abstractmethod
    def facts(self) -> TransportFacts:
        """What can be shown of this transport now."""

    def authorized_by(self, authority: "TokenSource") -> None:  # noqa: B027 - HTTP alone has tokens
        """Who has the tokens for the server; said before `open`."""

    @abstractmethod
    async def open(self, sink: Sink) -> None:
        """Starts or connects. Raises ConnectionFailed where that is impossible."""

    @abstractmethod
    async def send(self, outgoing: Outgoing) -> int:
        """Journals and sends one message; the entry's number. Raises ConnectionFailed where it
        cannot be written. Over HTTP it returns once the exchange is under way: what goes wrong
        after that is told to the sink."""

    async def speaks(self, era: Era) -> None:  # noqa: B027 - most travel alike in both eras
        """The messages from here on are of `era`; said before the first, and when it changes."""

    def negotiated(self, revision: Revision) -> None:  # noqa: B027 - nothing to do by default
        """`initialize` was answered: from here on the wire may carry the version."""

    async def abandon(self, request_id: RequestId) -> None:  # noqa: B027
        """Nobody waits for that answer any more. In the handshake era this never disconnects
        (2025-11-25 basic/transports: a disconnect is no cancellation); see `closing_cancels`."""

    @abstractmethod
    async def close(self) -> None:
        """Ends the transport: bounded in time, not undone by cancellation, idempotent."""


class Scope:
    """The tasks of one transport: a task group that is entered by `open` and left by `close`.

    The tasks given to it translate what can go wrong into sink calls; anything else that one
    raises is our own defect and comes out of `close`.
    """

    def __init__(self) -> None:
        self._group = asyncio.TaskGroup()
        self._tasks: set[asyncio.Task[None]] = set()
        self.entered = False

    async def enter(self) -> None:
        """Opens the group."""
        await self._group.__aenter__()
        self.entered = True

    def spawn(self, work: Coroutine[None, None, None], name: str = "") -> asyncio.Task[None]:
        """Runs `work` until it ends or the scope does."""
        task = self._group.create_task(work, name=name or None)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def leave(self) -> None:
        """Cancels what still runs and waits for it."""
        if not self.entered:
            return
        self.entered = False
        current = asyncio.current_task()
        for task in tuple(self._tasks):
            if task is not current:
                task.cancel()
        await self._group.__aexit__(None, None, None)


async def finish(task: asyncio.Task[None]) -> None:
    """Waits for `task` even while being cancelled, and passes the cancellation on afterwards.

    For cleanup that is bounded by itself.
    """
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    if not task.cancelled():
        task.result()


HURRIED_SECONDS: Final = 0.3


def hurried(
    factory: "Callable[[Target, Journal, int], Transport]",
) -> "Callable[[Target, Journal, int], Transport]":
    """The same transports, but that a process gets `HURRIED_SECONDS` to end by itself: for a visit
    beside a session that somebody waits for. SIGTERM still lets it clean up."""
    if factory is make_transport:
        return partial(make_transport, eof_seconds=HURRIED_SECONDS)
    return factory


def make_transport(
    target: Target, journal: "Journal", connection: int, *, eof_seconds: float = 2.0
) -> Transport:
    """The transport for `target`. httpx is imported only for a URL.

    `eof_seconds` is how long a process may take to end by itself once its stdin is closed, before
    it is asked to by SIGTERM.
    """
    if target.command and target.url:
        raise UsageError("a target has either a command or a URL, not both")
    choice = target.transport
    if target.command:
        if choice not in ("auto", "stdio"):
            raise UsageError(f"a command speaks stdio, not {choice}")
        from inspector.transport.stdio import Patience, StdioTransport

        return StdioTransport(target, journal, connection, patience=Patience(eof=eof_seconds))
    if not target.url:
        raise UsageError("nothing to connect to: give a command or a URL")
    if choice == "stdio":
        raise UsageError("a URL cannot be reached over stdio")
    from inspector.transport import http_auto, http_sse

    if choice == "sse":
        return http_sse.HttpSse(target, journal, connection)
    return http_auto.HttpAuto(target, journal, connection, older=choice == "auto")
