"""The second half of a flow: the client, the consent, the token, and each of them once more."""

import json
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import quote

import pytest

from inspector.auth.actions import Authorize, Failed, Finished, Listen, NameClient, Send, Stage
from inspector.auth.challenge import BearerChallenge
from inspector.auth.exchange import Step
from inspector.auth.flow import Flow
from inspector.auth.grant import Profile
from inspector.auth.metadata import CLIENT_CREDENTIALS_GRANT
from inspector.auth.policy import Refused
from inspector.auth.registration import AuthMethod, Client, ClientOrigin
from inspector.auth.scopes import StepUp
from inspector.auth.secret import Secret
from inspector.errors import InspectorError
from inspector.protocol.json_text import JsonObject
from tests.auth.playbook import (
    CLIENT_SECRET,
    CODE,
    ISSUER,
    NOW,
    REDIRECT,
    SERVER,
    Play,
    World,
    json_answer,
)

STORED = Client("stored", ClientOrigin.DYNAMIC, issuer=ISSUER, redirect_uris=(REDIRECT,))
MINE = Client("mine", ClientOrigin.PREREGISTERED)
TOKEN = f"{ISSUER}/token"


def _stored(client: Client) -> Callable[[str], Client | None]:
    return lambda issuer: client if issuer == client.issuer else None


# The client


def test_a_client_registered_before_is_used_for_the_same_redirect_uri_only() -> None:
    play = Play(stored=_stored(STORED))
    assert play.grant().client == STORED
    assert Step.REGISTRATION not in play.steps_sent()
    other = replace(STORED, redirect_uris=("http://127.0.0.1:4711/other",))
    play = Play(stored=_stored(other))
    assert play.grant().client.client_id == "dynamic-1"
    assert json.loads(play.sent[2].body)["redirect_uris"] == [REDIRECT]


def test_a_client_whose_redirect_uris_are_unknown_is_used() -> None:
    assert Play(stored=_stored(replace(STORED, redirect_uris=()))).grant().client.client_id == (
        "stored"
    )


def test_the_client_of_the_grant_is_used_where_nothing_is_stored() -> None:
    known = Play(stored=_stored(STORED)).grant()
    play = Play(known=known)
    assert play.grant().client == STORED
    assert Step.REGISTRATION not in play.steps_sent()


def test_an_expired_secret_is_registered_again_and_said() -> None:
    old = replace(STORED, secret=Secret(CLIENT_SECRET), expires_at=NOW)
    play = Play(stored=_stored(old))
    assert play.grant().client.client_id == "dynamic-1"
    said = [r.message for s in play.flow.steps for r in s.remarks if r.rule == "registered-again"]
    assert "expired" in said[0]
    assert Play(stored=_stored(replace(old, expires_at=NOW + 1))).grant().client.secret


def test_the_user_is_asked_where_no_client_can_be_had() -> None:
    world = World()
    del world.server["registration_endpoint"]
    play = Play(world)
    action = play.go()
    assert action == NameClient(ISSUER, "the authorization server registers no clients")
    play.flow.client_named(None, NOW)
    assert play.failure().kind == "given-up"
    play.flow.retry(NOW)
    assert isinstance(play.go(), NameClient)
    play.flow.client_named(MINE, NOW)
    grant = play.grant()
    assert (grant.client.client_id, grant.client.issuer) == ("mine", ISSUER)


def test_client_credentials_never_register() -> None:
    play = Play(profile=Profile(SERVER, grant=CLIENT_CREDENTIALS_GRANT))
    assert isinstance(play.go(), NameClient)
    play.flow.client_named(
        replace(MINE, secret=Secret(CLIENT_SECRET), auth_method=AuthMethod.POST), NOW
    )
    assert play.grant().client.client_id == "mine"
    assert Step.REGISTRATION not in play.steps_sent()


