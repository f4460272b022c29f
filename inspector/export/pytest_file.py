"""A test file that sends the recorded calls again and compares what comes back.

Needs pytest and nothing else: requests go out exactly as they were recorded, so the file has a
small client of its own (`pytest_clients`). Decides which calls can be replayed: what a server
answers on its own authority, not what continues an earlier call or hangs on an id that the server
made up. How answers are compared is `replayed`. Pure.
"""

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from inspector.errors import UsageError
from inspector.export import replayed
from inspector.export.pytest_clients import HTTP, REPLY, STDIO
from inspector.export.sessions import Session, sessions
from inspector.export.source import Source
from inspector.journal.columns import positions
from inspector.journal.entries import Direction, Flag, Kind
from inspector.journal.facts import http_facts
from inspector.protocol.headers import is_sensitive
from inspector.protocol.json_text import Json, JsonObject, NotJsonError, parse_json

MOST: Final = 500
"""Tests in one file."""
LONG: Final = 64 * 1024
"""Bytes of an answer above which its fingerprint is compared."""
TIMEOUT: Final = 30
LISTS: Final = frozenset(
    {"tools/list", "prompts/list", "resources/list", "resources/templates/list"}
)
REPLAYED: Final = LISTS | {"tools/call", "prompts/get", "resources/read", "completion/complete"}
_NOT_TO_REPLAY: Final = Flag.CANCELLED | Flag.TIMED_OUT | Flag.PROBE | Flag.PENDING
_MASKED: Final = re.compile(rb"\[masked [0-9a-f]{4}\]|\[redacted\]")
_OWN_HEADERS: Final = frozenset(
    {
        *("host", "connection", "content-length", "accept-encoding", "transfer-encoding"),
        *("content-type", "accept", "user-agent", "mcp-session-id"),
    }
)


@dataclass(frozen=True, slots=True)
class Call:
    """One call that is replayed: request and answer as they may leave."""

    number: int
    connection: int
    method: str
    name: str
    line: str
    headers: tuple[tuple[str, str], ...]
    answer: JsonObject
    length: int


def export(source: Source) -> Iterator[bytes]:
    """The file. UsageError where there is nothing to replay."""
    calls = list(_calls(source))
    if not calls:
        raise UsageError(
            "no call in it can be replayed",
            hint="there must be an answered tools/call, prompts/get, resources/read or list",
            kind="nothing",
        )
    if len(calls) > MOST:
        source.told.append(f"the first {MOST} of {len(calls):,} calls became tests: use --filter")
        calls = calls[:MOST]
    known = {session.number: session for session in sessions(source)}
    used = sorted({call.connection for call in calls})
    over_http = {number: bool(known[number].url) for number in used if number in known}
    yield _head(calls, over_http).encode()
    yield inspect.getsource(replayed).partition("\nJson = ")[2].join(("\nJson = ", "\n")).encode()
    if not all(over_http.values()) or not over_http:
        yield STDIO.encode() + b"\n"
    if any(over_http.values()):
        yield HTTP.encode() + b"\n"
    yield REPLY.encode()
    for number in used:
        yield _fixture(source, number, known.get(number)).encode()
    unsteady = _unsteady(calls)
    names: dict[str, int] = {}
    for call in calls:
        yield _test(call, call.number in unsteady, names).encode()


def _calls(source: Source) -> Iterator[Call]:
    columns = source.journal.columns
    for number in source.each():
        row = source.row(number)
        if row.kind is not Kind.REQUEST or row.direction is not Direction.SENT:
            continue
        if row.method not in REPLAYED or row.flags & _NOT_TO_REPLAY or not row.partner:
            continue
        if columns.kinds[row.partner] not in (Kind.RESULT, Kind.ERROR):
            continue
        if source.exchanges.leg(number) is not None:
            continue  # goes on with an earlier call: only the server knows with what
        body, reply = source.body(number), source.body(row.partner)
        asked, answer = _object(body), _object(reply)
        params = asked.get("params")
        if isinstance(params, dict) and ("task" in params or "cursor" in params):
            continue
        headers = _headers(source, row.http) if row.http else ()
        line = body.decode("utf-8", "replace").replace("\r", " ").replace("\n", " ")
        yield Call(
            number, row.connection, row.method, source.name(number), line, headers, answer,
            len(reply),
        )  # fmt: skip


def _headers(source: Source, http: int) -> tuple[tuple[str, str], ...]:
    facts = http_facts(source.body(http))
    return tuple(
        (name, value)
        for name, value in facts.request_headers
        if name.lower() not in _OWN_HEADERS and not is_sensitive(name) and "[masked " not in value
    )


def _unsteady(calls: list[Call]) -> set[int]:
    """The calls whose like had another answer in the same recording."""
    first: dict[str, tuple[int, str]] = {}
    found: set[int] = set()
    for call in calls:
        asked = _object(call.line.encode())
        key = json.dumps([call.method, asked.get("params")], sort_keys=True)
        seen = replayed.digest(call.answer.get("result"))
        number, before = first.setdefault(key, (call.number, seen))
        if before != seen:
            found |= {number, call.number}
    steady = {key: number for key, (number, _) in first.items()}
    for call in calls:  # all of a kind, once one differed
        asked = _object(call.line.encode())
        if steady[json.dumps([call.method, asked.get("params")], sort_keys=True)] in found:
            found.add(call.number)
    return found


