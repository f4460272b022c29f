"""One JSON document for programs: an object with the entries as an array, in order.

    {"format": "mcp-inspect/export", "version": 1, "entries": [
      {"n": 3, "at": "2026-…Z", "seconds": 0.03, "kind": "request", "direction": "out",
       "connection": 1, "method": "initialize", "partner": 4, "frame": {…}}, …],
     "redacted": 0}

`seconds` count from the first entry of the recording; `partner` is the number of the answer (of the
request), `latencyMs` stands on answers, `http` is the entry of the HTTP exchange that carried a
message. What is JSON stands in `frame` (`facts` where it is no message) token for token, so 1.10
and integers of any length are as they were sent; characters that a terminal would act on are `\\u`
escapes. What is not JSON is in `text`, what is not even UTF-8 in `base64`. Pure.
"""

import base64
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from inspector.export.source import Source, form_in
from inspector.journal.columns import Form
from inspector.journal.entries import Entry, Flag
from inspector.journal.lines import DIRECTION_WORDS, KIND_WORDS
from inspector.protocol.json_text import NotJsonError, parse_json
from inspector.render.safe import json_safe

VERSION: Final = 1


def export(source: Source) -> Iterator[bytes]:
    """The document in pieces."""
    head: dict[str, object] = {"format": "mcp-inspect/export", "version": VERSION}
    if source.wanted:
        head["filter"] = source.wanted
    head["of"] = len(source.journal)
    yield json.dumps(head)[:-1].encode() + b', "entries": ['
    began = source.journal.columns.monotonic[1] if len(source.journal) else 0.0
    between = b"\n"
    for number in source.each():
        yield between + item(source, source.entry(number), began)
        between = b",\n"
    yield b'\n], "redacted": %d}\n' % source.redaction.replaced


def item(source: Source, entry: Entry, began: float) -> bytes:
    """One entry as a JSON object on one line."""
    row, body = entry.row, entry.body
    facts: dict[str, object] = {
        "n": row.number,
        "at": timestamp(row.wall),
        "seconds": round(row.monotonic - began, 6),
        "kind": KIND_WORDS[row.kind],
        "direction": DIRECTION_WORDS[row.direction],
        "connection": row.connection,
    }
    if row.method:
        facts["method"] = row.method
    if name := source.name(row.number) if row.kind.is_frame else "":
        facts["name"] = name
    for key, value in (("partner", row.partner), ("http", row.http), ("status", row.status)):
        if value is not None:
            facts[key] = value
    if row.latency is not None:
        facts["latencyMs"] = round(row.latency * 1000, 3)
    if row.flags:
        facts["flags"] = [str(flag.name).lower() for flag in Flag if flag & row.flags]
    form = form_in(body)
    if form is Form.BASE64:
        facts["base64"] = base64.b64encode(body).decode()
    elif form is Form.TEXT and not _stands(body):
        facts["text"] = body.decode("utf-8")
    else:
        label = b"frame" if row.kind.is_frame else b"facts"
        head = _written(facts)[:-1]
        return b'%b, "%b": %b}' % (head, label, json_safe(_on_one_line(body)))
    return _written(facts)


def timestamp(wall: float) -> str:
    """UTC to the millisecond."""
    moment = datetime.fromtimestamp(min(max(wall, 0.0), 253402300799.0), UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _written(facts: dict[str, object]) -> bytes:
    return json_safe(json.dumps(facts, ensure_ascii=False).encode("utf-8", "backslashreplace"))


def _stands(body: bytes) -> bool:
    """Whether what has no line of its own in a recording is JSON all the same: of several lines,
    or with half a character in it, which most readers take."""
    try:
        parse_json(body)
    except NotJsonError:
        return False
    return True


def _on_one_line(body: bytes) -> bytes:
    """Line breaks in JSON stand between tokens only."""
    return body.replace(b"\r", b" ").replace(b"\n", b" ")
