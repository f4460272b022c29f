"""The first half of a flow: where it looks, what it refuses, and who is asked."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from inspector.auth.actions import AllowIssuer, Authorize, ChooseServer, Failed, Send, Stage
from inspector.auth.challenge import BearerChallenge
from inspector.auth.exchange import Step
from inspector.auth.flow import Flow
from inspector.auth.grant import Profile
from inspector.auth.metadata import Allowances
from inspector.auth.policy import Refused
from inspector.auth.registration import Client, ClientOrigin
from inspector.auth.secret import Secret
from inspector.protocol.versions import HANDSHAKE_REVISIONS, Revision
from tests.auth.playbook import (
    CLIENT_SECRET,
    ISSUER,
    METADATA,
    NOTHING,
    NOW,
    PRM,
    SERVER,
    Play,
    World,
    json_answer,
)

OTHER = "https://login.example.org/tenant"
OLDEST = Profile(SERVER, Revision.V2025_03_26)
ORIGIN = "https://mcp.example.com"


FAILURES: tuple[Callable[[Flow], None], ...] = (
    lambda flow: flow.unreachable("connection refused", NOW, entry=3),
    lambda flow: flow.answered(503, b"", NOW, entry=3),
    lambda flow: flow.refused(Refused("it is not a public address", "RFC"), entry=3),
    lambda flow: flow.given_up("you pressed Esc"),
)


def _always(client: Client | None) -> Callable[[str], Client | None]:
    return lambda _: client


def _nowhere(world: World) -> World:
    for url in (f"{PRM}/mcp", PRM):
        world.answers[url] = NOTHING
    return world


def test_the_root_is_asked_after_the_path() -> None:
    world = World()
    world.answers[f"{PRM}/mcp"] = NOTHING
    play = Play(world)
    play.grant()
    assert play.urls()[:3] == [f"{PRM}/mcp", PRM, METADATA]
    assert ("nothing at", f"{PRM}/mcp") in play.flow.steps[0].found
    assert ("found at", PRM) in play.flow.steps[0].found


def test_the_challenge_names_the_first_place() -> None:
    url = "https://mcp.example.com/custom/prm.json"
    play = Play(challenge=BearerChallenge(resource_metadata=url))
    play.grant()
    assert play.urls()[:2] == [url, METADATA]


def test_a_page_for_browsers_is_no_metadata() -> None:
    world = World()
    world.answers[f"{PRM}/mcp"] = (200, b"<html>welcome</html>")
    play = Play(world)
    play.grant()
    assert play.urls()[:2] == [f"{PRM}/mcp", PRM]


def test_the_three_places_of_an_issuer_with_a_path_are_asked_in_order() -> None:
    world = World(resource={"resource": SERVER, "authorization_servers": [OTHER]})
    world.server["issuer"] = OTHER
    base = "https://login.example.org"
    places = [
        f"{base}/.well-known/oauth-authorization-server/tenant",
        f"{base}/.well-known/openid-configuration/tenant",
        f"{base}/tenant/.well-known/openid-configuration",
    ]
    world.answers = dict.fromkeys(places[:2], NOTHING)
    play = Play(world)
    assert play.grant().server.issuer == OTHER
    assert play.urls()[1:4] == places


def test_a_user_chooses_among_several_servers() -> None:
    world = World(resource={"resource": SERVER, "authorization_servers": [OTHER, ISSUER]})
    play = Play(world)
    assert play.go() == ChooseServer((OTHER, ISSUER))
    assert play.flow.steps[-1].state == "waiting"
    assert play.steps_sent() == [Step.RESOURCE_METADATA]
    play.flow.chosen(ISSUER, NOW)
    assert play.grant().server.issuer == ISSUER
    assert all(OTHER not in url for url in play.urls())


@pytest.mark.parametrize(("issuer", "kind"), [(None, "given-up"), ("https://x.example", "issuer")])
def test_a_choice_that_is_none_ends_the_flow_and_is_asked_for_again(
    issuer: str | None, kind: str
) -> None:
    play = Play(World(resource={"resource": SERVER, "authorization_servers": [OTHER, ISSUER]}))
    play.go()
    play.flow.chosen(issuer, NOW)
    action = play.go()
    assert isinstance(action, Failed)
    assert action.kind.startswith(kind)
    assert action.stage is Stage.SERVER
    play.flow.retry(NOW)
    assert isinstance(play.go(), ChooseServer)
    play.flow.chosen(ISSUER, NOW)
    assert play.grant()


def test_nobody_is_asked_where_the_choice_is_known() -> None:
    world = World(resource={"resource": SERVER, "authorization_servers": [OTHER, ISSUER]})
    grant = Play().grant()
    mine = Client("mine", ClientOrigin.PREREGISTERED, issuer=ISSUER)
    profiles = (
        (Profile(SERVER, issuer=ISSUER), None),
        (Profile(SERVER, client=mine), None),
        (Profile(SERVER), grant),
    )
    for profile, known in profiles:
        assert Play(world, profile=profile, known=known).grant().server.issuer == ISSUER


def test_an_issuer_that_the_resource_does_not_name_is_not_taken() -> None:
    play = Play(profile=Profile(SERVER, issuer="https://mine.example"))
    failed = play.failure()
    assert (failed.kind, failed.fault) == ("issuer-not-named", "you")
    assert play.steps_sent() == [Step.RESOURCE_METADATA]


def test_the_issuer_that_the_user_names_replaces_missing_metadata() -> None:
    play = Play(_nowhere(World()), profile=Profile(SERVER, issuer=ISSUER))
    grant = play.grant()
    assert grant.resource == SERVER
    assert play.form(Step.CODE)["resource"] == SERVER
    assert "resource-metadata-absent" in {r.rule for s in play.flow.steps for r in s.remarks}


@pytest.mark.parametrize("revision", HANDSHAKE_REVISIONS[2:])
def test_later_revisions_guess_nothing_without_metadata(revision: Revision) -> None:
    play = Play(_nowhere(World()), profile=Profile(SERVER, revision))
    failed = play.failure()
    assert failed.kind == "metadata-absent"
    assert "2025-03-26" in failed.hint
    assert play.steps_sent() == [Step.RESOURCE_METADATA] * 2


def test_2025_03_26_finds_its_metadata_at_the_origin() -> None:
    world = _nowhere(World())
    world.server["issuer"] = ORIGIN
    play = Play(world, profile=OLDEST)
    grant = play.grant()
    assert play.urls()[2] == f"{ORIGIN}/.well-known/oauth-authorization-server"
    assert all(("MCP-Protocol-Version", "2025-03-26") in r.headers for r in play.sent[:3])
    assert not grant.server.guessed
    assert grant.resource is None
    assert "resource" not in play.form(Step.CODE)
    assert "resource=" not in play.opened[0]


def test_2025_03_26_falls_back_to_the_default_endpoints() -> None:
    world = _nowhere(World())
    world.answers[f"{ORIGIN}/.well-known/oauth-authorization-server"] = NOTHING
    play = Play(world, profile=OLDEST)
    grant = play.grant()
    assert grant.server.guessed
    assert play.opened[0].startswith(f"{ORIGIN}/authorize?")
    assert play.urls()[3:] == [f"{ORIGIN}/register", f"{ORIGIN}/token"]
    assert "default-endpoints" in {r.rule for s in play.flow.steps for r in s.remarks}


@pytest.mark.parametrize("answer", [json_answer({"issuer": ORIGIN}), (500, b""), (429, b"")])
def test_the_default_endpoints_never_replace_what_was_there(answer: tuple[int, bytes]) -> None:
    world = _nowhere(World())
    world.answers[f"{ORIGIN}/.well-known/oauth-authorization-server"] = answer
    play = Play(world, profile=OLDEST)
    assert play.failure().stage is Stage.SERVER
    assert play.opened == []
    assert len(play.sent) == 3


def test_the_default_endpoints_are_not_those_of_a_named_server() -> None:
    world = World()
    world.answers[METADATA] = NOTHING
    play = Play(world, profile=OLDEST)
    assert play.failure().kind == "metadata-absent"
    assert play.urls() == [f"{PRM}/mcp", METADATA]


def test_only_2025_03_26_names_its_revision_while_it_looks() -> None:
    play = Play()
    play.grant()
    assert all("MCP-Protocol-Version" not in dict(request.headers) for request in play.sent)


def test_a_slash_at_the_end_of_the_issuer_may_be_allowed_this_once() -> None:
    world = World()
    world.server["issuer"] = f"{ISSUER}/"
    play = Play(world)
    assert play.go() == AllowIssuer(ISSUER, f"{ISSUER}/")
    assert len(play.sent) == 2
    play.flow.issuer_allowed(True, NOW)
    assert isinstance(play.go(), Authorize)
    assert play.consent(iss=f"{ISSUER}/")
    assert play.grant().server.issuer == f"{ISSUER}/"
    assert "issuer-differs" in {r.rule for s in play.flow.steps for r in s.remarks}


def test_a_slash_that_is_not_allowed_ends_the_flow() -> None:
    world = World()
    world.server["issuer"] = f"{ISSUER}/"
    play = Play(world)
    play.go()
    play.flow.issuer_allowed(False, NOW)
    assert play.failure().kind == "metadata-rejected"
    assert play.opened == []
    play.flow.retry(NOW)
    assert isinstance(play.go(), AllowIssuer)


def test_nothing_but_the_slash_may_be_allowed() -> None:
    world = World()
    world.server["issuer"] = "https://evil.example"
    assert Play(world).failure().kind == "metadata-rejected"
    world.server |= {"issuer": f"{ISSUER}/", "token_endpoint": "javascript:alert(1)"}
    assert Play(world).failure().kind == "metadata-rejected"


def test_missing_pkce_metadata_may_be_allowed_and_is_remarked() -> None:
    world = World()
    del world.server["code_challenge_methods_supported"]
    profile = Profile(SERVER, allowances=Allowances(missing_pkce_metadata=True))
    play = Play(world, profile=profile)
    assert play.grant()
    assert "pkce-unknown" in {r.rule for s in play.flow.steps for r in s.remarks}
    assert "code_challenge_method=S256" in play.opened[0]


def test_a_new_authorization_server_gets_nothing_of_the_former_one() -> None:
    """AU-15: neither the client registered there, nor the user's own, nor a stored one."""
    grant = Play().grant()
    moved = World(resource={"resource": SERVER, "authorization_servers": [OTHER]})
    moved.server["issuer"] = OTHER
    moved.registration = {"client_id": "dynamic-2"}
    for stored in (None, grant.client):
        play = Play(moved, known=grant, stored=_always(stored))
        assert play.grant().client.client_id == "dynamic-2"
        assert "client_id=dynamic-2" in play.opened[0]
        assert "authorization-server-changed" in {
            r.rule for s in play.flow.steps for r in s.remarks
        }
    mine = Client("mine", ClientOrigin.PREREGISTERED, secret=Secret(CLIENT_SECRET))
    profile = Profile(SERVER, client=mine)
    before = Play(profile=profile).grant()
    play = Play(moved, profile=profile, known=before)
    assert play.failure().kind == "client-of-another-server"
    assert play.opened == []
    assert Play(profile=profile, known=before).grant()


