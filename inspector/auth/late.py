"""Authorization that costs nothing where it is not needed: most servers want none.

Decides when all of OAuth is loaded for a server: when it refuses a request, or where a token may
have been kept before. What is done then is decided by `authority`, which this stands in for.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol

from inspector.config.paths import auth_dir

if TYPE_CHECKING:
    from inspector.auth.attempt import Attempt
    from inspector.auth.authority import Authority
    from inspector.auth.secret import Secret
    from inspector.auth.store import Store


class TokenSource(Protocol):
    """What a transport asks of whoever has the tokens of its server."""

    @property
    def settled(self) -> bool:
        """Whether `credential` answers at once."""

    async def credential(self, connection: int = 0) -> "Secret | None":
        """The token to send now; None to send without one. Raises ConnectionFailed."""

    def accepted(self, sent: "Secret | None") -> None:
        """The server answered a request that carried this token with something else than 401."""

    async def refused(
        self,
        status: int,
        challenges: Iterable[str],
        sent: "Secret | None",
        connection: int,
        attempt: "Attempt",
    ) -> bool:
        """The server refused a request: whether to send it again now. Raises ConnectionFailed."""


class UnopenedStore:
    """The user's store before it is opened. `say` is told what cannot be used, once it is."""

    def __init__(self, no_store: bool, say: Callable[[str], None]) -> None:
        self._no_store = no_store
        self._say = say

    def may_hold(self) -> bool:
        """Whether anything was ever kept: the folder is there from then on, the keyring's too."""
        return not self._no_store and auth_dir().exists()

    def open(self) -> "Store":
        """The store."""
        from inspector.auth.store import open_store

        return open_store(self._no_store, say=self._say)


class LateAuthority:
    """A token source that makes the authority when there is something to do for it.

    `made` gives the authority that somebody has made meanwhile, `make` makes it, `may_hold` says
    whether a token may be kept for any server.
    """

    def __init__(
        self,
        made: "Callable[[], Authority | None]",
        make: "Callable[[], Authority]",
        may_hold: Callable[[], bool],
    ) -> None:
        self._made = made
        self._make = make
        self._may_hold = may_hold

    @property
    def settled(self) -> bool:
        """Whether `credential` answers at once."""
        made = self._made()
        return made.settled if made is not None else not self._may_hold()

    async def credential(self, connection: int = 0) -> "Secret | None":
        """The token to send now; None where none was ever kept."""
        if self._made() is None and not self._may_hold():
            return None
        return await self._make().credential(connection)

    def accepted(self, sent: "Secret | None") -> None:
        """Of a request without a token there is nothing to learn."""
        made = self._made()
        if made is not None:
            made.accepted(sent)

    async def refused(
        self,
        status: int,
        challenges: Iterable[str],
        sent: "Secret | None",
        connection: int,
        attempt: "Attempt",
    ) -> bool:
        """Now there is something to do."""
        return await self._make().refused(status, challenges, sent, connection, attempt)
