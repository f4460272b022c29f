"""A whole authorization, played from the challenge to the token."""

import base64
import hashlib
import json

import pytest

from inspector.auth.actions import Authorize, Failed, Finished, Listen, Send, Stage
from inspector.auth.challenge import BearerChallenge
from inspector.auth.exchange import OAuthRequest, Step
from inspector.auth.grant import Profile
from inspector.auth.metadata import CLIENT_CREDENTIALS_GRANT
from inspector.auth.registration import AuthMethod, Client, ClientOrigin
from inspector.auth.secret import Secret
from inspector.protocol.json_text import JsonObject
from inspector.protocol.versions import Revision
from tests.auth.playbook import (
    ACCESS,
    CLIENT_SECRET,
    CODE,
    ISSUER,
    METADATA,
    NOW,
    PRM,
    REDIRECT,
    REFRESH,
    SERVER,
    Play,
    World,
)

DOCUMENT = "https://app.example.com/client.json"


def test_a_stranger_registers_asks_and_gets_a_token() -> None:
    play = Play(challenge=BearerChallenge(resource_metadata=f"{PRM}/mcp", scope="read"))
    action = play.go()
    assert isinstance(action, Authorize)
    assert play.urls() == [f"{PRM}/mcp", METADATA, f"{ISSUER}/register"]
    registered = json.loads(play.sent[-1].body)
    assert registered["redirect_uris"] == [REDIRECT]
    assert registered["application_type"] == "native"
    query = play.query()
    assert query["client_id"] == "dynamic-1"
    assert query["redirect_uri"] == REDIRECT
    assert query["resource"] == SERVER
    assert query["scope"] == "read"
    assert play.consent()
    action = play.go()
    form = play.form(Step.CODE)
    assert play.sent[-1].url == f"{ISSUER}/token"
    assert form["code"] == CODE
    assert form["resource"] == SERVER
    assert form["redirect_uri"] == REDIRECT
    assert form["client_id"] == "dynamic-1"
    digest = hashlib.sha256(form["code_verifier"].encode()).digest()
    assert query["code_challenge"] == base64.urlsafe_b64encode(digest).decode().rstrip("=")
    assert isinstance(action, Finished)
    grant = action.grant
    assert grant.tokens.access == Secret(ACCESS)
    assert grant.tokens.refresh == Secret(REFRESH)
    assert grant.tokens.expires_at == NOW + 3600
    assert (grant.server_url, grant.resource, grant.server.issuer) == (SERVER, SERVER, ISSUER)
    assert grant.client.redirect_uris == (REDIRECT,)
    assert grant.requested == ("read",)


def test_the_steps_say_what_was_found() -> None:
    play = Play(challenge=BearerChallenge(scope="read"))
    play.grant()
    assert [step.stage for step in play.flow.steps] == list(Stage)
    assert {step.state for step in play.flow.steps} == {"done"}
    facts = {step.stage: dict(step.found) for step in play.flow.steps}
    assert facts[Stage.CHALLENGE]["scopes"] == "read"
    assert facts[Stage.RESOURCE]["found at"] == f"{PRM}/mcp"
    assert facts[Stage.SERVER]["issuer"] == ISSUER
    assert facts[Stage.CLIENT]["client"] == "registered dynamically"
    assert facts[Stage.CONSENT]["PKCE"] == "S256"
    assert facts[Stage.TOKEN]["type"] == "Bearer, opaque"
    assert play.flow.steps[1].source == "RFC 9728 section 3.1"


def test_entries_of_the_journal_are_kept_with_their_steps() -> None:
    play = Play()
    play.flow.answered(404, b"", NOW, entry=7)
    play.flow.answered(*play.world.answer(_request(play)), NOW, entry=9)
    assert play.flow.steps[0].entries == (7, 9)
    assert play.flow.steps[1].entries == ()


def test_a_metadata_document_needs_no_registration() -> None:
    world = World()
    world.server["client_id_metadata_document_supported"] = True
    profile = Profile(SERVER, Revision.V2026_07_28, document_url=DOCUMENT)
    play = Play(world, profile=profile)
    grant = play.grant()
    assert grant.client.client_id == DOCUMENT
    assert play.form(Step.CODE)["client_id"] == DOCUMENT
    assert Step.REGISTRATION not in play.steps_sent()
    assert play.flow.registered is None


