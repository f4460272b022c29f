"""A scripted server that asks, logs and runs tasks, for tests of the tabs about these.

What it says of its own accord is said with `tell`, on the workbench's loop, where a transport
speaks. All that it was told is kept whole in `heard`.
"""

import json
from collections.abc import Iterator

from textual.pilot import Pilot

from inspector.protocol.messages import Json, JsonObject
from inspector.session.asks import Ask
from inspector.session.session import Session
from inspector.tui.app import InspectorApp
from inspector.tui.screens.ask import AskScreen
from inspector.tui.views.base import View
from inspector.tui.widgets.ask_panel import AskPanel
from tests.tui.world import Server, encode, main, wait_for

HOSTILE = "evil\x1b[31m\x1b]52;c;QUFB\x07\x9b2J\u202e[bold]x[/bold]"
"""Colour, clipboard, C1, bidi and markup in one name."""
SHOWN = "evil␛[31m␛]52;c;QUFB␇"
"""How the beginning of `HOSTILE` stands on the screen."""

FORM: JsonObject = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer", "default": 7}},
    "required": ["name"],
}
CAPABILITIES: JsonObject = {
    "tools": {},
    "logging": {},
    "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}},
}


class Asker(Server):
    """Declares logging and tasks; the tool "waits" is never answered, "slow" becomes a task."""

    def __init__(self, *, capabilities: JsonObject | None = None, name: str = "asker") -> None:
        super().__init__(
            tools=[
                {"name": "waits", "inputSchema": {"type": "object"}},
                {
                    "name": "slow",
                    "inputSchema": {"type": "object"},
                    "execution": {"taskSupport": "required"},
                },
            ]
        )
        self.capabilities = CAPABILITIES if capabilities is None else capabilities
        self.name = name
        self.instructions = ""
        self.heard: list[JsonObject] = []
        self.tasks: dict[str, str] = {}
        self.task_id = "task-1"
        self.task_message = ""
        self.hold_results: list[Json] = []
        self.held = False

    def respond(self, raw: bytes) -> Iterator[bytes]:
        """Keeps what it hears; calls of "waits" and results that are held have no answer."""
        message = json.loads(raw)
        self.heard.append(message)
        params = message.get("params") or {}
        if params.get("name") == "waits" or (message.get("method") == "tasks/result" and self.held):
            self.seen.append(message.get("method", ""))
            return
        yield from super().respond(raw)

    def result(self, method: str, params: JsonObject) -> JsonObject | None:
        """The result of one request."""
        match method:
            case "initialize":
                info: JsonObject = {"name": self.name, "version": "1"}
                result: JsonObject = {
                    "protocolVersion": params["protocolVersion"],
                    "capabilities": self.capabilities,
                    "serverInfo": info,
                }
                if self.instructions:
                    result["instructions"] = self.instructions
                return result
            case "logging/setLevel":
                return {}
            case "tools/call" if "task" in params:
                self.tasks[self.task_id] = "working"
                return {"task": self.described(self.task_id)}
            case "tasks/list":
                return {"tasks": [self.described(one) for one in self.tasks]}
            case "tasks/get":
                return self.described(str(params["taskId"]))
            case "tasks/cancel":
                self.tasks[str(params["taskId"])] = "cancelled"
                return self.described(str(params["taskId"]))
            case "tasks/result":
                return {"content": [{"type": "text", "text": "the long awaited"}]}
            case _:
                return super().result(method, params)

    def described(self, task_id: str) -> JsonObject:
        """A task as the protocol describes it."""
        return {
            "taskId": task_id,
            "status": self.tasks.get(task_id, "working"),
            "statusMessage": self.task_message,
            "createdAt": "2025-11-25T10:00:00Z",
            "lastUpdatedAt": "2025-11-25T10:00:00Z",
            "ttl": None,
            "pollInterval": 100_000,
        }

    def all_heard(self, method: str) -> list[JsonObject]:
        """Every message with that method."""
        return [message for message in self.heard if message.get("method") == method]

    def answer_to(self, request_id: int | str) -> JsonObject | None:
        """What we answered to one request of the server."""
        for message in self.heard:
            if message.get("id") == request_id and "method" not in message:
                return message
        return None


def tell(app: InspectorApp, server: Server, message: JsonObject) -> None:
    """The server says `message`."""
    transport = server.transports[-1]

    async def say() -> None:
        transport.feed(encode({"jsonrpc": "2.0", **message}))

    app.bridge.post(say)


def session_of(app: InspectorApp) -> Session:
    """The session as it is now."""
    return app.bridge.workbench.session


def asks_of(app: InspectorApp) -> tuple[Ask, ...]:
    """All asks."""
    return session_of(app).inbox.asks


def sampling(request_id: int, text: str = "What is six times nine?") -> JsonObject:
    """A sampling request."""
    content: JsonObject = {"type": "text", "text": text}
    params: JsonObject = {
        "systemPrompt": "Be brief",
        "messages": [{"role": "user", "content": content}],
        "maxTokens": 100,
    }
    return {"id": request_id, "method": "sampling/createMessage", "params": params}


def elicitation(
    request_id: int, message: str = "Who are you?", schema: JsonObject | None = None
) -> JsonObject:
    """A form elicitation."""
    params: JsonObject = {"message": message, "requestedSchema": schema or FORM}
    return {"id": request_id, "method": "elicitation/create", "params": params}


def page(request_id: int, url: str = "https://example.com/consent?a=1") -> JsonObject:
    """A URL elicitation."""
    params: JsonObject = {
        "mode": "url",
        "message": "Please agree there",
        "url": url,
        "elicitationId": f"e{request_id}",
    }
    return {"id": request_id, "method": "elicitation/create", "params": params}


async def dialog(pilot: Pilot[int], app: InspectorApp) -> AskScreen:
    """The dialog with an ask, once it is open and its answer can be written."""
    await wait_for(pilot, lambda: isinstance(app.screen, AskScreen) and app.screen.is_mounted)
    screen = app.screen
    assert isinstance(screen, AskScreen)
    await wait_for(pilot, lambda: bool(screen.query(AskPanel)) and screen.focused is not None)
    return screen


async def ask_in_dialog(
    pilot: Pilot[int], app: InspectorApp, server: Server, message: JsonObject
) -> AskScreen:
    """The server asks, and the dialog opens."""
    tell(app, server, message)
    return await dialog(pilot, app)


async def answered(pilot: Pilot[int], server: Asker, request_id: int) -> JsonObject:
    """What we answered, once we did."""
    await wait_for(pilot, lambda: server.answer_to(request_id) is not None)
    answer = server.answer_to(request_id)
    assert answer is not None
    return answer


async def tab(pilot: Pilot[int], app: InspectorApp, key: str, kind: type[View]) -> View:
    """Go to a tab by its number and wait until it is there and has the focus."""
    await pilot.press(f"alt+{key}")
    await wait_for(
        pilot,
        lambda: bool(app.query(kind)) and app.query_one(kind).is_mounted,
    )
    view = app.query_one(kind)
    await wait_for(pilot, lambda: view.has_focus_within and main(app).tab in str(view.id))
    return view
