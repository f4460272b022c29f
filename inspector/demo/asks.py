"""Tools that ask back: elicitation by form and by URL, sampling, roots; and tools that make the
server speak unasked: log messages, a changed tool list, a changed resource.

They ask in both eras: by a request of the server's own, or from 2026-07-28 on by a result that
wants an answer before there is one (basic/patterns/mrtr).
"""

import contextlib
from collections.abc import Awaitable, Callable
from typing import TypeVar

from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestedSchema,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    ElicitResult,
    InputRequest,
    InputRequiredResult,
    ListRootsRequest,
    ListRootsResult,
    LoggingLevel,
    ModelHint,
    ModelPreferences,
    SamplingMessage,
    TextContent,
    ToolAnnotations,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

LEVELS: tuple[LoggingLevel, ...] = (
    *("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"),
)

QUESTIONS: ElicitRequestedSchema = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Your name", "minLength": 1},
        "email": {"type": "string", "title": "E-mail", "format": "email"},
        "born": {"type": "string", "title": "Born on", "format": "date"},
        "website": {"type": "string", "title": "Website", "format": "uri"},
        "age": {"type": "integer", "title": "Age", "minimum": 0, "maximum": 150, "default": 42},
        "height": {"type": "number", "title": "Height", "description": "in metres", "minimum": 0},
        "subscribe": {"type": "boolean", "title": "Send me news", "default": False},
        "size": {"type": "string", "title": "Size", "enum": ["S", "M", "L"], "default": "M"},
        "colour": {
            "type": "string",
            "title": "Colour",
            "oneOf": [
                {"const": "#d55e00", "title": "Vermillion"},
                {"const": "#0072b2", "title": "Blue"},
                {"const": "#009e73", "title": "Green"},
            ],
        },
        "shipping": {
            "type": "string",
            "title": "Shipping",
            "enum": ["std", "exp"],
            "enumNames": ["Standard", "Express"],
        },
        "days": {
            "type": "array",
            "title": "Free on",
            "items": {"type": "string", "enum": ["mon", "tue", "wed", "thu", "fri"]},
            "minItems": 1,
            "maxItems": 3,
            "default": ["mon"],
        },
        "toppings": {
            "type": "array",
            "title": "Toppings",
            "items": {
                "anyOf": [
                    {"const": "o", "title": "Olives"},
                    {"const": "c", "title": "Cheese"},
                    {"const": "m", "title": "Mushrooms"},
                ]
            },
        },
    },
    "required": ["name", "size"],
}
"""A form with every kind of field that elicitation knows (2025-11-25 client/elicitation)."""

ASKS = ToolAnnotations(read_only_hint=True, open_world_hint=True)


def register(
    server: MCPServer,
    counter_changed: Callable[[], Awaitable[int]],
    is_wanted: Callable[[LoggingLevel], bool],
) -> None:
    """Adds the tools of this module.

    `counter_changed` counts up and tells the subscribers; `is_wanted` tells whether the client
    asked for log messages of a level.
    """
    _register_questions(server)
    _register_news(server, counter_changed, is_wanted)


Answer = TypeVar("Answer", ElicitResult, CreateMessageResult, ListRootsResult)


def _answered(
    ctx: Context, kind: type[Answer], request: InputRequest
) -> Answer | InputRequiredResult | None:
    """The answer to `request`, or the result that asks for it; None in the handshake era, where a
    server asks by itself."""
    if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return None
    answer = (ctx.input_responses or {}).get("question")
    if isinstance(answer, kind):
        return answer
    return InputRequiredResult(input_requests={"question": request}, request_state="asked")