def test_a_client_registered_before_needs_no_registration() -> None:
    world = World()
    world.server["token_endpoint_auth_methods_supported"] = ["client_secret_basic"]
    mine = Client("mine", ClientOrigin.PREREGISTERED, secret=Secret(CLIENT_SECRET))
    play = Play(world, profile=Profile(SERVER, Revision.V2026_07_28, client=mine))
    grant = play.grant()
    assert grant.client.client_id == "mine"
    assert Step.REGISTRATION not in play.steps_sent()
    pair = base64.b64encode(f"mine:{CLIENT_SECRET}".encode()).decode()
    assert ("Authorization", f"Basic {pair}") in play.sent[-1].headers
    assert "client_secret" not in play.form(Step.CODE)


def test_client_credentials_need_neither_browser_nor_listener() -> None:
    mine = Client("mine", ClientOrigin.PREREGISTERED, AuthMethod.POST, Secret(CLIENT_SECRET))
    profile = Profile(SERVER, client=mine, scopes=("read", "write"), grant=CLIENT_CREDENTIALS_GRANT)
    world = World()
    del world.server["authorization_endpoint"]
    play = Play(world, profile=profile)
    assert isinstance(play.until(Step.CLIENT_CREDENTIALS), Send)
    assert play.opened == []
    assert play.grant().grant == CLIENT_CREDENTIALS_GRANT
    form = play.form(Step.CLIENT_CREDENTIALS)
    assert form["client_secret"] == CLIENT_SECRET
    assert form["resource"] == SERVER
    assert form["scope"] == "read write"


def test_a_private_key_signs_an_assertion_for_the_issuer() -> None:
    signed: list[JsonObject] = []

    def sign(claims: JsonObject) -> Secret:
        signed.append(claims)
        return Secret(f"header.claims-{len(signed)}.signature")

    mine = Client("mine", ClientOrigin.PREREGISTERED)
    profile = Profile(SERVER, client=mine, sign=sign, grant=CLIENT_CREDENTIALS_GRANT)
    play = Play(profile=profile)
    play.grant()
    form = play.form(Step.CLIENT_CREDENTIALS)
    assert form["client_assertion"] == "header.claims-1.signature"
    assert "client_secret" not in form
    assert signed[0]["aud"] == ISSUER
    assert signed[0]["sub"] == "mine"
    again = Play(profile=profile)
    again.draws.drawn = 100
    again.grant()
    assert signed[0]["jti"] != signed[1]["jti"]


def test_who_listens_is_told_which_redirect_uris_the_client_is_registered_for() -> None:
    stored = Client(
        "stored", ClientOrigin.DYNAMIC, issuer=ISSUER, redirect_uris=("http://127.0.0.1:9/old",)
    )
    play = Play(stored=lambda issuer: stored if issuer == ISSUER else None)
    while isinstance(play.action, Send):
        play.flow.answered(*play.world.answer(_request(play)), NOW)
    assert play.action == Listen(("http://127.0.0.1:9/old",))


def _request(play: Play) -> OAuthRequest:
    assert isinstance(play.action, Send)
    return play.action.request


def test_a_key_in_the_servers_own_address_is_in_no_step() -> None:
    address, world = f"{SERVER}?api_key=k3y-in-the-address", World()
    world.resource["resource"] = address
    play = Play(world, profile=Profile(address, Revision.V2026_07_28))
    play.go()
    assert play.consent()
    play.go()
    assert any("k3y-in-the-address" in request.url for request in play.sent)
    assert any("found at" in dict(step.found) for step in play.flow.steps)
    assert "k3y-in-the-address" not in repr(play.flow.steps)


@pytest.mark.parametrize("address", ["http://mcp.example.com/mcp", "http://10.0.0.5/mcp"])
def test_no_token_is_asked_for_that_everybody_on_the_way_could_read(address: str) -> None:
    world = World()
    world.resource["resource"] = address
    profile = Profile(address, Revision.V2026_07_28, private_allowed=True)
    challenge = BearerChallenge(resource_metadata="https://meta.example.com/prm")
    play = Play(world, profile=profile, challenge=challenge)
    action = play.go()
    assert isinstance(action, Failed)
    assert action.kind == "url-refused"
    assert "https" in action.hint
    assert play.sent == []
