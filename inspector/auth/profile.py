"""From what the user chose to the profile of one authorization.

Decides which choices make sense together; a wrong one is refused before anything is sent. Where the
choices come from is the business of the command line and of config files.
"""

from typing import Final

from inspector.auth.grant import LATEST_RULES, Profile
from inspector.auth.metadata import (
    CLIENT_CREDENTIALS_GRANT,
    CODE_GRANT,
    NO_ALLOWANCES,
    Allowances,
)
from inspector.auth.policy import Refused, judge_url, perimeter
from inspector.auth.registration import (
    AuthMethod,
    Client,
    ClientOrigin,
    check_document_url,
    check_redirect_uri,
)
from inspector.auth.scopes import Scopes, split_scope
from inspector.auth.secret import Secret
from inspector.config.oauth import OAuthChoice
from inspector.errors import UsageError
from inspector.protocol.versions import Revision

AUTH_METHODS: Final = tuple(AuthMethod)
_WITH_SECRET: Final = (AuthMethod.BASIC, AuthMethod.POST)


def build_profile(
    choice: OAuthChoice, server_url: str, revision: Revision = LATEST_RULES
) -> Profile:
    """The profile for the MCP server at `server_url`. Reads the private key where one is named.

    Raises UsageError where the choice makes no sense.
    """
    client = _client(choice)
    if choice.client_metadata_url:
        check_document_url(choice.client_metadata_url)
    if choice.redirect_uri:
        check_redirect_uri(choice.redirect_uri)
    if choice.issuer:
        _check_issuer(choice, server_url)
    sign = None
    if choice.private_key is not None:
        from inspector.auth.signing import signer_from_file

        sign = signer_from_file(choice.private_key, choice.key_algorithm)
    return Profile(
        server_url,
        revision,
        client,
        choice.client_metadata_url or None,
        _scopes(choice.scope),
        choice.issuer,
        CLIENT_CREDENTIALS_GRANT if choice.client_credentials else CODE_GRANT,
        sign,
        Allowances(missing_pkce_metadata=True) if choice.missing_pkce_allowed else NO_ALLOWANCES,
        choice.private_addresses_allowed,
    )


def _client(choice: OAuthChoice) -> Client | None:
    """The user's own client. Without an issuer it is bound to none: the flow says so."""
    method = _method(choice)
    if not choice.client_id:
        for there, what in (
            (choice.client_secret, "a client secret"),
            (choice.private_key, "a private key"),
            (choice.client_credentials, "the grant client_credentials"),
            (choice.auth_method, "a way of client authentication"),
        ):
            if there:
                raise UsageError(f"{what} needs a client id", hint="add --client-id ID")
        return None
    if choice.client_metadata_url:
        raise UsageError("a client id and the URL of a client metadata document exclude each other")
    if choice.client_secret and choice.private_key is not None:
        raise UsageError("a client secret and a private key exclude each other")
    if choice.client_credentials and not (choice.client_secret or choice.private_key):
        raise UsageError(
            "the grant client_credentials needs a client that can prove itself",
            hint="add --client-secret-env VAR or --private-key FILE",
        )
    secret = Secret(choice.client_secret) if choice.client_secret else None
    return Client(choice.client_id, ClientOrigin.PREREGISTERED, method, secret, choice.issuer)


def _method(choice: OAuthChoice) -> AuthMethod:
    """How the client proves itself; NONE with a secret leaves it to what the server offers."""
    if choice.key_algorithm and choice.private_key is None:
        raise UsageError("a key algorithm needs a private key", hint="add --private-key FILE")
    default = AuthMethod.NONE if choice.private_key is None else AuthMethod.PRIVATE_KEY_JWT
    if not choice.auth_method:
        return default
    if choice.auth_method not in AUTH_METHODS:
        raise UsageError(
            f"{choice.auth_method!r} is no way of client authentication known here",
            hint=f"choose one of {', '.join(AUTH_METHODS)}",
        )
    method = AuthMethod(choice.auth_method)
    if method in _WITH_SECRET and not choice.client_secret:
        raise UsageError(f"{method} needs a client secret", hint="add --client-secret-env VAR")
    if (method is AuthMethod.PRIVATE_KEY_JWT) != (choice.private_key is not None):
        raise UsageError(
            f"{method} and a private key do not go together"
            if choice.private_key
            else f"{method} needs a private key",
            hint="see --private-key FILE",
        )
    if method is AuthMethod.NONE and choice.client_secret:
        raise UsageError("a client secret is never sent with none")
    return method


def _scopes(scope: str | None) -> Scopes | None:
    if scope is None:
        return None
    words = scope.split()
    scopes = split_scope(" ".join(words))
    if wrong := [word for word in words if word not in scopes]:
        raise UsageError(f"{wrong[0]!r} is no scope")
    return scopes


def _check_issuer(choice: OAuthChoice, server_url: str) -> None:
    within = perimeter(server_url, private_allowed=choice.private_addresses_allowed)
    verdict = judge_url(choice.issuer, within, query=False)
    if isinstance(verdict, Refused):
        raise UsageError(
            f"the issuer {choice.issuer!r} cannot be used: {verdict.reason}",
            hint="an issuer is the URL by which an authorization server calls itself",
        )
