"""A server whose tools ask the user, or do what not every revision has: for comparing revisions.

`python asking_server.py mcp|fastmcp stdio|http [PORT]`.
"""

import sys
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

if sys.argv[1] == "fastmcp":
    from fastmcp import Context, FastMCP

    server: Any = FastMCP("asking-fastmcp")
else:
    from mcp.server.mcpserver import Context, MCPServer  # type: ignore[assignment]

    server = MCPServer("asking-mcp")


@dataclass
class Sure:
    """What fastmcp asks for."""

    agreed: bool = True


class SureModel(BaseModel):
    """What the SDK asks for."""

    agreed: bool = True


async def erase(path: str, ctx: Context) -> str:
    """Erases a file once the user agrees."""
    message = f"Really erase {path}?"
    if sys.argv[1] == "fastmcp":
        answer: Any = await ctx.elicit(message, response_type=Sure)
    else:
        answer = await ctx.elicit(message, schema=SureModel)  # type: ignore[call-overload]
    return f"{path}: {answer.action}"


def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


def greeting() -> str:
    """A short text."""
    return "hello"


def review(code: str) -> str:
    """Asks for a review."""
    return f"Please review: {code}"


server.tool()(erase)
server.tool()(add)
server.resource("memo://greeting")(greeting)
server.prompt()(review)

if __name__ == "__main__":
    if sys.argv[2] == "stdio":
        server.run(transport="stdio")
    else:
        server.run(transport="streamable-http", host="127.0.0.1", port=int(sys.argv[3]))
