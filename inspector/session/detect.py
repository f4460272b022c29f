"""Which era a server speaks, found out by asking (2026-07-28 basic/versioning).

One `server/discover` goes first, tagged as a probe. A DiscoverResult that names a modern revision,
or an error that only a modern server sends, settles the modern era; any other answer leads to
`initialize`. No single error code is relied on, because servers of former years answer with many.
A process that stays silent or dies on the probe has to be started again: that is the workbench's.
"""

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from typing import Final

from inspector.errors import ConnectionFailed, InspectorError, PeerViolation, RequestTimeout
from inspector.journal.entries import Flag
from inspector.protocol.codes import MODERN_ERRORS, name_of
from inspector.protocol.messages import RequestId, Sendable
from inspector.protocol.versions import Era, parse_revision
from inspector.session.modern import Modern
from inspector.session.negotiate import Handshake, Line, Opened, Strategy
from inspector.session.pending import Call, Failure, Lost, Outcome, Success
from inspector.session.wrong_era import speaks_older, without_body
from inspector.transport.base import Outgoing

PROBE_SECONDS: Final = 5.0
ONLY_HANDSHAKE: Final = "HTTP+SSE is a transport of the handshake era, so nothing was asked first."
NOT_ABOUT_ERA: Final = frozenset(
    {"auth", "dns", "refused", "tls", "reset", "connect", "proxy", "busy", "closed", "redirect"}
)
"""Failures of a connection that say nothing about what the server speaks."""


class Either(Strategy):
    """One of the two eras, whichever is chosen now; the modern one at first."""

    def __init__(self, modern: Modern, handshake: Handshake) -> None:
        self._modern = modern
        self._handshake = handshake
        self._chosen: Strategy = modern

    @property
    def era(self) -> Era:  # type: ignore[override]
        """The era that was chosen; the modern one while it is being tried."""
        return self._chosen.era

    def frame(
        self, request_id: RequestId, method: str, params: Sendable, token: RequestId | None
    ) -> Outgoing:
        """As the chosen era frames it."""
        return self._chosen.frame(request_id, method, params, token)

    def headers(self, method: str, params: Sendable) -> tuple[tuple[str, str], ...]:
        """As the chosen era has them."""
        return self._chosen.headers(method, params)

    def judge(self, call: Call, success: Success) -> Success | Lost:
        """By the rules of the chosen era."""
        return self._chosen.judge(call, success)

    def explained(self, failure: Failure) -> Failure:
        """By the rules of the chosen era."""
        return self._chosen.explained(failure)

    def speaks_again(self, failure: Failure) -> bool:
        """By the rules of the chosen era."""
        return self._chosen.speaks_again(failure)

    async def withdraw(self, line: Line, call: Call, reason: str) -> None:
        """As the chosen era does it."""
        await self._chosen.withdraw(line, call, reason)


class PinnedModern(Either):
    """The modern era because the user chose it: spoken, or nothing is.

    A server that refuses `server/discover` as only one of the handshake era would is asked by one
    `initialize`, tagged as a probe, what it speaks instead, so that the error can say it.
    """

    async def open(self, line: Line) -> Opened:
        """2026-07-28 server/discover."""
        return await self._modern.open(line, self._rule_out_older)

    async def _rule_out_older(self, line: Line, outcome: Outcome) -> None:
        """Raises ConnectionFailed where a refusal turns out to be that of an older server."""
        if not _may_be_older(outcome):
            return
        self._chosen = self._handshake
        spoken = await self._handshake.asked(line, PROBE_SECONDS)
        self._chosen = self._modern
        if spoken is not None:
            raise speaks_older(outcome, self._modern.revision, spoken)
        await line.transport.speaks(Era.MODERN)
        self._modern.offer(line)


def _may_be_older(outcome: Outcome) -> bool:
    """Whether a server of the handshake era may have answered so, and still listens."""
    match outcome:
        case Failure(code=code):
            return code not in MODERN_ERRORS
        case Lost(error=error):
            return error.kind == "http"
        case _:
            return False


