"""A stdio server that fills every text it may send with hostile ones.

Start it with `python -m tests.servers.hostile [SEED [NONCE]]`: which text stands where
depends on the seed. Every text begins with a label of its own (`tool:`, `uri:`), so that a test
can wait for it. Tests of the interface use what it says (`Hostile`) without the process, too.
"""

import base64
import json
import sys
import zlib
from collections.abc import Callable
from typing import Any

from tests.servers.hostile_texts import NONCE, texts

Message = dict[str, Any]
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5E"
    "rkJggg=="
)


class Hostile:
    """What a server says whose every text is `text(label)`."""

    def __init__(self, text: Callable[[str], str]) -> None:
        self.text = text

    def schema(self) -> Message:
        return {
            "type": "object",
            "title": self.text("schematitle"),
            "description": self.text("schemadescription"),
            "required": ["a", self.text("required")],
            self.text("keyword"): self.text("value"),
            "properties": {
                "a": {
                    "type": "string",
                    "title": self.text("fieldtitle"),
                    "description": self.text("fielddescription"),
                    "default": self.text("default"),
                    "pattern": self.text("pattern"),
                    "format": self.text("format"),
                    "examples": [self.text("example")],
                },
                self.text("property"): {
                    "enum": [self.text("enum"), self.text("other")],
                    "default": self.text("enum"),
                },
                "const": {"const": self.text("const")},
                "one": {
                    "oneOf": [{"const": self.text("oneconst"), "title": self.text("onetitle")}]
                },
                "list": {
                    "type": "array",
                    "items": {"type": "string"},
                    "default": [self.text("item")],
                },
                "map": {
                    "additionalProperties": {},
                    "default": {self.text("mapkey"): self.text("mapvalue")},
                },
                "ref": {"$ref": self.text("#/ref")},
                "type": {"type": self.text("type")},
            },
        }

    def tool(self, name: str) -> Message:
        return {
            "name": name,
            "title": self.text("tooltitle"),
            "description": self.text("tooldescription"),
            "inputSchema": self.schema(),
            "outputSchema": self.schema(),
            "annotations": {"title": self.text("hinttitle"), "readOnlyHint": self.text("hint")},
            "_meta": {self.text("metakey"): self.text("metavalue")},
        }

    def content(self) -> list[Any]:
        return [
            {"type": "text", "text": self.text("said")},
            {"type": "text", "text": "# title\n" + self.text("markdown")},
            {"type": "text", "text": json.dumps({self.text("jsonkey"): self.text("jsonvalue")})},
            {"type": "image", "data": PIXEL, "mimeType": self.text("imagemime")},
            {"type": "image", "data": "!!", "mimeType": self.text("badmime")},
            {"type": "audio", "data": "AAAA", "mimeType": self.text("audiomime")},
            {"type": "resource_link", "uri": self.text("linkuri"), "name": self.text("linkname")},
            {
                "type": "resource",
                "resource": {"uri": self.text("inneruri"), "text": self.text("inner")},
            },
            {
                "type": "resource",
                "resource": {
                    "uri": self.text("bloburi"),
                    "mimeType": self.text("blobmime"),
                    "blob": base64.b64encode(
                        self.text("blob").encode("utf-8", "surrogatepass")
                    ).decode(),
                },
            },
            {"type": self.text("kind"), "x": self.text("member")},
            self.text("noblock"),
        ]

    def asks(self) -> list[Message]:
        """A form, a question for a model, and a page."""
        form = {"message": self.text("question"), "requestedSchema": self.schema()}
        sampling = {
            "systemPrompt": self.text("system"),
            "maxTokens": 9,
            "messages": [{"role": self.text("role"), "content": one} for one in self.content()[:6]],
            "modelPreferences": {"hints": [{"name": self.text("model")}]},
            "tools": [self.tool(self.text("sampletool"))],
        }
        page = {
            "mode": "url",
            "message": self.text("pagemessage"),
            "url": self.text("https://page"),
        }
        return [
            request(self.text("ask"), "elicitation/create", form),
            request("s", "sampling/createMessage", sampling),
            request("u", "elicitation/create", page),
        ]

    def logs(self) -> list[Message]:
        """Two lines of a log, one of a level that there is not."""
        said = {"logger": self.text("logger"), "data": self.text("log")}
        levels = ("info", self.text("level"))
        return [notification("notifications/message", {"level": one, **said}) for one in levels]

    def error(self) -> Message:
        """What is answered to what is not known."""
        data = {self.text("errorkey"): self.text("data")}
        return {"code": -32000, "message": self.text("error"), "data": data}

    def result(self, method: str) -> Message | None:
        match method:
            case "initialize":
                return {
                    "capabilities": {
                        "tools": {},
                        "resources": {},
                        "prompts": {},
                        "logging": {},
                        self.text("capability"): {self.text("switch"): True},
                        "experimental": {self.text("experiment"): {}},
                    },
                    "serverInfo": {
                        "name": self.text("server"),
                        "title": self.text("servertitle"),
                        "version": self.text("version"),
                        "websiteUrl": self.text("website"),
                        self.text("infokey"): [self.text("infovalue")],
                    },
                    "instructions": self.text("instructions"),
                }
            case "tools/list":
                return {
                    "tools": [
                        self.tool(self.text("tool")),
                        self.tool("plain"),
                        {"name": 5},
                        self.text("notool"),
                    ]
                }
            case "resources/list":
                first = {
                    "uri": self.text("uri"),
                    "name": self.text("name"),
                    "mimeType": self.text("mime"),
                }
                return {"resources": [first, {"uri": "p:1", "name": "plain"}, {"uri": 7}]}
            case "resources/templates/list":
                return {
                    "resourceTemplates": [
                        {"uriTemplate": self.text("x://{var}/t"), "name": self.text("t")}
                    ]
                }
            case "resources/read":
                first = {
                    "uri": self.text("readuri"),
                    "mimeType": self.text("readmime"),
                    "text": self.text("read"),
                }
                return {"contents": [first], self.text("extra"): self.text("more")}
            case "prompts/list":
                argument = {"name": self.text("argument"), "description": self.text("about")}
                named = {"name": self.text("prompt"), "title": self.text("prompttitle")}
                return {"prompts": [{**named, "arguments": [argument]}, {"name": "plain"}]}
            case "prompts/get":
                messages = [
                    {"role": self.text("role"), "content": block} for block in self.content()
                ]
                return {"description": self.text("got"), "messages": messages}
            case "tools/call":
                return {
                    "content": self.content(),
                    "structuredContent": {self.text("key"): self.text("structured")},
                }
            case "ping" | "logging/setLevel":
                return {}
            case _:
                return None


