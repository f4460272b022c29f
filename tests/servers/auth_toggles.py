"""What the authorization server of the tests can be told to do wrong, and what it saw.

A toggle never says "fail like this": it names the field, the place or the answer that differs from
the honest one, so that everything else stays honest and the same server with the toggle off is the
positive control. Texts may hold `{origin}`, `{issuer}`, `{resource}`, `{prm}` and the names given
to the server (`{other}`), which are known only when it runs.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl

from inspector.protocol.json_text import Json, JsonObject

LEFT_OUT: Final = "\x00left out"
"""As a value in changes: the field is not there."""

JSON_HEADERS: Final = (("Content-Type", "application/json"), ("Cache-Control", "no-store"))
Changes = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Canned:
    """An answer that replaces the honest one. `hangs`: it is never sent; `endless`: its body is
    repeated for as long as somebody reads."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = JSON_HEADERS
    hangs: bool = False
    endless: bool = False


def canned_json(value: object, status: int = 200) -> Canned:
    """A JSON body as the answer."""
    return Canned(status, json.dumps(value).encode())


def canned_html(status: int = 200) -> Canned:
    """A page for people, as proxies send it."""
    page = b"<!doctype html><title>Oops</title><p>Something went wrong"
    return Canned(status, page, (("Content-Type", "text/html"),))


def canned_redirect(to: str, status: int = 302) -> Canned:
    """A redirect to `to`."""
    return Canned(status, b"", (("Location", to),))


@dataclass(frozen=True, slots=True)
class Toggles:
    """All of them off is an honest server: MCP at /mcp, one issuer, PKCE, `iss`, DCR, rotation.

    `canned` maps an endpoint (`mcp`, `prm`, `metadata`, `register`, `authorize`, `token`,
    `revoke`) to what its first, second... request gets: None is the honest answer, and the last
    one stands for all that follow.
    """

    challenge: tuple[str, ...] = ('Bearer resource_metadata="{prm}"',)
    """The `WWW-Authenticate` lines of a 401."""
    prm_places: tuple[str, ...] = ("named", "path")
    """Of named (/prm.json), path (well-known, with the path) and root."""
    prm: Changes = field(default_factory=dict)
    metadata_places: tuple[str, ...] = ("oauth",)
    """Of oauth (RFC 8414), openid (inserted) and appended (OpenID Connect Discovery)."""
    issuer_path: str = ""
    metadata: Changes = field(default_factory=dict)
    registration: Changes = field(default_factory=dict)
    redirect: Changes = field(default_factory=dict)
    """Of code, state, iss, error... in the redirect; a list is a repeated parameter."""
    token: Changes = field(default_factory=dict)
    """Of every answer with tokens."""
    refreshed: Changes = field(default_factory=dict)
    """Of answers to refreshes, on top of that."""
    forms: bool = False
    """Whether a person has to log in and to consent, on two pages."""
    expires_in: int = 3600
    refresh_tokens: bool = True
    rotate: bool = True
    id_token: bool = False
    resource_required: bool = True
    any_resource: bool = False
    """Whether tokens may be asked for another resource than the URL of the MCP server."""
    redirects_elsewhere: str = ""
    """Where the browser is sent instead of to the redirect URI."""
    accepted_calls: int | None = None
    """How many MCP requests a token is good for; then it is void."""
    refuses_all: bool = False
    """401 to every token."""
    scopes: Mapping[str, str] = field(default_factory=lambda: {"locked": "vault"})
    """Which scope a tool needs, else 403."""
    asks_again: bool = False
    """403 `insufficient_scope` whatever the token's scopes are."""
    hangs_on: str = ""
    """MCP requests whose body holds this get no answer."""
    cookies: bool = False
    """Whether every answer sets a cookie, the MCP server's too."""
    echoes: bool = False
    """Whether the token endpoint refuses everything and repeats what it was sent."""
    canned: Mapping[str, tuple[Canned | None, ...]] = field(default_factory=dict)


HONEST: Final = Toggles()


@dataclass(frozen=True, slots=True)
class Seen:
    """One request as it arrived."""

    endpoint: str
    method: str
    path: str
    query: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        """The value of a header; empty where there is none."""
        return next((value for key, value in self.headers if key == name.lower()), "")

    @property
    def form(self) -> dict[str, str]:
        """The fields of a form, or of the query of a GET."""
        text = self.body.decode("utf-8", "replace") if self.method == "POST" else self.query
        return dict(parse_qsl(text, keep_blank_values=True))

    def holds(self, text: str) -> bool:
        """Whether `text` occurs anywhere in it."""
        whole = f"{self.path}?{self.query}\n{self.headers}\n".encode() + self.body
        return text.encode() in whole


def changed(document: JsonObject, changes: Changes) -> JsonObject:
    """`document` with the changes made."""
    merged = {**document, **changes}
    return {key: value for key, value in merged.items() if value != LEFT_OUT}


def filled(value: Json, names: Mapping[str, str]) -> Json:
    """`value` with the names in all its texts replaced."""
    if isinstance(value, str):
        for name, text in names.items():
            value = value.replace("{" + name + "}", text)
        return value
    if isinstance(value, list):
        return [filled(part, names) for part in value]
    if isinstance(value, dict):
        return {key: filled(part, names) for key, part in value.items()}
    return value
