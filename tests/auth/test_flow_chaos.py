"""Whatever happens to a flow, in whatever order: it never raises, always wants exactly one thing,
never shows a secret, and never uses a state, verifier or code twice.
"""

import json
from collections.abc import Callable
from urllib.parse import parse_qs, quote

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.auth.actions import (
    AllowIssuer,
    Authorize,
    ChooseServer,
    Failed,
    Finished,
    Listen,
    NameClient,
    Send,
)
from inspector.auth.challenge import BearerChallenge
from inspector.auth.exchange import Step
from inspector.auth.grant import Profile
from inspector.auth.metadata import CLIENT_CREDENTIALS_GRANT
from inspector.auth.policy import Refused
from inspector.auth.registration import AuthMethod, Client, ClientOrigin
from inspector.auth.secret import Secret
from inspector.protocol.json_text import Json
from inspector.protocol.versions import REVISIONS
from tests.auth.playbook import ISSUER, NOW, REDIRECT, SERVER, Play, World
from tests.scaled import scaled

MINE_SECRET = "own-client-secret-81f2"
SECRET_MEMBERS = ("access_token", "refresh_token", "client_secret")
WORDS = (Send, ChooseServer, AllowIssuer, NameClient, Listen, Authorize, Finished, Failed)

ODD: tuple[Json, ...] = (
    None, True, 0, -1, 7, 10**30, float("inf"), float("nan"), 0.5, "", "x", "7", "\x1b]0;x\x07",
    "\u202ex", "\ud800", "S256", "Bearer", "none", "client_secret_post", "private_key_jwt", ISSUER,
    f"{ISSUER}/", SERVER, f"{ISSUER}/x", "javascript:alert(1)", "https://10.0.0.5/", "x" * 9000,
    [], {}, ["S256"], [ISSUER], [ISSUER, f"{ISSUER}/b"], [7], [[[]]], {"a": {"b": []}},
)  # fmt: skip
NAMES = (
    *(World().resource | World().server | World().registration | World().token),
    "error",
    "error_description",
    "client_secret",
    "client_secret_expires_at",
    "token_endpoint_auth_method",
    "client_id_metadata_document_supported",
    "authorization_response_iss_parameter_supported",
    "scope",
    "scopes_supported",
)
CHANGES = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(ODD), max_size=3)
TEXTS = ("", "x", "\x1b[31m", "a b", "https://[", "//", "?state=x", "http://127.0.0.1:1/x?code=1")
STATUS = st.sampled_from([200, 201, 204, 302, 400, 401, 403, 404, 429, 500, 503, 999, -1])


class Chaos:
    """A play whose every secret is known, and looked for in everything that can be seen."""

    def __init__(self, play: Play, known: tuple[str, ...] = ()) -> None:
        self.play = play
        self.secrets = set(known)
        self.states: list[str] = []
        self.verifiers: list[str] = []
        self.codes: list[str] = []
        self.seen = 0
        self.look()

    def look(self) -> None:
        action = self.play.action
        assert isinstance(action, WORDS)
        self.seen += 1
        if isinstance(action, Authorize) and (
            not self.states or action.request.state.reveal() != self.states[-1]
        ):
            self.states.append(action.request.state.reveal())
            self.secrets |= {self.states[-1], action.request.verifier.reveal()}
        text = repr((action, self.play.flow.steps, self.play.flow.registered, self.play.flow))
        for secret in self.secrets:
            for look in (secret, quote(secret, safe="")):
                assert look not in text

    def sending(self) -> None:
        """Remembers what a code request spends."""
        action = self.play.action
        if isinstance(action, Send) and action.request.step is Step.CODE:
            form = parse_qs(action.request.body.decode("ascii"))
            self.codes += form["code"]
            self.verifiers += form["code_verifier"]

    def repeat(self) -> str:
        """What a spiteful server says: everything that it was told, and its own secrets."""
        return " / ".join(sorted(self.secrets))


def _say(chaos: Chaos, data: st.DataObject) -> None:
    """Answers honestly but for what is drawn."""
    play = chaos.play
    action = play.action
    chaos.sending()
    status, body = 404, b""
    if isinstance(action, Send):
        status, body = play.world.answer(action.request)
        document = json.loads(body)
        for name in SECRET_MEMBERS:
            if name in document or data.draw(st.booleans()):
                document[name] = f"{name}-{chaos.seen}-a8b1"
        document |= data.draw(CHANGES)
        match data.draw(st.integers(0, 9)):
            case 0 | 1:
                document |= {"error": "invalid_client", "error_description": chaos.repeat()}
            case 2:
                document |= {"token_type": chaos.repeat(), "issuer": chaos.repeat()}
            case 3:
                status = data.draw(STATUS)
            case 4:
                document = data.draw(st.sampled_from(ODD))
        if isinstance(document, dict):
            sent = [document.get(name) for name in SECRET_MEMBERS]
            chaos.secrets |= {x for x in sent if isinstance(x, str) and x.endswith("a8b1")}
        body = json.dumps(document).encode()
    play.flow.answered(status, body, NOW, entry=chaos.seen)