def test_a_refused_registration_says_why() -> None:
    world = World()
    url = f"{ISSUER}/register"
    said = {"error": "invalid_redirect_uri", "error_description": "only https"}
    world.answers[url] = json_answer(said, 400)
    play = Play(world)
    failed = play.failure()
    assert failed.kind == "registration-refused"
    assert failed.stage is Stage.CLIENT
    assert "invalid_redirect_uri" in failed.message
    assert "only https" in failed.message
    assert play.opened == []
    del world.answers[url]
    play.flow.retry(NOW)
    assert play.action == Listen()
    assert play.grant()


def test_a_registered_client_is_there_before_the_flow_ends() -> None:
    play = Play()
    play.go()
    assert play.flow.registered is not None
    assert play.flow.registered.redirect_uris == (REDIRECT,)


def test_a_dynamic_registration_is_told_to_be_deprecated_and_nothing_else_is() -> None:
    def told(play: Play) -> list[str]:
        play.grant()
        found = [r for s in play.flow.steps for r in s.remarks]
        return [r.source for r in found if r.rule == "registration-deprecated"]

    assert told(Play()) == ["2026-07-28 basic/authorization/client-registration"]
    assert told(Play(stored=_stored(STORED))) == []


def test_a_secret_that_the_registration_gives_is_used_as_it_says() -> None:
    world = World()
    world.registration = {
        "client_id": "dynamic-1",
        "client_secret": CLIENT_SECRET,
        "token_endpoint_auth_method": "client_secret_post",
    }
    play = Play(world)
    play.grant()
    assert play.form(Step.CODE)["client_secret"] == CLIENT_SECRET


def test_a_store_that_cannot_be_read_ends_the_flow_at_the_client() -> None:
    def broken(_: str) -> Client | None:
        raise InspectorError("the keyring is locked", hint="unlock it")

    failed = Play(stored=broken).failure()
    assert failed.stage is Stage.CLIENT
    assert (failed.message, failed.hint) == ("the keyring is locked", "unlock it")


def test_a_redirect_uri_that_nobody_may_use_ends_the_flow() -> None:
    play = Play()
    while isinstance(play.action, Send):
        play.flow.answered(*play.world.answer(play.action.request), NOW)
    play.flow.listening("http://192.168.1.5/callback", NOW)
    assert isinstance(play.action, Failed)
    assert play.action.stage is Stage.CLIENT
    play.flow.retry(NOW)
    assert play.grant()


# Scopes


@pytest.mark.parametrize(
    ("challenged", "resource", "server", "wish", "expected"),
    [
        ("read", ["all"], None, None, "read"),
        (None, ["all", "more"], None, None, "all more"),
        (None, None, ["all"], None, None),
        (None, ["all"], ["offline_access", "all"], None, "all offline_access"),
        (None, ["all"], ["all"], None, "all"),
        ("read", ["all"], ["offline_access"], ("mine",), "mine"),
        ("read", ["all"], None, (), None),
    ],
)
def test_the_scopes_of_the_first_request(
    challenged: str | None,
    resource: list[str] | None,
    server: list[str] | None,
    wish: tuple[str, ...] | None,
    expected: str | None,
) -> None:
    """AU-13 and AU-16."""
    world = World()
    world.resource |= {"scopes_supported": list(resource)} if resource else {}
    world.server |= {"scopes_supported": list(server)} if server else {}
    play = Play(
        world, profile=Profile(SERVER, scopes=wish), challenge=BearerChallenge(scope=challenged)
    )
    grant = play.grant()
    query = dict(part.split("=", 1) for part in play.opened[0].partition("?")[2].split("&"))
    assert query.get("scope") == (quote(expected) if expected else None)
    assert grant.requested == (tuple(expected.split()) if expected else None)


def test_offline_access_is_not_asked_of_a_server_that_refreshes_nothing() -> None:
    world = World(resource={**World().resource, "scopes_supported": ["all"]})
    world.server |= {
        "scopes_supported": ["offline_access"],
        "grant_types_supported": ["authorization_code"],
    }
    play = Play(world)
    play.grant()
    assert "offline_access" not in play.opened[0]


