"""Which client we are at an authorization server: registered before, named by the URL of a
metadata document, registered dynamically, or not yet known (AU-05 to AU-07, AU-15, AU-17).

Chooses, builds the registration and reads its answer. Sending and storing are others' business.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from typing import Final
from urllib.parse import urlsplit

from inspector.auth.exchange import (
    ErrorAnswer,
    OAuthRequest,
    Step,
    number_of,
    read_error,
    read_object,
    shown,
    text_of,
)
from inspector.auth.metadata import CODE_GRANT, REFRESH_GRANT, AuthorizationServer
from inspector.auth.policy import is_loopback
from inspector.auth.scopes import Scopes
from inspector.auth.secret import Secret
from inspector.errors import UsageError
from inspector.protocol.json_text import JsonObject

CLIENT_NAME: Final = "mcp-inspect"
_CREDENTIAL: Final = re.compile(r"[\x20-\x7e]{1,8192}")
"""VSCHAR of RFC 6749 appendices A.1 and A.2, with a bound of ours."""


class AuthMethod(StrEnum):
    """How a client shows at the token endpoint who it is (RFC 7591 section 2, AU-17, AU-18)."""

    NONE = "none"
    BASIC = "client_secret_basic"
    POST = "client_secret_post"
    PRIVATE_KEY_JWT = "private_key_jwt"


class ClientOrigin(Enum):
    """Where a client id comes from."""

    PREREGISTERED = "registered before"
    METADATA_DOCUMENT = "metadata document"
    DYNAMIC = "registered dynamically"


@dataclass(frozen=True, slots=True)
class Client:
    """A client id and how it is proved. `issuer` is the authorization server that it belongs to:
    empty for a metadata document, which is good everywhere, and for credentials from the user
    that are bound to none. `expires_at` is in seconds since 1970; None for never. `redirect_uris`
    are those that a dynamic registration named; empty where that is not known."""

    client_id: str
    origin: ClientOrigin
    auth_method: AuthMethod = AuthMethod.NONE
    secret: Secret | None = None
    issuer: str = ""
    expires_at: float | None = None
    redirect_uris: tuple[str, ...] = ()

    def is_expired(self, now: float) -> bool:
        """Whether the secret is no longer good (RFC 7591 section 3.2.1)."""
        return self.expires_at is not None and now >= self.expires_at


@dataclass(frozen=True, slots=True)
class UseClient:
    """Go on with this client."""

    client: Client


@dataclass(frozen=True, slots=True)
class RegisterClient:
    """Register at this endpoint; `why` says why again, where it is not the first time."""

    endpoint: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class AskForClient:
    """Only the user can name a client id."""

    reason: str


@dataclass(frozen=True, slots=True)
class WrongIssuer:
    """The user's credentials are for another authorization server and must not be sent to this
    one (2026-07-28 basic/authorization/client-registration, Authorization Server Binding)."""

    expected: str
    found: str


ClientChoice = UseClient | RegisterClient | AskForClient | WrongIssuer


def choose_client(
    server: AuthorizationServer,
    *,
    now: float,
    preregistered: Client | None = None,
    document_url: str | None = None,
    stored: Client | None = None,
) -> ClientChoice:
    """The client in the order of 2025-11-25 basic/authorization, Client Registration Approaches:
    registered before, metadata document, dynamic registration (`stored` is an earlier one), and
    else the user."""
    if preregistered is not None:
        if preregistered.issuer and preregistered.issuer != server.issuer:
            return WrongIssuer(preregistered.issuer, server.issuer)
        method = preregistered.auth_method
        if preregistered.secret is not None and method is AuthMethod.NONE:
            method = choose_auth_method(server.auth_methods, has_secret=True)
        return UseClient(replace(preregistered, auth_method=method))
    if document_url and server.metadata_documents:
        check_document_url(document_url)
        return UseClient(Client(document_url, ClientOrigin.METADATA_DOCUMENT))
    why = ""
    if stored is not None:
        if stored.issuer != server.issuer:
            why = "the client registered before belongs to another authorization server"
        elif stored.is_expired(now):
            why = "the secret of the client registered before has expired"
        else:
            return UseClient(stored)
    if server.registration_endpoint:
        return RegisterClient(server.registration_endpoint, why)
    return AskForClient(why or "the authorization server registers no clients")


def check_document_url(url: str) -> None:
    """Raises where the user's URL cannot be a client id: https, with a path, without a fragment,
    user name or dot segments (client-id-metadata-document section 3; AU-06)."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        host = None
    segments = parts.path.split("/") if host else []
    if (
        host is None
        or parts.scheme != "https"
        or not parts.path.strip("/")
        or "#" in url
        or "@" in parts.netloc
        or {".", ".."} & set(segments)
        or not _CREDENTIAL.fullmatch(url)
        or " " in url
    ):
        raise UsageError(
            f"{shown(url)} cannot be the client id of a metadata document",
            hint="it has to be an https URL with a path, such as https://example.com/client.json",
        )


