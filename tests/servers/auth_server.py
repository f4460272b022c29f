"""An authorization server and the MCP server that it protects, in one process of the test's own,
with toggles for everything that can be wrong (`auth_toggles`); `auth_rules` is what it does when
nothing is.

In a test: `with serving(Toggles(...)) as server:`; then `server.url` is the MCP server, and
`server.log` every request that came, in order. It runs on a thread of its own, so that the code
under test may be a coroutine of the test or another process. The MCP server behind the bearer check
is one of the official SDK, so that tools really work.
"""

import asyncio
import contextlib
import json
import secrets as random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, urlencode

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from inspector.protocol.json_text import Json
from tests.servers.auth_rules import Refusal, Rules, Token
from tests.servers.auth_toggles import HONEST, JSON_HEADERS, Canned, Seen, Toggles, changed, filled
from tests.servers.threaded import listening, on_thread

WELL_KNOWN = "/.well-known/"
_FORM = """<!doctype html><title>{title}</title><h1>{title}</h1>
<form method="post" action="/{action}?{query}"><input type="hidden" name="ticket" value="{ticket}">
{fields}<button type="submit" name="decision" value="allow">Go on</button></form>"""
_LOGIN = '<input name="username"><input name="password" type="password">'


def mcp_app() -> ASGIApp:
    """The MCP server that is protected; one of its tools needs another scope."""
    server = MCPServer("protected")

    def reflect(ctx: Context) -> str:
        """Says how it was called, secrets and all."""
        return "\n".join(f"{name}: {value}" for name, value in (ctx.headers or {}).items())

    def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    def shout(text: str) -> str:
        """Says it louder."""
        return text.upper()

    def locked() -> str:
        """Needs the scope of the vault."""
        return "the vault is open"

    for tool in (add, shout, locked, reflect):
        server.tool()(tool)
    # It has other names than this machine's in some tests.
    unguarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return server.streamable_http_app(streamable_http_path="/mcp", transport_security=unguarded)


