"""An authority against the authorization server of the tests, through a real transport."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from inspector.auth.authority import Authority
from inspector.auth.grant import Profile
from inspector.auth.person import Person
from inspector.auth.registration import Client
from inspector.auth.scopes import StepUp
from inspector.auth.store import MemoryStore, Store
from inspector.config.targets import Target
from inspector.journal.journal import Journal
from inspector.session.options import Options
from inspector.workbench import Workbench
from tests.auth.e2e.scripted_person import BACK
from tests.auth.e2e.scripted_person import Person as Scripted
from tests.servers.auth_server import AuthServer

PATIENCE = 30.0


@dataclass
class Clock:
    """Seconds since 1970, set by the test."""

    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Held:
    """A person who is in the browser until the test lets go (`go`), or who gives up."""

    scripted: Scripted = field(default_factory=Scripted)
    go: asyncio.Event = field(default_factory=asyncio.Event)
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    closed: int = 0

    def consent(self) -> "HeldConsent":
        return HeldConsent(self)

    async def choose_server(self, issuers: tuple[str, ...]) -> str | None:
        return await self.scripted.choose_server(issuers)

    async def allow_issuer(self, expected: str, found: str) -> bool:
        return await self.scripted.allow_issuer(expected, found)

    async def name_client(self, issuer: str, reason: str) -> Client | None:
        return await self.scripted.name_client(issuer, reason)

    async def confirm_scopes(self, step_up: StepUp) -> bool:
        return await self.scripted.confirm_scopes(step_up)


class HeldConsent:
    """Waits in the browser."""

    def __init__(self, held: Held) -> None:
        self._held = held
        self._inner = held.scripted.consent()

    async def open(self, wanted: tuple[str, ...] = ()) -> str:
        del wanted
        return BACK

    async def fetch(self, url: str, take: Callable[[str], bool]) -> None:
        self._held.waiting.set()
        await self._held.go.wait()
        await self._inner.fetch(url, take)

    async def close(self) -> None:
        self._held.closed += 1


async def until(happened: Callable[[], object]) -> None:
    """Waits until it has happened; fails after half a minute."""
    async with asyncio.timeout(PATIENCE):
        while not happened():  # noqa: ASYNC110 - what happened may be in another thread
            await asyncio.sleep(0.005)


@asynccontextmanager
async def authority_for(
    server: AuthServer,
    person: Person,
    *,
    store: Store | None = None,
    clock: Callable[[], float] | None = None,
    journal: Journal | None = None,
) -> AsyncIterator[Authority]:
    """An authority alone."""
    given = journal or Journal()
    async with asyncio.TaskGroup() as group:
        authority = Authority(
            Profile(server.url),
            given,
            store=store or MemoryStore(),
            person=person,
            spawn=group.create_task,
            clock=clock or Clock(),
        )
        try:
            yield authority
        finally:
            await authority.close()
    if journal is None:
        given.close()


@asynccontextmanager
async def bench_for(
    server: AuthServer,
    person: Person | None,
    *,
    store: Store | None = None,
    protocol: str = "handshake",
    transport: str = "auto",
    **options: object,
) -> AsyncIterator[Workbench]:
    """A workbench for the server, not yet connected."""
    chosen = Options(no_record=True, protocol=protocol, **options)  # type: ignore[arg-type]
    target = Target(url=server.url, transport=transport)  # type: ignore[arg-type]
    async with Workbench(target, options=chosen, person=person, store=store) as bench:
        yield bench
