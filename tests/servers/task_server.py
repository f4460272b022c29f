"""A server on fastmcp whose tools run as tasks of the extension `io.modelcontextprotocol/tasks`.

`python task_server.py stdio|http [PORT]`; the package `fastmcp-tasks` has to be there.
"""

import asyncio
import sys
from datetime import timedelta
from importlib import import_module
from typing import Any

from fastmcp import Context, FastMCP
from fastmcp.utilities.tasks import TaskConfig
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult

server = FastMCP("tasks")
server.add_extension(import_module("fastmcp_tasks").TasksExtension(url="memory://"))
QUICK = TaskConfig(mode="required", poll_interval=timedelta(milliseconds=50))
FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


@server.tool(task=QUICK)
async def compute(number: int) -> str:
    """Takes a moment."""
    await asyncio.sleep(0.2)
    return f"computed {number}"


@server.tool(task=QUICK)
async def greet(ctx: Context) -> Any:
    """Asks for a name in the middle of its work."""
    answers: dict[str, Any] = dict(ctx.input_responses or {})
    if "who" not in answers:
        form = ElicitRequestFormParams(message="Who are you?", requested_schema=FORM)
        return InputRequiredResult(input_requests={"who": ElicitRequest(params=form)})
    return f"hello {(answers['who'].content or {}).get('name')}"


@server.tool(task=QUICK)
async def fail() -> str:
    """Fails in its own way."""
    raise ValueError("no luck")


@server.tool(task=QUICK)
async def wait() -> str:
    """Never ends by itself."""
    await asyncio.sleep(3600)
    return "late"


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run(transport="stdio", show_banner=False)
    else:
        server.run(transport="http", host="127.0.0.1", port=int(sys.argv[2]), show_banner=False)
