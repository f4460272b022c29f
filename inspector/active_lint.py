"""The probes of `lint --active`: requests that a correct server refuses, one at a time.

Decides what is sent, and that it harms nobody: no tool, resource or prompt is asked for that
exists, but a prompt without an argument that it requires. All of it stands in sections of the
journal that are tagged; what it means is judged by `inspector.lint.probed` and its neighbours, from
the journal alone. What only HTTP has is `inspector.active_http`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from inspector.errors import InspectorError
from inspector.protocol.messages import Json, Sendable
from inspector.session.catalog import KINDS, METHOD_OF, ListKind
from inspector.session.pending import Lost
from inspector.session.session import Session
from inspector.workbench import Workbench

ASIDE: Final = "active lint"
"""What the sections of the journal are tagged with."""
NOWHERE: Final = "mcp-inspect-no-such"
"""How the names begin that no server has."""

Tell = Callable[[str], None]


class ActiveLint:
    """The probes of the server that `bench` inspects. `tell` hears of each before it is made.

    Runs beside the session of `bench`, on its loop, and leaves nothing behind but entries.
    """

    def __init__(self, bench: Workbench, tell: Tell) -> None:
        self._bench = bench
        self._tell = tell

    async def run(self) -> None:
        """Makes them all. Raises what kept it from making them."""
        spoken = self._bench.session.state.revision
        protocol = spoken.value if spoken is not None else self._bench.options.protocol
        options = replace(self._bench.options, protocol=protocol)
        beside = self._bench.beside(options, ASIDE)
        self._tell("active: opening another session")
        async with beside:
            state = await beside.connect()
            if state.error is not None:
                raise state.error
            listed = [kind for kind in KINDS if _is_offered(beside.session, kind)]
            for kind in listed:  # what a server has is what makes another name an unknown one
                await beside.session.catalog.refresh(kind)
            await self._names(beside.session)
            await self._cursors(beside.session, listed)
            if beside.session.state.over and beside.session.state.error is not None:
                raise beside.session.state.error
            if beside.session.transport.kind != "stdio":
                from inspector.active_http import HttpProbes

                # Before any session ends: some servers do not survive that.
                await HttpProbes(beside, state.revision, self._tell).run()

    async def _cursors(self, session: Session, listed: Sequence[ListKind]) -> None:
        """A cursor that nobody gave, for each list (server/utilities/pagination)."""
        for kind in listed:
            bogus: dict[str, Sendable] = {"cursor": f"{NOWHERE}-cursor"}
            await self._ask(session, METHOD_OF[kind], bogus, "with a cursor that it never gave")

    async def _names(self, session: Session) -> None:
        """What does not exist, and a prompt without what it requires."""
        declares = session.state.declares
        if declares("tools"):
            unknown: dict[str, Sendable] = {"name": f"{NOWHERE}-tool", "arguments": {}}
            await self._ask(session, "tools/call", unknown, "of a tool that does not exist")
        if declares("resources"):
            uri: dict[str, Sendable] = {"uri": f"{NOWHERE}://resource"}
            await self._ask(session, "resources/read", uri, "of a resource that does not exist")
        if declares("prompts"):
            prompts = session.catalog["prompts"].items
            name = next(filter(None, map(_demanding, prompts)), "")
            if name:
                missing: dict[str, Sendable] = {"name": name}
                what = f"of {name!r} without an argument that it requires"
                await self._ask(session, "prompts/get", missing, what)

    async def _ask(
        self, session: Session, method: str, params: Mapping[str, Sendable], what: str
    ) -> None:
        if session.state.over:
            return
        self._tell(f"active: {method} {what}")
        try:
            call = await session.request(method, dict(params), force=True, progress=False)
        except InspectorError as error:
            self._tell(f"active: it could not be sent: {error.message}")
            return
        outcome = await call.wait()
        if isinstance(outcome, Lost):
            self._tell(f"active: no answer: {outcome.error.message}")


def _is_offered(session: Session, kind: ListKind) -> bool:
    return session.catalog[kind].state != "unsupported"


def _demanding(prompt: Json) -> str:
    """The name of a prompt that requires an argument, "" for another one."""
    match prompt:
        case {"name": str() as name, "arguments": list() as arguments}:
            if any(isinstance(one, dict) and one.get("required") is True for one in arguments):
                return name
    return ""
