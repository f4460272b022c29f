"""The requests as a shell script: curl for HTTP, a pipeline into the program for stdio.

Runs as printed. What is masked becomes a variable that the script asks for; the id of a session is
taken from the answer to `initialize`. Listening streams never end and are written as comments, and
so is what cannot be sent again because its body was never recorded. Pure.
"""

import re
from collections.abc import Iterator
from typing import Final

from inspector.export.sessions import Session, sessions
from inspector.export.source import Source
from inspector.journal.columns import Columns
from inspector.journal.entries import Direction, HttpFacts, Kind, Row
from inspector.journal.facts import http_facts
from inspector.protocol.headers import SESSION_ID
from inspector.protocol.messages import read_envelope
from inspector.render.commands import quote
from inspector.render.safe import json_safe

_MASKED: Final = re.compile(r"\[masked [0-9a-f]{4}\]|\[redacted\]")
_OUR_OWN: Final = frozenset(
    {"host", "connection", "content-length", "accept-encoding", "transfer-encoding"}
)
"""Headers that curl makes itself."""
_SESSION: Final = SESSION_ID.lower()
_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""A method, or the name of a header (RFC 9110 section 5.6.2)."""
_ADDRESS: Final = re.compile(r"https?://[^/?#\s]", re.IGNORECASE)
WAIT: Final = "${WAIT:-2}"
"""Seconds that a stdio server gets before its input ends."""


def export(source: Source) -> Iterator[bytes]:
    """The script."""
    columns = source.journal.columns
    source.want(
        lambda number: _is_sent(columns, number),
        "nothing in it was sent, so that a script has nothing to send again",
    )
    writer = _Script(source)
    for piece in writer.lines():
        yield piece.encode("utf-8", "backslashreplace") + b"\n"


def _is_sent(columns: Columns, number: int) -> bool:
    """Whether an entry is an HTTP exchange, or a message that went out on a pipe."""
    kind = Kind(columns.kinds[number])
    out = columns.directions[number] == Direction.SENT and not columns.http[number]
    return kind is Kind.HTTP or (kind.is_frame and out)


class _Script:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._asked: set[str] = set()
        self._sessions = {session.number: session for session in sessions(source)}
        self._pipe = 0
        """The connection whose pipeline is open, 0 where none is."""

    def lines(self) -> Iterator[str]:
        """All of it, a command or a comment at a time."""
        yield "#!/bin/bash"
        yield "# Requests of a recording of mcp-inspect. What was masked has to be set first."
        yield "HEADERS=$(mktemp) && trap 'rm -f \"$HEADERS\"' EXIT"
        columns = self._source.journal.columns
        for number in self._source.each():
            if not _is_sent(columns, number):
                continue
            if Kind(columns.kinds[number]) is Kind.HTTP:
                yield from self._close()
                yield from self._http(self._source.row(number))
            else:
                yield from self._line(self._source.row(number))
        yield from self._close()

    # -- HTTP --

    def _http(self, row: Row) -> Iterator[str]:
        facts = http_facts(self._source.body(row.number))
        frame = row.partner if row.partner is not None and row.partner < row.number else None
        yield ""
        name = self._source.name(frame) if frame is not None else ""
        method = self._source.row(frame).method if frame is not None else ""
        words = " ".join(one for one in (method, name) if one)
        yield _comment(f"{row.number}: {facts.method} {words or facts.url}")
        body = self._source.body(frame) if frame is not None else None
        if facts.method not in ("GET", "HEAD", "DELETE", "OPTIONS") and body is None:
            yield "# not repeated: its body was not recorded"
            return
        listening = facts.method == "GET" and "event-stream" in _accepts(facts)
        if not _TOKEN.fullmatch(facts.method) or not _ADDRESS.match(facts.url):
            yield "# not repeated: no request can be made of its method and its URL"
            return
        opens = method == "initialize"
        parts, masked = self._command(facts, body, opens)
        for variable in masked:
            if variable not in self._asked:
                self._asked.add(variable)
                yield f': "${{{variable}:?was masked: set it}}"'
        command = " \\\n  ".join(parts)
        if listening:
            yield "# listens until it is ended:"
            yield "\n".join(f"# {line}" for line in command.splitlines())
            return
        yield command
        yield "echo"
        if opens:
            yield (
                "MCP_SESSION_ID=$(sed -n 's/^[Mm][Cc][Pp]-[Ss]ession-[Ii]d: *//p' \"$HEADERS\""
                " | tr -d '\\r')"
            )

    def _command(
        self, facts: HttpFacts, body: bytes | None, opens: bool
    ) -> tuple[list[str], list[str]]:
        """The parts of a command, and the variables in it that stand for what is masked. Whatever
        was recorded is the value of an option that takes it literally: a URL may begin with `-` or
        hold `[1-9]`, a body begin with `@`."""
        parts = ["curl -sS -N -g --proto =http,https" + (' -D "$HEADERS"' if opens else "")]
        masked = [variable for variable, text in (("URL", facts.url),) if _MASKED.search(text)]
        if facts.method != ("POST" if body is not None else "GET"):
            parts.append(f"-X {quote(facts.method)}")
        parts.append(f"--url {_worded(facts.url, 'URL')}")
        for name, value in facts.request_headers:
            low = name.lower()
            if low in _OUR_OWN or not _TOKEN.fullmatch(name):
                continue
            if low == _SESSION:
                parts.append(f'-H "{SESSION_ID}: $MCP_SESSION_ID"')
            else:
                parts.append(f"-H {_worded(f'{name}: {value}', _variable(name))}")
                masked += [_variable(name)] if _MASKED.search(value) else []
        if body is not None:
            line = _line(body)
            parts.append(f"--data-raw {_worded(line, 'SECRET')}")
            masked += ["SECRET"] if _MASKED.search(line) else []
        return parts, masked

    # -- stdio --

    def _line(self, row: Row) -> Iterator[str]:
        if self._pipe != row.connection:
            yield from self._close()
            self._pipe = row.connection
            session = self._sessions.get(row.connection)
            yield ""
            yield _comment(f"connection {row.connection}: {session.target if session else '?'}")
            yield "{"
        body = self._source.body(row.number)
        if _MASKED.search(body.decode("utf-8", "replace")):
            yield _comment(f"{row.number}: something in it is masked: fill it in")
        yield f"  printf '%s\\n' {quote(_line(body))}  # {row.number}"
        if read_envelope(body).method == "initialize":
            yield "  sleep 1"

    def _close(self) -> Iterator[str]:
        if not self._pipe:
            return
        session, self._pipe = self._sessions.get(self._pipe), 0
        yield f"  sleep {WAIT}"
        yield f"}} | {_program(session)}"


def _program(session: Session | None) -> str:
    if session is None or not session.command:
        return "cat  # the program is not known: put it here"
    words = " ".join(_worded(word, "SECRET") for word in session.command)
    if session.cwd:
        return f"(cd -- {quote(session.cwd)} && {words})"
    return words


def _accepts(facts: HttpFacts) -> str:
    return " ".join(value for name, value in facts.request_headers if name.lower() == "accept")


def _variable(name: str) -> str:
    """The variable for a masked header."""
    word = re.sub(r"[^A-Z0-9]+", "_", name.upper()).strip("_")
    return {"AUTHORIZATION": "TOKEN"}.get(word, word if word[:1].isalpha() else "SECRET")


def _worded(text: str, variable: str) -> str:
    """One word of a shell, with `$variable` in the place of what is masked."""
    pieces = _MASKED.split(text)
    if len(pieces) == 1:
        return quote(text)
    return f'"${{{variable}}}"'.join(quote(piece) if piece else "" for piece in pieces)


def _line(body: bytes) -> str:
    """A message on one line."""
    text = json_safe(body).decode("utf-8", "backslashreplace")
    return text.replace("\r", " ").replace("\n", " ")


def _comment(text: str) -> str:
    from inspector.render.safe import one_line

    return f"# {one_line(text, 160)}"
