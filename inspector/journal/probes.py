"""The few members inside a message that tie it to other messages, read without decoding the rest.

Decides where a progress token, a cancelled id, a task and a request state stand. Bodies above
`PROBE_LIMIT` are not looked into. Never raises: what cannot be read ties nothing. Pure.
"""

from hashlib import blake2b
from typing import Final

import msgspec

from inspector.protocol.messages import RequestId

PROBE_LIMIT: Final = 64 * 1024
ERROR_PROBE_LIMIT: Final = 4 * 1024 * 1024
KEY_LENGTH: Final = 128
NAMES_LENGTH: Final = 2048
"""Characters of the keys of a question that are kept as they are."""

Key = int | str
"""A request id or token as it stands in a table: long strings as a digest of bounded length."""


_NOTHING: Final = msgspec.Raw(b"")


class _Task(msgspec.Struct, gc=False):
    id: str = msgspec.field(name="taskId", default="")


class _Meta(msgspec.Struct, gc=False):
    version: object = msgspec.field(name="io.modelcontextprotocol/protocolVersion", default=None)
    progress: int | str | None = msgspec.field(name="progressToken", default=None)
    related: _Task | None = msgspec.field(name="io.modelcontextprotocol/related-task", default=None)


class _Params(msgspec.Struct, gc=False):
    meta: _Meta | None = msgspec.field(name="_meta", default=None)
    progress: int | str | None = msgspec.field(name="progressToken", default=None)
    cancelled: int | str | None = msgspec.field(name="requestId", default=None)
    task: str | None = msgspec.field(name="taskId", default=None)
    state: str | None = msgspec.field(name="requestState", default=None)
    answers: msgspec.Raw = msgspec.field(name="inputResponses", default=_NOTHING)


class _WithParams(msgspec.Struct, gc=False):
    params: _Params | None = None


class _Result(msgspec.Struct, gc=False):
    task: _Task | None = None
    task_id: str | None = msgspec.field(name="taskId", default=None)
    kind: object = msgspec.field(name="resultType", default=None)
    is_error: bool | None = msgspec.field(name="isError", default=None)


class _WithResult(msgspec.Struct, gc=False):
    result: _Result | None = None


class _Asked(msgspec.Struct, gc=False):
    kind: object = msgspec.field(name="resultType", default=None)
    state: str | None = msgspec.field(name="requestState", default=None)
    requests: msgspec.Raw = msgspec.field(name="inputRequests", default=_NOTHING)


class _WithQuestion(msgspec.Struct, gc=False):
    result: _Asked | None = None


class _Error(msgspec.Struct, gc=False):
    code: int | None = None


class _WithError(msgspec.Struct, gc=False):
    error: _Error | None = None


class _WithMembers(msgspec.Struct, gc=False):
    params: dict[str, msgspec.Raw]


class _ToolResult(msgspec.Struct, gc=False):
    is_error: bool | None = msgspec.field(name="isError", default=None)


class _WithToolResult(msgspec.Struct, gc=False):
    result: _ToolResult | None = None


class Ties(msgspec.Struct, frozen=True, gc=False):
    """What a request or notification refers to; None where it does not. `modern` is a request that
    says its version, `answers` the keys of the input responses that it brings."""

    progress: Key | None = None
    cancelled: Key | None = None
    task: Key | None = None
    state: Key | None = None
    modern: bool = False
    answers: frozenset[str] | None = None


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """What a result says of itself; None where it does not. `created` is a result that makes the
    task and does not merely describe it."""

    is_error: bool = False
    task: Key | None = None
    created: bool = False


class Question(msgspec.Struct, frozen=True, gc=False):
    """What an `input_required` result wants: its state, and the keys of its input requests."""

    state: Key | None = None
    keys: frozenset[str] | None = None


NO_TIES: Final = Ties()
NO_OUTCOME: Final = Outcome()

_with_params: Final = msgspec.json.Decoder(_WithParams).decode
_with_result: Final = msgspec.json.Decoder(_WithResult).decode
_with_question: Final = msgspec.json.Decoder(_WithQuestion).decode
_with_error: Final = msgspec.json.Decoder(_WithError).decode
_with_members: Final = msgspec.json.Decoder(_WithMembers).decode
_members: Final = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_NOT_THE_CALL: Final = frozenset({"_meta", "inputResponses", "requestState"})
_with_tool_result: Final = msgspec.json.Decoder(_WithToolResult).decode