@pytest.mark.parametrize(
    ("step", "stage", "again"),
    [
        (Step.RESOURCE_METADATA, Stage.RESOURCE, f"{PRM}/mcp"),
        (Step.SERVER_METADATA, Stage.SERVER, METADATA),
    ],
)
def test_a_search_that_failed_begins_again_at_its_own_step(
    step: Step, stage: Stage, again: str
) -> None:
    for fail in FAILURES:
        play = Play()
        play.until(step)
        fail(play.flow)
        failed = play.action
        assert isinstance(failed, Failed)
        assert failed.stage is stage
        assert play.flow.steps[-1].state == "failed"
        play.flow.retry(NOW)
        action = play.action
        assert isinstance(action, Send)
        assert action.request.url == again
        assert play.grant()
        assert play.steps_sent().count(Step.RESOURCE_METADATA) == 1


def test_what_went_wrong_says_whose_fault_it_is() -> None:
    play = Play()
    play.flow.unreachable("connection refused", NOW)
    failed = play.action
    assert isinstance(failed, Failed)
    assert (failed.kind, failed.fault) == ("unreachable", "network")
    assert "connection refused" in failed.message


def test_a_place_that_the_challenge_names_is_judged_before_it_is_asked() -> None:
    for url in ("http://169.254.169.254/latest", "javascript:alert(1)", "https://u:p@x.example/"):
        play = Play(challenge=BearerChallenge(resource_metadata=url))
        assert play.failure().kind == "url-refused"
        assert play.sent == []
    named = BearerChallenge(resource_metadata="https://prm.example/")
    assert Play(challenge=named).grant()


def test_a_server_on_this_machine_may_point_at_this_machine() -> None:
    local = "http://127.0.0.1:8000/mcp"
    issuer = "http://localhost:9000"
    world = World(resource={"resource": local, "authorization_servers": [issuer]})
    world.server = {
        name: value.replace(ISSUER, issuer) if isinstance(value, str) else value
        for name, value in world.server.items()
    }
    assert Play(world, profile=Profile(local)).grant().server.issuer == issuer
    world.resource["resource"] = SERVER
    assert Play(world).failure().kind == "metadata-rejected"
    allowed = replace(Profile(SERVER), private_allowed=True)
    assert Play(world, profile=allowed).grant()
