"""The modern era (2026-07-28): stateless requests that carry the version and the capabilities.

Decides how a session opens (`server/discover`), what each request carries in its `_meta` and in
its HTTP headers, how a call is withdrawn, and whether a result is one (`resultType`). What an
`input_required` result asks for is `inspector.session.rounds`.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Final

from inspector.errors import WRONG_ERA, ConnectionFailed, PeerViolation
from inspector.journal.entries import NO_FLAGS, Flag
from inspector.protocol.codes import METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION
from inspector.protocol.header_params import HeaderParams, argument_headers
from inspector.protocol.headers import METHOD, NAME, PROTOCOL_VERSION, encode_header_value
from inspector.protocol.json_text import NotJsonError, parse_json
from inspector.protocol.messages import (
    Json,
    JsonObject,
    MessageKind,
    RawJson,
    RequestId,
    Sendable,
    encode_json,
    encode_request,
    raw_members,
)
from inspector.protocol.methods import INPUT_REQUIRED_METHODS
from inspector.protocol.versions import (
    MODERN_REVISIONS,
    TASKS_EXTENSION,
    Era,
    Revision,
    parse_revision,
)
from inspector.session.negotiate import (
    Line,
    Opened,
    Strategy,
    as_mapping,
    label_of,
    with_meta,
)
from inspector.session.options import Advertise, Options, own_version
from inspector.session.pending import Call, Failure, Lost, Outcome, Success
from inspector.session.refusals import hint_for
from inspector.session.state import capability_at
from inspector.session.wrong_era import (
    refused_discover,
    supported_in,
    unanswered_discover,
)
from inspector.transport.base import Outgoing

PREFIX: Final = "io.modelcontextprotocol/"
META_VERSION: Final = f"{PREFIX}protocolVersion"
META_CAPABILITIES: Final = f"{PREFIX}clientCapabilities"
META_CLIENT: Final = f"{PREFIX}clientInfo"
META_SERVER: Final = f"{PREFIX}serverInfo"
META_LOG_LEVEL: Final = f"{PREFIX}logLevel"

NAMED: Final[Mapping[str, str]] = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "tasks/get": "taskId",
    "tasks/update": "taskId",
    "tasks/cancel": "taskId",
}
"""Requests with an `Mcp-Name` header, and the parameter that it repeats."""

Look = Callable[[Line, Outcome], Awaitable[None]]
RESULT_TYPES: Final = frozenset({"complete", "input_required", "task"})
GUESSED: Final[JsonObject] = {"tools": {}, "resources": {}, "prompts": {}, "completions": {}}
"""What is tried with a server that has no `server/discover`, and so declares nothing."""


class Modern(Strategy):
    """The modern era on one connection.

    `marks_of` gives the header marks of a listed tool, `log_level` the level of the logs that each
    request asks for (None: no logs wanted), `advertise` what each request declares (None: what the
    options say).
    """

    era = Era.MODERN

    def __init__(
        self,
        options: Options,
        marks_of: Callable[[str], HeaderParams] = lambda _: HeaderParams(),
        log_level: Callable[[], str | None] = lambda: None,
        advertise: Callable[[], Advertise] | None = None,
        *,
        before: str = "",
    ) -> None:
        """`before` is what led here, told before the story of the opening: that the server answered
        server/discover before, so that it must do so again."""
        self._before = before
        self._advertise = advertise or (lambda: options.advertise)
        self._log_level = log_level
        self._marks_of = marks_of
        self._options = options
        self._revision = max(MODERN_REVISIONS)

    async def open(self, line: Line, look: Look | None = None) -> Opened:
        """2026-07-28 server/discover; `look` sees the answer first, and may raise."""
        await line.transport.speaks(self.era)
        outcome = await (await self.discover(line)).wait()
        if look is not None:
            await look(line, outcome)
        chosen = "" if self._before else " as chosen"
        story = f"{self._before}asked in {self._revision}{chosen}"
        return await self.settle(line, outcome, story)

    @property
    def revision(self) -> Revision:
        """The revision that is tried, and then spoken."""
        return self._revision

    def offer(self, line: Line) -> None:
        """Notes what this era offers."""
        line.offering(self._revision, self._capabilities())

    async def discover(
        self, line: Line, *, flags: Flag = NO_FLAGS, timeout: float | None = None
    ) -> Call:
        """Sends `server/discover` in the revision that is tried."""
        self.offer(line)
        seconds = self._options.connect_timeout if timeout is None else timeout
        return await line.request("server/discover", timeout=seconds, flags=flags)

    async def settle(self, line: Line, outcome: Outcome, story: str) -> Opened:
        """What the answer to `server/discover` opens; a -32022 that names another revision we
        speak is tried once. Raises InspectorError where it opens nothing."""
        if isinstance(outcome, Failure) and (other := self.other_revision(outcome)):
            story = f"the server refused {self._revision} and named {other}"
            self._revision = other
            outcome = await (await self.discover(line)).wait()
        return self._opened(line, outcome, story)

    def other_revision(self, failure: Failure) -> Revision | None:
        """The modern revision to ask in after a version error; it may be the one just refused,
        where the server names that all the same."""
        if failure.code != UNSUPPORTED_PROTOCOL_VERSION:
            return None
        named = [parse_revision(text) for text in supported_in(failure.data)]
        return max((one for one in named if one and one.era is Era.MODERN), default=None)

    def _opened(self, line: Line, outcome: Outcome, story: str) -> Opened:
        match outcome:
            case Lost():
                raise unanswered_discover(outcome.error)
            case Failure() if outcome.code == METHOD_NOT_FOUND and not self._before:
                opened = Opened(
                    revision=self._revision,
                    why=f"Pinned to {self._revision}; the server has no server/discover, so what"
                    " it offers is found out by asking.",
                    capabilities=GUESSED,
                )
            case Failure():
                raise refused_discover(outcome, self._revision)
            case Success():
                opened = self._read(outcome, story)
        line.negotiated(opened.revision)
        return opened

    def _read(self, success: Success, story: str) -> Opened:
        result = success.result
        if not isinstance(result, dict):
            raise PeerViolation("the answer to server/discover is not an object")
        texts = result.get("supportedVersions")
        versions = (
            [text for text in texts if isinstance(text, str)] if isinstance(texts, list) else []
        )
        if self._revision.value not in versions:
            raise ConnectionFailed(
                f"the server answers server/discover but does not name {self._revision}: "
                f"it speaks {', '.join(versions) or 'no version that it names'}",
                hint="choose another era: --protocol handshake",
                kind=WRONG_ERA,
            )
        meta, capabilities = result.get("_meta"), result.get("capabilities")
        info = meta.get(META_SERVER) if isinstance(meta, dict) else None
        instructions = result.get("instructions")
        why = f"{story}; the server speaks {', '.join(versions)}."
        return Opened(
            revision=self._revision,
            why=why[0].upper() + why[1:],
            server_info=info if isinstance(info, dict) else {},
            capabilities=capabilities if isinstance(capabilities, dict) else {},
            instructions=instructions if isinstance(instructions, str) else "",
            raw=success.raw,
            entry=success.entry,
        )

    def _capabilities(self) -> JsonObject:
        return self._advertise().capabilities(self._revision)

    def _meta(self) -> dict[str, Sendable]:
        """What every request says of itself (2026-07-28 basic)."""
        meta: dict[str, Sendable] = {
            META_VERSION: self._revision.value,
            META_CLIENT: {
                "name": self._options.client_name,
                "version": self._options.client_version or own_version(),
                "title": "mcp-inspect",
            },
            META_CAPABILITIES: self._capabilities(),
        }
        if (level := self._log_level()) is not None:
            meta[META_LOG_LEVEL] = level
        return meta

    def frame(
        self, request_id: RequestId, method: str, params: Sendable, token: RequestId | None
    ) -> Outgoing:
        """The request with its `_meta`, in which what the user put there stays as it is."""
        additions = self._meta()
        if token is not None:
            additions["progressToken"] = token
        body = as_mapping(params)
        if isinstance(body, Mapping) and "_meta" in body:
            body = {**body, "_meta": as_mapping(body["_meta"])}
        body = with_meta(body, additions)
        raw = encode_request(request_id, method, body)
        label = label_of(method, body)
        headers = self.headers(method, body)
        return Outgoing(raw, MessageKind.REQUEST, request_id, method, label, headers)

    def headers(self, method: str, params: Sendable) -> tuple[tuple[str, str], ...]:
        """What a request repeats in its HTTP headers, read from what it really says."""
        version = _text(_member(_member(params, "_meta"), META_VERSION))
        headers = [(PROTOCOL_VERSION, version or self._revision.value), (METHOD, method)]
        if (key := NAMED.get(method)) and (name := _text(_member(params, key))) is not None:
            headers.append((NAME, encode_header_value(name)))
            if method == "tools/call":
                marks = self._marks_of(name).params
                headers.extend(argument_headers(marks, _member(params, "arguments")))
        return tuple(headers)

    async def withdraw(self, line: Line, call: Call, reason: str) -> None:
        """Over HTTP to close the stream is to cancel, and that the transport does; else
        `notifications/cancelled` (2026-07-28 basic/patterns/cancellation)."""
        if line.transport.closing_cancels or call.method == "initialize":
            return
        params: dict[str, Sendable] = {"requestId": call.id}
        if reason:
            params["reason"] = reason
        await line.notify("notifications/cancelled", params)

    def judge(self, call: Call, success: Success) -> Success | Lost:
        """2026-07-28 basic: an unknown `resultType` is no result; without one it is complete."""
        body = success.result
        kind = body.get("resultType") if isinstance(body, dict) else None
        why = hint = ""
        known = isinstance(kind, str) and kind in RESULT_TYPES
        if kind is not None and not known:
            why = f"its resultType is {kind!r}, which this revision does not have"
        elif kind == "input_required" and call.method not in INPUT_REQUIRED_METHODS:
            why = "only tools/call, prompts/get and resources/read may be answered by a question"
        elif kind == "task" and call.method != "tasks/get":  # there the texts of SEP-2663 disagree
            why, hint = self._no_task(call)
        if not why:
            return success
        error = PeerViolation(f"the result of {call.method} is invalid: {why}", hint=hint)
        return Lost(error, success.entry)

    def _no_task(self, call: Call) -> tuple[str, str]:
        """Why a task is no answer to `call`, and what helps; both empty where it is one."""
        if call.method != "tools/call":
            return "only tools/call may be answered by a task", ""
        declared = self._declared_by(call)
        if capability_at(declared, ("extensions", TASKS_EXTENSION)):
            return "", ""
        hint = "with the extension switched on, this client follows a task to its end"
        return f"it is a task, but the request does not declare {TASKS_EXTENSION}", hint

    def _declared_by(self, call: Call) -> JsonObject:
        """The capabilities that the request of `call` declares: the user may have written them."""
        own = _member(_member(call.params, "_meta"), META_CAPABILITIES)
        if own is None:
            return self._capabilities()
        try:
            declared = parse_json(encode_json(own))
        except NotJsonError:
            return {}
        return declared if isinstance(declared, dict) else {}

    def explained(self, failure: Failure) -> Failure:
        """The errors of this era, with what helps."""
        declared = self._capabilities()
        hint = hint_for(failure.code, failure.data, declared, self._revision)
        return replace(failure, hint=hint) if hint else failure

    def speaks_again(self, failure: Failure) -> bool:
        """LC-06: a request refused for its version goes out again in one that the error names."""
        other = self.other_revision(failure)
        if other is not None:
            self._revision = other
        return other is not None


def _member(params: Sendable, key: str) -> Sendable:
    if isinstance(params, RawJson):
        text = raw_members(bytes(params)).get(key)
        return None if text is None else RawJson(text)
    return params.get(key) if isinstance(params, Mapping) else None


def _text(value: Sendable) -> str | None:
    if isinstance(value, RawJson):
        try:
            parsed: Json = parse_json(bytes(value))
        except NotJsonError:
            return None
        return parsed if isinstance(parsed, str) else None
    return value if isinstance(value, str) else None
