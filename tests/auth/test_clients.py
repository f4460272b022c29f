"""The clients of one flow: whose they are, and when they are forgotten."""

from dataclasses import replace

import pytest

from inspector.auth.clients import Clients
from inspector.auth.grant import Grant, Profile
from inspector.auth.metadata import CLIENT_CREDENTIALS_GRANT, AuthorizationServer
from inspector.auth.registration import (
    AskForClient,
    AuthMethod,
    Client,
    ClientOrigin,
    RegisterClient,
    UseClient,
    WrongIssuer,
)
from inspector.auth.secret import Secret
from inspector.auth.tokens import Tokens
from tests.auth.playbook import ISSUER, NOW, SERVER

OTHER = "https://other.example"
HERE = AuthorizationServer(ISSUER, f"{ISSUER}/token", registration_endpoint=f"{ISSUER}/register")
THERE = replace(HERE, issuer=OTHER, registration_endpoint=f"{OTHER}/register")
MINE = Client("mine", ClientOrigin.PREREGISTERED)
DYNAMIC = Client("dynamic", ClientOrigin.DYNAMIC, issuer=ISSUER)
TOKENS = Tokens(Secret("access"), None, None, NOW, None)


def _grant(client: Client) -> Grant:
    return Grant(SERVER, SERVER, HERE, client, TOKENS)


def _clients(
    client: Client | None = None,
    *,
    known: Client | None = None,
    stored: Client | None = None,
    grant: str = "authorization_code",
) -> Clients:
    found = Clients(
        Profile(SERVER, client=client, grant=grant),
        _grant(known) if known is not None else None,
        lambda issuer: stored if stored is not None and issuer == stored.issuer else None,
    )
    found.at(ISSUER)
    return found


def test_the_store_goes_before_the_grant_and_both_before_registering() -> None:
    stored = replace(DYNAMIC, client_id="stored")
    assert _clients(known=DYNAMIC, stored=stored).choice(HERE, NOW) == UseClient(stored)
    assert _clients(known=DYNAMIC).choice(HERE, NOW) == UseClient(DYNAMIC)
    assert _clients().choice(HERE, NOW) == RegisterClient(f"{ISSUER}/register")


def test_what_belongs_to_another_server_is_not_shown_to_this_one() -> None:
    assert isinstance(_clients(known=DYNAMIC, stored=DYNAMIC).choice(THERE, NOW), RegisterClient)
    bound = _clients(MINE, known=MINE)
    assert bound.choice(HERE, NOW) == UseClient(replace(MINE, issuer=ISSUER))
    assert bound.choice(THERE, NOW) == WrongIssuer(ISSUER, OTHER)
    assert isinstance(_clients(MINE).choice(THERE, NOW), UseClient)


def test_the_user_may_say_that_a_client_belongs_to_the_new_server_too() -> None:
    clients = Clients(Profile(SERVER, client=MINE, issuer=OTHER), _grant(MINE), lambda _: None)
    clients.at(OTHER)
    assert clients.choice(THERE, NOW) == UseClient(MINE)
    bound = replace(MINE, issuer=ISSUER)
    clients = Clients(Profile(SERVER, client=bound, issuer=OTHER), None, lambda _: None)
    assert clients.choice(THERE, NOW) == WrongIssuer(ISSUER, OTHER)


def test_a_client_that_was_named_or_registered_is_forgotten_at_another_server() -> None:
    clients = _clients()
    clients.name(MINE)
    assert clients.choice(HERE, NOW) == UseClient(replace(MINE, issuer=ISSUER))
    clients.registered = DYNAMIC
    clients.at(OTHER)
    assert clients.choice(THERE, NOW) == RegisterClient(f"{OTHER}/register")
    clients.at(ISSUER)
    assert isinstance(clients.choice(HERE, NOW), RegisterClient)


def test_a_key_to_sign_with_is_the_proof_where_no_other_is_named() -> None:
    def choice(client: Client) -> AuthMethod:
        profile = Profile(SERVER, client=client, sign=lambda _: Secret("signed"))
        found = Clients(profile, None, lambda _: None).choice(HERE, NOW)
        assert isinstance(found, UseClient)
        return found.client.auth_method

    assert choice(MINE) is AuthMethod.PRIVATE_KEY_JWT
    secret = replace(MINE, secret=Secret("s"), auth_method=AuthMethod.POST)
    assert choice(secret) is AuthMethod.POST


def test_a_program_on_its_own_needs_a_client_of_its_own() -> None:
    clients = _clients(stored=DYNAMIC, grant=CLIENT_CREDENTIALS_GRANT)
    assert isinstance(clients.choice(HERE, NOW), AskForClient)


def test_a_forgotten_client_is_worth_one_more_registration() -> None:
    clients = _clients(stored=DYNAMIC)
    assert clients.forgotten(DYNAMIC)
    choice = clients.choice(HERE, NOW)
    assert isinstance(choice, RegisterClient)
    assert "no longer knows" in choice.why
    clients.registered = replace(DYNAMIC, client_id="again")
    assert clients.choice(HERE, NOW) == UseClient(clients.registered)
    assert not clients.forgotten(clients.registered)


@pytest.mark.parametrize("origin", [ClientOrigin.PREREGISTERED, ClientOrigin.METADATA_DOCUMENT])
def test_only_a_client_that_was_registered_here_is_registered_again(origin: ClientOrigin) -> None:
    assert not _clients().forgotten(Client("x", origin))


def test_a_client_registered_a_moment_ago_is_not_registered_again_at_once() -> None:
    clients = _clients()
    clients.registered = DYNAMIC
    assert not clients.forgotten(DYNAMIC)
    assert isinstance(clients.choice(HERE, NOW), RegisterClient)
