"""The authorization request that the browser opens, and the redirect that comes back.

One request is one record of issuer, state and verifier (2026-07-28 basic/authorization,
Authorization Response Validation). Decides whether a redirect belongs to it, whether it comes from
the right server (RFC 9207), and what it says. Listener and browser are others' business.
"""

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl, quote, unquote_plus, urlencode, urlsplit, urlunsplit

from inspector.auth.metadata import AuthorizationServer
from inspector.auth.pkce import METHOD, s256_challenge
from inspector.auth.scopes import OFFLINE_ACCESS, Scopes
from inspector.auth.secret import Secret

_MOST_FIELDS: Final = 100
_LONGEST: Final = 65536
Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """All that belongs to one authorization request, from before the browser opens."""

    endpoint: str
    issuer: str
    iss_advertised: bool
    client_id: str
    redirect_uri: str
    resource: str | None
    scopes: Scopes | None
    state: Secret
    verifier: Secret

    def url(self) -> str:
        """What the browser opens. It carries the state: not for logs."""
        pairs = [
            ("response_type", "code"),
            ("client_id", self.client_id),
            ("redirect_uri", self.redirect_uri),
            ("state", self.state.reveal()),
            ("code_challenge", s256_challenge(self.verifier)),
            ("code_challenge_method", METHOD),
        ]
        if self.resource:
            pairs.append(("resource", self.resource))
        if self.scopes:
            pairs.append(("scope", " ".join(self.scopes)))
            if OFFLINE_ACCESS in self.scopes:  # OpenID Connect Core section 11 asks for it
                pairs.append(("prompt", "consent"))
        return merge_query(self.endpoint, tuple(pairs))


def authorization_request(
    server: AuthorizationServer,
    *,
    client_id: str,
    redirect_uri: str,
    resource: str | None,
    scopes: Scopes | None,
    state: Secret,
    verifier: Secret,
) -> AuthorizationRequest:
    """The record of a request to `server`, whose metadata has been judged (AU-09 to AU-11)."""
    return AuthorizationRequest(
        endpoint=server.authorization_endpoint,
        issuer=server.issuer,
        iss_advertised=server.iss_advertised,
        client_id=client_id,
        redirect_uri=redirect_uri,
        resource=resource,
        scopes=scopes,
        state=state,
        verifier=verifier,
    )


def merge_query(url: str, pairs: Pairs) -> str:
    """`url` with `pairs` in its query: what it has is kept as it stands (RFC 6749 section 3.1),
    but for names of ours, since none may occur twice."""
    parts = urlsplit(url)
    names = {name for name, _ in pairs}
    kept = [
        field
        for field in parts.query.split("&")
        if field and unquote_plus(field.partition("=")[0]) not in names
    ]
    query = "&".join((*kept, urlencode(pairs, quote_via=quote, safe="", errors="replace")))
    return urlunsplit(parts._replace(query=query, fragment=""))


@dataclass(frozen=True, slots=True)
class NotOurs:
    """A redirect that belongs to no request of ours: the wait goes on (T17)."""

    reason: str


@dataclass(frozen=True, slots=True)
class WrongServer:
    """The redirect carries our state and comes from another server than the one that we asked.
    What else it says, an error included, is neither used nor kept (RFC 9207 section 2.4)."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unusable:
    """The redirect is ours and says nothing that can be used."""

    reason: str


@dataclass(frozen=True, slots=True)
class Denied:
    """The authorization server said no (RFC 6749 section 4.1.2.1)."""

    error: str
    description: str = ""
    uri: str = ""


@dataclass(frozen=True, slots=True)
class Granted:
    """A code, for the token endpoint of the server that was asked and for no other."""

    code: Secret


RedirectOutcome = NotOurs | WrongServer | Unusable | Denied | Granted


@dataclass(slots=True)
class PendingAuthorization:
    """The wait for the redirect of one request. Only a redirect with its state ends it, once."""

    request: AuthorizationRequest
    ended: bool = field(default=False, init=False)

    def take(self, redirect: str) -> RedirectOutcome:
        """What a redirect means: a whole URL, or the target of the browser's GET."""
        if self.ended:
            return NotOurs("the authorization is over")
        fields = _fields(redirect, self.request.redirect_uri)
        if isinstance(fields, NotOurs):
            return fields
        states = _values(fields, "state")
        if len(states) != 1:
            return NotOurs("it has no state" if not states else "it has more than one state")
        if not self.request.state.matches(states[0]):
            return NotOurs("its state is not the one that was sent")
        self.ended = True
        return _judge(fields, self.request)


def _judge(fields: Pairs, request: AuthorizationRequest) -> RedirectOutcome:
    wrong = _judge_iss(_values(fields, "iss"), request)
    if wrong is not None:
        return wrong
    codes, errors = _values(fields, "code"), _values(fields, "error")
    if len(codes) > 1 or len(errors) > 1 or (codes and errors):
        return Unusable("it says more than one thing")
    if errors and errors[0]:
        return Denied(errors[0], _first(fields, "error_description"), _first(fields, "error_uri"))
    if codes and codes[0]:
        return Granted(Secret(codes[0]))
    return Unusable("it has neither a code nor an error")


def _judge_iss(found: tuple[str, ...], request: AuthorizationRequest) -> WrongServer | None:
    """The table of RFC 9207 section 2.4 as 2026-07-28 basic/authorization has it (AU-11): a
    present `iss` is compared letter for letter, advertised or not; a missing one is accepted only
    where none was advertised."""
    if not found:
        missing = WrongServer("it does not say who issued it, as the server's metadata promises")
        return missing if request.iss_advertised else None
    if len(found) > 1:
        return WrongServer("it names more than one issuer")
    return None if found[0] == request.issuer else WrongServer("it was issued by another server")


def _fields(redirect: str, redirect_uri: str) -> Pairs | NotOurs:
    text = redirect.strip()
    if len(text) > _LONGEST:
        return NotOurs("it is too long")
    try:
        parts, own = urlsplit(text), urlsplit(redirect_uri)
        elsewhere = bool(parts.scheme or parts.netloc) and _place(text) != _place(redirect_uri)
        pairs = parse_qsl(
            parts.query, keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="replace"
        )
    except ValueError:
        return NotOurs("it cannot be read as a URL")
    if elsewhere or parts.path != own.path:
        return NotOurs("it goes elsewhere than the redirect of this request")
    return tuple(pairs)


def _place(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port


def _values(fields: Pairs, name: str) -> tuple[str, ...]:
    return tuple(value for key, value in fields if key == name)


def _first(fields: Pairs, name: str) -> str:
    return next(iter(_values(fields, name)), "")