def key_of(value: RequestId) -> Key:
    """The key of an id: 1 and "1" stay different, a megabyte of id takes no megabyte."""
    if isinstance(value, str) and len(value) > KEY_LENGTH:
        return "\0" + blake2b(value.encode("utf-8", "backslashreplace"), digest_size=20).hexdigest()
    return value


def _key(value: RequestId | None) -> Key | None:
    return None if value is None else key_of(value)


def ties_of_request(raw: bytes) -> Ties:
    """What a request brings along (its progress token) or refers to (task, request state)."""
    params = _params(raw)
    if params is None:
        return NO_TIES
    meta = params.meta
    task = params.task or (meta.related.id if meta and meta.related else None)
    progress = meta.progress if meta else None
    modern = meta is not None and meta.version is not None
    if progress is None and task is None and not modern:
        return NO_TIES
    answers = _names(params.answers) if modern and params.answers is not _NOTHING else None
    return Ties(_key(progress), None, _key(task or None), _key(params.state), modern, answers)


def ties_of_notification(raw: bytes) -> Ties:
    """What a notification is about: a progress token, a cancelled request, a task."""
    params = _params(raw)
    if params is None:
        return NO_TIES
    meta = params.meta
    task = params.task or (meta.related.id if meta and meta.related else None)
    return Ties(_key(params.progress), _key(params.cancelled), _key(task or None))


def outcome_of(raw: bytes) -> Outcome:
    """What a result says of itself. `is_error` is read of bodies up to `ERROR_PROBE_LIMIT`."""
    try:
        if len(raw) > PROBE_LIMIT:
            if len(raw) > ERROR_PROBE_LIMIT or b'"isError"' not in raw:
                return NO_OUTCOME
            large = _with_tool_result(raw).result
            return Outcome(large is not None and large.is_error is True)
        result = _with_result(raw).result
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return NO_OUTCOME
    if result is None:
        return NO_OUTCOME
    task = result.task.id if result.task else result.task_id
    if result.is_error is None and not task:
        return NO_OUTCOME
    created = result.task is not None or result.kind == "task"
    return Outcome(result.is_error is True, _key(task or None), created)


def question_of(raw: bytes) -> Question | None:
    """What a result asks back (2026-07-28 basic/patterns/mrtr); None where it does not."""
    if len(raw) > ERROR_PROBE_LIMIT or b'"input_required"' not in raw:
        return None
    try:
        asked = _with_question(raw).result
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    if asked is None or asked.kind != "input_required":
        return None
    return Question(_key(asked.state), _names(asked.requests))


def error_code_of(raw: bytes) -> int | None:
    """The code of an error reply."""
    try:
        error = _with_error(raw).error
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    return error.code if error else None


def call_mark(raw: bytes) -> bytes | None:
    """The same for two requests that ask for the same: their parameters, but for `_meta` and for
    what a retry brings. None where they cannot be read."""
    try:
        params = _with_members(raw).params
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    mark = blake2b(digest_size=16)
    for name in sorted(params.keys() - _NOT_THE_CALL):
        for part in (name.encode("utf-8", "backslashreplace"), _canonical(params[name])):
            mark.update(b"%d:" % len(part) + part)
    return mark.digest()


def _canonical(text: msgspec.Raw) -> bytes:
    """One text for the same value, whatever its spaces and the order of its members."""
    try:
        return msgspec.json.encode(msgspec.json.decode(text), order="sorted")
    except (msgspec.DecodeError, RecursionError, ValueError, OverflowError):
        return bytes(text)


def _names(text: msgspec.Raw) -> frozenset[str] | None:
    """The keys of an object; None where it is absent, or none. Megabytes of them as a digest."""
    try:
        names = frozenset(_members(text)) if bytes(text) else None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    if names is None or sum(map(len, names)) <= NAMES_LENGTH:
        return names
    return frozenset({str(key_of(msgspec.json.encode(sorted(names)).decode()))})


def _params(raw: bytes) -> _Params | None:
    if len(raw) > PROBE_LIMIT:
        return None
    try:
        return _with_params(raw).params
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
