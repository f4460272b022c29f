"""A recording with one secret in many places, and an oracle that finds it in any spelling."""

import base64
import html
import re
from collections.abc import Iterable
from urllib.parse import quote, unquote_plus

from inspector.export.formats import format_named
from inspector.export.redaction import Redaction
from inspector.export.rules import parse_rules
from inspector.export.source import Source
from inspector.journal.entries import Direction, HttpFacts
from inspector.journal.journal import Journal

SECRET = "canary-4711/Zq&x"


def recording() -> Journal:
    """A session over HTTP whose every kind of entry tells the secret."""
    journal = Journal()
    number = journal.begin_connection({"name": "x", "command": ["srv", SECRET], "url": ""})
    url = f"http://127.0.0.1:9/mcp?pin={quote(SECRET, safe='')}"

    def call(raw: bytes, answer: bytes) -> None:
        sent = journal.frame(Direction.SENT, raw, connection=number)
        facts = HttpFacts(
            "POST", url, (("X-Pin", SECRET),), 200, "OK", (("X-Echo", SECRET),), body=b""
        )
        http = journal.http(facts, connection=number, frame=sent)
        journal.frame(Direction.RECEIVED, answer, connection=number, http=http)

    plain = SECRET.encode()
    escaped = "".join(f"\\u{ord(sign):04x}" for sign in SECRET).encode()
    inner = b'{\\"pin\\": \\"' + plain.replace(b"/", b"\\\\/") + b'\\"}'
    blob = base64.b64encode(b"before " + plain + b" after")
    call(
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":'
        b'{"name":"vault","arguments":{"pin":"%b"}}}' % plain,
        b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"%b"}]}}' % escaped,
    )
    call(
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":'
        b'{"name":"%b","arguments":{"n":1.10}}}' % plain,
        b'{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"%b"},'
        b'{"type":"image","mimeType":"x/y","data":"%b"}],"isError":true}}' % (inner, blob),
    )
    call(
        b'{"jsonrpc":"2.0","id":3,"method":"%b"}' % plain,
        b'{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no %b"}}' % plain,
    )
    journal.frame(Direction.RECEIVED, b"\xff\xfe " + plain, connection=number)
    journal.frame(Direction.RECEIVED, b"stray " + plain, connection=number)
    journal.stderr(b"starting with " + plain, connection=number)
    journal.event("exited", {"status": f"said {SECRET}"}, connection=number)
    journal.note(3, f"the pin was {SECRET}")
    return journal


def exported(journal: Journal, name: str, *rules: str, numbers: Iterable[int] = ()) -> bytes:
    """The journal in a format, under these rules."""
    chosen = tuple(numbers) or range(1, len(journal) + 1)
    source = Source(journal, chosen, Redaction(parse_rules(rules, {"PIN": SECRET})))
    return b"".join(format_named(name).write(source))


def tells(output: bytes, secret: str = SECRET) -> bool:
    """Whether the secret can be read out of `output` by undoing spellings."""
    seen: set[str] = set()
    waiting = [output.decode("utf-8", "replace")]
    while waiting and len(seen) < 200:
        text = waiting.pop()
        if text in seen:
            continue
        seen.add(text)
        if secret in text:
            return True
        waiting += [html.unescape(text), unquote_plus(text), text.replace("\\/", "/")]
        waiting.append(
            re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found.group(1), 16)), text)
        )
        waiting.append(text.replace("\\\\", "\\"))
        waiting.append(re.sub(r"#([0-9]{2,5});", lambda found: chr(int(found.group(1))), text))
    for run in re.findall(rb"[A-Za-z0-9+/_-]{8,}={0,2}", output):
        for shift in range(4):
            part = run[shift:].rstrip(b"=")
            part = part.replace(b"-", b"+").replace(b"_", b"/")
            decoded = base64.b64decode(
                part + b"=" * (-len(part) % 4) if len(part) % 4 != 1 else b""
            )
            if secret.encode() in decoded:
                return True
    return False
