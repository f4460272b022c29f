"""A small honest server on the official SDK or on fastmcp: two tools, a resource, a prompt.

`python python_server.py mcp|mcp1|fastmcp stdio|http|sse [PORT]`; `mcp1` is the SDK from 1.2 to 1.x,
in an environment of its own.
"""

import sys
from importlib import import_module
from typing import Any


def make(package: str, port: int) -> Any:
    """The server object; all of them spell what is used here alike."""
    server: Any
    if package == "fastmcp":
        from fastmcp import FastMCP

        server = FastMCP("honest-fastmcp")
    elif package == "mcp1":
        old = import_module("mcp.server.fastmcp")  # not where the type checker is
        server = old.FastMCP("honest-mcp", host="127.0.0.1", port=port, log_level="WARNING")
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
    port = int(rest[0]) if rest else 0
    server = make(package, port)
    where = {} if transport == "stdio" or package == "mcp1" else {"host": "127.0.0.1", "port": port}
    server.run(transport="streamable-http" if transport == "http" else transport, **where)


if __name__ == "__main__":
    main()
