"""What `rude_wire` is made of: bytes and messages on stdout, and steps that make up a mode.

Everything that goes to stdout is first appended to the tee that the command line names.
"""

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from io import FileIO
from typing import Any

Message = dict[str, Any]
Step = Callable[[Message], None]


@dataclass
class Chosen:
    """What the command line says."""

    mode: str = "honest"
    tee: FileIO | None = None
    cases: list[str] = field(default_factory=list)


CHOSEN = Chosen()


def write(raw: bytes) -> None:
    """Bytes on stdout, and in the tee before that."""
    if CHOSEN.tee is not None:
        CHOSEN.tee.write(raw)
    view = memoryview(raw)
    while view:
        view = view[os.write(1, view) :]


def say(message: object) -> None:
    """One message, one line."""
    write(line(message))


def line(message: object) -> bytes:
    """One message as one line."""
    return json.dumps(message).encode() + b"\n"


def result(request_id: object, text: str = "ok") -> Message:
    """An honest answer to a tool call."""
    content = {"content": [{"type": "text", "text": text}]}
    return {"jsonrpc": "2.0", "id": request_id, "result": content}


def opened(message: Message, **capabilities: object) -> Message:
    """An honest answer to `initialize`."""
    return {
        "jsonrpc": "2.0",
        "id": message["id"],
        "result": {
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": {"tools": {"listChanged": True}, "logging": {}, **capabilities},
            "serverInfo": {"name": f"rude-{CHOSEN.mode}", "version": "1"},
        },
    }


def listed(message: Message, tools: object, **more: object) -> Message:
    """An answer to `tools/list`."""
    return {"jsonrpc": "2.0", "id": message["id"], "result": {"tools": tools, **more}}


def tool(name: object) -> Message:
    """A valid tool, but for its name."""
    return {"name": name, "inputSchema": {"type": "object"}}


def note(method: str, **params: object) -> Message:
    """A notification."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def ask(request_id: object, method: str, **params: object) -> Message:
    """A request of ours."""
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def error(request_id: object, body: object) -> Message:
    """An error answer."""
    return {"jsonrpc": "2.0", "id": request_id, "error": body}


def instead(make: Callable[[object], object]) -> Step:
    """Something made with the request's id."""
    return lambda m: say(make(m["id"]))


def then_good(*steps: Step) -> Step:
    """Several steps, and then the honest answer."""

    def act(m: Message) -> None:
        for step in steps:
            step(m)
        say(result(m["id"]))

    return act


def then_leaves(step: Step) -> Step:
    """One step, and then the end of the process."""

    def act(m: Message) -> None:
        step(m)
        os._exit(0)

    return act


def sends(*messages: object) -> Step:
    """These messages, each in a write of its own."""

    def act(_: Message) -> None:
        for message in messages:
            say(message)

    return act


def many(message: object, count: int) -> Step:
    """One message very often."""

    def act(_: Message) -> None:
        block = line(message) * 1000
        for _n in range(count // 1000):
            write(block)

    return act


def die(number: int) -> Step:
    """Ends by a signal, with half a line on stdout."""

    def act(m: Message) -> None:
        write(b'{"jsonrpc":"2.0","id":%d,"res' % m.get("id", 0))
        os.kill(os.getpid(), number)

    return act


def leave(code: int) -> Step:
    """Ends at once."""
    return lambda _: os._exit(code)


def sleep(_: Message) -> None:
    """Does nothing any more."""
    time.sleep(600)


def deep(depth: int) -> Step:
    """An answer nested so deep."""
    nested = b"[" * depth + b"]" * depth
    return lambda m: write(b'{"jsonrpc":"2.0","id":%d,"result":{"x":%s}}\n' % (m["id"], nested))