def test_a_step_up_asks_for_the_union() -> None:
    known = Play(challenge=BearerChallenge(scope="read")).grant()
    play = Play(
        challenge=BearerChallenge(scope="write", error="insufficient_scope"),
        known=known,
        step_up=StepUp(("read", "write"), ("write",), 1),
    )
    assert play.grant().requested == ("read", "write")
    assert ("more scopes", "write") in play.flow.steps[0].found


def test_scopes_that_were_not_granted_are_remarked() -> None:
    world = World()
    world.token["scope"] = "read"
    play = Play(world, challenge=BearerChallenge(scope="read write"))
    assert play.grant().tokens.scopes == ("read",)
    assert "scopes-narrowed" in {r.rule for r in play.flow.steps[-1].remarks}


# The consent


def test_only_a_redirect_with_our_state_ends_the_wait() -> None:
    play = Play()
    play.go()
    state = play.query()["state"]
    wrong = (
        f"{REDIRECT}?code=x",
        f"{REDIRECT}?code=x&state=nonsense",
        f"{REDIRECT}?error=access_denied",
        f"http://127.0.0.1:4711/elsewhere?code=x&state={state}",
        f"{REDIRECT}?code=x&state={state}&state={state}",
    )
    for redirect in wrong * 200:
        assert not play.flow.redirected(redirect, NOW)
    assert isinstance(play.action, Authorize)
    assert play.consent()
    assert play.grant()
    assert play.form(Step.CODE)["code"] == CODE


def test_a_redirect_is_taken_once() -> None:
    play = Play()
    play.go()
    redirect = f"{REDIRECT}?code={CODE}&state={play.query()['state']}"
    assert play.flow.redirected(redirect, NOW)
    assert not play.flow.redirected(redirect, NOW)
    play.grant()
    assert not play.flow.redirected(redirect, NOW)
    assert play.steps_sent().count(Step.CODE) == 1


def test_a_denial_is_the_users_word() -> None:
    play = Play()
    play.go()
    assert play.consent(code=None, error="access_denied", error_description="not today")
    failed = play.action
    assert isinstance(failed, Failed)
    assert (failed.kind, failed.fault, failed.stage) == ("denied", "you", Stage.CONSENT)
    assert "not today" in failed.message


def test_an_error_from_another_server_is_not_shown() -> None:
    play = Play()
    play.go()
    play.consent(code=None, error="evil-error", error_description="EVIL", iss="https://e.example")
    failed = play.action
    assert isinstance(failed, Failed)
    assert failed.kind == "wrong-server"
    assert "evil" not in repr((failed, play.flow.steps)).lower()


# The token, and once more


def test_a_new_consent_repeats_nothing_of_the_former_one() -> None:
    world = World()
    world.answers[TOKEN] = (500, b"")
    play = Play(world)
    assert play.failure().stage is Stage.TOKEN
    first = play.sent[-1].body
    del world.answers[TOKEN]
    play.flow.retry(NOW)
    assert play.go()
    assert isinstance(play.action, Authorize)
    assert play.sent[-1].body == first
    play.consent(code="another-code-1")
    assert isinstance(play.go(), Finished)
    one, two = ({p.split("=")[0]: p for p in url.split("&")} for url in play.opened)
    assert one["client_id"] == two["client_id"]
    assert one["state"] != two["state"]
    assert one["code_challenge"] != two["code_challenge"]
    assert play.steps_sent().count(Step.REGISTRATION) == 1
    assert first != play.sent[-1].body
    assert CODE.encode() not in play.sent[-1].body


FAILURES: tuple[Callable[[Flow], None], ...] = (
    lambda flow: flow.unreachable("connection refused", NOW),
    lambda flow: flow.answered(500, b"", NOW),
    lambda flow: flow.answered(400, b'{"error":"invalid_grant"}', NOW),
    lambda flow: flow.answered(200, b"<html>", NOW),
    lambda flow: flow.refused(Refused("it is not a public address", "RFC 9728 section 7.7")),
    lambda flow: flow.given_up("you pressed Esc"),
)