def choose_auth_method(supported: Sequence[str] | None, *, has_secret: bool) -> AuthMethod:
    """How to prove a client: with its secret as the server offers, in the header where it says
    nothing (RFC 8414 section 2); without a secret there is nothing to prove."""
    if not has_secret:
        return AuthMethod.NONE
    if supported is None or AuthMethod.BASIC in supported:
        return AuthMethod.BASIC
    if AuthMethod.POST in supported:
        return AuthMethod.POST
    return AuthMethod.NONE if AuthMethod.NONE in supported else AuthMethod.BASIC


def requested_auth_method(server: AuthorizationServer) -> AuthMethod:
    """What to register for: no secret where the server can do without, as a program on a user's
    machine keeps none (RFC 8252 section 8.5); else what the server names first. The official SDK
    for Python names the form first, and revokes for no client that uses the header."""
    methods = server.auth_methods or ()
    if AuthMethod.NONE in methods:
        return AuthMethod.NONE
    known = (AuthMethod.BASIC.value, AuthMethod.POST.value)
    first = next((AuthMethod(method) for method in methods if method in known), None)
    return first or choose_auth_method(server.auth_methods, has_secret=True)


def registration_request(
    server: AuthorizationServer,
    *,
    redirect_uris: Sequence[str],
    scopes: Scopes | None = None,
    client_name: str = CLIENT_NAME,
) -> OAuthRequest:
    """The request that registers us (RFC 7591 section 3.1)."""
    body = registration_body(
        server, redirect_uris=redirect_uris, scopes=scopes, client_name=client_name
    )
    return OAuthRequest(
        Step.REGISTRATION,
        "POST",
        server.registration_endpoint,
        (("Accept", "application/json"), ("Content-Type", "application/json")),
        json.dumps(body).encode("ascii"),
    )


def registration_body(
    server: AuthorizationServer,
    *,
    redirect_uris: Sequence[str],
    scopes: Scopes | None = None,
    client_name: str = CLIENT_NAME,
) -> JsonObject:
    """Our client metadata: a native application (2026-07-28 basic/authorization/
    client-registration, Application Type and Redirect URI Constraints) that wants to refresh its
    tokens, unless the server says that it refreshes none."""
    for uri in redirect_uris:
        check_redirect_uri(uri)
    grants = [CODE_GRANT]
    if server.grant_types is None or REFRESH_GRANT in server.grant_types:
        grants.append(REFRESH_GRANT)
    body: JsonObject = {
        "client_name": client_name,
        "redirect_uris": list(redirect_uris),
        "grant_types": list(grants),
        "response_types": ["code"],
        "token_endpoint_auth_method": requested_auth_method(server).value,
        "application_type": "native",
    }
    if scopes:
        body["scope"] = " ".join(scopes)
    return body


def read_registration(
    status: int, body: bytes, *, server: AuthorizationServer, now: float
) -> Client | ErrorAnswer:
    """The client that an answer registers (RFC 7591 section 3.2.1), or why there is none."""
    if status not in {200, 201}:
        return read_error(status, body)
    found = read_object(body)
    if isinstance(found, str):
        return ErrorAnswer(status, reason=f"the answer registers no client: {found}")
    client_id, secret = found.get("client_id"), found.get("client_secret")
    if not isinstance(client_id, str) or not _CREDENTIAL.fullmatch(client_id):
        return ErrorAnswer(status, reason="the answer has no client_id that can be sent")
    if secret in (None, ""):
        held = None
    elif isinstance(secret, str) and _CREDENTIAL.fullmatch(secret):
        held = Secret(secret)
    else:
        return ErrorAnswer(status, reason="the answer has a client_secret that cannot be sent")
    method = _registered_method(text_of(found, "token_endpoint_auth_method"), held, server)
    if method is None:
        return ErrorAnswer(status, reason="the client is registered in a way that it cannot prove")
    expires = number_of(found.get("client_secret_expires_at"))
    client = Client(
        client_id,
        ClientOrigin.DYNAMIC,
        method,
        held,
        server.issuer,
        expires if held is not None and expires else None,
    )
    if client.is_expired(now):
        return ErrorAnswer(status, reason="the client_secret has expired before its first use")
    return client


def _registered_method(
    named: str, secret: Secret | None, server: AuthorizationServer
) -> AuthMethod | None:
    """How the registered client proves itself; None where it could not."""
    if named == AuthMethod.NONE:
        return AuthMethod.NONE
    if secret is None:
        return None if named else AuthMethod.NONE
    if not named:
        return choose_auth_method(server.auth_methods, has_secret=True)
    return AuthMethod(named) if named in {AuthMethod.BASIC, AuthMethod.POST} else None


def check_redirect_uri(uri: str) -> None:
    """Raises where a redirect goes neither to https nor to this machine (2025-03-26
    basic/authorization, Security Considerations; AU-10)."""
    try:
        parts = urlsplit(uri)
        host = parts.hostname or ""
    except ValueError:
        host = ""
    local = bool(host) and parts.scheme == "http" and is_loopback(host)
    if not host or "#" in uri or not (local or parts.scheme == "https"):
        raise UsageError(
            f"{shown(uri)} cannot be redirected to",
            hint="a redirect URI is https, or http on this machine, without a fragment",
        )
