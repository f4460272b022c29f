"""Readers of what peers send: messages, streams, headers, schemas, content, OAuth documents."""

from pathlib import Path
from typing import Any, Final

from inspector.auth.challenge import parse_challenges
from inspector.auth.exchange import read_object
from inspector.auth.metadata import read_authorization_server, read_protected_resource
from inspector.auth.policy import judge_address, judge_url, match_resource, perimeter
from inspector.auth.registration import read_registration
from inspector.auth.tokens import facts as token_facts
from inspector.auth.tokens import read_tokens
from inspector.errors import PeerViolation, UsageError
from inspector.forms.cli_args import read_arguments, write_arguments
from inspector.forms.tree import build_form
from inspector.forms.uri_template import expanded, template_parts
from inspector.forms.values import FormState
from inspector.journal.facts import decode_facts, http_facts
from inspector.journal.redact import Redactor
from inspector.protocol.framing import LineFramer
from inspector.protocol.header_params import argument_headers, header_params
from inspector.protocol.headers import decode_header_value, media_type
from inspector.protocol.json_pointer import steps_of
from inspector.protocol.json_text import (
    NotJsonError,
    duplicate_keys,
    parse_json,
    read_string,
    scan_items,
    scan_members,
)
from inspector.protocol.messages import MessageKind, decode, raw_items, raw_members, read_envelope
from inspector.protocol.models import (
    read_content,
    read_contents,
    read_implementation,
    read_prompt,
    read_resource,
    read_root,
    read_task,
    read_template,
    read_tool,
)
from inspector.protocol.shape_check import ShapeChecker
from inspector.protocol.sse import SseParser
from inspector.protocol.versions import Revision
from inspector.render.audio import audio_facts
from inspector.render.content import message_blocks, resource_blocks, result_blocks
from inspector.render.jsonlines import JsonLines
from inspector.render.picture import picture_facts, small_picture
from tests.fuzz.readers import Reader, text

MESSAGES: Final[tuple[Any, ...]] = (
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
     "params": {"name": "add", "arguments": {"a": 1.10}, "_meta": {"progressToken": "t"}}},
    {"jsonrpc": "2.0", "id": "a", "result": {"content": [{"type": "text", "text": "x"}]}},
    {"jsonrpc": "2.0", "id": 3, "error": {"code": -32601, "message": "no", "data": [1]}},
    {"jsonrpc": "2.0", "method": "notifications/progress",
     "params": {"progressToken": 1, "progress": 0.5, "total": 1}},
    [{"jsonrpc": "2.0", "id": 5, "method": "ping"}, {"jsonrpc": "2.0", "method": "x"}],
    {"jsonrpc": "2.0", "id": 9, "result": {"tools": [{"name": "x", "inputSchema": {}}]}},
)  # fmt: skip
SCHEMA: Final[Any] = {
    "type": "object",
    "properties": {
        "a": {"type": "integer", "minimum": 0, "default": 1, "x-mcp-header": "A"},
        "b": {"anyOf": [{"type": "string", "pattern": "^a+$"}, {"$ref": "#/$defs/c"}]},
        "d": {"type": "array", "items": {"enum": ["x", 1, None]}, "prefixItems": [{"const": 2}]},
        "e": {"allOf": [{"properties": {"f": {"format": "uri"}}}], "oneOf": [{}, {"title": "g"}]},
    },
    "required": ["a"],
    "additionalProperties": {"type": ["string", "null"]},
    "$defs": {"c": {"type": "object", "properties": {"c": {"$ref": "#/$defs/c"}}}},
    "if": {"required": ["b"]}, "then": {"required": ["d"]},
}  # fmt: skip
ITEM: Final[Any] = {
    "name": "n", "title": "t", "description": "d", "uri": "x:/y", "uriTemplate": "x:/{y}",
    "size": 5, "mimeType": "text/plain", "inputSchema": {"type": "object"}, "text": "x",
    "annotations": {"priority": 0.5, "audience": ["user"], "lastModified": "2025-01-01"},
    "icons": [{"src": "data:,x", "sizes": ["1x1"]}], "arguments": [{"name": "a"}],
    "execution": {"taskSupport": "optional"}, "taskId": "t", "status": "working", "ttl": 5,
    "type": "text", "resource": {"uri": "a:/", "blob": "AA=="}, "data": "AAAA", "version": "1",
    "content": [{"type": "image", "data": "AA", "mimeType": "image/png"}],
}  # fmt: skip
SERVER: Final[Any] = {
    "issuer": "http://127.0.0.1:9", "authorization_endpoint": "http://127.0.0.1:9/a?x=1",
    "token_endpoint": "http://127.0.0.1:9/t", "registration_endpoint": "http://127.0.0.1:9/r",
    "code_challenge_methods_supported": ["S256"], "scopes_supported": ["a", "b"],
    "token_endpoint_auth_methods_supported": ["none"], "response_types_supported": ["code"],
    "authorization_response_iss_parameter_supported": True, "grant_types_supported": ["x"],
}  # fmt: skip
PROTECTED: Final[Any] = {
    "resource": "http://127.0.0.1:9/mcp", "authorization_servers": ["http://127.0.0.1:9"],
    "scopes_supported": ["a"], "bearer_methods_supported": ["header"], "resource_name": "x",
}  # fmt: skip
_WITHIN: Final = perimeter("http://127.0.0.1:9/mcp")


