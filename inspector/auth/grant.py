"""What the user chose for one MCP server, and what an authorization for it led to.

`Profile` goes into a flow, `Grant` comes out of it and is what the store keeps. Both are values.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from inspector.auth.metadata import (
    CODE_GRANT,
    NO_ALLOWANCES,
    Allowances,
    AuthorizationServer,
)
from inspector.auth.registration import Client
from inspector.auth.scopes import Scopes
from inspector.auth.secret import Secret
from inspector.auth.tokens import Tokens
from inspector.protocol.json_text import JsonObject
from inspector.protocol.versions import Revision

LATEST_RULES: Final = Revision.V2025_11_25
Sign = Callable[[JsonObject], Secret]
"""Signs the claims of a client assertion with the user's private key (RFC 7523)."""


@dataclass(frozen=True, slots=True)
class Profile:
    """How to be authorized at the MCP server `server_url`.

    `revision` says whose rules hold. `client` was registered before; `document_url` is the URL of
    a client metadata document; `scopes` are the user's own choice (None: as the server says);
    `issuer` is the authorization server to take where there are several (empty: ask). `grant` is
    `authorization_code` or `client_credentials`; `sign` is needed for `private_key_jwt`.
    """

    server_url: str
    revision: Revision = LATEST_RULES
    client: Client | None = None
    document_url: str | None = None
    scopes: Scopes | None = None
    issuer: str = ""
    grant: str = CODE_GRANT
    sign: Sign | None = field(default=None, repr=False)
    allowances: Allowances = NO_ALLOWANCES
    private_allowed: bool = False


@dataclass(frozen=True, slots=True)
class Grant:
    """An authorization: for which MCP server, by which authorization server, as which client.

    `resource` is the resource indicator that every token request repeats (None: none is sent, as
    before 2025-06-18); `requested` are the scopes asked for (None: no `scope` was sent).
    """

    server_url: str
    resource: str | None
    server: AuthorizationServer
    client: Client
    tokens: Tokens
    requested: Scopes | None = None
    grant: str = CODE_GRANT
