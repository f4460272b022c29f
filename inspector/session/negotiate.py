"""How a session is opened, and how each of its requests is framed: one strategy per era.

The handshake era (2024-11-05 to 2025-11-25) opens with `initialize` and frames requests plainly. A
strategy decides the revision and says why; it keeps no state of the session and never retries
anything but the opening itself.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from inspector.errors import ConnectionFailed, PeerViolation, UsageError, excerpt
from inspector.journal.entries import NO_FLAGS, Flag
from inspector.protocol.codes import INVALID_PARAMS
from inspector.protocol.messages import (
    JsonObject,
    MessageKind,
    RawJson,
    RequestId,
    Sendable,
    encode_notification,
    encode_request,
    raw_members,
)
from inspector.protocol.versions import (
    HANDSHAKE_REVISIONS,
    LATEST_HANDSHAKE,
    MODERN_REVISIONS,
    REVISIONS,
    Era,
    Revision,
    parse_revision,
)
from inspector.session.options import Options, own_version
from inspector.session.pending import Call, Failure, Lost, Success
from inspector.session.wrong_era import refused_initialize, supported_in
from inspector.transport.base import Outgoing, Transport

LABEL_KEYS: Final[Mapping[str, str]] = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "resources/subscribe": "uri",
    "resources/unsubscribe": "uri",
    "tasks/get": "taskId",
    "tasks/result": "taskId",
    "tasks/update": "taskId",
    "tasks/cancel": "taskId",
}


class Line(Protocol):
    """What a strategy needs of the engine."""

    transport: Transport

    async def request(
        self,
        method: str,
        params: Sendable = None,
        *,
        timeout: float,
        flags: Flag = NO_FLAGS,
    ) -> Call:
        """Sends a request without any check."""

    async def notify(self, method: str, params: Sendable = None) -> int:
        """Sends a notification without any check."""

    def negotiated(self, revision: Revision) -> None:
        """Tells the transport which revision is spoken from here on."""

    def offering(self, revision: Revision, capabilities: JsonObject) -> None:
        """Notes what is being offered, for whoever watches."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What an opening led to; `why` is one sentence for a person, `entry` the journal entry of the
    answer (0 where there was none)."""

    revision: Revision
    why: str
    server_info: JsonObject = field(default_factory=dict)
    capabilities: JsonObject = field(default_factory=dict)
    instructions: str = ""
    raw: bytes = b""
    entry: int = 0


class Strategy(ABC):
    """How one era opens a session, frames requests and withdraws them."""

    era: Era

    @abstractmethod
    async def open(self, line: Line) -> Opened:
        """Opens the session. Raises InspectorError where that is impossible."""

    @abstractmethod
    def frame(
        self, request_id: RequestId, method: str, params: Sendable, token: RequestId | None
    ) -> Outgoing:
        """The request as it goes out; `token` asks for progress."""

    def headers(self, method: str, params: Sendable) -> tuple[tuple[str, str], ...]:
        """What a request repeats in its HTTP headers; nothing before 2026-07-28."""
        return ()

    def judge(self, call: Call, success: Success) -> Success | Lost:
        """`success`, unless the era's rules say that it is no result of `call`."""
        return success

    def explained(self, failure: Failure) -> Failure:
        """`failure` with a hint at what helps, where the era's rules tell."""
        return failure

    def speaks_again(self, failure: Failure) -> bool:
        """Whether a version error names a revision in which the request may be sent once more; if
        so, it is spoken from here on."""
        return False

    @abstractmethod
    async def withdraw(self, line: Line, call: Call, reason: str) -> None:
        """Tells the server that nobody waits for `call` any more."""


class Handshake(Strategy):
    """The handshake era: `initialize`, its answer, `notifications/initialized`."""

    era = Era.HANDSHAKE

    def __init__(self, options: Options, *, before: str = "") -> None:
        """`before` is what led here, told before the story of the handshake."""
        self._before = before
        self._options = options
        self._pinned = pinned_revision(options.protocol)

    async def open(self, line: Line) -> Opened:
        """2025-11-25 basic/lifecycle: offer the newest revision, take the server's if we know it.

        A -32602 with `data.supported` is retried once with the newest revision both know. A
        revision that the user pinned is spoken or none is.
        """
        await line.transport.speaks(self.era)
        offered = self._pinned or LATEST_HANDSHAKE
        story = self._before + f"offered {offered}" + (" as chosen" if self._pinned else "")
        call = await self._initialize(line, offered)
        outcome = await call.wait()
        other = _agreed(outcome, offered) if isinstance(outcome, Failure) else None
        if other and self._pinned:
            raise _not_as_pinned(offered, other)
        if other:
            story = f"the server refused {offered} and named {other}"
            offered = other
            call = await self._initialize(line, offered)
            outcome = await call.wait()
        match outcome:
            case Lost():
                raise outcome.error
            case Failure():
                raise refused_initialize(outcome, offered)
            case Success():
                opened = _read_answer(outcome, offered, story)
                if self._pinned and opened.revision is not self._pinned:
                    raise _not_as_pinned(self._pinned, opened.revision)
        line.negotiated(opened.revision)
        await line.notify("notifications/initialized")
        return opened

    async def asked(self, line: Line, seconds: float) -> Revision | None:
        """The revision that the server answers `initialize` with, None where it takes none; a
        probe, which opens nothing."""
        await line.transport.speaks(self.era)
        call = await self._initialize(line, LATEST_HANDSHAKE, timeout=seconds, flags=Flag.PROBE)
        outcome = await call.wait()
        body = outcome.result if isinstance(outcome, Success) else None
        return parse_revision(body.get("protocolVersion")) if isinstance(body, dict) else None

    async def _initialize(
        self,
        line: Line,
        revision: Revision,
        *,
        timeout: float | None = None,
        flags: Flag = NO_FLAGS,
    ) -> Call:
        capabilities = self._options.advertise.capabilities(revision)
        line.offering(revision, capabilities)
        client: dict[str, Sendable] = {
            "name": self._options.client_name,
            "version": self._options.client_version or own_version(),
        }
        if revision >= Revision.V2025_06_18:
            client["title"] = "mcp-inspect"
        params: dict[str, Sendable] = {
            "protocolVersion": revision.value,
            "capabilities": capabilities,
            "clientInfo": client,
        }
        seconds = self._options.connect_timeout if timeout is None else timeout
        return await line.request("initialize", params, timeout=seconds, flags=flags)

    def frame(
        self, request_id: RequestId, method: str, params: Sendable, token: RequestId | None
    ) -> Outgoing:
        """The request as it stands, with `_meta.progressToken` where progress is wanted."""
        body = params if token is None else with_meta(params, {"progressToken": token})
        raw = encode_request(request_id, method, body)
        return Outgoing(raw, MessageKind.REQUEST, request_id, method, label_of(method, params))

    async def withdraw(self, line: Line, call: Call, reason: str) -> None:
        """`notifications/cancelled`; never for `initialize` (basic/utilities/cancellation)."""
        if call.method == "initialize":
            return
        params: dict[str, Sendable] = {"requestId": call.id}
        if reason:
            params["reason"] = reason
        await line.notify("notifications/cancelled", params)