def _name(chaos: Chaos, data: st.DataObject) -> None:
    own = Client("own", ClientOrigin.PREREGISTERED, secret=Secret(MINE_SECRET))
    given = own if data.draw(st.booleans()) else None
    if given is not None and isinstance(chaos.play.action, NameClient):
        chaos.secrets.add(MINE_SECRET)
    chaos.play.flow.client_named(given, NOW)


def _redirect(chaos: Chaos, data: st.DataObject) -> None:
    code = f"code-{chaos.seen}-77ce"
    states = chaos.states or ["none"]
    state = data.draw(st.sampled_from([states[-1], states[-1], states[0], "other"]))
    fields = [f"code={code}", f"state={state}"]
    more = ["error=no", f"error_description={quote(chaos.repeat())}", f"iss={quote(ISSUER)}"]
    fields += data.draw(st.lists(st.sampled_from(more), max_size=2))
    if data.draw(st.integers(0, 4)) == 0:
        fields = fields[1:]
    was = chaos.play.action
    ours = chaos.play.flow.redirected(f"{REDIRECT}?{'&'.join(fields)}", NOW)
    if ours:
        chaos.secrets |= {code} if fields[0].startswith("code") else set()
        assert isinstance(was, Authorize)
        assert state == chaos.states[-1]


EVENTS: tuple[Callable[[Chaos, st.DataObject], object], ...] = (
    _say,
    _say,
    _say,
    _say,
    _redirect,
    _redirect,
    lambda c, _: c.play.flow.listening(REDIRECT, NOW),
    lambda c, _: c.play.flow.listening(REDIRECT, NOW),
    lambda c, d: c.play.flow.listening(d.draw(st.sampled_from(TEXTS)), NOW),
    lambda c, _: c.play.flow.retry(NOW),
    lambda c, _: c.play.flow.retry(NOW),
    lambda c, _: c.play.flow.unreachable(f"broken at {c.repeat()}", NOW),
    lambda c, _: c.play.flow.refused(Refused("it is not a public address", "RFC 9728")),
    lambda c, d: c.play.flow.chosen(d.draw(st.sampled_from([None, ISSUER, "x"])), NOW),
    lambda c, d: c.play.flow.issuer_allowed(d.draw(st.booleans()), NOW),
    _name,
    lambda c, _: c.play.flow.given_up("you pressed Esc"),
    lambda c, d: c.play.flow.redirected(d.draw(st.sampled_from(TEXTS)), NOW),
)

MINE = Client("own", ClientOrigin.PREREGISTERED, AuthMethod.POST, Secret(MINE_SECRET))
PROFILES = st.builds(
    lambda revision, client, grant: Profile(SERVER, revision, client=client, grant=grant),
    st.sampled_from(REVISIONS),
    st.sampled_from([None, None, MINE]),
    st.sampled_from(["authorization_code", "authorization_code", CLIENT_CREDENTIALS_GRANT]),
)
CHALLENGES = st.none() | st.builds(
    BearerChallenge,
    resource_metadata=st.none() | st.sampled_from(TEXTS),
    scope=st.none() | st.sampled_from(TEXTS),
    error_description=st.none() | st.just(f"what is {MINE_SECRET}?"),
)


@settings(max_examples=scaled(100))
@given(PROFILES, CHALLENGES, st.data())
def test_no_sequence_of_events_breaks_a_flow_or_its_silence(
    profile: Profile, challenge: BearerChallenge | None, data: st.DataObject
) -> None:
    known = (MINE_SECRET,) if profile.client is not None else ()
    chaos = Chaos(Play(profile=profile, challenge=challenge), known)
    for number in data.draw(st.lists(st.integers(0, len(EVENTS) - 1), max_size=25)):
        EVENTS[number](chaos, data)
        chaos.look()
    assert len(set(chaos.states)) == len(chaos.states)
    assert len(set(chaos.codes)) == len(chaos.codes)
    assert len(set(chaos.verifiers)) == len(chaos.verifiers)


@settings(max_examples=scaled(60))
@given(st.data())
def test_a_spiteful_server_that_repeats_every_secret_hears_no_echo(data: st.DataObject) -> None:
    """The same along the way that an honest flow takes, so that the late steps are reached too."""
    chaos = Chaos(Play())
    for _ in range(12):
        action = chaos.play.action
        if isinstance(action, Send):
            _say(chaos, data)
        elif isinstance(action, Listen):
            chaos.play.flow.listening(REDIRECT, NOW)
        elif isinstance(action, Authorize):
            _redirect(chaos, data)
        else:
            chaos.play.flow.retry(NOW)
        chaos.look()
    assert len(set(chaos.codes)) == len(chaos.codes)
    assert len(set(chaos.verifiers)) == len(chaos.verifiers)


def test_the_walk_reaches_a_token() -> None:
    """The control: an honest play through the same eyes ends with a token."""
    chaos = Chaos(Play())
    kinds = set()
    while not isinstance(chaos.play.action, Finished):
        kinds.add(type(chaos.play.action))
        action = chaos.play.action
        if isinstance(action, Send):
            chaos.sending()
            chaos.play.flow.answered(*chaos.play.world.answer(action.request), NOW)
        elif isinstance(action, Listen):
            chaos.play.flow.listening(REDIRECT, NOW)
        else:
            chaos.play.consent()
        chaos.look()
    assert kinds == {Send, Listen, Authorize}
    assert len(chaos.codes) == len(chaos.verifiers) == len(chaos.states) == 1
