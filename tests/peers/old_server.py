"""A small server on an old official SDK: `PYTHON old_server.py stdio|sse|http [PORT]`.

Runs with the interpreter of a virtual environment that has that SDK, from 1.6 to 1.25; what is
used here is spelled alike in all of them.
"""

import sys

from mcp.server.fastmcp import Context, FastMCP  # type: ignore[attr-defined]

transport = sys.argv[1]
port = int(sys.argv[2]) if len(sys.argv) > 2 else 0
server = FastMCP("old", host="127.0.0.1", port=port, log_level="WARNING")


@server.tool()  # type: ignore[untyped-decorator, unused-ignore]
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool()  # type: ignore[untyped-decorator, unused-ignore]
async def work(ctx: Context) -> str:
    """Reports progress twice."""
    for step in (1, 2):
        await ctx.report_progress(step, 2)
    return "worked"


@server.resource("memo://greeting")  # type: ignore[untyped-decorator, unused-ignore]
def greeting() -> str:
    """A short text."""
    return "hello"


@server.prompt()  # type: ignore[untyped-decorator, unused-ignore]
def review(code: str) -> str:
    """Asks for a review."""
    return f"Please review: {code}"


server.run(transport={"http": "streamable-http"}.get(transport, transport))