def request(number: object, method: str, params: Message) -> Message:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def notification(method: str, params: Message) -> Message:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def send(message: object) -> None:
    sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
    sys.stdout.buffer.flush()


def handle(hostile: Hostile, message: Message) -> None:
    method, number = message.get("method", ""), message.get("id")
    if number is None or not method:
        return
    found = hostile.result(method)
    if found is None:
        send({"jsonrpc": "2.0", "id": number, "error": hostile.error()})
        return
    if method == "initialize":
        found["protocolVersion"] = message["params"]["protocolVersion"]
    if method == "tools/call":
        odd = notification(hostile.text("notifications/odd"), {})
        for one in (*hostile.logs(), odd, *hostile.asks()):
            send(one)
    send({"jsonrpc": "2.0", "id": number, "result": found})


def chosen_by(seed: int, nonce: str) -> Callable[[str], str]:
    """A hostile text behind its label."""
    said = list(texts(nonce).values())
    return lambda label: f"{label}:{said[(zlib.crc32(label.encode()) + seed) % len(said)]}"


def main() -> None:
    """Says everything once on the wrong streams, then serves."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    hostile = Hostile(chosen_by(seed, sys.argv[2] if len(sys.argv) > 2 else NONCE))
    stray = hostile.text("stray").encode("utf-8", "surrogatepass")
    sys.stderr.buffer.write(b"stderr " + stray + b" \x9b2J \xff\xfe\n")
    sys.stderr.flush()
    sys.stdout.buffer.write(b"stdout " + stray + b" \x9b2J \xff\xfe\n")
    for line in sys.stdin.buffer:
        handle(hostile, json.loads(line))


if __name__ == "__main__":
    main()
