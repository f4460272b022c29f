"""What of an authorization outlives the program: grants per MCP server and issuer, and the clients
that were registered dynamically.

Decides where they are kept (the user's keyring, else private files, else memory), which grant of
several is the one in use, and that an older token never takes the place of a newer one, whichever
process writes last. Refreshing and revoking are the driver's business.
"""

import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from typing import Final, Protocol, TypeVar

from inspector.auth.grant import Grant
from inspector.auth.records import (
    GRANTS,
    GrantRecord,
    Unreadable,
    client_name,
    grant_name,
    grants_of,
    read_client,
    read_grant,
    write_client,
    write_grant,
)
from inspector.auth.registration import Client
from inspector.auth.shelf import FileShelf, MemoryShelf, Shelf
from inspector.auth.turns import turn
from inspector.config.paths import auth_dir
from inspector.errors import InspectorError

CLOCK_LEEWAY: Final = 60.0
"""Seconds by which a kept token may come from the future before its date is not believed."""

Say = Callable[[str], None]
"""Takes a remark for the user: one sentence, without secrets."""

_T = TypeVar("_T")


def _silent(_: str) -> None:
    pass


class Store(Protocol):
    """What is kept between runs. Reading never raises: what cannot be read is not there."""

    @property
    def place(self) -> str:
        """Where things are kept, in words for the user."""

    def grant(self, server_url: str) -> Grant | None:
        """The grant for an MCP server that was kept last."""

    def keep(self, grant: Grant) -> None:
        """Keeps a grant, unless a newer one of the same server and issuer is kept already (by
        another process). Raises InspectorError: a token that is not kept is lost at exit."""

    def client(self, issuer: str) -> Client | None:
        """The client registered dynamically at an issuer."""

    def keep_client(self, client: Client) -> None:
        """Keeps a client under its issuer. Raises InspectorError."""

    def drop_client(self, client: Client) -> bool:
        """Deletes this client, but not one that was registered since; whether it was there. Raises
        InspectorError."""

    def forget(self, server_url: str) -> bool:
        """Deletes all grants for an MCP server; whether there were any. Raises InspectorError."""

    def drop(self, grant: Grant) -> bool:
        """Deletes this grant, which turned out to be void, but not the one that another process
        has put in its place; whether it was there. Raises InspectorError."""

    def servers(self) -> tuple[str, ...]:
        """The MCP servers for which a grant is kept."""

    def turn(self, server_url: str) -> AbstractAsyncContextManager[None]:
        """While this is held no other process renews the tokens of that server."""


class ShelfStore:
    """A store on a shelf. `say` is told once of each record that cannot be used; `clock` gives
    seconds since 1970; `turns` is the folder in which processes wait for each other."""

    def __init__(
        self,
        shelf: Shelf,
        *,
        say: Say = _silent,
        clock: Callable[[], float] = time.time,
        turns: Path | None = None,
    ) -> None:
        self._shelf = shelf
        self._say = say
        self._clock = clock
        self._turns = turns
        self._told: set[str] = set()

    @property
    def place(self) -> str:
        """Where things are kept."""
        return self._shelf.place

    def grant(self, server_url: str) -> Grant | None:
        """The grant kept last."""
        records = self._grants(grants_of(server_url))
        newest = max(records, key=lambda record: record.kept_at, default=None)
        return newest.grant if newest is not None else None

    def keep(self, grant: Grant) -> None:
        """Keeps a grant."""
        name, now = grant_name(grant.server_url, grant.server.issuer), self._clock()
        with self._shelf.locked():
            kept = self._read(name, read_grant)
            if kept is None or not _is_newer(kept.grant, grant, now):
                self._shelf.put(name, write_grant(GrantRecord(grant, now)))

    def client(self, issuer: str) -> Client | None:
        """The client of an issuer."""
        client = self._read(client_name(issuer), read_client)
        return client if client is not None and client.issuer == issuer else None

    def keep_client(self, client: Client) -> None:
        """Keeps a client."""
        with self._shelf.locked():
            self._shelf.put(client_name(client.issuer), write_client(client))

    def drop_client(self, client: Client) -> bool:
        """Deletes this client."""
        with self._shelf.locked():
            kept = self.client(client.issuer)
            if kept is None or kept.client_id != client.client_id:
                return False
            return self._shelf.remove(client_name(client.issuer))

    def forget(self, server_url: str) -> bool:
        """Deletes all grants of a server, those that cannot be read too."""
        with self._shelf.locked():
            names = [name for name in self._shelf.names() if name.startswith(grants_of(server_url))]
            removed = [self._shelf.remove(name) for name in names]
        return any(removed)

    def drop(self, grant: Grant) -> bool:
        """Deletes this grant."""
        name = grant_name(grant.server_url, grant.server.issuer)
        with self._shelf.locked():
            kept = self._read(name, read_grant)
            if kept is None or not _same_tokens(kept.grant, grant):
                return False
            return self._shelf.remove(name)

    def servers(self) -> tuple[str, ...]:
        """The servers, in the order of the alphabet."""
        return tuple(sorted({record.grant.server_url for record in self._grants(GRANTS)}))

    def turn(self, server_url: str) -> AbstractAsyncContextManager[None]:
        """Our turn with the tokens of a server; at once where nobody else sees this store."""
        if self._turns is None:
            return nullcontext()
        return turn(self._turns, grants_of(server_url).rstrip("-"))

    def _grants(self, prefix: str) -> list[GrantRecord]:
        try:
            names = [name for name in self._shelf.names() if name.startswith(prefix)]
        except InspectorError as error:
            self._tell_once("", error.message)
            return []
        found = ((name, self._read(name, read_grant)) for name in names)
        return [record for name, record in found if record is not None and _fits(name, record)]

    def _read(self, name: str, read: Callable[[str], _T]) -> _T | None:
        try:
            text = self._shelf.get(name)
            return None if text is None else read(text)
        except InspectorError as error:
            self._tell_once(name, error.message)
        except Unreadable as error:
            self._tell_once(name, f"what is kept in {self.place} is not used: {error} ({name})")
        return None

    def _tell_once(self, name: str, message: str) -> None:
        if name not in self._told:
            self._told.add(name)
            self._say(message)


