"""A server on the official SDK for what only the modern era does: questions inside results, a
marked header argument, logs and progress on the request's own stream, subscriptions.

`python modern_server.py stdio|http [PORT]`.
"""

import sys
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
    TextContent,
)
from pydantic import Field

server = MCPServer("modern-sdk")
FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def where(
    region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})], ctx: Context
) -> str:
    """Says what the header of the region was."""
    headers = ctx.headers or {}
    return f"{region}|{headers.get('mcp-param-region', '')}"


def introduce(ctx: Context) -> str | InputRequiredResult:
    """Asks for a name, then for a model's word and the roots, then tells all."""
    answers: dict[str, Any] = dict(ctx.input_responses or {})
    state = ctx.request_state
    if state is None:
        form = ElicitRequestFormParams(message="Who are you?", requested_schema=FORM)
        return InputRequiredResult(
            input_requests={"who": ElicitRequest(params=form)}, request_state="first \u00e4 1.10"
        )
    if state.startswith("first"):
        who = answers["who"]
        name = (who.content or {}).get("name", who.action)
        message = SamplingMessage(role="user", content=TextContent(text=f"Greet {name}"))
        asked = CreateMessageRequestParams(messages=[message], max_tokens=20)
        return InputRequiredResult(
            input_requests={
                "model": CreateMessageRequest(params=asked),
                "roots": ListRootsRequest(),
            },
            request_state=f"second|{state}|{name}",
        )
    said = answers["model"].content.text
    roots = len(answers["roots"].roots)
    return f"{state} says {said} in {roots}"


async def work(ctx: Context) -> str:
    """Logs and reports progress on its own stream."""
    await ctx.info("at work")
    await ctx.report_progress(1, 2, "half")
    await ctx.report_progress(2, 2, "done")
    return "worked"


async def touch(ctx: Context) -> str:
    """Announces a change of the memo."""
    await ctx.notify_resource_updated("memo://greeting")
    await ctx.notify_tools_changed()
    return "touched"


def greeting() -> str:
    """A short text."""
    return "hello"


def review(code: str) -> str:
    """Asks for a review."""
    return f"Please review: {code}"


for tool in (where, introduce, work, touch):
    server.tool()(tool)
server.resource("memo://greeting")(greeting)
server.prompt()(review)

if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run(transport="stdio")
    else:
        server.run(transport="streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
