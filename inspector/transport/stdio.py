"""The stdio transport: a server as child process, one message per line (basic/transports).

Decides what a line on stdout is taken for, how long a write may wait, and in which order a server
is shut down; every step stands in the journal. Starting and ending processes is left to
`transport.spawn` and `transport.process`, what a message means to the session.
"""

import asyncio
import contextlib
import re
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from inspector.config.targets import Target
from inspector.errors import CLOSED_STDOUT, ConnectionFailed, PeerViolation
from inspector.journal.entries import Direction, Flag
from inspector.protocol.framing import LineFramer, Oversized
from inspector.protocol.messages import JsonObject, MessageKind, read_envelope
from inspector.transport.base import (
    Closed,
    Outgoing,
    Scope,
    Sink,
    Transport,
    TransportFacts,
    finish,
)
from inspector.transport.pipes import Reader, Writer
from inspector.transport.process import Child, ladder
from inspector.transport.spawn import child_environment, not_kept, secrets_of, spawn

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

LINE_CAP: Final = 128 * 1024 * 1024
"""Longest line kept, in bytes; a server that never ends a line must not eat all memory."""
STDERR_PIECE: Final = 64 * 1024
"""Longest stderr line in one entry; longer ones continue in the next."""
STDERR_BUDGET: Final = 64 * 1024 * 1024
"""Bytes of stderr journalled per connection; after that only the last lines are kept."""
STDERR_LINE: Final = 160
"""Bytes that a line of stderr costs in the recording, however short it is."""
STDERR_TAIL: Final = 20
WRITE_AHEAD: Final = 16 * 1024 * 1024
"""When so many bytes wait for the server to read them, answers to it are not sent any more."""
STALLED: Final = "stalled: not reading stdin"

