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

Key = int | str
"""A request id or token as it stands in a table: long strings as a digest of bounded length."""


class _Task(msgspec.Struct, gc=False):
    id: str = msgspec.field(name="taskId", default="")


class _Meta(msgspec.Struct, gc=False):
    progress: int | str | None = msgspec.field(name="progressToken", default=None)
    related: _Task | None = msgspec.field(name="io.modelcontextprotocol/related-task", default=None)


class _Params(msgspec.Struct, gc=False):
    meta: _Meta | None = msgspec.field(name="_meta", default=None)
    progress: int | str | None = msgspec.field(name="progressToken", default=None)
    cancelled: int | str | None = msgspec.field(name="requestId", default=None)
    task: str | None = msgspec.field(name="taskId", default=None)
    state: str | None = msgspec.field(name="requestState", default=None)


class _WithParams(msgspec.Struct, gc=False):
    params: _Params | None = None


class _Result(msgspec.Struct, gc=False):
    task: _Task | None = None
    task_id: str | None = msgspec.field(name="taskId", default=None)
    state: str | None = msgspec.field(name="requestState", default=None)
    is_error: bool | None = msgspec.field(name="isError", default=None)


class _WithResult(msgspec.Struct, gc=False):
    result: _Result | None = None


class _ToolResult(msgspec.Struct, gc=False):
    is_error: bool | None = msgspec.field(name="isError", default=None)


class _WithToolResult(msgspec.Struct, gc=False):
    result: _ToolResult | None = None


class Ties(msgspec.Struct, frozen=True, gc=False):
    """What a request or notification refers to; None where it does not."""

    progress: Key | None = None
    cancelled: Key | None = None
    task: Key | None = None
    state: Key | None = None


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """What a result says of itself; None where it does not."""

    is_error: bool = False
    task: Key | None = None
    state: Key | None = None


NO_TIES: Final = Ties()
NO_OUTCOME: Final = Outcome()

_with_params: Final = msgspec.json.Decoder(_WithParams).decode
_with_result: Final = msgspec.json.Decoder(_WithResult).decode
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
    if progress is None and task is None and params.state is None:
        return NO_TIES
    return Ties(_key(progress), None, _key(task or None), _key(params.state))


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
    if result.is_error is None and not task and result.state is None:
        return NO_OUTCOME
    return Outcome(result.is_error is True, _key(task or None), _key(result.state))


def _params(raw: bytes) -> _Params | None:
    if len(raw) > PROBE_LIMIT:
        return None
    try:
        return _with_params(raw).params
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
