"""HTTP to a server of which nobody said which transport it speaks.

Messages of the modern era travel by `http_modern`. In the handshake era it decides at the first
`initialize`: it is POSTed as Streamable HTTP wants it; where the server refuses that with a 4xx
that no Streamable HTTP server of either era explains, the HTTP+SSE transport of 2024-11-05 is
tried on the same URL (basic/transports: any 4xx up to 2025-06-18, then 400, 404 and 405; servers
of before do not know that, so others count too, and the journal says so). Each step and its reason
stands in the journal. Speaking each transport is left to them.
"""

from typing import TYPE_CHECKING, Final

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed, InspectorError
from inspector.journal.entries import Flag
from inspector.protocol.codes import MODERN_ERRORS
from inspector.protocol.messages import ErrorReply, Request, RequestId, decode
from inspector.protocol.versions import Era, Revision, parse_revision
from inspector.transport.base import Outgoing, Sink, Transport, TransportFacts
from inspector.transport.http_handshake import Refusal, StreamableHttp
from inspector.transport.http_modern import ModernHttp
from inspector.transport.http_sse import HttpSse

if TYPE_CHECKING:
    from inspector.auth.late import TokenSource
    from inspector.journal.journal import Journal

NOT_ABOUT_TRANSPORT: Final = frozenset({401, 403, 407, 408, 413, 429, 431})
"""4xx that say why this request was refused, not that the transport is another one."""
ABOUT_US: Final = frozenset({401, 407, 429})
"""Those of them that stay so where the revision offered counts any 4xx."""
NAMED: Final = frozenset({400, 404, 405})
"""The statuses that count from 2025-11-25 on."""


class HttpAuto(Transport):
    """Streamable HTTP of either era, or HTTP+SSE where the server only speaks that and `older`
    allows it."""

    kind = "http"

    def __init__(
        self, target: Target, journal: "Journal", connection: int, *, older: bool = True
    ) -> None:
        self._target = target
        self._journal = journal
        self._connection = connection
        self._authority: TokenSource | None = None
        self._sink: Sink | None = None
        self._streamable = StreamableHttp(
            target, journal, connection, take_over=self._take_over if older else None
        )
        self._current: StreamableHttp | HttpSse | ModernHttp = self._streamable

    @property
    def facts(self) -> TransportFacts:
        return self._current.facts

    def authorized_by(self, authority: "TokenSource") -> None:
        self._authority = authority
        self._streamable.authorized_by(authority)

    async def open(self, sink: Sink) -> None:
        self._sink = sink
        await self._current.open(sink)

    @property
    def closing_cancels(self) -> bool:  # type: ignore[override]
        """As the transport in use has it."""
        return self._current.closing_cancels

    async def speaks(self, era: Era) -> None:
        current = self._current
        if era is Era.MODERN and isinstance(current, StreamableHttp) and self._sink is not None:
            modern = ModernHttp(self._target, self._journal, self._connection)
            if self._authority is not None:
                modern.authorized_by(self._authority)
            await modern.open(self._sink)
            self._current = modern
        elif era is Era.HANDSHAKE and isinstance(current, ModernHttp):
            self._current = self._streamable
            current.hand_over()
            await current.close()

    async def send(self, outgoing: Outgoing) -> int:
        return await self._current.send(outgoing)

    def negotiated(self, revision: Revision) -> None:
        self._current.negotiated(revision)

    async def abandon(self, request_id: RequestId) -> None:
        await self._current.abandon(request_id)

    async def close(self) -> None:
        try:
            if self._current is not self._streamable:
                self._streamable.hand_over()  # the end is told by the one that is in use
                await self._current.close()
        finally:
            await self._streamable.close()

    async def _take_over(self, refusal: Refusal) -> InspectorError | None:
        why_not = _why_no_fallback(refusal)
        status = refusal.answer.status
        if why_not or self._sink is None:
            self._event("fallback-skipped", f"HTTP {status} for initialize; {why_not}")
            return refusal.error
        named = status in NAMED or _counts_any_4xx(refusal)
        liberal = "" if named else " (2025-11-25 names only 400, 404 and 405 for that)"
        self._event(
            "fallback",
            f"HTTP {status} for initialize: no Streamable HTTP here; trying HTTP+SSE"
            f" (2024-11-05) on the same URL{liberal}",
        )
        older = HttpSse(self._target, self._journal, self._connection)
        if self._authority is not None:
            older.authorized_by(self._authority)
        try:
            await older.open(self._sink)
        except ConnectionFailed as error:
            self._event("fallback-failed", error.message)
            refusal.error.hint = f"HTTP+SSE was tried too: {error.message}"
            return refusal.error
        self._current = older
        self.kind = older.kind
        self._streamable.hand_over()
        self._event("fallback-taken", "the server speaks HTTP+SSE; initialize is sent again there")
        self._journal.flag(refusal.number, Flag.PENDING, on=False)
        again = refusal.outgoing
        await older.send(
            Outgoing(again.raw, again.kind, again.id, again.method, flags=again.flags | Flag.RESENT)
        )
        return None

    def _event(self, name: str, reason: str) -> None:
        self._journal.event(name, {"reason": reason}, connection=self._connection)


def _why_no_fallback(refusal: Refusal) -> str:
    """Why this refusal says nothing about the transport; empty where it may."""
    status = refusal.answer.status
    other_reasons = ABOUT_US if _counts_any_4xx(refusal) else NOT_ABOUT_TRANSPORT
    if not 400 <= status < 500 or status in other_reasons:
        return "that is no sign of an older transport"
    match decode(refusal.answer.body) if refusal.answer.body else None:
        case ErrorReply(code=code) if code in MODERN_ERRORS:
            return f"error {code} comes from a server of the modern era"
        case _:
            return ""


def _counts_any_4xx(refusal: Refusal) -> bool:
    """Whether the revision that we offer has any 4xx mean an older transport."""
    message = decode(refusal.outgoing.raw)
    params = message.params if isinstance(message, Request) else None
    offered = parse_revision((params or {}).get("protocolVersion"))
    return offered is not None and offered <= Revision.V2025_06_18
