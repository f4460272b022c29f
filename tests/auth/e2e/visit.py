"""A visit to a protected server: a real workbench with real transports and the real authority, with
a scripted person before it. What front ends do, without a front end."""

import asyncio
import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from inspector.auth.authorities import Authorities
from inspector.auth.authority import Authority
from inspector.auth.grant import Profile
from inspector.auth.person import Person
from inspector.auth.store import FileStore
from inspector.config.targets import Target
from inspector.errors import InspectorError
from inspector.journal.journal import Journal
from inspector.journal.recording import RecordingFile
from inspector.protocol.versions import Revision
from inspector.session.options import Options
from inspector.session.pending import Failure, Lost, Success
from inspector.workbench import Workbench

_numbers = itertools.count(1)


class Clock:
    """The time of the authority, which a test may let jump."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


class Given(Authorities):
    """One authority for whatever is visited."""

    def __init__(self, authority: Authority) -> None:
        self.authority = authority

    def get(self, target: Target, revision: Revision | None = None) -> Authority:
        return self.authority

    made = tokens = get


class Visit:
    """`async with Visit(url, folder, person) as visit:`; `visit.error` says why it did not connect.
    Recordings lie in `folder`, and what is stored below it: a second visit finds that again."""

    def __init__(
        self,
        url: str,
        folder: Path,
        person: Person,
        choices: Mapping[str, object] | None = None,
        *,
        clock: Clock | None = None,
        protocol: str = "handshake",
    ) -> None:
        self.person = person
        self.clock = clock or Clock()
        self.store = FileStore(folder / "kept")
        self.recording = folder / f"{next(_numbers)}.jsonl"
        self.journal = Journal(file=RecordingFile.create(self.recording))
        self._kept = folder / "kept"
        self._profile = replace(Profile(url), **(choices or {}))  # type: ignore[arg-type]
        self._group = asyncio.TaskGroup()
        self.authority = Authority(
            self._profile,
            self.journal,
            store=self.store,
            person=person,
            spawn=self._group.create_task,
            clock=self.clock,
        )
        self.bench = Workbench(
            Target(url=url, name="visited"),
            options=Options(protocol=protocol),
            journal=self.journal,
            authorities=Given(self.authority),
        )

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        await self.bench.__aenter__()
        await self.bench.connect()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            await self.authority.close()
            await self.bench.__aexit__(kind, error, trace)
        finally:
            await self._group.__aexit__(None, None, None)

    @property
    def error(self) -> str:
        """Why there is no session."""
        return words_of(self.bench.session.state.error)

    @property
    def kept(self) -> bytes:
        """All bytes of the store."""
        return b"".join(
            path.read_bytes() for path in sorted(self._kept.glob("*")) if path.is_file()
        )

    async def call(self, tool: str = "add", **arguments: int | str) -> str:
        """The text of a tool's result, or what went wrong."""
        given: dict[str, int | str] = arguments or ({"a": 2, "b": 3} if tool == "add" else {})
        call = await self.bench.session.request("tools/call", {"name": tool, "arguments": given})
        match await call.wait():
            case Success(result=result):
                assert isinstance(result, dict)
                content = result["content"]
                assert isinstance(content, list)
                assert isinstance(content[0], dict)
                return str(content[0]["text"])
            case Failure(message=message):
                return message
            case Lost(error=error):
                return words_of(error)


def words_of(error: InspectorError | None) -> str:
    """Message and hint."""
    return "" if error is None else f"{error.message} {error.hint}".strip()


async def until(condition: Callable[[], bool]) -> None:
    """Waits for something that other threads do; not for ever."""
    for _ in range(3000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come about")