def _message(content: bytes, _: Path) -> None:
    read_envelope(content)
    decode(content)
    raw_members(content)
    raw_items(content)
    scan_members(content)
    scan_items(content)
    duplicate_keys(content)
    read_string(content)


def _lines(content: bytes, _: Path) -> None:
    framer = LineFramer(64)
    for at in range(0, len(content), 7):
        framer.feed(content[at : at + 7])
    framer.rest()


def _events(content: bytes, _: Path) -> None:
    parser = SseParser(4096)
    for at in range(0, len(content), 11):
        parser.feed(content[at : at + 11])
        parser.rest()


def _value(content: bytes) -> Any:
    try:
        return parse_json(content)
    except NotJsonError:
        return None


def _models(content: bytes, _: Path) -> None:
    value = _value(content)
    for read in (read_tool, read_resource, read_template, read_prompt, read_implementation,
                 read_root, read_task, read_content, read_contents):  # fmt: skip
        read(value)


def _shapes(content: bytes, _: Path) -> None:
    value = _value(content)
    for revision in Revision:
        checker = ShapeChecker(revision)
        checker.check_message(MessageKind.REQUEST, "tools/call", content)
        checker.check_message(MessageKind.RESULT, "tools/list", value)


def _schema(content: bytes, _: Path) -> None:
    schema = _value(content)
    form = build_form(schema)
    state = FormState(form)
    state.text()
    state.problems()
    state.load(schema)
    state.collect()
    found = header_params(schema)
    argument_headers(found.params, {"a": 1})
    arguments = read_arguments(["a=1", "b.c=x", "d:=[1]", "e.f=true"], schema)
    write_arguments(arguments, schema)


def _result(content: bytes, _: Path) -> None:
    value = _value(content)
    for blocks in (result_blocks, resource_blocks, message_blocks):
        for block in blocks(value, content):
            len(block.payload)
    lines = JsonLines(content)
    for number in range(min(5, lines.line_count)):
        lines.draw(number, 0, 80)
        lines.fold_end(number)
    lines.find("a", 0)


def _facts(content: bytes, _: Path) -> None:
    decode_facts(content)
    http_facts(content)
    redactor = Redactor()
    redactor.learn("s3cret-enough")
    redactor.sent(content)
    redactor.text(content)
    redactor.without_ours(content)
    redactor.url(text(content))


def _headers(content: bytes, _: Path) -> None:
    value = text(content)
    parse_challenges([value])
    parse_challenges(value.splitlines())
    media_type(value)
    decode_header_value(value)
    steps_of(value)


