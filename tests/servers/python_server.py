"""A small honest server on the official SDK or on fastmcp: two tools, a resource, a prompt.

`python python_server.py mcp|fastmcp stdio|http|sse [PORT]`.
"""

import sys
from typing import Any


def make(package: str) -> Any:
    """The server object; both packages spell what is used here alike."""
    server: Any
    if package == "fastmcp":
        from fastmcp import FastMCP

        server = FastMCP("honest-fastmcp")
    else:
        from mcp.server.mcpserver import MCPServer

        server = MCPServer("honest-mcp")

    def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    def shout(text: str) -> str:
        """Says it louder."""
        return text.upper()

    def greeting() -> str:
        """A short text."""
        return "hello"

    def review(code: str) -> str:
        """Asks for a review."""
        return f"Please review: {code}"

    server.tool()(add)
    server.tool()(shout)
    server.resource("memo://greeting")(greeting)
    server.prompt()(review)
    return server


def main() -> None:
    """Runs it."""
    package, transport, *rest = sys.argv[1:]
    server = make(package)
    port = int(rest[0]) if rest else 0
    if transport == "stdio":
        server.run(transport="stdio")
    elif transport == "http":
        server.run(transport="streamable-http", host="127.0.0.1", port=port)
    else:
        server.run(transport="sse", host="127.0.0.1", port=port)


if __name__ == "__main__":
    main()
