"""HTTP Archive 1.2, for browsers' network panels and HAR viewers.

An HTTP exchange is an entry; the message that it carried is its `postData`, the answer its content.
Messages of an event stream stand in `_eventSourceMessages`, with their times, as browsers keep
those of a socket in `_webSocketMessages`. Over stdio there is no HTTP: each request with its answer
becomes an entry all the same (`stdio://…`, status 200, or 500 for an error), so that the waterfall
of a viewer shows the session; `_transport` says "stdio". Of what is not measured (sizes of heads,
DNS, TLS) the archive says -1. stderr, events and notes have no place in it. Pure.
"""

import base64
import json
from array import array
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Final
from urllib.parse import parse_qsl, quote, urlsplit

from inspector.export.json_document import timestamp
from inspector.export.source import Source
from inspector.journal.entries import Direction, Flag, Kind, Row
from inspector.journal.facts import http_facts
from inspector.protocol.headers import EVENT_STREAM_TYPE, JSON_TYPE

TEXT_MOST: Final = 1024 * 1024
"""Bytes of an event stream that are also put together as the text of the content."""
_BLOCKED: Final = {"blocked": -1, "dns": -1, "connect": -1, "ssl": -1}

Facts = dict[str, object]


def export(source: Source) -> Iterator[bytes]:
    """The archive in pieces, an entry at a time."""
    kinds = source.journal.kinds
    source.want(
        lambda number: Kind(kinds[number]) is Kind.HTTP or Kind(kinds[number]).is_frame,
        "nothing in it is a message or an HTTP exchange, which is what a HAR has a place for",
    )
    program = {"name": "mcp-inspect", "version": version("mcp-inspect")}
    yield b'{"log": {"version": "1.2", "creator": %b, "entries": [' % _json(program)
    carried = _carried(source)
    between, left_out = b"\n", 0
    for number in source.each():
        row = source.row(number)
        if row.kind is Kind.HTTP:
            pieces = _http_entry(source, row, carried.of(number))
        elif row.kind.is_frame and not _told_elsewhere(row, source):
            pieces = _message_entry(source, row)
        else:
            left_out += not row.kind.is_frame
            continue
        yield between
        yield from pieces
        between = b",\n"
    yield b'\n], "_redacted": %d}}\n' % source.redaction.replaced
    if left_out:
        source.told.append(
            f"{left_out:,} lines of stderr, events and notes have no place in a HAR: left out"
        )


class _Carried:
    """Which messages each HTTP exchange carried: two columns, however long the recording is."""

    def __init__(self, first: "array[int]", frames: "array[int]") -> None:
        self._first = first
        self._frames = frames

    def of(self, http: int) -> Sequence[int]:
        """The numbers of the messages, ascending."""
        return self._frames[self._first[http] : self._first[http + 1]]


def _carried(source: Source) -> _Carried:
    columns = source.journal.columns
    count = columns.count
    first = array("I", bytes(4 * (count + 2)))
    owners = columns.http
    frames = [n for n in range(1, count + 1) if columns.kinds[n] <= Kind.MALFORMED and owners[n]]
    for number in frames:
        if owners[number] <= count:
            first[owners[number] + 1] += 1
    for number in range(1, count + 2):
        first[number] += first[number - 1]
    fill, ordered = array("I", first), array("I", bytes(4 * len(frames)))
    for number in frames:
        if (owner := owners[number]) <= count:
            ordered[fill[owner]] = number
            fill[owner] += 1
    return _Carried(first, ordered)


def _told_elsewhere(row: Row, source: Source) -> bool:
    """Whether another entry holds this message: its HTTP exchange, or its request."""
    if row.http is not None and row.http in source:
        return True
    outcome = row.kind in (Kind.RESULT, Kind.ERROR) and row.partner is not None
    return bool(outcome and row.partner and row.partner < row.number and row.partner in source)


def _http_entry(source: Source, row: Row, frames: Sequence[int]) -> Iterator[bytes]:
    columns = source.journal.columns
    facts = http_facts(source.body(row.number))
    sent = [n for n in frames if columns.directions[n] == Direction.SENT]
    received = [n for n in frames if columns.directions[n] == Direction.RECEIVED]
    begin = sent[0] if sent and sent[0] < row.number else row.number
    wait = max(0.0, (row.monotonic - columns.monotonic[begin]) * 1000)
    last = received[-1] if received else row.number
    receive = max(0.0, (columns.monotonic[last] - row.monotonic) * 1000)
    request: Facts = _request(facts.method, facts.url, facts.http_version, facts.request_headers)
    if sent:
        request |= _post_data(source.body(sent[0]), _header(facts.request_headers, "content-type"))
    kind = _header(facts.response_headers, "content-type").partition(";")[0].strip().lower()
    streamed = kind == EVENT_STREAM_TYPE or len(received) > 1
    head: Facts = {
        "startedDateTime": timestamp(columns.wall[begin]),
        "time": round(wait + receive, 3),
        "request": request,
        "response": {
            **_response(facts.status or 0, facts.reason, facts.http_version),
            "headers": _pairs(facts.response_headers),
            "redirectURL": _header(facts.response_headers, "location"),
            "content": _content(source, facts.body, received, kind, streamed),
            **({"_error": facts.error} if facts.error else {}),
        },
        "cache": {},
        "timings": {
            **_BLOCKED,
            "send": 0,
            "wait": round(wait, 3),
            "receive": round(receive, 3),
        },
        "_entry": row.number,
        "_transport": "http",
    }
    if not streamed:
        yield _json(head)
        return
    yield _json({**head, "_resourceType": "eventsource"})[:-1] + b', "_eventSourceMessages": ['
    for at, number in enumerate(received):
        message: Facts = {
            "time": round(columns.wall[number], 3),
            "eventName": "message",
            "data": _readable(source.body(number)),
            "_entry": number,
        }
        yield (b", " if at else b"") + _json(message)
    yield b"]}"


