"""The authorization servers of other people let the official SDK's client in, as we start them."""

import httpx
import pytest

from tests.servers.guarded_server import guarded, guarded_by_itself
from tests.servers.oidc_provider import oidc_guarded
from tests.servers.sdk_client import add_as_official_client


@pytest.mark.node
async def test_oidc_provider_lets_the_official_client_in() -> None:
    with oidc_guarded() as guard:
        assert await add_as_official_client(guard.url, 2, 3) == "5"
    assert guard.tokens
    assert all(token.startswith("eyJ") for token in guard.tokens)


async def test_the_official_server_lets_the_official_client_in() -> None:
    with guarded_by_itself() as guard:
        assert await add_as_official_client(guard.url, 2, 3) == "5"
        assert guard.provider is not None
        assert len(guard.provider.clients) == 1


def test_a_token_that_nobody_signed_is_no_token() -> None:
    with guarded("http://127.0.0.1:1") as guard:
        headers = {"Authorization": "Bearer eyJhbGciOiJub25lIn0.e30."}
        assert httpx.post(guard.url, json={}, headers=headers).status_code == 401
        prm = httpx.get(guard.url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp"))
        assert prm.json()["authorization_servers"] == ["http://127.0.0.1:1"]