def _oauth(content: bytes, _: Path) -> None:
    for status in (200, 201, 400):
        found = read_tokens(status, content, now=1.0, requested=None)
        if hasattr(found, "access"):
            token_facts(found, 2.0)  # type: ignore[arg-type]
    read_object(content)
    read_protected_resource(content, server_url="http://127.0.0.1:9/mcp", within=_WITHIN)
    server = read_authorization_server(
        content, issuer="http://127.0.0.1:9", within=_WITHIN, revision=Revision("2025-11-25")
    )
    if server.document is not None:
        read_registration(201, content, server=server.document, now=1.0)


def _urls(content: bytes, _: Path) -> None:
    url = text(content)
    for within in (_WITHIN, perimeter("https://example.com/mcp")):
        judge_url(url, within)
        judge_address(url, "example.com", within)
    match_resource(url, "http://127.0.0.1:9/mcp")
    names = template_parts(url)
    expanded(url, dict.fromkeys(names.names, "é/\ud800"))


def _media(content: bytes, _: Path) -> None:
    picture_facts(content)
    small_picture(content)
    audio_facts(content)


_MEDIA: Final = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x02\x08\x06\0\0\0\x72\xb6\x0d\x24"
    b"\0\0\0\x0bIDATx\x9cc`@\x07\0\0\x12\0\x01\0\0\0\0IEND\xaeB`\x82",
    b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0"
    b"\x02\x02D\x01\0;",
    b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0\x10\xb1\x02\0\x04\0\x10\0"
    b"data\0\0\0\0",
    b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xd9",
    b"OggS\0\x02\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\x01\x1e\x01vorbis",
    b"fLaC\0\0\0\x22\x10\0\x10\0\0\0\0\0\0\0\x0a\xc4\x42\xf0\0\0\0\0",
    b"ID3\x04\0\0\0\0\0\x0a\0\0\0\0\0\0\0\0\0\0\xff\xfb\x90\x44",
    b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0",
    b"II*\0\x08\0\0\0\0\0", b"BM\x1a\0\0\0\0\0\0\0\x1a\0\0\0\x0c\0\0\0\x01\0\x01\0\x01\0\x18\0",
)  # fmt: skip

WIRE: Final = (
    Reader("messages", MESSAGES, _message),
    Reader("json", MESSAGES, lambda content, _: parse_json(content), NotJsonError),
    Reader("framing", (b'{"a":1}\n{"b":2}\r\n\n' * 3,), _lines),
    Reader("events", (b": hi\n\nid: 1\nretry: 5\nevent: message\ndata: {}\ndata: x\r\n\r\n",
                      b"\xef\xbb\xbfdata:a\rdata\r\rid:\x00\n\n"), _events, PeerViolation),
    Reader("models", (ITEM,), _models),
    Reader("shapes", MESSAGES, _shapes),
    Reader("schemas", (SCHEMA,), _schema, UsageError),
    Reader("results", ({"content": [ITEM], "structuredContent": {}, "contents": [ITEM],
                        "messages": [{"role": "user", "content": ITEM}]},), _result),
    Reader("facts", ({"event": "x", "started": 1.5, "status": 200, "requestHeaders": [["a", "b"]],
                      "method": "GET", "url": "http://x/", "body": "x"},), _facts),
    Reader("headers", (b'Bearer realm="x", scope="a b", error="invalid_token", Basic YWJj',
                       b"Bearer resource_metadata=https://x/y, DPoP algs=\"ES256\"",
                       b"=?base64?w6k=?=", b"text/html; charset=utf-8"), _headers),
    Reader("oauth", (SERVER, PROTECTED, {"access_token": "a", "token_type": "Bearer",
                     "expires_in": 5, "scope": "a", "refresh_token": "r"},
                     {"client_id": "c", "client_secret": "s", "client_secret_expires_at": 5},
                     {"error": "x", "error_description": "y", "error_uri": "z"}), _oauth),
    Reader("urls", (b"https://example.com:443/a?b=c", b"http://[::1]:80/x", b"x:/{a}{?b*,c:3}",
                    b"https://xn--nxasmq6b/\xc3\xa9", b"127.0.0.1", b"::ffff:1.2.3.4"), _urls),
    Reader("media", _MEDIA, _media),
)  # fmt: skip