def _content(
    source: Source, body: bytes, received: Sequence[int], kind: str, streamed: bool
) -> Facts:
    if received and not streamed:
        body = source.body(received[0])
    elif received:
        whole, room = [], TEXT_MOST
        for number in received:
            whole.append(b"data: " + source.body(number) + b"\n\n")
            room -= len(whole[-1])
            if room < 0:
                return {
                    "size": -1,
                    "mimeType": kind,
                    "comment": "longer than a HAR viewer likes: see _eventSourceMessages",
                }
        body = b"".join(whole)
    content: Facts = {"size": len(body), "mimeType": kind or "x-unknown", **_text(body)}
    if streamed and received:
        content["comment"] = "put together from the messages of the stream"
    return content


def _message_entry(source: Source, row: Row) -> Iterator[bytes]:
    """A message without HTTP, with its answer where that is chosen too."""
    body = source.body(row.number)
    partner = row.partner if row.kind is Kind.REQUEST else None
    answer = partner if partner is not None and partner in source else None
    outcome = source.row(answer) if answer is not None else None
    failed = outcome is not None and bool(outcome.flags & Flag.IS_ERROR)
    status = 0 if outcome is None else (500 if failed else 200)
    reply = source.body(answer) if answer is not None else b""
    took = 0.0 if outcome is None else max(0.0, (outcome.monotonic - row.monotonic) * 1000)
    words = "" if outcome is None else outcome.kind.name.lower()
    sent = row.direction is Direction.SENT
    path = "/".join(
        quote(part, safe="") for part in (row.method or "message", source.name(row.number)) if part
    )
    yield _json(
        {
            "startedDateTime": timestamp(row.wall),
            "time": round(took, 3),
            "request": {
                **_request("POST", f"stdio://{'server' if sent else 'client'}/{path}", "", ()),
                **_post_data(body, JSON_TYPE),
            },
            "response": {
                **_response(status, words, ""),
                "headers": [],
                "redirectURL": "",
                "content": {"size": len(reply), "mimeType": JSON_TYPE, **_text(reply)},
            },
            "cache": {},
            "timings": {**_BLOCKED, "send": 0, "wait": round(took, 3), "receive": 0},
            "_entry": row.number,
            "_transport": "stdio",
            "comment": "no HTTP: a message, and what answered it",
        }
    )


def _request(method: str, url: str, http_version: str, headers: Sequence[tuple[str, str]]) -> Facts:
    return {
        "method": method or "GET",
        "url": url,
        "httpVersion": http_version or "unknown",
        "cookies": [],
        "headers": _pairs(headers),
        "queryString": _query(url),
        "headersSize": -1,
        "bodySize": 0,
    }


def _response(status: int, reason: str, http_version: str) -> Facts:
    return {
        "status": status,
        "statusText": reason,
        "httpVersion": http_version or "unknown",
        "cookies": [],
        "headersSize": -1,
        "bodySize": -1,
    }


def _post_data(body: bytes, kind: str) -> Facts:
    data: Facts = {"mimeType": kind or JSON_TYPE, "text": _readable(body)}
    text = _text(body)
    if "encoding" in text:
        data |= {"text": text["text"], "_encoding": "base64"}
    return {"bodySize": len(body), "postData": data}


def _text(body: bytes) -> Facts:
    try:
        return {"text": body.decode("utf-8")} if body else {}
    except UnicodeDecodeError:
        return {"text": base64.b64encode(body).decode(), "encoding": "base64"}


def _readable(body: bytes) -> str:
    return body.decode("utf-8", "backslashreplace")


def _query(url: str) -> list[Facts]:
    try:
        pairs = parse_qsl(urlsplit(url).query, keep_blank_values=True)
    except ValueError:
        return []
    return [{"name": name, "value": value} for name, value in pairs]


def _pairs(headers: Sequence[tuple[str, str]]) -> list[Facts]:
    return [{"name": name, "value": value} for name, value in headers]


def _header(headers: Sequence[tuple[str, str]], wanted: str) -> str:
    return next((value for name, value in headers if name.lower() == wanted), "")


def _json(facts: Facts | dict[str, str]) -> bytes:
    """ASCII, so that no character means anything to a terminal."""
    return json.dumps(facts).encode().replace(b"\x7f", b"\\u007f")