class MemoryStore(ShelfStore):
    """Keeps everything in memory only (`--no-store`)."""

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        super().__init__(MemoryShelf(), clock=clock)


class FileStore(ShelfStore):
    """Keeps everything in private files below `folder`."""

    def __init__(
        self, folder: Path, *, say: Say = _silent, clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__(FileShelf(folder), say=say, clock=clock, turns=folder)


class LateStore:
    """The keyring where there is one, else private files; found out when something is first kept
    or was kept before, so that a server without authorization costs neither time nor a question.

    A machine may have its keyring at one time and not at another (at its desk, over ssh): what
    lies in files is found beside a keyring too, and what ends there ends in both.
    """

    def __init__(self, folder: Path, *, say: Say = _silent) -> None:
        self._folder = folder
        self._say = say
        self._opened: tuple[ShelfStore, ...] = ()

    @property
    def place(self) -> str:
        """Where things are kept from now on."""
        return self._open()[0].place

    def grant(self, server_url: str) -> Grant | None:
        """The grant kept last, of those in the keyring first."""
        return next(filter(None, (store.grant(server_url) for store in self._used)), None)

    def keep(self, grant: Grant) -> None:
        """Keeps a grant in one place only."""
        first, *others = self._open()
        first.keep(grant)
        for other in others:
            other.forget(grant.server_url)

    def client(self, issuer: str) -> Client | None:
        """The client of an issuer."""
        return next(filter(None, (store.client(issuer) for store in self._used)), None)

    def keep_client(self, client: Client) -> None:
        """Keeps a client."""
        self._open()[0].keep_client(client)

    def drop_client(self, client: Client) -> bool:
        """Deletes this client, wherever it is."""
        return any([store.drop_client(client) for store in self._used])  # noqa: C419 - all of them

    def forget(self, server_url: str) -> bool:
        """Deletes all grants of a server, wherever they are."""
        return any([store.forget(server_url) for store in self._used])  # noqa: C419 - all of them

    def drop(self, grant: Grant) -> bool:
        """Deletes this grant, wherever it is."""
        return any([store.drop(grant) for store in self._used])  # noqa: C419 - all of them

    def servers(self) -> tuple[str, ...]:
        """The servers for which something is kept."""
        return tuple(sorted({url for store in self._used for url in store.servers()}))

    def turn(self, server_url: str) -> AbstractAsyncContextManager[None]:
        """Our turn with the tokens of a server."""
        return self._open()[0].turn(server_url)

    @property
    def _used(self) -> tuple[ShelfStore, ...]:
        """The stores, once anything was ever kept: the lock lies in the folder from then on."""
        return self._open() if self._opened or self._folder.exists() else ()

    def _open(self) -> tuple[ShelfStore, ...]:
        if not self._opened:
            self._opened = tuple(
                ShelfStore(shelf, say=self._say, turns=self._folder) for shelf in self._shelves()
            )
        return self._opened

    def _shelves(self) -> tuple[Shelf, ...]:
        from inspector.auth.keyring_shelf import KeyringShelf, find_keyring

        files = FileShelf(self._folder)
        try:
            backend = find_keyring()
        except InspectorError as error:
            self._say(error.message)
            backend = None
        return (files,) if backend is None else (KeyringShelf(backend, self._folder), files)


def open_store(no_store: bool = False, *, say: Say = _silent) -> Store:
    """The user's store; one in memory where nothing is to be kept."""
    return MemoryStore() if no_store else LateStore(auth_dir(), say=say)


def _is_newer(kept: Grant, offered: Grant, now: float) -> bool:
    """Whether what is kept must stay: its token came later. After a jump of the clock a date may
    lie in the future and says nothing."""
    at = kept.tokens.received_at
    return offered.tokens.received_at < at <= now + CLOCK_LEEWAY


def _same_tokens(one: Grant, other: Grant) -> bool:
    return (one.tokens.access, one.tokens.refresh) == (other.tokens.access, other.tokens.refresh)


def _fits(name: str, record: GrantRecord) -> bool:
    """Whether a record lies under its own name: it is good for no other server."""
    return name == grant_name(record.grant.server_url, record.grant.server.issuer)