_ANSWER_START: Final = re.compile(
    rb'\s*(\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(?:-?\d{1,20}|"[^"\\]{0,500}"))'
    rb'\s*,\s*"(?:result|error)"'
)
_LIKELY_MESSAGE: Final = (b'{"jsonrpc"', b'{"id"', b'{"method"', b'{"result"', b'{"error"')


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds to wait: after closing stdin, after SIGTERM, for a stalled write to be told and to
    be given up, for the last output of a process that has ended, and for the end of one that
    takes no input any more."""

    eof: float = 2.0
    term: float = 2.0
    stall_notice: float = 1.0
    stall: float = 10.0
    last_words: float = 0.15
    exit: float = 0.5


class StdioTransport(Transport):
    """A server that we start and own."""

    kind = "stdio"

    def __init__(
        self,
        target: Target,
        journal: "Journal",
        connection: int,
        *,
        patience: Patience | None = None,
        line_cap: int = LINE_CAP,
    ) -> None:
        self._target = target
        self._journal = journal
        self._connection = connection
        self._patience = patience or Patience()
        self._scope = Scope()
        self._stdout = Reader(self._read_stdout)
        self._stderr = Reader(self._read_stderr)
        self._stdin = Writer(self._resumed)
        self._framer = LineFramer(line_cap)
        self._tail: deque[str] = deque(maxlen=STDERR_TAIL)
        self._stderr_rest = b""
        self._stderr_left = STDERR_BUDGET
        self._stderr_dropped = 0
        self._child: Child | None = None
        self._sink: Sink | None = None
        self._watching: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        self._told = False
        self._state = "closed"

    @property
    def facts(self) -> TransportFacts:
        pid = self._child.pid if self._child is not None else None
        rest = self._framer.waiting
        return TransportFacts(
            self.kind, self._target.label, pid=pid, state=self._state, unfinished=rest
        )

    async def open(self, sink: Sink) -> None:
        self._sink = sink
        env = child_environment(self._target.env)
        for secret in secrets_of(self._target.env):
            self._journal.redactor.learn(secret)
        try:
            process = spawn(self._target, env)
        except ConnectionFailed as error:
            self._event("spawn-failed", {"reason": error.message})
            raise
        try:
            self._child = Child(process, env)
        except RuntimeError as error:  # there is no thread to watch it by
            raise not_kept(self._target, error) from None
        self._state = "open"
        self._event(
            "spawned",
            {
                "pid": process.pid,
                "command": [*self._target.command],
                "cwd": str(self._target.cwd) if self._target.cwd else None,
                "environment": [*sorted(env)],
            },
        )
        await self._scope.enter()
        loop = asyncio.get_running_loop()
        connected = False
        try:
            assert process.stdin and process.stdout and process.stderr  # noqa: PT018 - PIPE was asked
            await loop.connect_read_pipe(lambda: self._stdout, process.stdout)
            await loop.connect_read_pipe(lambda: self._stderr, process.stderr)
            await loop.connect_write_pipe(lambda: self._stdin, process.stdin)
            connected = True
        except OSError as error:
            raise not_kept(self._target, error) from None
        finally:
            if not connected:
                await self.close()
        self._watching = self._scope.spawn(self._watch(self._child), "stdio-watch")

    async def send(self, outgoing: Outgoing) -> int:
        if self._stdin.gone or self._child is None:
            raise await self._cannot_write()
        answer = outgoing.kind in (MessageKind.RESULT, MessageKind.ERROR)
        if answer and self._stdin.buffered > WRITE_AHEAD:
            raise self._not_reading("does not read its stdin")
        raw = outgoing.raw
        if b"\n" in raw and outgoing.kind is not MessageKind.MALFORMED:
            raw = b" ".join(raw.splitlines())  # outside of strings, where JSON allows no newline
        number = self._journal.frame(
            Direction.SENT, raw, connection=self._connection, flags=outgoing.flags
        )
        self._stdin.write(raw + b"\n")
        if self._stdin.gone:
            raise await self._cannot_write()
        if not self._stdin.ready.is_set():
            await self._drain(number)
        return number

    async def close(self) -> None:
        if self._child is None:
            return
        if self._closing is None and self._scope.entered:
            self._closing = self._scope.spawn(self._shut_down(self._child), "stdio-shutdown")
        try:
            if self._closing is not None:
                await finish(self._closing)
        finally:
            await self._scope.leave()

    async def _drain(self, number: int) -> None:
        """Waits until a full pipe takes bytes again; says so where it takes long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._patience.stall_notice):
                await self._stdin.ready.wait()
        if self._stdin.ready.is_set() and not self._stdin.gone:
            return
        if not self._stdin.gone:
            self._stalled(number)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._patience.stall - self._patience.stall_notice):
                    await self._stdin.ready.wait()
        if self._stdin.gone:
            raise await self._cannot_write()
        if not self._stdin.ready.is_set():
            if self._journal.row(number).flags & Flag.PENDING:  # its call ends here
                self._journal.flag(number, Flag.PENDING, on=False)
            raise self._not_reading(f"has not read its stdin for {self._patience.stall:g} s")

    def _stalled(self, number: int) -> None:
        """Said once, however many messages wait."""
        if self._state == "open":
            self._state = STALLED
            self._event("write-stalled", {"entry": number, "buffered": self._stdin.buffered})

    def _resumed(self) -> None:
        if self._state == STALLED:
            self._state = "open"
            self._event("write-resumed", {})

    def _not_reading(self, how: str) -> ConnectionFailed:
        return ConnectionFailed(
            f"the server {how}; {self._stdin.buffered} bytes are waiting",
            hint="it is busy or stuck; disconnect to end it",
            kind="stalled",
        )

    async def _cannot_write(self) -> ConnectionFailed:
        """Why; a process that is ending lets go of its stdin before its exit is known."""
        child = self._child
        if child is None or self._closing is not None:
            return ConnectionFailed("the connection is closed", kind="closed", fault="us")
        await child.wait(self._patience.exit)
        if child.exited.is_set():
            return ConnectionFailed(child.said_end(), kind="exited")
        return ConnectionFailed(
            "the server closed its stdin (EPIPE): it takes no more messages", kind="epipe"
        )

    def _read_stdout(self, chunk: bytes) -> None:
        for line in self._framer.feed(chunk):
            if isinstance(line, Oversized):
                self._too_long(line)
            else:
                self._line(line)

    def _line(self, line: bytes) -> None:
        flags = Flag(0)
        if (
            not line.startswith(_LIKELY_MESSAGE)
            and read_envelope(line).kind is MessageKind.MALFORMED
        ):
            flags = Flag.STRAY
        number = self._journal.frame(
            Direction.RECEIVED, line, connection=self._connection, flags=flags
        )
        if self._sink is not None:
            self._sink.received(number, line, None)

    def _too_long(self, line: Oversized) -> None:
        """Keeps the beginning; where that names the request that it answers, the request fails."""
        number = self._journal.frame(
            Direction.RECEIVED, line.head, connection=self._connection, flags=Flag.OVERSIZED
        )
        self._event("line-too-long", {"size": line.size, "kept": len(line.head)})
        begun = _ANSWER_START.match(line.head)
        answered = read_envelope(begun[1] + b',"result":0}').id if begun else None
        if answered is not None and self._sink is not None:
            error = PeerViolation(
                f"the answer is one line of more than {line.size - 1} bytes, which is not kept",
                hint="the session goes on with the next line",
            )
            self._sink.failed(answered, error, number)

    def _read_stderr(self, chunk: bytes) -> None:
        *lines, rest = (self._stderr_rest + chunk).split(b"\n")
        for line in lines:
            self._stderr_line(line.removesuffix(b"\r"))
        while len(rest) > STDERR_PIECE:
            self._stderr_line(rest[:STDERR_PIECE])
            rest = rest[STDERR_PIECE:]
        self._stderr_rest = rest

    def _stderr_line(self, line: bytes) -> None:
        self._tail.append(line[:1000].decode("utf-8", "replace"))
        self._stderr_left -= len(line) + STDERR_LINE
        if self._stderr_left >= 0:
            self._journal.stderr(line, connection=self._connection)
            return
        if not self._stderr_dropped:
            self._event("stderr-not-kept", {"afterBytes": STDERR_BUDGET})
        self._stderr_dropped += len(line) + 1

    def _flush(self) -> None:
        """Unfinished last lines are evidence too. One that was cut off answers nothing: what ended
        the process says more of why no answer comes."""
        self._stdout.drain()
        self._stderr.drain()
        if rest := self._framer.rest():
            self._framer = LineFramer()
            if read_envelope(rest).kind is MessageKind.MALFORMED:
                self._journal.frame(
                    Direction.RECEIVED, rest, connection=self._connection, flags=Flag.STRAY
                )
                self._event("line-cut", {"bytes": len(rest)})
            else:
                self._line(rest)
        if self._stderr_rest:
            self._stderr_line(self._stderr_rest)
            self._stderr_rest = b""

    async def _watch(self, child: Child) -> None:
        """Tells the end, be it the process or only its stdout, once its last words are read."""
        exited = self._scope.spawn(_wait_for(child.exited), "exit")
        ended = self._scope.spawn(_wait_for(self._stdout.ended), "stdout-end")
        await asyncio.wait((exited, ended), return_when=asyncio.FIRST_COMPLETED)
        patience = self._patience.last_words
        if child.exited.is_set():
            await asyncio.wait((ended,), timeout=patience)
        else:
            await asyncio.wait((exited,), timeout=max(patience, 0.5))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience if child.exited.is_set() else 0):
                await self._stderr.ended.wait()
        self._flush()
        if not child.exited.is_set():
            self._state = CLOSED_STDOUT
            self._event("stdout-closed", {"pid": child.pid})
            self._tell(
                f"the server closed its stdout but still runs (pid {child.pid}): no answer can"
                " come any more"
            )
            await child.exited.wait()
        self._event("exited", {"exitCode": child.exit_code, "signal": child.signal_name or None})
        self._state = child.describe_end()
        self._tell(child.said_end())

    def _tell(self, reason: str) -> None:
        child = self._child
        if self._told or self._sink is None or child is None:
            return
        self._told = True
        self._sink.closed(
            Closed(
                reason,
                exit_code=child.exit_code,
                signal=child.signal_name,
                expected=self._closing is not None,
                stderr_tail=tuple(self._tail),
            )
        )

    async def _shut_down(self, child: Child) -> None:
        """Close stdin, wait, SIGTERM to the group, wait, SIGKILL (2025-11-25 basic/lifecycle)."""
        self._state = "closing"
        if not child.exited.is_set():
            self._event("stdin-closed", {"waitSeconds": self._patience.eof})
        self._stdin.close()
        if await child.wait(self._patience.eof):
            # Helpers of a leader that has gone get a moment to follow it by themselves.
            await child.wait_all(self._patience.last_words)
        outsiders: set[int] = set()
        for number, patience in ladder(self._patience.term):
            if not child.group_alive() and not child.outsiders():
                break
            if child.group_alive():
                self._event(
                    number.name.lower(),
                    {
                        "group": child.pid,
                        "leader": "gone" if child.exited.is_set() else "alive",
                        "waitSeconds": patience,
                    },
                )
            outsiders.update(child.signal_all(number))
            await child.wait_all(patience)
        left = child.outsiders()
        if gone := outsiders.difference(left):
            self._event("daemons-ended", {"pids": [*sorted(gone)]})
        if left or child.group_alive():
            self._event("left-behind", {"group": child.pid, "pids": [*left]})
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._patience.last_words):
                await self._stdout.ended.wait()
                await self._stderr.ended.wait()
        self._flush()
        for pipe in (self._stdout, self._stderr, self._stdin):
            pipe.abandon()
        child.release()
        if self._watching is not None and child.exited.is_set():
            await asyncio.wait((self._watching,), timeout=1.0)
        self._tell(f"closed by us; {child.said_end()}")
        self._state = "closed"

    def _event(self, name: str, facts: JsonObject) -> None:
        self._journal.event(name, facts, connection=self._connection)


async def _wait_for(event: asyncio.Event) -> None:
    await event.wait()
