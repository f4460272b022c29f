"""Requests to the token and revocation endpoints, what their answers hold, and what of a token may
be shown.

Builds and reads only. Signing an assertion, storing tokens and deciding when to refresh are others'
business; `now` is in seconds since 1970.
"""

import base64
import re
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote_plus

from inspector.auth.exchange import (
    ErrorAnswer,
    Form,
    OAuthRequest,
    Step,
    number_of,
    post_form,
    read_error,
    read_object,
    shown,
    text_of,
)
from inspector.auth.metadata import AuthorizationServer
from inspector.auth.registration import AuthMethod, Client
from inspector.auth.remarks import Remark, warning
from inspector.auth.scopes import Scopes, split_scope
from inspector.auth.secret import Secret
from inspector.errors import InspectorError, UsageError
from inspector.protocol.json_text import Json, JsonObject

ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
ASSERTION_SECONDS: Final = 300
EXPIRY_LEEWAY: Final = 30.0
"""Seconds before its end at which a token counts as expired, for clocks that differ."""

LONGEST_TOKEN: Final = 65536
"""Longer tokens are refused: no header has room for them."""

_HEADER_SAFE: Final = re.compile(r"[\x21-\x7e]+")
_B64TOKEN: Final = re.compile(r"[A-Za-z0-9\-._~+/]+=*")
_DIGITS: Final = re.compile(r"[0-9]{1,12}")
_JWT: Final = re.compile(r"eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a token endpoint gave. `scopes` are the granted ones, None where nobody said any;
    `expires_at` is absolute, None where the server did not say."""

    access: Secret
    refresh: Secret | None
    scopes: Scopes | None
    received_at: float
    expires_at: float | None
    remarks: tuple[Remark, ...] = ()

    def is_expired(self, now: float) -> bool:
        """Whether the access token is, or is about to be, no longer good."""
        return self.expires_at is not None and now >= self.expires_at - EXPIRY_LEEWAY

    def authorization(self) -> tuple[str, str]:
        """The header for every request to the MCP server, and to no other (AU-12)."""
        return "Authorization", f"Bearer {self.access.reveal()}"

    def after(self, previous: "Tokens") -> "Tokens":
        """These tokens as the outcome of a refresh: what the answer left out stays as it was
        (RFC 6749 sections 5.1 and 6)."""
        return replace(
            self,
            refresh=self.refresh or previous.refresh,
            scopes=previous.scopes if self.scopes is None else self.scopes,
        )


def code_request(
    server: AuthorizationServer,
    client: Client,
    *,
    code: Secret,
    verifier: Secret,
    redirect_uri: str,
    resource: str | None,
    assertion: Secret | None = None,
) -> OAuthRequest:
    """The request that turns a code into tokens (OAuth 2.1 section 4.1.3, AU-09)."""
    form = (
        ("grant_type", "authorization_code"),
        ("code", code.reveal()),
        ("redirect_uri", redirect_uri),
        ("code_verifier", verifier.reveal()),
        *_optional("resource", resource),
    )
    return _token_request(Step.CODE, server.token_endpoint, client, form, assertion)


def refresh_request(
    server: AuthorizationServer,
    client: Client,
    *,
    refresh: Secret,
    resource: str | None,
    scopes: Scopes | None = None,
    assertion: Secret | None = None,
) -> OAuthRequest:
    """The request for a fresh access token (OAuth 2.1 section 4.3.1, AU-16)."""
    form = (
        ("grant_type", "refresh_token"),
        ("refresh_token", refresh.reveal()),
        *_optional("resource", resource),
        *_optional("scope", " ".join(scopes or ())),
    )
    return _token_request(Step.REFRESH, server.token_endpoint, client, form, assertion)


def client_credentials_request(
    server: AuthorizationServer,
    client: Client,
    *,
    resource: str | None,
    scopes: Scopes | None = None,
    assertion: Secret | None = None,
) -> OAuthRequest:
    """The request of a program on its own behalf (OAuth 2.1 section 4.2, AU-18)."""
    form = (
        ("grant_type", "client_credentials"),
        *_optional("resource", resource),
        *_optional("scope", " ".join(scopes or ())),
    )
    return _token_request(Step.CLIENT_CREDENTIALS, server.token_endpoint, client, form, assertion)


def revocation_request(
    server: AuthorizationServer,
    client: Client,
    *,
    token: Secret,
    hint: str,
    assertion: Secret | None = None,
) -> OAuthRequest:
    """The request that ends a token (RFC 7009 section 2.1); `hint` is `access_token` or
    `refresh_token`. Only for a server that names a revocation endpoint."""
    if not server.revocation_endpoint:
        raise InspectorError("the authorization server has no revocation endpoint")
    form = (("token", token.reveal()), ("token_type_hint", hint))
    return _token_request(Step.REVOCATION, server.revocation_endpoint, client, form, assertion)


def assertion_claims(client_id: str, audience: str, *, now: float, token_id: str) -> JsonObject:
    """The claims of a `private_key_jwt` (RFC 7523 section 3), for somebody else to sign.
    `audience` is the issuer, and `token_id` is never used twice."""
    return {
        "iss": client_id,
        "sub": client_id,
        "aud": audience,
        "jti": token_id,
        "iat": int(now),
        "exp": int(now) + ASSERTION_SECONDS,
    }


def read_tokens(
    status: int, body: bytes, *, now: float, requested: Scopes | None
) -> Tokens | ErrorAnswer:
    """The tokens in an answer, or why there are none (RFC 6749 sections 5.1 and 5.2)."""
    if status != 200:
        return read_error(status, body)
    found = read_object(body)
    if isinstance(found, str):
        return ErrorAnswer(status, reason=f"the answer holds no token: {found}")
    access = found.get("access_token")
    if not isinstance(access, str) or not access:
        # Some servers answer 200 to an error too.
        if text_of(found, "error"):
            return read_error(status, body)
        return ErrorAnswer(status, reason="the answer holds no access_token")
    if not _HEADER_SAFE.fullmatch(access):
        return ErrorAnswer(
            status, reason="the access token has characters that cannot stand in a header"
        )
    if len(access) > LONGEST_TOKEN:
        return ErrorAnswer(status, reason="the access token is longer than any header may be")
    kind = found.get("token_type")
    if not isinstance(kind, str) or kind.lower() != "bearer":
        return ErrorAnswer(status, reason=f"the token is of type {shown(kind)}, not Bearer")
    refresh = found.get("refresh_token")
    usable = (
        isinstance(refresh, str)
        and len(refresh) <= LONGEST_TOKEN
        and _HEADER_SAFE.fullmatch(refresh.replace(" ", "_"))
    )
    remarks = []
    if not _B64TOKEN.fullmatch(access):
        message = "the access token has characters that Bearer tokens do not have"
        remarks.append(warning("token-syntax", message, "RFC 6750 section 2.1"))
    if refresh not in (None, "") and not usable:
        message = "the refresh token cannot be sent and is ignored"
        remarks.append(warning("refresh-syntax", message, "RFC 6749 appendix A.17"))
    seconds, wrong = _expires_in(found.get("expires_in"))
    remarks += wrong
    scope = found.get("scope")
    return Tokens(
        Secret(access),
        Secret(refresh) if isinstance(refresh, str) and usable else None,
        split_scope(scope) if isinstance(scope, str) else requested,
        now,
        None if seconds is None else now + seconds,
        tuple(remarks),
    )


def facts(tokens: Tokens, now: float) -> tuple[tuple[str, str], ...]:
    """What may be shown of tokens: never a part of them."""
    shape = "JWT" if _JWT.fullmatch(tokens.access.reveal()) else "opaque"
    if tokens.expires_at is None:
        ends = "the server does not say"
    elif now >= tokens.expires_at:
        ends = "expired"
    else:
        ends = f"in {int(tokens.expires_at - now)} s"
    scopes = "not said" if tokens.scopes is None else " ".join(tokens.scopes) or "none"
    return (
        ("type", f"Bearer, {shape}"),
        ("expires", ends),
        ("scope", scopes),
        ("refresh token", "no" if tokens.refresh is None else "yes"),
    )


def _optional(name: str, value: str | None) -> Form:
    return ((name, value),) if value else ()


def _token_request(
    step: Step, url: str, client: Client, form: Form, assertion: Secret | None
) -> OAuthRequest:
    own, headers = _authentication(client, assertion)
    return post_form(step, url, (*form, *own), headers)


def _authentication(client: Client, assertion: Secret | None) -> tuple[Form, Form]:
    """The form fields and headers that prove the client (RFC 6749 section 2.3.1, RFC 7523
    section 2.2; AU-17)."""
    match client.auth_method:
        case AuthMethod.NONE:
            return (("client_id", client.client_id),), ()
        case AuthMethod.POST:
            secret = _secret(client)
            return (("client_id", client.client_id), ("client_secret", secret)), ()
        case AuthMethod.BASIC:
            parts = (client.client_id, _secret(client))
            pair = ":".join(quote_plus(part, errors="replace") for part in parts)
            encoded = base64.b64encode(pair.encode("ascii")).decode("ascii")
            # The id stands in the body too, where it proves nothing: the official SDK's
            # authorization server looks nowhere else for it.
            return (("client_id", client.client_id),), (("Authorization", f"Basic {encoded}"),)
        case AuthMethod.PRIVATE_KEY_JWT:
            if assertion is None:
                raise InspectorError("a client with private_key_jwt needs a signed assertion")
            return (
                ("client_id", client.client_id),
                ("client_assertion_type", ASSERTION_TYPE),
                ("client_assertion", assertion.reveal()),
            ), ()


def _secret(client: Client) -> str:
    if client.secret is None:
        raise UsageError(
            f"the client {shown(client.client_id)} has no secret to prove itself with",
            hint=f"name one, or another way than {client.auth_method.value}",
        )
    return client.secret.reveal()


def _expires_in(value: Json) -> tuple[float | None, list[Remark]]:
    if value is None:
        return None, []
    number = number_of(value)
    if number is not None and number >= 0:
        return number, []
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        message = "expires_in is a text and is read as a number"
        return float(value), [warning("expires-in", message, "RFC 6749 appendix A.14")]
    message = "expires_in is no number of seconds and is ignored"
    return None, [warning("expires-in", message, "RFC 6749 appendix A.14")]
