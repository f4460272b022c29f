"""Fresh tokens without a person: the request, and what its answer means for what is kept.

Only a server's clear word voids a grant; trouble at the server, a proxy's page or silence say
nothing about it (AU-16). When to refresh, and storing a rotated token before it is used, are the
driver's business.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from inspector.auth import refusals
from inspector.auth.exchange import ErrorAnswer, OAuthRequest, Step
from inspector.auth.grant import Grant, Sign
from inspector.auth.pkce import RANDOM_BYTES
from inspector.auth.registration import AuthMethod, ClientOrigin
from inspector.auth.search import Stopped
from inspector.auth.secret import Secret
from inspector.auth.steps import StepLog
from inspector.auth.tokens import Tokens, assertion_claims, read_tokens, refresh_request
from inspector.errors import InspectorError

_TROUBLE: Final = frozenset({408, 425, 429})


@dataclass(frozen=True, slots=True)
class Renewed:
    """There are fresh tokens. They replace the former ones, which are void where the server
    rotates (`rotated`), and have to be stored before they are used."""

    grant: Grant
    rotated: bool


@dataclass(frozen=True, slots=True)
class Dropped:
    """The tokens are void and are to be deleted; where `client_too`, so is the client that was
    registered here."""

    why: Stopped
    client_too: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """Nothing fresh, and nothing is deleted. `passing`: the same request may do later; else only
    a person can help."""

    why: Stopped
    passing: bool


Renewal = Renewed | Dropped | Kept


def can_renew(grant: Grant, now: float) -> bool:
    """Whether a refresh is worth a request: there is a refresh token, and a client to show."""
    return grant.tokens.refresh is not None and not grant.client.is_expired(now)


def renewal_request(
    grant: Grant, *, now: float, random: Callable[[int], bytes], sign: Sign | None = None
) -> OAuthRequest:
    """The request for fresh tokens, with the resource indicator of the first one (AU-09). Raises
    InspectorError where there is nothing to refresh with."""
    refresh = grant.tokens.refresh
    if refresh is None:
        raise InspectorError("there is no refresh token", kind="auth", fault="server")
    return refresh_request(
        grant.server,
        grant.client,
        refresh=refresh,
        resource=grant.resource,
        assertion=_assertion(grant, now, random, sign),
    )


def renewed(grant: Grant, status: int, body: bytes, now: float) -> Renewal:
    """What the answer to `renewal_request` means."""
    answer = read_tokens(status, body, now=now, requested=None)
    if isinstance(answer, Tokens):
        fresh = answer.after(grant.tokens)
        rotated = fresh.refresh != grant.tokens.refresh
        return Renewed(replace(grant, tokens=fresh), rotated)
    why = refusals.token_refused(_log(grant, body).cleaned_answer(answer))
    if answer.final:
        return Dropped(why)
    if answer.client_unknown and grant.client.origin is ClientOrigin.DYNAMIC:
        return Dropped(why, client_too=True)
    return Kept(why, passing=_passing(answer))


def not_renewed(grant: Grant, url: str, reason: str) -> Kept:
    """The same where no answer came."""
    why = refusals.unreachable(Step.REFRESH, url, _log(grant).clean(reason))
    return Kept(why, passing=True)


def _assertion(
    grant: Grant, now: float, random: Callable[[int], bytes], sign: Sign | None
) -> Secret | None:
    if grant.client.auth_method is not AuthMethod.PRIVATE_KEY_JWT or sign is None:
        return None
    return sign(
        assertion_claims(
            grant.client.client_id,
            grant.server.issuer,
            now=now,
            token_id=random(RANDOM_BYTES).hex(),
        )
    )


def _passing(answer: ErrorAnswer) -> bool:
    """An OAuth error of the server's own does not pass by itself, and neither does a no in other
    words or a success without a token."""
    if answer.status >= 500 or answer.status in _TROUBLE:
        return True
    final = answer.status in {400, 401} or 200 <= answer.status < 300
    return not answer.error and not final


def _log(grant: Grant, body: bytes = b"") -> StepLog:
    log = StepLog(b"")
    log.learn(grant.tokens.access, grant.tokens.refresh, grant.client.secret)
    log.learn_body(body)
    return log
