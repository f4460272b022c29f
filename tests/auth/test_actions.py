"""The values between a flow, its driver and its screens: none of them shows a secret."""

from typing import get_args

import pytest

from inspector.auth.actions import Action, Authorize, Finished, Send, Stage
from inspector.auth.authorize import authorization_request
from inspector.auth.exchange import Step, post_form
from inspector.auth.grant import Grant
from inspector.auth.metadata import AuthorizationServer
from inspector.auth.registration import AuthMethod, Client, ClientOrigin
from inspector.auth.secret import Secret
from inspector.auth.tokens import Tokens
from tests.auth.playbook import ISSUER, NOW, REDIRECT, SERVER

CANARY = "canary-4711-" + "x" * 43
AT = AuthorizationServer(ISSUER, f"{ISSUER}/token", f"{ISSUER}/authorize")


def _authorize() -> Authorize:
    request = authorization_request(
        AT,
        client_id="c",
        redirect_uri=REDIRECT,
        resource=SERVER,
        scopes=None,
        state=Secret(CANARY),
        verifier=Secret(CANARY),
    )
    return Authorize(request)


def _finished() -> Finished:
    client = Client("c", ClientOrigin.DYNAMIC, AuthMethod.POST, Secret(CANARY), ISSUER)
    tokens = Tokens(Secret(CANARY), Secret(CANARY), None, NOW, None)
    return Finished(Grant(SERVER, SERVER, AT, client, tokens))


@pytest.mark.parametrize(
    "action",
    [
        _authorize(),
        _finished(),
        Send(post_form(Step.CODE, AT.token_endpoint, (("code", CANARY),), (("X", CANARY),))),
    ],
    ids=lambda action: type(action).__name__,
)
def test_no_action_shows_the_secrets_in_it(action: Action) -> None:
    assert "canary" not in repr(action)
    assert "canary" not in f"{action}"
    assert isinstance(action, get_args(Action))


def test_the_url_of_a_consent_is_there_for_who_asks_for_it() -> None:
    assert f"state={CANARY}" in _authorize().request.url()


def test_the_stages_come_in_the_order_in_which_they_are_shown() -> None:
    words = [stage.value.split()[0] for stage in Stage]
    assert words == ["challenge", "protected", "authorization", "client", "consent", "token"]