class AuthServer:
    """One running server. Not to be made by hand: `serving` does."""

    def __init__(self, toggles: Toggles, names: Mapping[str, str], origin: str) -> None:
        self.origin = origin
        self.url = f"{origin}/mcp"
        self._more = dict(names)
        self._app = mcp_app()
        self._stopped = asyncio.Event()
        self.reset(toggles)

    def reset(self, toggles: Toggles) -> None:
        """Forgets everything and goes on with other toggles."""
        self.log: list[Seen] = []
        self.calls = 0
        self.issuer = self.origin + toggles.issuer_path
        self.names = {
            "origin": self.origin,
            "issuer": self.issuer,
            "resource": self.url,
            "prm": f"{self.origin}/prm.json",
            **self._more,
        }
        self._counts: dict[str, int] = {}
        self.rules = Rules(toggles, self.names)

    @property
    def toggles(self) -> Toggles:
        """What holds now."""
        return self.rules.toggles

    def turn(self, **toggles: object) -> None:
        """Changes toggles while it runs; counts of canned answers begin anew."""
        self.rules.toggles = replace(self.rules.toggles, **toggles)  # type: ignore[arg-type]
        self._counts = {}

    def requests(self, endpoint: str) -> list[Seen]:
        """The requests that came to one endpoint."""
        return [seen for seen in self.log if seen.endpoint == endpoint]

    def leaked(self, secrets: list[tuple[str, str]]) -> list[str]:
        """The kinds of those secrets that occur in anything that was sent here."""
        return [kind for kind, text in secrets if any(seen.holds(text) for seen in self.log)]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = await _body(receive)
        seen = _seen(scope, body, self._endpoint(scope["path"]))
        self.log.append(seen)
        self.rules.learn("session", seen.header("mcp-session-id"))
        if self.toggles.cookies:
            send = _with_cookie(send, f"sid={self.rules.new_secret('cookie')}")
        answer = self._canned(seen.endpoint)
        if answer is None and seen.endpoint == "mcp":
            answer = self._gate(seen)
            if answer is None:
                await self._app(scope, _again(body, receive), send)
                return
        await self._send(send, receive, answer or self._answer(seen))

    def stop(self) -> None:
        """Lets go of those that hang."""
        self._stopped.set()

    def _endpoint(self, path: str) -> str:
        if path == "/prm.json" or path.startswith(f"{WELL_KNOWN}oauth-protected-resource"):
            return "prm"
        if WELL_KNOWN in path:
            return "metadata"
        return path.strip("/").split("/")[0] or "root"

    def _canned(self, endpoint: str) -> Canned | None:
        answers = self.toggles.canned.get(endpoint)
        if not answers:
            return None
        count = self._counts.get(endpoint, 0)
        self._counts[endpoint] = count + 1
        found = answers[min(count, len(answers) - 1)]
        if found is None:
            return None
        headers = tuple((name, str(filled(value, self.names))) for name, value in found.headers)
        body = found.body.decode("utf-8", "surrogateescape")
        text = str(filled(body, self.names)).encode("utf-8", "surrogateescape")
        return replace(found, headers=headers, body=text)

    def _gate(self, seen: Seen) -> Canned | None:
        """What keeps a request from the MCP server; None where nothing does."""
        toggles = self.toggles
        if toggles.hangs_on and toggles.hangs_on.encode() in seen.body:
            return Canned(hangs=True)
        kind, _, text = seen.header("authorization").partition(" ")
        token = self.rules.access(text) if kind.lower() == "bearer" else None
        bound = toggles.resource_required and not toggles.any_resource
        if token is not None and bound and token.resource != self.url:
            token = None
        if token is None or toggles.refuses_all:
            return self._challenge(401, toggles.challenge)
        if toggles.accepted_calls is not None and self.calls >= toggles.accepted_calls:
            self.calls = 0
            self.rules.end_access()
            return self._challenge(401, toggles.challenge)
        needed = self._missing_scope(seen, token)
        if needed:
            line = f'Bearer error="insufficient_scope", scope="{needed}", ' + (
                'resource_metadata="{prm}"'
            )
            return self._challenge(403, (line,))
        self.calls += seen.method == "POST"
        return None

    def _missing_scope(self, seen: Seen, token: Token) -> str:
        try:
            asked = json.loads(seen.body)
        except ValueError:
            return ""
        if not isinstance(asked, dict) or asked.get("method") != "tools/call":
            return ""
        needed = self.toggles.scopes.get(asked.get("params", {}).get("name", ""), "")
        held = token.scope.split(" ")
        return needed if needed and (needed not in held or self.toggles.asks_again) else ""

    def _challenge(self, status: int, lines: tuple[str, ...]) -> Canned:
        headers = tuple(("WWW-Authenticate", str(filled(line, self.names))) for line in lines)
        return Canned(status, b'{"error":"no"}', (*JSON_HEADERS, *headers))

    def _answer(self, seen: Seen) -> Canned:
        try:
            match seen.endpoint, seen.method:
                case "prm", "GET":
                    return self._prm(seen.path)
                case "metadata", "GET":
                    return self._metadata(seen.path)
                case "register", "POST":
                    return _json(*self.rules.register(seen.body))
                case "token", "POST":
                    return _json(*self.rules.token(seen.form, seen.header("authorization")))
                case "revoke", "POST":
                    return _json(*self.rules.revoke(seen.form, seen.header("authorization")))
                case "authorize" | "login" | "consent", _:
                    return self._authorize(seen)
        except Refusal as refusal:
            return _json(*refusal.reply)
        return Canned(404, b"nothing here", (("Content-Type", "text/plain"),))

    def _prm(self, path: str) -> Canned:
        well_known = f"{WELL_KNOWN}oauth-protected-resource"
        places = {"/prm.json": "named", f"{well_known}/mcp": "path", well_known: "root"}
        if places.get(path) not in self.toggles.prm_places:
            return _json(404, {"error": "not here"})
        honest: dict[str, Json] = {
            "resource": self.url,
            "authorization_servers": [self.issuer],
            "scopes_supported": ["tools"],
            "bearer_methods_supported": ["header"],
        }
        return _json(200, filled(changed(honest, self.toggles.prm), self.names))

    def _metadata(self, path: str) -> Canned:
        own = self.toggles.issuer_path.rstrip("/")
        places = {
            "oauth": f"{WELL_KNOWN}oauth-authorization-server{own}",
            "openid": f"{WELL_KNOWN}openid-configuration{own}",
            "appended": f"{own}{WELL_KNOWN}openid-configuration",
        }
        found = {places[name] for name in self.toggles.metadata_places}
        if path not in found:
            return _json(404, {"error": "not here"})
        honest: dict[str, Json] = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.origin}/authorize",
            "token_endpoint": f"{self.origin}/token",
            "registration_endpoint": f"{self.origin}/register",
            "revocation_endpoint": f"{self.origin}/revoke",
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials"],
            "token_endpoint_auth_methods_supported": [
                "none", "client_secret_basic", "client_secret_post", "private_key_jwt",
            ],
            "token_endpoint_auth_signing_alg_values_supported": ["RS256", "ES256"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
        }  # fmt: skip
        return _json(200, filled(changed(honest, self.toggles.metadata), self.names))

    def _authorize(self, seen: Seen) -> Canned:
        """The pages that a browser sees: log in, consent, and back to the client."""
        form = Seen("", "GET", "", seen.query, (), b"").form
        self.rules.judge_authorization(form)
        session = f"session={self._session(seen)}; HttpOnly; Path=/"
        if self.toggles.forms and seen.endpoint != "consent":
            login = seen.endpoint == "authorize"
            page = _FORM.format(
                title="Log in" if login else "Do you allow this?",
                action="login" if login else "consent",
                query=seen.query.replace('"', "%22").replace("&", "&amp;"),
                ticket=random.token_hex(8),
                fields=_LOGIN if login else "",
            )
            headers = (("Content-Type", "text/html; charset=utf-8"), ("Set-Cookie", session))
            return Canned(200, page.encode(), headers)
        fields = [
            (name, str(part))
            for name, value in self.rules.grant_code(form).items()
            for part in (value if isinstance(value, list) else [value])
        ]
        target = self.toggles.redirects_elsewhere or form["redirect_uri"]
        joined = "&" if "?" in target else "?"
        to = str(filled(target, self.names)) + joined + urlencode(fields, quote_via=quote)
        return Canned(302, b"", (("Location", to), ("Set-Cookie", session)))

    def _session(self, seen: Seen) -> str:
        held = seen.header("cookie").partition("session=")[2]
        return held or self.rules.new_secret("cookie")

    async def _send(self, send: Send, receive: Receive, answer: Canned) -> None:
        if answer.hangs:
            await self._until_gone(receive)
            return
        start: Message = {"type": "http.response.start", "status": answer.status, "headers": []}
        headers = MutableHeaders(raw=start["headers"])
        for name, value in answer.headers:
            headers.append(name, value)
        if not answer.endless:
            headers["Content-Length"] = str(len(answer.body))
        await send(start)
        while answer.endless and not self._stopped.is_set():
            await send({"type": "http.response.body", "body": answer.body, "more_body": True})
            await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": answer.body})

    async def _until_gone(self, receive: Receive) -> None:
        async with asyncio.TaskGroup() as group:
            waits = [group.create_task(self._stopped.wait()), group.create_task(_gone(receive))]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for wait in waits:
                wait.cancel()


