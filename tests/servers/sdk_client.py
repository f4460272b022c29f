"""The official SDK's client with the scripted browser. That it gets in says that our authorization
server, and the way we start other people's, are not made to our own client's image."""

from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.client.session import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from mcp_types import TextContent
from pydantic import AnyUrl

from tests.servers.scripted_browser import redirect_of

BACK = "http://127.0.0.1:1/back"


async def add_as_official_client(url: str, a: int, b: int) -> str:
    """Gets into the MCP server at `url` and calls `add`; the text of its result."""
    async with (
        httpx2.AsyncClient(auth=_provider(url), timeout=30) as http,
        streamable_http_client(url, http_client=http) as (read, write),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        result = await session.call_tool("add", {"a": a, "b": b})
    assert isinstance(result.content[0], TextContent)
    return result.content[0].text


class Memory(TokenStorage):
    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


def _provider(url: str) -> OAuthClientProvider:
    """The official client, with the scripted browser."""
    urls: list[str] = []

    async def remember(url: str) -> None:
        urls.append(url)

    async def come_back() -> AuthorizationCodeResult:
        to = redirect_of(urls[-1], BACK)
        fields = {name: values[0] for name, values in parse_qs(urlsplit(to).query).items()}
        return AuthorizationCodeResult(
            code=fields["code"], state=fields["state"], iss=fields.get("iss")
        )

    metadata = OAuthClientMetadata(redirect_uris=[AnyUrl(BACK)], client_name="the official client")
    return OAuthClientProvider(url, metadata, Memory(), remember, come_back)
