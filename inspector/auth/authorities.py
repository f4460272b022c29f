"""The authorities of one inspection: one per server URL, made when first needed.

Decides which targets have one: those with a URL and without an Authorization header of the user's
own. Nothing heavy is loaded for any other.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from inspector.config.targets import Target
from inspector.protocol.versions import Revision

if TYPE_CHECKING:
    from inspector.auth.authority import Authority
    from inspector.auth.job import Spawn
    from inspector.auth.person import Person
    from inspector.auth.store import Store
    from inspector.journal.journal import Journal


class Authorities:
    """Makes the authority of a target, and gives the same one for the same choices again.

    `person` is who is asked (None: nobody), `store` where tokens are kept, or what opens that
    place when it is needed (None: in memory only);
    `changed` is called whenever the state of one changes.
    """

    def __init__(
        self,
        journal: "Journal",
        spawn: "Spawn",
        changed: Callable[[], None],
        *,
        person: "Person | None" = None,
        store: "Store | Callable[[], Store] | None" = None,
    ) -> None:
        self._journal = journal
        self._spawn = spawn
        self._changed = changed
        self._person = person
        self._store = store
        self._made: dict[tuple[object, ...], Authority] = {}

    def get(self, target: Target, revision: Revision | None = None) -> "Authority | None":
        """The authority for `target`; None where it has nothing to do with OAuth. Raises
        UsageError where the user's choices make no sense."""
        if not target.url or any(name.lower() == "authorization" for name, _ in target.headers):
            return None
        key = (target.url, target.oauth, revision)
        if key not in self._made:
            self._made[key] = self._make(target, revision)
        return self._made[key]

    async def close(self) -> None:
        """Ends what is under way. Bounded."""
        for authority in self._made.values():
            await authority.close()

    def _make(self, target: Target, revision: Revision | None) -> "Authority":
        from inspector.auth.authority import Authority
        from inspector.auth.grant import LATEST_RULES
        from inspector.auth.person import Nobody
        from inspector.auth.profile import build_profile
        from inspector.auth.store import MemoryStore

        store = self._store or MemoryStore
        self._store = kept = store() if callable(store) else store
        authority = Authority(
            build_profile(target.oauth, target.url, revision or LATEST_RULES),
            self._journal,
            store=kept,
            person=self._person or Nobody(target.url),
            spawn=self._spawn,
        )
        authority.on_change = self._changed
        return authority