def _head(calls: list[Call], over_http: Mapping[int, bool]) -> str:
    where = (
        "MCP_URL=http://… and MCP_TOKEN=… for a bearer token"
        if any(over_http.values())
        else "MCP_SERVER='python server.py'"
    )
    return f'''"""Replays {len(calls)} recorded calls against an MCP server, compares answers.

Written by mcp-inspect from a recording. Needs Python 3.10 or newer, and pytest:

    pip install pytest
    pytest THIS_FILE

Another server than the recorded one: {where}.
Times, UUIDs and the like are not compared; see `VOLATILE`.
"""

import contextlib
import hashlib
import json
import os
import queue
import re
import shlex
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest

TIMEOUT = {TIMEOUT}
'''


def _fixture(source: Source, number: int, session: Session | None) -> str:
    opening = list(_opening(source, number))
    answers = _answers(source, number)
    body: str
    if session is not None and session.url:
        lines = "".join(f"\n        ({x!a}, {list(h)!a})," for x, h in opening)
        legacy = session.transport == "sse"
        body = f"HttpServer(\n        {session.url!a},\n        [{lines}\n        ],"
        body += f"\n        {answers!a},\n        legacy={legacy},\n    )"
    else:
        lines = "".join(f"\n        {line!a}," for line, _ in opening)
        command = list(session.command) if session is not None else []
        cwd = session.cwd if session is not None else ""
        body = f"StdioServer(\n        {command!a},\n        {cwd!a},"
        body += f"\n        [{lines}\n        ],\n        {answers!a},\n    )"
    return f'''

@pytest.fixture(scope="module")
def server_{number}():
    """The server of connection {number}, opened as it was."""
    server = {body}
    yield server
    server.close()
'''


def _opening(source: Source, connection: int) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    """The handshake of a connection, none in the modern era."""
    columns = source.journal.columns
    for method in ("initialize", "notifications/initialized"):
        known = columns.known.get(method)
        found = positions(columns.method_ids, known, 1, columns.count + 1) if known else []
        sent = [
            n for n in found
            if columns.connections[n] == connection and columns.directions[n] == Direction.SENT
            and (method != "initialize" or _answered(source, n))
        ]  # fmt: skip
        if not sent:
            return
        http = source.row(sent[-1]).http
        line = source.body(sent[-1]).decode("utf-8", "replace")
        yield line, _headers(source, http) if http else ()


def _answered(source: Source, number: int) -> bool:
    partner = source.row(number).partner
    return partner is not None and source.journal.kinds[partner] == Kind.RESULT


def _answers(source: Source, connection: int) -> dict[str, list[str]]:
    """What we answered to the server's requests, by method."""
    columns = source.journal.columns
    found: dict[str, list[str]] = {}
    for method in ("sampling/createMessage", "elicitation/create", "roots/list", "ping"):
        known = columns.known.get(method)
        for number in positions(columns.method_ids, known, 1, columns.count + 1) if known else ():
            row = source.row(number)
            mine = row.connection == connection and row.direction is Direction.RECEIVED
            if mine and row.kind is Kind.REQUEST and row.partner:
                found.setdefault(method, []).append(
                    source.body(row.partner).decode("utf-8", "replace")
                )
    return found


def _test(call: Call, unsteady: bool, names: dict[str, int]) -> str:
    name = _sentence(call)
    names[name] = names.get(name, 0) + 1
    if names[name] > 1:
        name += f"_time_{names[name]}"
    result = call.answer.get("result")
    recorded: JsonObject
    fingerprint = ""
    if "error" in call.answer:
        recorded = {"error": call.answer["error"]}
    else:
        failed = isinstance(result, dict) and result.get("isError") is True
        recorded = {"failed": True} if failed else {}
        if call.length > LONG and not unsteady:
            fingerprint = replayed.digest(result)
        elif isinstance(result, dict) and result.get("resultType") == "input_required":
            unsteady, recorded["result"] = True, result
        else:
            recorded["result"] = result
    more = ", shape_only=True" if unsteady else ""
    more += f", fingerprint={fingerprint!r}" if fingerprint else ""
    skip = ""
    if _MASKED.search(call.line.encode("utf-8", "replace")):
        skip = '@pytest.mark.skip(reason="its secrets are masked: fill them in")\n'
    headers = f", {list(call.headers)!a}" if call.headers else ""
    return f'''

{skip}def {name}(server_{call.connection}):
    """Entry {call.number} of the recording."""
    answer = server_{call.connection}.request(
        {call.line!a}{headers}
    )
    check(answer, {_dumped(recorded)!a}{more})
'''


def _sentence(call: Call) -> str:
    what = re.sub(r"[^a-z0-9]+", "_", call.name.lower().encode("ascii", "ignore").decode())
    what = what.strip("_")[:60] or "it"
    if call.method in LISTS:
        return f"test_{call.method.replace('/', '_')}_is_as_it_was"
    doing = {
        "tools/call": "calling",
        "prompts/get": "getting",
        "resources/read": "reading",
        "completion/complete": "completing",
    }[call.method]
    result = call.answer.get("result")
    if "error" in call.answer:
        return f"test_{doing}_{what}_is_refused_as_before"
    if isinstance(result, dict) and result.get("isError") is True:
        return f"test_{doing}_{what}_fails_as_before"
    return f"test_{doing}_{what}_answers_as_before"


def _object(raw: bytes) -> JsonObject:
    try:
        value: Json = parse_json(raw)
    except NotJsonError:
        return {}
    return value if isinstance(value, dict) else {}


def _dumped(value: JsonObject) -> str:
    try:
        return msgspec.json.encode(value).decode()
    except (ValueError, OverflowError, UnicodeEncodeError):
        return json.dumps(value)
