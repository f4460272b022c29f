"""A recording in which everything that has room for a text has every hostile one, and then more."""

import json
from pathlib import Path
from typing import Any, Final

from inspector.journal.entries import Direction, HttpFacts, SseFacts
from inspector.journal.recording import RecordingFile
from tests.hostile import commands_server as server
from tests.journal.conversation import Conversation
from tests.servers.hostile_texts import NONCE, TEXTS

TRAPS: Final = {
    "substitution": "$(touch ran)",
    "backticks": "`touch ran`",
    "quotes": "'; touch ran #",
    "double quotes": '"; touch ran #',
    "command": "\n touch ran\n",
    "triple": '"""\nopen("ran", "w")\n"""',
    "triple, single": "'''\nopen('ran', 'w')\n'''",
    "backslash": "\\'; touch ran #\\",
    "option": "-oran",
    "file": "@/etc/passwd",
    "braces": "{open('ran','w')}",
    "variable": "$UNSET_VARIABLE ${UNSET_OTHER:?x}",
    "history": "!touch",
    "script": "<script>alert(1)</script>",
    "handler": "\"><img src=x onerror=alert(1)>'",
    "comment": "--><b>x</b><!--",
    "cdata": "]]><evil/>",
    "fence": "````\n# out\n```\n<b>x</b>",
    "table": "a\\|b|c\\\\|![x](http://h/i.png)|",
    "details": "</details></summary><h1>out</h1>",
    "mention": "@everybody #1 https://h.example/x www.h.example",
    "diagram": 'end\n  C->>S: forged; %%{init: {}}%% #35; <br>\n  click C href "javascript:x"',
}
"""What the languages of the exports would read as something else than text."""


def every() -> dict[str, str]:
    return {**TEXTS, **{name: NONCE + text for name, text in TRAPS.items()}}


def message(facts: Any) -> bytes:
    return json.dumps(facts, ensure_ascii=False).encode("utf-8", "surrogatepass")


def escaped(facts: Any) -> bytes:
    return json.dumps(facts).encode()


def record(path: Path, *, other: str = "") -> None:
    """Writes it. `other` stands in what the server says, so that two recordings differ."""
    talk = Conversation(file=RecordingFile.create(path))
    journal = talk.journal
    everything = " ¦ ".join(every().values())
    _stdio(talk, everything, other)
    for number, text in enumerate(every().values(), 1000):
        _one(talk, number, text, other)
        _http(talk, number, text)
    talk.sent(b"@/etc/passwd")
    journal.note(1, f"note:{everything}")
    journal.close()


def _stdio(talk: Conversation, everything: str, other: str) -> None:
    journal = talk.journal
    talk.connection = journal.begin_connection(
        {
            "transport": "stdio",
            "command": ["./server", *every().values()],
            "cwd": everything.replace("\0", ""),
            "env": [*every().values()],
        }
    )
    opening = {"protocolVersion": everything, "capabilities": {}, "clientInfo": {"name": "x"}}
    talk.sent(escaped({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": opening}))
    answer = server.result("initialize", {"protocolVersion": f"{everything}{other}"}, "")
    talk.received(escaped({"jsonrpc": "2.0", "id": 1, "result": answer}))
    lists = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")
    for number, method in enumerate(lists, 2):
        talk.sent(escaped({"jsonrpc": "2.0", "id": number, "method": method}))
        found = server.result(method, {}, "")
        (key,) = found
        found[key] = [
            {**item, "description": f"{item.get('description', '')}{other}"}
            for item in found[key]
            if isinstance(item, dict)
        ]
        if method == "tools/list":
            found[key] += [
                {"name": name, "inputSchema": {"type": "object"}} for name in TRAPS.values()
            ]
        talk.received(escaped({"jsonrpc": "2.0", "id": number, "result": found}))


def _one(talk: Conversation, number: int, text: str, other: str) -> None:
    """The text as a method, a name, an id, an event, junk, a line of stderr."""
    call = {"name": text, "arguments": {text: text}}
    talk.sent(escaped({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call}))
    said = {"content": [{"type": "text", "text": f"{text}{other}"}], "isError": bool(number % 2)}
    talk.received(message({"jsonrpc": "2.0", "id": number, "result": said}))
    talk.sent(escaped({"jsonrpc": "2.0", "id": text, "method": text, "params": {"uri": text}}))
    failed = {"code": -1, "message": text, "data": text}
    talk.received(message({"jsonrpc": "2.0", "id": text, "error": failed}))
    talk.received(escaped({"jsonrpc": "2.0", "method": text, "params": {"x": text}}))
    talk.received(text.encode("utf-8", "surrogatepass") + b"\xff")
    talk.received(text.encode("utf-8", "replace"))
    talk.journal.stderr(text.encode("utf-8", "surrogatepass"), connection=talk.connection)
    talk.journal.event(text, {"why": text}, connection=talk.connection)


def _http(talk: Conversation, number: int, text: str) -> None:
    """The text wherever an exchange over HTTP has one."""
    journal = talk.journal
    talk.connection = journal.begin_connection({"transport": "http", "url": text})
    call = {"name": text, "arguments": {}}
    line = escaped({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call})
    sent = talk.sent(line)
    facts = HttpFacts(
        "POST" if number % 2 else text,
        text,
        request_headers=((text, text), ("X-Plain", text), ("Authorization", text)),
        status=200,
        reason=text,
        response_headers=(("Content-Type", text), (text, text)),
        error=text,
        body=text.encode("utf-8", "surrogatepass"),
        http_version=text,
    )
    http = journal.http(facts, connection=talk.connection, frame=sent)
    journal.frame(
        Direction.RECEIVED,
        message({"jsonrpc": "2.0", "id": number, "result": {"x": text}}),
        connection=talk.connection,
        http=http,
        event=SseFacts(text, 5, text),
    )
