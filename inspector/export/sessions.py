"""What each connection of a recording was: who was talked to, how, and in which revision.

Read from the few entries that tell it, redacted like everything else. Pure.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import msgspec

from inspector.export.source import Source
from inspector.journal.columns import positions
from inspector.journal.entries import Kind
from inspector.journal.facts import decode_facts
from inspector.protocol.json_text import Json, JsonObject

MOST: Final = 50
"""Connections that are told of."""
META_VERSION: Final = "io.modelcontextprotocol/protocolVersion"
META_SERVER: Final = "io.modelcontextprotocol/serverInfo"


@dataclass(frozen=True, slots=True)
class Session:
    """One connection. `began` is the entry that says so; texts are "" where nothing tells them."""

    number: int
    began: int
    command: tuple[str, ...]
    url: str
    cwd: str
    environment: tuple[str, ...]
    transport: str
    revision: str
    server: str

    @property
    def target(self) -> str:
        """What was connected to, in a line."""
        return self.url or " ".join(self.command)


def sessions(source: Source) -> list[Session]:
    """The connections, in order; the first `MOST` of them."""
    found: list[Session] = []
    for number in _entries(source, "connection", Kind.EVENT):
        facts = decode_facts(source.body(number))
        if "aside" in facts:
            continue
        connection = source.journal.columns.connections[number]
        revision, server = _opened(source, connection)
        found.append(
            Session(
                connection,
                number,
                _texts(facts.get("command")),
                _text(facts.get("url")),
                _text(facts.get("cwd")),
                _texts(facts.get("env")),
                _text(facts.get("transport")),
                revision,
                server,
            )
        )
        if len(found) >= MOST:
            break
    return found


def _opened(source: Source, connection: int) -> tuple[str, str]:
    """The revision and the server's name and version, as the answer that opened the session says.
    The latest answer holds: what came before it was refused."""
    revision = server = ""
    columns = source.journal.columns
    for method in ("initialize", "server/discover"):
        for number in _entries(source, method, Kind.RESULT):
            if columns.connections[number] != connection:
                continue
            result = _member(_decoded(source.body(number)), "result")
            version = _text(result.get("protocolVersion"))
            if not version and (asked := columns.partners[number]):
                params = _member(_decoded(source.body(asked)), "params")
                version = _text(_member(params, "_meta").get(META_VERSION))
            revision = version or revision
            info = _member(result, "serverInfo") or _member(_member(result, "_meta"), META_SERVER)
            words = [
                _text(info.get("title")) or _text(info.get("name")),
                _text(info.get("version")),
            ]
            server = " ".join(word for word in words if word) or server
    return revision, server


def _entries(source: Source, method: str, kind: Kind) -> Iterator[int]:
    columns = source.journal.columns
    known = columns.known.get(method)
    if known is None:
        return
    for number in positions(columns.method_ids, known, 1, columns.count + 1):
        if columns.kinds[number] == kind:
            yield number


def _decoded(body: bytes) -> JsonObject:
    try:
        value: Json = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return {}
    return value if isinstance(value, dict) else {}


def _member(value: JsonObject, name: str) -> JsonObject:
    inner = value.get(name)
    return inner if isinstance(inner, dict) else {}


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(x for x in value if isinstance(x, str)) if isinstance(value, list) else ()
