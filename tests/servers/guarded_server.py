"""An MCP server of the official SDK that somebody else's authorization server protects, and the
SDK's own authorization server beside one.

`guarded` takes JWTs, as npm's oidc-provider gives them; `guarded_by_itself` is the SDK's whole
house: its routes for metadata, registration, codes, tokens and revocation, over a provider in
memory that asks for a log-in on a page of its own.
"""

import contextlib
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import jwt
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from tests.servers.threaded import listening, on_thread

PRM = "/.well-known/oauth-protected-resource/mcp"
SCOPE = "tools"


@dataclass(slots=True)
class Guard:
    """What a running server is to a test."""

    url: str
    issuer: str
    tokens: list[str] = field(default_factory=list)
    """Every access token that came, in order, good or not."""
    provider: "InMemory | None" = None


class JwtVerifier:
    """Believes JWTs that the issuer signed for us, and looks at the issuer's keys each time."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard

    async def verify_token(self, token: str) -> AccessToken | None:
        self.guard.tokens.append(token)
        try:
            key = jwt.PyJWKClient(f"{self.guard.issuer}/jwks").get_signing_key_from_jwt(token)
            claims = jwt.decode(
                token, key, ["ES256"], audience=self.guard.url, issuer=self.guard.issuer
            )
        except jwt.PyJWTError:
            return None
        scopes = str(claims.get("scope", "")).split()
        return AccessToken(
            token=token,
            client_id=claims["client_id"],
            scopes=scopes,
            expires_at=claims["exp"],
            resource=self.guard.url,
        )


def _add_tools(server: "MCPServer[Any]") -> None:
    def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    server.tool()(add)


@contextlib.contextmanager
def guarded(issuer: str, *, slash: bool = False) -> Iterator[Guard]:
    """An MCP server for JWTs of `issuer`. The SDK spells an issuer without a path with a slash at
    its end, which is another issuer; so its metadata is written here, unless `slash`."""
    listener, port = listening()
    guard = Guard(f"http://127.0.0.1:{port}/mcp", issuer)
    settings = AuthSettings(
        issuer_url=AnyHttpUrl(issuer),
        resource_server_url=AnyHttpUrl(guard.url),
        required_scopes=[SCOPE],
        validate_token_resource=True,
    )
    server: MCPServer[Any] = MCPServer("guarded", auth=settings, token_verifier=JwtVerifier(guard))
    _add_tools(server)
    app = server.streamable_http_app(streamable_http_path="/mcp", host="127.0.0.1")
    if not slash:

        async def metadata(_: Request) -> Response:
            document = {"resource": guard.url, "authorization_servers": [issuer]}
            return JSONResponse({**document, "scopes_supported": [SCOPE]})

        app.routes[:] = [route for route in app.routes if getattr(route, "path", "") != PRM]
        app.add_route(PRM, metadata)
    with on_thread(app, listener):
        yield guard


class InMemory(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """The least that the SDK's authorization server needs; refresh tokens rotate."""

    def __init__(self, origin: str, seconds: int) -> None:
        self.origin = origin
        self.seconds = seconds
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.waiting: dict[str, tuple[str, AuthorizationParams]] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.access: dict[str, AccessToken] = {}
        self.refresh: dict[str, RefreshToken] = {}
        self.revoked: list[str] = []

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        assert client_info.client_id
        self.clients[client_info.client_id] = client_info

    async def authorize(
        self, client: OAuthClientInformationFull, params: AuthorizationParams
    ) -> str:
        ticket = secrets.token_hex(8)
        assert client.client_id
        self.waiting[ticket] = (client.client_id, params)
        return f"{self.origin}/login?{urlencode({'ticket': ticket})}"

    async def login(self, request: Request) -> Response:
        """The page that asks who it is, and the way back."""
        if request.method == "GET":
            ticket = request.query_params["ticket"]
            return HTMLResponse(
                '<form method="post" action="/login"><input name="username">'
                f'<input type="hidden" name="ticket" value="{ticket}">'
                '<input name="password" type="password"><button>Log in</button></form>'
            )
        form = await request.form()
        client_id, params = self.waiting.pop(str(form["ticket"]))
        code = AuthorizationCode(
            code=secrets.token_hex(20),
            scopes=params.scopes or [SCOPE],
            expires_at=time.time() + 60,
            client_id=client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
            subject=str(form["username"]),
        )
        self.codes[code.code] = code
        to = construct_redirect_uri(str(params.redirect_uri), code=code.code, state=params.state)
        return RedirectResponse(to, 302)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        code = self.codes.pop(authorization_code.code)
        return self._grant(code.client_id, code.scopes, code.resource)

    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> RefreshToken | None:
        return self.refresh.get(refresh_token)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        old = self.refresh.pop(refresh_token.token)
        return self._grant(old.client_id, scopes or old.scopes, old.resource)

    async def load_access_token(self, token: str) -> AccessToken | None:
        return self.access.get(token)

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        self.revoked.append(token.token)
        self.access.clear()
        self.refresh.clear()

    def _grant(self, client_id: str, scopes: list[str], resource: str | None) -> OAuthToken:
        access, refresh = secrets.token_hex(20), secrets.token_hex(20)
        ends = int(time.time()) + 3600
        self.access[access] = AccessToken(
            token=access, client_id=client_id, scopes=scopes, expires_at=ends, resource=resource
        )
        self.refresh[refresh] = RefreshToken(
            token=refresh, client_id=client_id, scopes=scopes, resource=resource
        )
        return OAuthToken(
            access_token=access,
            expires_in=self.seconds,
            scope=" ".join(scopes),
            refresh_token=refresh,
        )


@contextlib.contextmanager
def guarded_by_itself(*, seconds: int = 3600) -> Iterator[Guard]:
    """An MCP server with the SDK's own authorization server in the same process; it says that its
    access tokens are good for `seconds`."""
    listener, port = listening()
    origin = f"http://127.0.0.1:{port}"
    provider = InMemory(origin, seconds)
    guard = Guard(f"{origin}/mcp", origin + "/", provider=provider)
    settings = AuthSettings(
        issuer_url=AnyHttpUrl(origin),
        resource_server_url=AnyHttpUrl(guard.url),
        required_scopes=[SCOPE],
        validate_token_resource=True,
        client_registration_options=ClientRegistrationOptions(
            enabled=True, valid_scopes=[SCOPE], default_scopes=[SCOPE]
        ),
        revocation_options=RevocationOptions(enabled=True),
    )
    server: MCPServer[Any] = MCPServer(
        "guarded by itself", auth=settings, auth_server_provider=provider
    )
    _add_tools(server)
    app = server.streamable_http_app(streamable_http_path="/mcp", host="127.0.0.1")
    app.add_route("/login", provider.login, methods=["GET", "POST"])
    with on_thread(app, listener):
        yield guard
