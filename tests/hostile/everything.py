"""A server in memory that lists every hostile text at once: a tool, a prompt, a resource and a
template of each, and one tool with all of them in its form and in its result.

What an item says is `tests.servers.hostile`; what it says of its own accord it says when told to.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from inspector.protocol.messages import JsonObject
from tests.servers.hostile import Hostile, Message
from tests.servers.hostile_texts import NONCE, texts
from tests.tui.world import Server

ALL: Final = "all"
"""The tool, prompt and resource that hold every text."""


class Everything(Server):
    """`said` are the texts, by name."""

    def __init__(self, said: dict[str, str] | None = None, *, silent: tuple[str, ...] = ()) -> None:
        super().__init__(silent=silent)
        self.said = texts(NONCE) if said is None else said
        self.hostiles = [_fixed(text) for text in self.said.values()]
        self._names = dict(zip(self.said.values(), self.hostiles, strict=True))
        self.asks_on_call: list[Message] = []
        self._asked = 0

    # -- what it answers ------------------------------------------------------------------------

    def respond(self, raw: bytes) -> Iterator[bytes]:
        """Answers; a call of the tool with all texts comes with logs."""
        message = json.loads(raw)
        method, params = message.get("method", ""), message.get("params") or {}
        self.seen.append(method)
        if "id" not in message or not method or method in self.silent:
            return
        if method == "tools/call":
            for one in self.asks_on_call:
                yield _encoded(one)
        found = self._found(method, params)
        about = {"jsonrpc": "2.0", "id": message["id"]}
        if found is None:
            asked = self._one(params)
            yield _encoded({**about, "error": asked.error()})
        else:
            yield _encoded({**about, "result": found})

    def _found(self, method: str, params: dict[str, Any]) -> Message | None:
        match method:
            case "initialize":
                return {**self.hello(), "protocolVersion": params["protocolVersion"]}
            case "tools/list":
                return {
                    "tools": [self._all_tool(), *(one.tool(one.text("")) for one in self.hostiles)]
                }
            case "resources/list":
                listed = [self._resource(one) for one in self.hostiles]
                return {"resources": [{"uri": ALL, "name": ALL}, *listed]}
            case "resources/templates/list":
                return {
                    "resourceTemplates": [
                        {
                            "uriTemplate": f"x://{{v}}/{one.text('')}",
                            "name": one.text(""),
                            "description": one.text(""),
                        }
                        for one in self.hostiles
                    ]
                }
            case "prompts/list":
                return {
                    "prompts": [self._all_prompt(), *(self._prompt(one) for one in self.hostiles)]
                }
            case "resources/read" | "prompts/get" | "tools/call":
                return self._answered(method, params)
            case "tasks/list":
                return {
                    "tasks": [self._task(one, place) for place, one in enumerate(self.hostiles)]
                }
            case "completion/complete":
                return {"completion": {"values": [*self.said.values()]}}
            case _:
                return self.hostiles[0].result(method)

    def hello(self) -> Message:
        """Who it is, with every text in what is read on."""
        info = self.hostiles[0].result("initialize")
        assert info is not None
        for name, text in self.said.items():
            info["serverInfo"][name] = text
            info["capabilities"]["experimental"][text] = {text: text}
        info["capabilities"]["tasks"] = {"list": {}, "cancel": {}}
        info["capabilities"]["completions"] = {}
        info["instructions"] = "\n\n".join(self.said.values())
        return info

    def _one(self, params: dict[str, Any]) -> Hostile:
        name: str = params.get("name") or params.get("uri") or ""
        return self._names.get(name, self.hostiles[0])

    def _answered(self, method: str, params: dict[str, Any]) -> Message | None:
        if ALL not in (params.get("name"), params.get("uri")):
            return self._one(params).result(method)
        blocks = [{"type": "text", "text": text} for text in self.said.values()]
        if method == "tools/call":
            kept = [
                {"type": "resource_link", "uri": text, "name": text} for text in self.said.values()
            ]
            return {
                "content": blocks + kept,
                "structuredContent": {text: text for text in self.said.values()},
            }
        if method == "prompts/get":
            return {
                "messages": [
                    {"role": text, "content": {"type": "text", "text": text}}
                    for text in self.said.values()
                ]
            }
        contents = [{"uri": text, "mimeType": text, "text": text} for text in self.said.values()]
        return {"contents": contents}

    def _all_tool(self) -> Message:
        return {
            "name": ALL,
            "description": "all of them",
            "inputSchema": self.all_schema(),
            "outputSchema": self.all_schema(),
        }

    def all_schema(self) -> Message:
        """A field for each text, of several kinds."""
        fields: Message = {}
        for place, text in enumerate(self.said.values()):
            told = {"title": text, "description": text}
            kinds: list[Message] = [
                {"type": "string", "default": text, "pattern": text},
                {"enum": [text, "b"], "default": text},
                {"type": "array", "items": {"type": "string", "title": text}, "default": [text]},
                {"type": text},
                {"type": "object", "properties": {text: {"const": text}}},
                {"oneOf": [{"const": text, "title": text}, {"type": "string", "title": text}]},
            ]
            fields[f"{text}" if place % 2 else f"f{place}"] = {**told, **kinds[place % len(kinds)]}
        return {"type": "object", "properties": fields, "required": [*self.said.values()][:5]}

    def _resource(self, one: Hostile) -> Message:
        text = one.text("")
        return {"uri": text, "name": text, "title": text, "mimeType": text, "description": text}

    def _all_prompt(self) -> Message:
        fields = [{"name": text, "description": text} for text in self.said.values()]
        return {"name": ALL, "arguments": fields}

    def _prompt(self, one: Hostile) -> Message:
        text = one.text("")
        return {
            "name": text,
            "title": text,
            "description": text,
            "arguments": [{"name": text, "description": text}],
        }

    def _task(self, one: Hostile, place: int) -> Message:
        text = one.text("")
        stamp = "2026-01-15T12:00:00Z"
        status = "working" if place % 2 else text
        return {
            "taskId": text,
            "status": status,
            "statusMessage": text,
            "createdAt": text if place % 3 else stamp,
            "lastUpdatedAt": stamp,
            "ttl": 9,
            "pollInterval": 900_000,
        }

    # -- what it says of its own accord ---------------------------------------------------------

    def logs(self) -> Iterator[Message]:
        """Lines of a log and odd notifications, of every text."""
        for one in self.hostiles:
            yield from one.logs()
            yield {"jsonrpc": "2.0", "method": one.text(""), "params": {one.text(""): one.text("")}}

    def asks(self, wanted: str) -> list[Message]:
        """A question of that method in every text."""
        found: list[Message] = []
        for one in self.hostiles:
            for asked in one.asks():
                if asked["method"] == wanted:
                    self._asked += 1
                    found.append({**asked, "id": f"{one.text('')}{self._asked}"})
        return found


def _fixed(text: str) -> Hostile:
    return Hostile(lambda _: text)


def _encoded(message: JsonObject) -> bytes:
    return json.dumps(message).encode()
