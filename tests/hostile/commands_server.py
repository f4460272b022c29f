"""A stdio server for the headless commands: every hostile text in every field that they show.

`python -m tests.hostile.commands_server [MODE]`. Where there is a list, each text has an item of
its own with the text in all its fields; elsewhere all stand in one field, so that one run shows all
of them. Every value begins with a label of its own. Modes: `asks` (asks back during a call), `slow`
(tells of progress and waits), `few` (a tool with one text), `dies` (gone at the first request),
`dead` (gone at once), `mute` (no answer to anything), `bare` (declares nothing, and refuses all),
`odd` (answers that cannot be read).
"""

import base64
import json
import sys
import time
from typing import Any, Final

from tests.servers.hostile_texts import TEXTS

Message = dict[str, Any]
EXACT: Final = '{"big":1180591620717411303424,"exact":1.10,"twice":1,"twice":2,"tiny":1E-400}'
"""Numbers that no reader keeps, and a key that is there twice."""
JSON_KEY: Final = "exactly"
BETWEEN: Final = " ¦ "


def text(label: str, number: int) -> str:
    """One of the texts behind its label."""
    return f"{label}:{[*TEXTS.values()][number]}"


def every(label: str) -> str:
    """All of them in one."""
    return f"{label}:" + BETWEEN.join(TEXTS.values())


def numbers() -> range:
    """One for each text."""
    return range(len(TEXTS))


def tool(number: int) -> Message:
    return {
        "name": text("tool", number),
        "title": text("tooltitle", number),
        "description": text("tooldescription", number),
        "inputSchema": {
            "type": "object",
            "required": [text("argument", number)],
            "properties": {
                text("argument", number): {"type": text("type", number)},
                "b": {"type": ["null", text("types", number)]},
                "c": {"$ref": text("ref", number).replace("/", "")},
            },
        },
        "annotations": {"title": text("hint", number), "readOnlyHint": True},
        "_meta": {text("metakey", number): text("metavalue", number)},
    }


def tools() -> list[Any]:
    plain: Message = {
        "name": "plain",
        "inputSchema": {
            "type": "object",
            "properties": {"a": {"enum": [every("enum")]}},
            "required": [every("required")],
        },
        "outputSchema": {"type": "object", "required": [every("needed")]},
    }
    return [*map(tool, numbers()), plain, {"name": 5, "x": every("nameless")}, every("notool")]


def resources() -> list[Any]:
    return [
        {
            "uri": text("uri", number),
            "name": text("name", number),
            "title": text("title", number),
            "mimeType": text("mime", number),
            "description": text("description", number),
        }
        for number in numbers()
    ]


def templates() -> list[Any]:
    return [
        {
            "uriTemplate": text("template", number),
            "name": text("templatename", number),
            "description": text("templatedescription", number),
        }
        for number in numbers()
    ]


def prompts() -> list[Any]:
    listed: list[Any] = [
        {
            "name": text("prompt", number),
            "title": text("prompttitle", number),
            "description": text("promptdescription", number),
            "arguments": [{"name": text("promptargument", number), "required": True}],
        }
        for number in numbers()
    ]
    return [*listed, {"name": "plain", "arguments": [{"name": every("must"), "required": True}]}]


def blocks(number: int) -> list[Any]:
    blob = base64.b64encode(text("blob", number).encode("utf-8", "surrogatepass")).decode()
    inner = {"uri": text("inneruri", number), "text": text("inner", number)}
    binary = {"uri": "b:1", "mimeType": text("blobmime", number), "blob": blob}
    return [
        {"type": "text", "text": text("said", number)},
        {"type": "image", "data": "AAAA", "mimeType": text("imagemime", number)},
        {"type": "audio", "data": "!!", "mimeType": text("audiomime", number)},
        {
            "type": "resource_link",
            "uri": text("linkuri", number),
            "name": text("linkname", number),
        },
        {"type": "resource", "resource": inner},
        {"type": "resource", "resource": binary},
        {"type": text("kind", number), text("member", number): text("value", number)},
        text("noblock", number),
    ]


def content() -> list[Any]:
    return [block for number in numbers() for block in blocks(number)]


def structured() -> Message:
    return {text("key", number): [text("structured", number)] for number in numbers()}


def reading() -> list[Any]:
    found: list[Any] = []
    for number in numbers():
        found.append({"uri": text("readuri", number), "text": text("read", number)})
        found.append({"uri": "b:1", "mimeType": text("readmime", number), "blob": "AAAA"})
    return [*found, every("nocontent")]


def messages() -> list[Any]:
    return [
        {"role": text("role", number), "content": block}
        for number in numbers()
        for block in blocks(number)
    ]


def server_info() -> Message:
    return {
        "name": every("server"),
        "title": every("servertitle"),
        "version": every("version"),
        "websiteUrl": every("website"),
        "description": every("serverabout"),
        every("infokey"): [every("infovalue")],
    }


