"""A stdio server that fills every text it may send with hostile ones.

Start it with `python -m tests.servers.hostile [SEED [NONCE]]`: which text stands where
depends on the seed. Every text begins with a label of its own (`tool:`, `uri:`), so that a test
can wait for it.
"""

import base64
import json
import sys
import zlib
from typing import Any

from tests.servers.hostile_texts import NONCE, texts

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 0
TEXTS = list(texts(sys.argv[2] if len(sys.argv) > 2 else NONCE).values())
Message = dict[str, Any]
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5E"
    "rkJggg=="
)


def text(label: str) -> str:
    """A hostile text behind its label."""
    return f"{label}:{TEXTS[(zlib.crc32(label.encode()) + SEED) % len(TEXTS)]}"


def send(message: object) -> None:
    sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
    sys.stdout.buffer.flush()


def schema() -> Message:
    return {
        "type": "object",
        "title": text("schematitle"),
        "description": text("schemadescription"),
        "required": ["a", text("required")],
        text("keyword"): text("value"),
        "properties": {
            "a": {
                "type": "string",
                "title": text("fieldtitle"),
                "description": text("fielddescription"),
                "default": text("default"),
                "pattern": text("pattern"),
                "format": text("format"),
                "examples": [text("example")],
            },
            text("property"): {"enum": [text("enum"), text("other")], "default": text("enum")},
            "const": {"const": text("const")},
            "one": {"oneOf": [{"const": text("oneconst"), "title": text("onetitle")}]},
            "list": {"type": "array", "items": {"type": "string"}, "default": [text("item")]},
            "map": {"additionalProperties": {}, "default": {text("mapkey"): text("mapvalue")}},
            "ref": {"$ref": text("#/ref")},
            "type": {"type": text("type")},
        },
    }


def tool(name: str) -> Message:
    return {
        "name": name,
        "title": text("tooltitle"),
        "description": text("tooldescription"),
        "inputSchema": schema(),
        "outputSchema": schema(),
        "annotations": {"title": text("hinttitle"), "readOnlyHint": text("hint")},
        "_meta": {text("metakey"): text("metavalue")},
    }


def content() -> list[Any]:
    return [
        {"type": "text", "text": text("said")},
        {"type": "text", "text": "# title\n" + text("markdown")},
        {"type": "text", "text": json.dumps({text("jsonkey"): text("jsonvalue")})},
        {"type": "image", "data": PIXEL, "mimeType": text("imagemime")},
        {"type": "image", "data": "!!", "mimeType": text("badmime")},
        {"type": "audio", "data": "AAAA", "mimeType": text("audiomime")},
        {"type": "resource_link", "uri": text("linkuri"), "name": text("linkname")},
        {"type": "resource", "resource": {"uri": text("inneruri"), "text": text("inner")}},
        {
            "type": "resource",
            "resource": {
                "uri": text("bloburi"),
                "mimeType": text("blobmime"),
                "blob": base64.b64encode(text("blob").encode("utf-8", "surrogatepass")).decode(),
            },
        },
        {"type": text("kind"), "x": text("member")},
        text("noblock"),
    ]


def ask() -> None:
    form = {"message": text("question"), "requestedSchema": schema()}
    send({"jsonrpc": "2.0", "id": text("ask"), "method": "elicitation/create", "params": form})
    sampling = {
        "systemPrompt": text("system"),
        "maxTokens": 9,
        "messages": [{"role": text("role"), "content": block} for block in content()[:6]],
        "modelPreferences": {"hints": [{"name": text("model")}]},
        "tools": [tool(text("sampletool"))],
    }
    params: object = sampling
    send({"jsonrpc": "2.0", "id": "s", "method": "sampling/createMessage", "params": params})
    page = {"mode": "url", "message": text("pagemessage"), "url": text("https://page")}
    send({"jsonrpc": "2.0", "id": "u", "method": "elicitation/create", "params": page})


def result(method: str) -> Message | None:
    match method:
        case "initialize":
            return {
                "capabilities": {
                    "tools": {},
                    "resources": {},
                    "prompts": {},
                    "logging": {},
                    text("capability"): {text("switch"): True},
                    "experimental": {text("experiment"): {}},
                },
                "serverInfo": {
                    "name": text("server"),
                    "title": text("servertitle"),
                    "version": text("version"),
                    "websiteUrl": text("website"),
                    text("infokey"): [text("infovalue")],
                },
                "instructions": text("instructions"),
            }
        case "tools/list":
            return {"tools": [tool(text("tool")), tool("plain"), {"name": 5}, text("notool")]}
        case "resources/list":
            first = {"uri": text("uri"), "name": text("name"), "mimeType": text("mime")}
            return {"resources": [first, {"uri": "p:1", "name": "plain"}, {"uri": 7}]}
        case "resources/templates/list":
            return {"resourceTemplates": [{"uriTemplate": text("x://{var}/t"), "name": text("t")}]}
        case "resources/read":
            first = {"uri": text("readuri"), "mimeType": text("readmime"), "text": text("read")}
            return {"contents": [first], text("extra"): text("more")}
        case "prompts/list":
            argument = {"name": text("argument"), "description": text("about")}
            named = {"name": text("prompt"), "title": text("prompttitle")}
            return {"prompts": [{**named, "arguments": [argument]}, {"name": "plain"}]}
        case "prompts/get":
            messages = [{"role": text("role"), "content": block} for block in content()]
            return {"description": text("got"), "messages": messages}
        case "tools/call":
            return {"content": content(), "structuredContent": {text("key"): text("structured")}}
        case "ping" | "logging/setLevel":
            return {}
        case _:
            return None


def handle(message: Message) -> None:
    method, number = message.get("method", ""), message.get("id")
    if number is None or not method:
        return
    found = result(method)
    if found is None:
        error = {"code": -32000, "message": text("error"), "data": {text("errorkey"): text("data")}}
        send({"jsonrpc": "2.0", "id": number, "error": error})
        return
    if method == "initialize":
        found["protocolVersion"] = message["params"]["protocolVersion"]
    if method == "tools/call":
        for level in ("info", text("level")):
            log = {"level": level, "logger": text("logger"), "data": text("log")}
            send({"jsonrpc": "2.0", "method": "notifications/message", "params": log})
        send({"jsonrpc": "2.0", "method": text("notifications/odd"), "params": {}})
        ask()
    send({"jsonrpc": "2.0", "id": number, "result": found})


def main() -> None:
    """Says everything once on the wrong streams, then serves."""
    stray = text("stray").encode("utf-8", "surrogatepass")
    sys.stderr.buffer.write(b"stderr " + stray + b" \x9b2J \xff\xfe\n")
    sys.stderr.flush()
    sys.stdout.buffer.write(b"stdout " + stray + b" \x9b2J \xff\xfe\n")
    for line in sys.stdin.buffer:
        handle(json.loads(line))


if __name__ == "__main__":
    main()
