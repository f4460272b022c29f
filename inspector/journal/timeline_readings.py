"""What a timeline reads out of bodies: parameters, results, cursors, tasks, questions, list items.

Reading never raises: a body that is not as it should be reads as empty, or as None. Which bodies
are worth reading is decided by `inspector.journal.timeline_steps`. Pure.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from inspector.journal.journal import Journal
from inspector.journal.timeline_values import ListAt, ProgressAt
from inspector.protocol.json_text import (
    NotJsonError,
    parse_json,
    read_string,
    scan_items,
    scan_members,
)
from inspector.protocol.messages import (
    Json,
    JsonObject,
    RequestId,
    raw_items,
    raw_members,
    read_envelope,
)
from inspector.protocol.numbers import measured

META_CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"
META_LOG_LEVEL: Final = "io.modelcontextprotocol/logLevel"
META_SUBSCRIPTION: Final = "io.modelcontextprotocol/subscriptionId"
META_SERVER: Final = "io.modelcontextprotocol/serverInfo"
META_VERSION: Final = "io.modelcontextprotocol/protocolVersion"


class _Result(msgspec.Struct, gc=False):
    kind: object = msgspec.field(name="resultType", default=None)
    task: object = None


class _Answer(msgspec.Struct, gc=False):
    result: _Result | None = None


_answer: Final = msgspec.json.Decoder(_Answer).decode


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list: the exact text of its cursor (None: the last page), and what is wrong
    with it ("" if nothing)."""

    cursor: bytes | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Described:
    """A description of a task, and the questions in it: key and method."""

    id: str
    status: str
    message: str
    asked: tuple[tuple[str, str], ...]


def parsed(raw: bytes) -> Json:
    """The value in `raw`, None where there is none."""
    try:
        return parse_json(raw)
    except NotJsonError:
        return None


def member(body: bytes, name: str) -> JsonObject:
    """The object that is member `name` of the message in `body`; empty where there is none."""
    value = parsed(body)
    return obj(value.get(name)) if isinstance(value, dict) else {}


def obj(value: Json) -> JsonObject:
    """`value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def text(value: Json) -> str:
    """`value` if it is a string, else ""."""
    return value if isinstance(value, str) else ""


def code_of(error: JsonObject) -> int | None:
    """The code of an error."""
    code = error.get("code")
    return code if isinstance(code, int) and not isinstance(code, bool) else None


def cursor_asked(body: bytes) -> bytes | None:
    """The exact text of the cursor that a list request brings; None for the first page."""
    cursor = raw_members(raw_members(body).get("params", b"")).get("cursor")
    return None if cursor == b"null" else cursor


def page_of(kind: str, body: bytes, *, modern: bool) -> Page:
    """The page of a list in an answer."""
    result = raw_members(raw_members(body).get("result", b""))
    items = result.get(kind, b"")
    if not items.lstrip().startswith(b"["):
        return Page(problem=f"the answer has no list {kind!r}")
    cursor = result.get("nextCursor")
    if cursor == b"null" or (cursor == b'""' and not modern):
        cursor = None
    return Page(cursor)


def salvaged_page(kind: str, body: bytes) -> Page:
    """The page in an answer that is no message, where one can be made out."""
    result = scan_members(scan_members(body).get("result", b""))
    if not result.get(kind, b"").lstrip().startswith(b"["):
        return Page(problem="the answer cannot be read")
    cursor = result.get("nextCursor")
    if cursor in (b"null", b'""') or (cursor and read_string(cursor) is None):
        cursor = None
    return Page(cursor)


def items_of(journal: Journal, listed: ListAt) -> tuple[tuple[Json, bytes], ...]:
    """The items of a list, each with its exact text; None for one that cannot be read."""
    found: list[tuple[Json, bytes]] = []
    for entry in listed.pages:
        body = journal.body(entry)
        result = raw_members(raw_members(body).get("result", b""))
        texts = raw_items(result.get(listed.kind, b""))
        if not result:
            result = scan_members(scan_members(body).get("result", b""))
            texts = scan_items(result.get(listed.kind, b""))
        found.extend((parsed(one), one) for one in texts)
    return tuple(found)


def id_of_message(body: bytes) -> RequestId | None:
    """The id of a message, None for one that has none."""
    return read_envelope(body).id


def id_of(journal: Journal, number: int) -> RequestId | None:
    """The id of a request, None for an entry that has none."""
    return id_of_message(journal.body(number))


def progress_said(journal: Journal, progress: ProgressAt) -> tuple[float | None, float | None, str]:
    """Value, total and message of a progress report."""
    params = member(journal.body(progress.entry), "params")
    value, total = (measured(params.get(name)) for name in ("progress", "total"))
    return value, total, text(params.get("message"))


def asks_or_goes_on(body: bytes) -> str:
    """Whether the result in `body` is a question ("input_required") or makes a task ("task");
    "" for one that is complete. Only these members are read."""
    try:
        result = _answer(body).result
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return ""
    if result is None:
        return ""
    if result.kind in ("input_required", "task"):
        return str(result.kind)
    return "task" if isinstance(result.task, dict) else ""


def described(value: Json) -> Described | None:
    """The task that `value` describes; None where it describes none."""
    if not isinstance(value, dict):
        return None
    task_id, status = value.get("taskId"), value.get("status")
    if not isinstance(task_id, str) or not isinstance(status, str):
        return None
    asked = questions(value.get("inputRequests")) if status == "input_required" else ()
    return Described(task_id, status, text(value.get("statusMessage")), asked)


def questions(requests: Json) -> tuple[tuple[str, str], ...]:
    """The questions in `inputRequests`: key and method."""
    if not isinstance(requests, Mapping):
        return ()
    return tuple((key, text(obj(one).get("method"))) for key, one in requests.items())


def roots_in(result: Json) -> tuple[JsonObject, ...] | None:
    """The roots in an answer to `roots/list`; None where it is none."""
    roots = obj(result).get("roots")
    if not isinstance(roots, list):
        return None
    return tuple(root for root in roots if isinstance(root, dict))


def supported(data: Json) -> list[str]:
    """The revisions that a version error, or a DiscoverResult, names."""
    named = obj(data).get("supported", obj(data).get("supportedVersions"))
    return [one for one in named if isinstance(one, str)] if isinstance(named, list) else []
