"""The official SDK's own client, connected to the demo over stdio."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import mcp_types as types
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from pydantic import FileUrl

from tests.servers.nursery import born

COMMAND, *WORDS = born("servers", "-m", "inspector.demo")
PROGRAM = StdioServerParameters(command=COMMAND, args=WORDS)


class Client:
    """A session, and what arrived unasked."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self._news = anyio.Event()
        self.asked: list[types.ElicitRequestParams] = []

    async def on_message(self, message: object) -> None:
        self.heard.append(type(message).__name__)
        self._news.set()

    async def on_elicitation(
        self, context: object, params: types.ElicitRequestParams
    ) -> types.ElicitResult:
        self.asked.append(params)
        if isinstance(params, types.ElicitRequestURLParams):
            return types.ElicitResult(action="accept")
        return types.ElicitResult(action="accept", content={"name": "Ada", "size": "M"})

    async def on_sampling(
        self, context: object, params: types.CreateMessageRequestParams
    ) -> types.CreateMessageResult:
        said = types.TextContent(type="text", text="forty-two")
        return types.CreateMessageResult(role="assistant", content=said, model="test")

    async def on_roots(self, context: object) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=FileUrl("file:///srv"))])

    async def until_heard(self, name: str) -> None:
        with anyio.fail_after(20):
            while name not in self.heard:
                self._news = anyio.Event()
                await self._news.wait()


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[ClientSession, Client]]:
    client = Client()
    async with (
        stdio_client(PROGRAM) as (read, write),
        ClientSession(
            read,
            write,
            message_handler=client.on_message,
            elicitation_callback=client.on_elicitation,
            sampling_callback=client.on_sampling,
            list_roots_callback=client.on_roots,
        ) as session,
    ):
        await session.initialize()
        yield session, client


async def all_tools(session: ClientSession) -> list[types.Tool]:
    tools: list[types.Tool] = []
    cursor: str | None = None
    while True:
        page = await session.list_tools(params=types.PaginatedRequestParams(cursor=cursor))
        tools += page.tools
        cursor = page.next_cursor
        if cursor is None:
            return tools


def text_of(result: types.CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    return block.text