@pytest.mark.parametrize("step", [Step.REGISTRATION, Step.CODE, Step.CLIENT_CREDENTIALS])
@pytest.mark.parametrize("number", range(len(FAILURES)))
def test_every_request_that_failed_can_be_tried_again(step: Step, number: int) -> None:
    mine = replace(MINE, secret=Secret(CLIENT_SECRET), auth_method=AuthMethod.POST)
    alone = Profile(SERVER, client=mine, grant=CLIENT_CREDENTIALS_GRANT)
    play = Play(profile=alone if step is Step.CLIENT_CREDENTIALS else None)
    play.until(step)
    before = len(play.sent)
    FAILURES[number](play.flow)
    failed = play.action
    assert isinstance(failed, Failed)
    assert failed.stage is (Stage.CLIENT if step is Step.REGISTRATION else Stage.TOKEN)
    play.flow.retry(NOW)
    assert play.grant()
    again = [request.step for request in play.sent[before:]]
    assert Step.RESOURCE_METADATA not in again
    assert Step.SERVER_METADATA not in again
    assert again[-1] is (Step.CODE if step is Step.REGISTRATION else step)


def test_a_client_that_the_server_forgot_is_registered_again_once() -> None:
    world = World()
    world.answers[TOKEN] = json_answer({"error": "invalid_client"}, 401)
    play = Play(world, stored=_stored(STORED))
    failed = play.failure()
    assert failed.kind == "token-refused"
    assert play.steps_sent()[2:] == [Step.CODE, Step.REGISTRATION, Step.CODE]
    assert len(play.opened) == 2
    del world.answers[TOKEN]
    play.flow.retry(NOW)
    assert play.grant().client.client_id == "dynamic-1"
    assert play.steps_sent().count(Step.REGISTRATION) == 2


@pytest.mark.parametrize("client", [None, replace(MINE, secret=Secret(CLIENT_SECRET))])
def test_no_second_browser_for_a_client_that_cannot_fare_better(client: Client | None) -> None:
    world = World()
    world.answers[TOKEN] = json_answer({"error": "invalid_client"}, 401)
    play = Play(world, profile=Profile(SERVER, client=client))
    assert play.failure().kind == "token-refused"
    assert len(play.opened) == 1


def test_a_signature_that_fails_ends_the_flow_before_anything_is_sent() -> None:
    def sign(_: JsonObject) -> Secret:
        raise InspectorError("the key cannot be read", hint="look at the file", fault="you")

    play = Play(profile=Profile(SERVER, client=MINE, sign=sign, grant=CLIENT_CREDENTIALS_GRANT))
    failed = play.failure()
    assert (failed.stage, failed.message) == (Stage.TOKEN, "the key cannot be read")
    assert Step.CLIENT_CREDENTIALS not in play.steps_sent()


@pytest.mark.parametrize(
    ("supported", "method"),
    [
        (["client_secret_basic", "client_secret_post"], AuthMethod.BASIC),
        (["client_secret_post"], AuthMethod.POST),
        (None, AuthMethod.BASIC),
    ],
)
def test_the_users_secret_is_proved_as_the_server_offers(
    supported: list[str] | None, method: AuthMethod
) -> None:
    world = World()
    del world.server["token_endpoint_auth_methods_supported"]
    if supported:
        world.server["token_endpoint_auth_methods_supported"] = list(supported)
    mine = replace(MINE, secret=Secret(CLIENT_SECRET))
    play = Play(world, profile=Profile(SERVER, client=mine))
    assert play.grant().client.auth_method is method
    headers = dict(play.sent[-1].headers)
    assert ("Authorization" in headers) is (method is AuthMethod.BASIC)
    assert ("client_secret" in play.form(Step.CODE)) is (method is AuthMethod.POST)
