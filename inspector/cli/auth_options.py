"""The options about OAuth that every command takes, and what they add up to.

Decides how they join what a config file's entry says: the command line wins, value by value, but a
secret never goes to another client than its own. Whether the choices make sense together is decided
by `inspector.auth.profile`. No secret is ever an option's value: other users would see it.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final, TypeVar

import click

from inspector.cli.shared_options import shared_option
from inspector.config.oauth import OAuthChoice
from inspector.config.targets import Target
from inspector.errors import UsageError

Command = TypeVar("Command", bound=Callable[..., object])

AUTH_METHODS: Final = ("none", "client_secret_basic", "client_secret_post", "private_key_jwt")


@dataclass(frozen=True, slots=True)
class AuthGiven:
    """The options about OAuth as given, unjudged."""

    client_id: str | None = None
    client_secret_env: str | None = None
    client_metadata_url: str | None = None
    scope: str | None = None
    issuer: str | None = None
    client_credentials: bool = False
    private_key: Path | None = None
    key_alg: str | None = None
    token_endpoint_auth_method: str | None = None
    redirect_uri: str | None = None
    allow_missing_pkce_metadata: bool = False
    allow_private_addresses: bool = False
    no_store: bool = False

    @classmethod
    def take(cls, values: Mapping[str, object]) -> "AuthGiven":
        """From a click command's parameters."""
        names = {one.name for one in fields(cls)}
        return cls(**{name: value for name, value in values.items() if name in names})  # type: ignore[arg-type]

    @property
    def named(self) -> tuple[str, ...]:
        """The options that were given, as they are typed."""
        given = (one.name for one in fields(self) if getattr(self, one.name) not in (None, False))
        return tuple(f"--{name.replace('_', '-')}" for name in given)


NOTHING_GIVEN: Final = AuthGiven()


def auth_options(command: Command) -> Command:
    """Adds the options that say as whom, and by whom, we are authorized."""
    path = click.Path(path_type=Path)
    declared = (
        shared_option("--client-id", metavar="ID", help="OAuth: a client registered before."),
        shared_option(
            "--client-secret-env", metavar="VAR", help="The variable that holds its secret."
        ),
        shared_option(
            "--client-metadata-url", metavar="URL", help="OAuth: our client metadata document."
        ),
        shared_option("--scope", metavar="'A B'", help="OAuth: ask for these scopes."),
        shared_option(
            "--issuer", metavar="URL", help="OAuth: the authorization server, where there are more."
        ),
        shared_option(
            "--client-credentials", is_flag=True, help="OAuth: as a program, without a person."
        ),
        shared_option(
            "--private-key", metavar="FILE", type=path, help="The client's key (private_key_jwt)."
        ),
        shared_option("--key-alg", metavar="ALG", help="What the key signs with, such as ES256."),
        shared_option(
            "--token-endpoint-auth-method",
            type=click.Choice(AUTH_METHODS),
            metavar="METHOD",
            help=f"How the client proves itself: {', '.join(AUTH_METHODS)}.",
        ),
        shared_option(
            "--redirect-uri",
            metavar="URI",
            help="What the client is registered with: http://127.0.0.1[:PORT]/PATH, any free port"
            " without PORT.",
        ),
        shared_option(
            "--allow-missing-pkce-metadata",
            is_flag=True,
            help="Go on where the server does not say that it supports PKCE.",
        ),
        shared_option(
            "--allow-private-addresses",
            is_flag=True,
            help="Let the server name an authorization server in a private network.",
        ),
        shared_option("--no-store", is_flag=True, help="Keep tokens in memory only."),
    )
    for option in reversed(declared):
        command = option(command)
    return command


def with_choice(target: Target, given: AuthGiven) -> Target:
    """The target with what was chosen for it. Raises UsageError where that makes no sense."""
    if not given.named:
        return target
    if target.command:
        raise UsageError(
            f"{given.named[0]} is for servers on a URL", hint="a program gets secrets with --env"
        )
    named = [name for name in given.named if name != "--no-store"]
    if named and any(name.lower() == "authorization" for name, _ in target.headers):
        raise UsageError(
            f"{named[0]} and an Authorization header exclude each other",
            hint="with a header of your own (--bearer, --header) nothing is asked for by OAuth",
        )
    choice = _joined(target.oauth, given)
    if choice != target.oauth:
        from inspector.auth.profile import build_profile

        build_profile(choice, target.url)  # says at once what is wrong
    return replace(target, oauth=choice)


def _joined(base: OAuthChoice, given: AuthGiven) -> OAuthChoice:
    other = given.client_id is not None and given.client_id != base.client_id
    if other or given.client_metadata_url is not None:
        base = replace(base, client_id="", client_secret="", client_metadata_url="", auth_method="")
    secret = base.client_secret
    if given.client_secret_env is not None:
        secret = os.environ.get(given.client_secret_env, "")
        if not secret:
            raise UsageError(
                f"--client-secret-env: the variable {given.client_secret_env} is not set"
            )
    return OAuthChoice(
        client_id=_either(given.client_id, base.client_id),
        client_secret=secret,
        client_metadata_url=_either(given.client_metadata_url, base.client_metadata_url),
        scope=base.scope if given.scope is None else given.scope,
        issuer=_either(given.issuer, base.issuer),
        client_credentials=given.client_credentials or base.client_credentials,
        private_key=given.private_key or base.private_key,
        key_algorithm=_either(given.key_alg, base.key_algorithm),
        auth_method=_either(given.token_endpoint_auth_method, base.auth_method),
        redirect_uri=_either(given.redirect_uri, base.redirect_uri),
        missing_pkce_allowed=given.allow_missing_pkce_metadata or base.missing_pkce_allowed,
        private_addresses_allowed=given.allow_private_addresses or base.private_addresses_allowed,
    )


def _either(given: str | None, base: str) -> str:
    return base if given is None else given
