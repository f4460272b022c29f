"""The authorities of one inspection: one per server URL, made when first needed.

Decides which targets have one: those with a URL and without an Authorization header of the user's
own. Nothing heavy is loaded for any other, nor for a server that asks for no token.
"""

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING

from inspector.config.oauth import NOTHING_CHOSEN
from inspector.config.targets import Target
from inspector.protocol.versions import Revision

if TYPE_CHECKING:
    from inspector.auth.authority import Authority
    from inspector.auth.job import Spawn
    from inspector.auth.late import TokenSource, UnopenedStore
    from inspector.auth.person import Person
    from inspector.auth.store import Store
    from inspector.journal.journal import Journal


class Authorities:
    """Makes the authority of a target, and gives the same one for the same choices again. Any
    thread may ask for it.

    `person` is who is asked (None: nobody), `store` where tokens are kept (None: in memory only);
    `changed` is called whenever the state of one changes.
    """

    def __init__(
        self,
        journal: "Journal",
        spawn: "Spawn",
        changed: Callable[[], None],
        *,
        person: "Person | None" = None,
        store: "Store | UnopenedStore | None" = None,
    ) -> None:
        self._journal = journal
        self._spawn = spawn
        self._changed = changed
        self._person = person
        self._store = store
        self._made: dict[tuple[object, ...], Authority] = {}
        self._making = Lock()

    def get(self, target: Target, revision: Revision | None = None) -> "Authority | None":
        """The authority for `target`; None where it has nothing to do with OAuth. Raises
        UsageError where the user's choices make no sense."""
        return self._one(target, revision) if _may_have_one(target) else None

    def made(self, target: Target, revision: Revision | None = None) -> "Authority | None":
        """The same where it was needed already."""
        return self._made.get(_key(target, revision))

    def tokens(self, target: Target, revision: Revision | None = None) -> "TokenSource | None":
        """What a transport to `target` asks for tokens; None and errors as of `get`. The authority
        is made at once where the user chose something, which must make sense, or brings a store."""
        if not _may_have_one(target):
            return None
        from inspector.auth.late import LateAuthority, UnopenedStore

        store = self._store
        late = store is None or isinstance(store, UnopenedStore)
        if not late or target.oauth != NOTHING_CHOSEN:
            return self._one(target, revision)
        return LateAuthority(
            lambda: self.made(target, revision),
            lambda: self._one(target, revision),
            store.may_hold if isinstance(store, UnopenedStore) else _holds_nothing,
        )

    async def close(self) -> None:
        """Ends what is under way. Bounded."""
        for authority in list(self._made.values()):
            await authority.close()

    def _one(self, target: Target, revision: Revision | None) -> "Authority":
        with self._making:
            key = _key(target, revision)
            if key not in self._made:
                self._made[key] = self._make(target, revision)
            return self._made[key]

    def _make(self, target: Target, revision: Revision | None) -> "Authority":
        from inspector.auth.authority import Authority
        from inspector.auth.grant import LATEST_RULES
        from inspector.auth.late import UnopenedStore
        from inspector.auth.person import Nobody
        from inspector.auth.profile import build_profile
        from inspector.auth.store import MemoryStore

        store = MemoryStore() if self._store is None else self._store
        self._store = kept = store.open() if isinstance(store, UnopenedStore) else store
        authority = Authority(
            build_profile(target.oauth, target.url, revision or LATEST_RULES),
            self._journal,
            store=kept,
            person=self._person or Nobody(target.url),
            spawn=self._spawn,
        )
        authority.on_change = self._changed
        return authority


def _may_have_one(target: Target) -> bool:
    return bool(target.url) and all(name.lower() != "authorization" for name, _ in target.headers)


def _key(target: Target, revision: Revision | None) -> tuple[object, ...]:
    return target.url, target.oauth, revision


def _holds_nothing() -> bool:
    return False