@contextlib.contextmanager
def serving(
    toggles: Toggles = HONEST,
    *,
    names: Mapping[str, str] | None = None,
    host: str = "127.0.0.1",
    certificate: Path | None = None,
) -> Iterator[AuthServer]:
    """A running server. `certificate` is a PEM file with key and chain: then it speaks TLS as
    `host`, whatever that name resolves to for the client."""
    listener, port = listening()
    scheme = "http" if certificate is None else "https"
    server = AuthServer(toggles, names or {}, f"{scheme}://{host}:{port}")
    with on_thread(server, listener, certificate):
        try:
            yield server
        finally:
            server.stop()


def _json(status: int, value: Json) -> Canned:
    return Canned(status, json.dumps(value).encode())


def _seen(scope: Scope, body: bytes, endpoint: str) -> Seen:
    headers = tuple((k.decode("latin-1"), v.decode("latin-1")) for k, v in scope["headers"])
    query = scope["query_string"].decode("latin-1")
    return Seen(endpoint, scope["method"], scope["path"], query, headers, body)


async def _body(receive: Receive) -> bytes:
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b"".join(parts)
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """Gives the body that was read, once, and then what really comes."""
    given = False

    async def once() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return once


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _with_cookie(send: Send, cookie: str) -> Send:
    async def with_cookie(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(raw=message["headers"]).append("Set-Cookie", f"{cookie}; Path=/")
        await send(message)

    return with_cookie
