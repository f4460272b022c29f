"""The gist of an entry in a few words, and its id: from a bounded piece of its body.

For lists and summaries, which call it for the entries that they show. Returns raw text: whoever
draws it makes it safe. Pure.
"""

import json
from typing import TYPE_CHECKING, Final

from inspector.journal.entries import Kind, Row
from inspector.journal.facts import stderr_line
from inspector.protocol.messages import Json, read_envelope

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

READ_LIMIT: Final = 16 * 1024
"""Bodies longer than this get no gist from inside."""
TEXT_LIMIT: Final = 600


def id_text(journal: "Journal", row: Row) -> str:
    """The id of a request or response as it stands on the wire ("" where there is none)."""
    if row.kind not in (Kind.REQUEST, Kind.RESULT, Kind.ERROR):
        return ""
    if row.size > READ_LIMIT and row.partner is not None:
        row = journal.row(row.partner)
    if row.size > READ_LIMIT:
        return ""
    return read_envelope(journal.body(row.number)).id_text


def gist(journal: "Journal", row: Row) -> str:
    """A few words on what the entry says ("" where nothing short can be said)."""
    match row.kind:
        case Kind.STDERR:
            line = stderr_line(journal.body(row.number))
            return line[:TEXT_LIMIT].decode("utf-8", "backslashreplace").strip()
        case Kind.MALFORMED | Kind.BATCH:
            return journal.body(row.number, TEXT_LIMIT).decode("utf-8", "backslashreplace").strip()
        case Kind.ERROR:
            error = _member(_facts(journal, row), "error")
            return f"{_text(error, 'code')} {_text(error, 'message')}".strip()
        case Kind.NOTIFICATION:
            return _notification(row.method, _member(_facts(journal, row), "params"))
        case Kind.HTTP:
            facts = _facts(journal, row)
            return " ".join(
                part for key in ("reason", "url", "error") if (part := _text(facts, key))
            )
        case Kind.NOTE:
            return _text(_facts(journal, row), "text")
        case Kind.EVENT:
            return _pairs(_facts(journal, row))
        case _:
            return ""


def _facts(journal: "Journal", row: Row) -> Json:
    if row.size > READ_LIMIT:
        return None
    try:
        facts: Json = json.loads(journal.body(row.number))
    except (ValueError, RecursionError):
        return None
    return facts


def _member(value: Json, key: str) -> Json:
    return value.get(key) if isinstance(value, dict) else None


def _text(value: Json, key: str) -> str:
    found = _member(value, key)
    if isinstance(found, str):
        return found[:TEXT_LIMIT]
    return "" if found is None else json.dumps(found)[:TEXT_LIMIT]


def _notification(method: str, params: Json) -> str:
    match method:
        case "notifications/progress":
            total = _text(params, "total")
            counted = _text(params, "progress") + (f"/{total}" if total else "")
            return f"{counted} {_text(params, 'message')}".strip()
        case "notifications/message":
            logger = _text(params, "logger")
            words = (_text(params, "level"), f"[{logger}]" if logger else "", _text(params, "data"))
            return " ".join(word for word in words if word)
        case "notifications/cancelled":
            return f"id {_text(params, 'requestId')} {_text(params, 'reason')}".strip()
        case "notifications/resources/updated":
            return _text(params, "uri")
        case "notifications/tasks/status":
            return f"{_text(params, 'taskId')} {_text(params, 'status')}".strip()
        case _:
            return ""


def _pairs(facts: Json) -> str:
    if not isinstance(facts, dict):
        return ""
    if stage := _text(facts, "stage"):  # of an authorization
        said = _text(facts, "words") or _text(facts, "url")
        return f"{stage} {_text(facts, 'state')}" + (f": {said}" if said else "")
    shown = {key: _text(facts, key) for key in facts if key != "event"}
    return "  ".join(f"{key} {words}" for key, words in shown.items() if words)
