"""The demo server as a whole, and how it is served: over stdio, Streamable HTTP or HTTP+SSE.

Lists come in pages of ten, so that paging is in view too. The handshake era's subscriptions, log
levels and announced change notifications are wired here, because `MCPServer` leaves them out.
"""

import argparse
import base64
import binascii
import warnings
from collections.abc import Sequence
from functools import partial
from typing import Final, TypeVar

from mcp import MCPError
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import NotificationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp_types import (
    INVALID_PARAMS,
    CompleteRequestParams,
    CompleteResult,
    EmptyResult,
    ListToolsResult,
    LoggingLevel,
    PaginatedRequestParams,
    SetLevelRequestParams,
    SubscribeRequestParams,
    UnsubscribeRequestParams,
)

from inspector.demo import asks, resources, tools

PAGE: Final = 10
"""Tools in one page of the list."""

INSTRUCTIONS: Final = """\
The demo server of mcp-inspect. Nothing it does reaches beyond itself.

Try `add` first, then `slow` and cancel it, then `ask_form` and answer it.
"""

Item = TypeVar("Item")
RequestContext = ServerRequestContext[object]


def build() -> MCPServer[object]:
    """The demo server, ready to be served or to be used in process by tests."""
    server: MCPServer[object] = MCPServer(
        name="mcp-inspect-demo",
        title="Demo server",
        version="1.0.0",
        instructions=INSTRUCTIONS,
        log_level="WARNING",
    )
    counter = resources.Counter()
    threshold = Threshold()
    tools.register(server)
    asks.register(server, counter.advance, threshold.admits)
    resources.register(server, counter)
    _wire(server, counter, threshold)
    return server


class Threshold:
    """The least severe level of log messages that the client wants; all until it says."""

    def __init__(self) -> None:
        self._level: LoggingLevel = "debug"

    def set(self, level: LoggingLevel) -> None:
        """From now on messages below `level` are kept back."""
        self._level = level

    def admits(self, level: LoggingLevel) -> bool:
        """Whether a message of `level` is to be sent."""
        return asks.LEVELS.index(level) >= asks.LEVELS.index(self._level)


def _wire(server: MCPServer[object], counter: resources.Counter, threshold: Threshold) -> None:
    low = server._lowlevel_server

    async def list_tools(ctx: RequestContext, params: PaginatedRequestParams) -> ListToolsResult:
        page, following = _page(await server.list_tools(), params.cursor)
        return ListToolsResult(tools=list(page), next_cursor=following)

    async def set_level(ctx: RequestContext, params: SetLevelRequestParams) -> EmptyResult:
        threshold.set(params.level)
        return EmptyResult()

    async def subscribe(ctx: RequestContext, params: SubscribeRequestParams) -> EmptyResult:
        if str(params.uri) == resources.COUNTER and ctx.session not in counter.subscribers:
            counter.subscribers.append(ctx.session)
        return EmptyResult()

    async def unsubscribe(ctx: RequestContext, params: UnsubscribeRequestParams) -> EmptyResult:
        if str(params.uri) == resources.COUNTER:
            counter.subscribers.clear()
        return EmptyResult()

    async def complete(ctx: RequestContext, params: CompleteRequestParams) -> CompleteResult:
        chosen = params.context.arguments if params.context is not None else None
        argument = params.argument
        found = resources.complete(argument.name, argument.value, chosen or {})
        return CompleteResult(completion=found)

    low.add_request_handler("completion/complete", CompleteRequestParams, complete)
    low.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    low.add_request_handler("logging/setLevel", SetLevelRequestParams, set_level)
    low.add_request_handler("resources/subscribe", SubscribeRequestParams, subscribe)
    low.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, unsubscribe)
    announced = NotificationOptions(tools_changed=True)
    options = partial(low.create_initialization_options, announced)
    low.create_initialization_options = options  # type: ignore[method-assign]


def _page(items: Sequence[Item], cursor: str | None) -> tuple[Sequence[Item], str | None]:
    """The items after `cursor`, and the cursor of what follows them."""
    start = 0
    if cursor is not None:
        try:
            start = int(base64.urlsafe_b64decode(cursor).decode())
        except (binascii.Error, ValueError):
            raise MCPError(INVALID_PARAMS, "this is no cursor of mine") from None
    end = start + PAGE
    following = base64.urlsafe_b64encode(str(end).encode()).decode() if end < len(items) else None
    return items[start:end], following


def main(arguments: Sequence[str] | None = None) -> None:
    """Serves until the input ends or a signal comes."""
    parser = argparse.ArgumentParser(
        prog="python -m inspector.demo",
        description="The demo server of mcp-inspect; over stdio unless a port is given.",
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--http", type=int, metavar="PORT", help="Streamable HTTP on /mcp")
    choice.add_argument("--sse", type=int, metavar="PORT", help="HTTP+SSE on /sse")
    given = parser.parse_args(arguments)
    # The handshake era is what this server shows, sampling and logging included.
    warnings.simplefilter("ignore", MCPDeprecationWarning)
    server = build()
    if given.http is not None:
        server.run("streamable-http", port=given.http)
    elif given.sse is not None:
        server.run("sse", port=given.sse)
    else:
        server.run("stdio")