class Detect(Either):
    """Tries the modern era, falls back to the handshake, and from then on is the one that fits.

    `probing` is true from the probe until that is settled.
    """

    def __init__(
        self, modern: Modern, handshake: Handshake, *, probe_seconds: float = PROBE_SECONDS
    ) -> None:
        super().__init__(modern, handshake)
        self.probing = False
        self.probe_seconds = probe_seconds

    async def open(self, line: Line) -> Opened:
        """Probes, then opens the session in the era that answered.

        HTTP+SSE belongs to the handshake era, and what does not know the probe may end the stream.
        """
        if line.transport.kind == "sse":
            self._chosen = self._handshake
            opened = await self._handshake.open(line)
            return replace(opened, why=f"{ONLY_HANDSHAKE} {opened.why}")
        await line.transport.speaks(Era.MODERN)
        self.probing = True
        patient = line.transport.kind == "stdio"
        call = await self._modern.discover(
            line, flags=Flag.PROBE, timeout=None if patient else self.probe_seconds
        )
        call.hint = f"after {self.probe_seconds:g} s initialize is tried"
        if patient and not await _within(call, self.probe_seconds):
            return await self._race(line, call)
        return await self._settle(line, call, await call.wait())

    async def _settle(self, line: Line, call: Call, outcome: Outcome) -> Opened:
        """Goes on in the era that the answer to the probe speaks for."""
        why_not = self._why_not_modern(outcome)
        if not why_not:
            opened = await self._modern.settle(line, outcome, "asked first by server/discover")
            self.probing = False
            return opened
        if line.transport.kind == "stdio" and isinstance(outcome, Lost):
            # 2026-07-28 basic/versioning: the process may be beyond use now
            raise ConnectionFailed(f"the server {why_not}", kind="probe")
        self._chosen = self._handshake
        self.probing = False
        return self._told(await self._handshake.open(line), why_not)

    async def _race(self, line: Line, probe: Call) -> Opened:
        """The process has said nothing yet: it may be slow to start, or of the handshake era and
        deaf to the probe. `initialize` goes out as well, and whatever is answered first counts."""
        self._chosen = self._handshake
        async with asyncio.TaskGroup() as group:
            shaking = group.create_task(_caught(self._handshake.open(line)))
            probed = group.create_task(probe.wait())
            await asyncio.wait((shaking, probed), return_when=asyncio.FIRST_COMPLETED)
            if probed.done() and not self._why_not_modern(probed.result()):
                shaking.cancel()
                self._chosen = self._modern
                opened = await self._modern.settle(
                    line, probed.result(), "asked first by server/discover, which took long"
                )
                self.probing = False
                return opened
            shaken = await shaking
            probed.cancel()
        if isinstance(shaken, InspectorError):
            raise shaken
        self.probing = False
        return self._told(shaken, f"was not answered in {self.probe_seconds:g} s")

    def _told(self, opened: Opened, why_not: str) -> Opened:
        return replace(opened, why=f"The probe by server/discover {why_not}. {opened.why}")

    def _why_not_modern(self, outcome: Outcome) -> str:
        """Why the answer to the probe leads to `initialize`; empty where the server is modern.

        Raises the failure of a connection that says nothing about the era.
        """
        match outcome:
            case Success(result=result):
                named = result.get("supportedVersions") if isinstance(result, dict) else None
                texts = (
                    [text for text in named or () if isinstance(text, str)]
                    if isinstance(named, list)
                    else []
                )
                known = [parse_revision(text) for text in texts]
                if any(revision and revision.era is Era.MODERN for revision in known):
                    return ""
                return f"names only {', '.join(texts)}" if texts else "brought no DiscoverResult"
            case Failure(code=code) if code in MODERN_ERRORS:
                return ""
            case Failure(code=code):
                name = name_of(code)
                return f"was answered {code}" + (f" ({name})" if name else "")
            case Lost(error=RequestTimeout()):
                return f"brought no answer in {self.probe_seconds:g} s"
            case Lost(error=PeerViolation() as error):
                return f"brought no answer: {error.message}"
            case Lost(error=error):
                if error.kind in NOT_ABOUT_ERA:
                    raise error
                return f"failed: {without_body(error)}"


async def _within(call: Call, seconds: float) -> bool:
    """Whether `call` is done before so many seconds have passed."""
    try:
        async with asyncio.timeout(seconds):
            await call.wait()
    except TimeoutError:
        return False
    return True


async def _caught(work: Coroutine[object, object, Opened]) -> Opened | InspectorError:
    """What `work` opens, or why it opens nothing."""
    try:
        return await work
    except InspectorError as error:
        return error