def result(method: str, params: Message, mode: str) -> Any:
    match method:
        case "initialize":
            offers: Message = {"tools": {}, "resources": {}, "prompts": {}, "logging": {}}
            more = {
                **{text("capability", n): {text("switch", n): True} for n in numbers()},
                "experimental": {text("experiment", n): {} for n in numbers()},
            }
            return {
                "protocolVersion": params["protocolVersion"],
                "capabilities": {} if mode == "bare" else {**offers, **more},
                "serverInfo": server_info(),
                "instructions": every("instructions"),
            }
        case "tools/list" if mode != "bare":
            return {"tools": tools()}
        case "resources/list" if mode != "bare":
            return {"resources": resources()}
        case "resources/templates/list" if mode != "bare":
            return {"resourceTemplates": templates()}
        case "resources/read" if mode != "bare":
            return {"contents": reading()}
        case "prompts/list" if mode != "bare":
            return {"prompts": prompts()}
        case "prompts/get" if mode != "bare":
            return {"description": every("got"), "messages": messages()}
        case "tools/call" if mode == "few":
            return {"content": [{"type": "text", "text": every("few")}]}
        case "tools/call" if mode == "asks":
            return {"content": [{"type": "text", "text": "thanks"}]}
        case "tools/call" if mode != "bare":
            return {"content": content(), "structuredContent": structured()}
        case "x/any":
            return structured()
        case "ping" | "logging/setLevel":
            return {}
        case _:
            return None


def send(message: object) -> None:
    text = json.dumps(message, ensure_ascii=False).encode("utf-8", "backslashreplace")
    line = text.replace(b'"' + JSON_KEY.encode() + b'"', EXACT.encode())
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


def schema() -> Message:
    return {
        "type": "object",
        "required": [text("field", 0)],
        "properties": {
            text("field", number): {
                "type": text("fieldtype", number),
                "enum": [text("choice", number)],
                "default": text("default", number),
            }
            for number in numbers()
        },
    }


def ask() -> None:
    """The questions of all kinds, one after the other; each waits for its answer."""
    form = {"message": every("question"), "requestedSchema": schema()}
    sampling = {
        "systemPrompt": every("system"),
        "maxTokens": 9,
        "messages": [
            {"role": text("asker", n), "content": block} for n in numbers() for block in blocks(n)
        ],
    }
    page = {"mode": "url", "message": every("pagemessage"), "url": every("https://page.example/")}
    for number, (method, params) in enumerate(
        (
            ("elicitation/create", form),
            ("sampling/createMessage", sampling),
            ("elicitation/create", page),
            (every("odd"), {}),
        )
    ):
        send({"jsonrpc": "2.0", "id": f"ask{number}", "method": method, "params": params})
        sys.stdin.buffer.readline()


def work(token: object) -> None:
    for number in numbers()[::11]:
        params = {"progressToken": token, "progress": number, "message": text("progress", number)}
        send({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
        time.sleep(0.12)  # so that the line at the bottom is drawn once


def tell() -> None:
    for number in numbers():
        log = {
            "level": text("level", number),
            "logger": text("logger", number),
            "data": text("log", number),
        }
        send({"jsonrpc": "2.0", "method": "notifications/message", "params": log})
        send({"jsonrpc": "2.0", "method": text("notifications/odd", number), "params": {}})


def handle(message: Message, mode: str) -> None:
    method, number = message.get("method", ""), message.get("id")
    if number is None or not method or mode == "mute":
        return
    if mode == "dies" and method != "initialize":
        sys.exit(3)
    params = message.get("params") or {}
    found = result(method, params, mode)
    if found is None:
        error = {"code": -32000, "message": every("error"), "data": {every("errorkey"): JSON_KEY}}
        send({"jsonrpc": "2.0", "id": number, "error": error})
        return
    if method == "tools/call":
        tell()
        if mode == "asks":
            ask()
        if mode == "slow":
            work(params.get("_meta", {}).get("progressToken"))
    if mode == "odd" and method != "initialize":
        sys.stdout.buffer.write(every("broken").encode("utf-8", "surrogatepass") + b"\n")
        send({"jsonrpc": every("jsonrpc"), "id": number, "result": every("noresult")})
        return
    send({"jsonrpc": "2.0", "id": number, "result": found})


def main() -> None:
    """Says everything once on the wrong streams, then serves."""
    mode = sys.argv[1] if len(sys.argv) > 1 else ""
    for number in numbers():
        stray = text("stray", number).encode("utf-8", "surrogatepass").replace(b"\n", b"")
        sys.stderr.buffer.write(b"stderr " + stray + b" \x9b2J \xff\xfe\n")
        sys.stdout.buffer.write(b"stdout " + stray + b" \x9b2J \xff\xfe\n")
    sys.stderr.flush()
    sys.stdout.flush()
    if mode == "dead":
        sys.exit(3)
    for line in sys.stdin.buffer:
        handle(json.loads(line), mode)


if __name__ == "__main__":
    main()