def pinned_revision(protocol: str) -> Revision | None:
    """The revision that the `--protocol` choice pins, None for the newest handshake revision.

    `modern` pins the newest of that era. Raises UsageError for a choice that names nothing this
    program speaks.
    """
    if protocol in ("", "auto", "handshake"):
        return None
    if protocol == "modern":
        return MODERN_REVISIONS[-1]
    revision = parse_revision(protocol)
    if revision is None:
        known = ", ".join(REVISIONS)
        raise UsageError(
            f"cannot speak the protocol {protocol!r}",
            hint=f"choose auto, handshake, modern or {known}",
        )
    return revision


def label_of(method: str, params: Sendable) -> str:
    """The tool, prompt, URI or task that a request names ("" where it names none)."""
    key = LABEL_KEYS.get(method)
    value = params.get(key) if key and isinstance(params, Mapping) else None
    return value if isinstance(value, str) else ""


def with_meta(params: Sendable, additions: Mapping[str, Sendable]) -> Sendable:
    """`params` with `additions` in its `_meta`; what the user put there stays as it is.

    Params that are raw text, or whose `_meta` is no object, are left alone.
    """
    if params is None:
        return {"_meta": dict(additions)}
    if not isinstance(params, Mapping):
        return params
    meta = params.get("_meta", {})
    if not isinstance(meta, Mapping):
        return params
    return {**params, "_meta": {**additions, **meta}}


def as_mapping(params: Sendable) -> Sendable:
    """A raw object member by member, each still its exact text; anything else as it is."""
    if not isinstance(params, RawJson):
        return params
    members = raw_members(bytes(params))
    if not members and bytes(params).split() not in ([b"{}"], [b"{", b"}"]):
        return params
    return {name: RawJson(text) for name, text in members.items()}


def frame_notification(method: str, params: Sendable) -> Outgoing:
    """A notification as it goes out, the same in every era."""
    return Outgoing(encode_notification(method, params), MessageKind.NOTIFICATION, None, method, "")


def _agreed(failure: Failure, offered: Revision) -> Revision | None:
    """The newest handshake revision that a version error names and we did not just offer."""
    if failure.code != INVALID_PARAMS:
        return None
    ours = [parse_revision(text) for text in supported_in(failure.data)]
    usable = [r for r in ours if r is not None and r.era is Era.HANDSHAKE and r is not offered]
    return max(usable, default=None)


def _not_as_pinned(pinned: Revision, answered: Revision) -> ConnectionFailed:
    return ConnectionFailed(
        f"the protocol is pinned to {pinned}, but the server answered {answered}",
        hint=f"--protocol auto takes what the server speaks; --protocol {answered} pins that",
        kind="version",
    )


def _read_answer(success: Success, offered: Revision, story: str) -> Opened:
    result = success.result
    if not isinstance(result, dict):
        raise PeerViolation("the answer to initialize is not an object")
    text = result.get("protocolVersion")
    if not isinstance(text, str):
        raise PeerViolation("the answer to initialize names no protocolVersion")
    revision = parse_revision(text)
    if revision is None or revision.era is not Era.HANDSHAKE:
        what = "which we do not know" if revision is None else "which has no initialize"
        raise ConnectionFailed(
            f"no common protocol revision: we offered {offered}, the server answered"
            f" {excerpt(repr(text))}, {what}",
            hint=f"we speak {', '.join(HANDSHAKE_REVISIONS)}",
            kind="version",
        )
    if revision is offered:
        why = f"{story}; the server agreed"
    else:
        newer = "a newer one than offered" if revision > offered else "an older one"
        why = f"{story}; the server answered {revision}, {newer} that we speak too"
    info, capabilities = result.get("serverInfo"), result.get("capabilities")
    instructions = result.get("instructions")
    return Opened(
        revision=revision,
        why=why[0].upper() + why[1:] + ".",
        server_info=info if isinstance(info, dict) else {},
        capabilities=capabilities if isinstance(capabilities, dict) else {},
        instructions=instructions if isinstance(instructions, str) else "",
        raw=success.raw,
        entry=success.entry,
    )