def _register_questions(server: MCPServer) -> None:
    @server.tool(title="Ask with a form", annotations=ASKS, structured_output=False)
    async def ask_form(
        ctx: Context, message: str = "A few questions, all invented."
    ) -> str | InputRequiredResult:
        """Asks you a form (elicitation) and says what you answered."""
        form = ElicitRequestFormParams(message=message, requested_schema=QUESTIONS)
        answer = _answered(ctx, ElicitResult, ElicitRequest(params=form))
        if isinstance(answer, InputRequiredResult):
            return answer
        answer = answer or await ctx.session.elicit_form(message, QUESTIONS, ctx.request_id)
        if answer.action != "accept":
            return f"You chose to {answer.action}."
        return f"You answered {answer.content}."

    @server.tool(title="Ask to open a page", annotations=ASKS, structured_output=False)
    async def ask_url(
        ctx: Context, url: str = "https://example.com/consent?step=1"
    ) -> str | InputRequiredResult:
        """Asks you to visit a page (URL elicitation), then reports its completion."""
        message = "Please agree on this page."
        page = ElicitRequestURLParams(message=message, url=url)
        answer = _answered(ctx, ElicitResult, ElicitRequest(params=page))
        if isinstance(answer, InputRequiredResult):
            return answer
        if answer is None:  # only 2025-11-25 has an id for the page, and a word when it is done
            identity = f"visit-{ctx.request_id}"
            answer = await ctx.session.elicit_url(message, url, identity, ctx.request_id)
            if answer.action == "accept":
                await ctx.session.send_elicit_complete(identity, ctx.request_id)
        return f"You chose to {answer.action}."

    @server.tool(title="Ask a model", annotations=ASKS, structured_output=False)
    async def ask_model(
        ctx: Context, question: str = "What is the answer?"
    ) -> str | InputRequiredResult:
        """Asks your model (sampling) and says what it said."""
        asked = CreateMessageRequestParams(
            messages=[
                SamplingMessage(role="user", content=TextContent(type="text", text=question))
            ],
            max_tokens=100,
            system_prompt="You answer in one short sentence.",
            temperature=0.2,
            stop_sequences=["\n\n"],
            model_preferences=ModelPreferences(
                hints=[ModelHint(name="small")], speed_priority=0.8, intelligence_priority=0.3
            ),
        )
        request = CreateMessageRequest(params=asked)
        answer = _answered(ctx, CreateMessageResult, request)
        if isinstance(answer, InputRequiredResult):
            return answer
        if answer is None:
            asked_by = ServerMessageMetadata(related_request_id=ctx.request_id)
            answer = await ctx.session.send_request(request, CreateMessageResult, metadata=asked_by)
        said = answer.content
        text = said.text if isinstance(said, TextContent) else f"a block of type {said.type}"
        return f"{answer.model} said: {text}"

    @server.tool(title="Show roots", annotations=ASKS, structured_output=False)
    async def show_roots(ctx: Context) -> str | InputRequiredResult:
        """Asks which roots you offer and lists them."""
        answer = _answered(ctx, ListRootsResult, ListRootsRequest())
        if isinstance(answer, InputRequiredResult):
            return answer
        if answer is None:
            # `list_roots()` would ask on the standalone stream, which may not be open yet.
            asked_by = ServerMessageMetadata(related_request_id=ctx.request_id)
            answer = await ctx.session.send_request(
                ListRootsRequest(), ListRootsResult, metadata=asked_by
            )
        return (
            "\n".join(f"{root.uri} {root.name or ''}".rstrip() for root in answer.roots) or "none"
        )


def _register_news(
    server: MCPServer,
    counter_changed: Callable[[], Awaitable[int]],
    is_wanted: Callable[[LoggingLevel], bool],
) -> None:
    @server.tool(title="Write log messages", structured_output=False)
    async def log(
        ctx: Context, message: str = "a message", level: LoggingLevel | None = None
    ) -> str:
        """Sends a log message at one level, or one at each of the eight."""
        wanted = [each for each in ((level,) if level else LEVELS) if is_wanted(each)]
        for each in wanted:
            await ctx.session.send_log_message(
                each, {"text": message, "at": each}, "demo", ctx.request_id
            )
        return f"sent {len(wanted)}"

    @server.tool(title="Grow or shrink the tool list", structured_output=False)
    async def toggle_extra_tool(ctx: Context) -> str:
        """Adds the tool `extra`, or takes it away again, and announces the changed list."""
        names = {tool.name for tool in await server.list_tools()}
        if "extra" in names:
            server.remove_tool("extra")
        else:
            server.add_tool(_extra, name="extra", title="The extra tool", structured_output=False)
        # The handshake era has a notification for it, the modern era a subscription.
        await ctx.session.send_tool_list_changed()
        await ctx.notify_tools_changed()
        return "removed" if "extra" in names else "added"

    @server.tool(title="Change the counter", structured_output=False)
    async def count(ctx: Context) -> str:
        """Changes the resource `demo://counter`, of which subscribers are told."""
        value = await counter_changed()
        with contextlib.suppress(ValueError):
            await ctx.notify_resource_updated("demo://counter")
        return f"the counter is at {value}"


def _extra() -> str:
    """Is there only sometimes."""
    return "here I am"
