"""One authorization from challenge to token, as a state machine without I/O.

A flow always wants exactly one `action`; whoever drives it carries that out and tells what came of
it. Decides which part an event belongs to: the server is found in `flow_discovery`, the token got
in `flow_token`. An event that does not fit the action is ignored, as drivers may be late.

What goes wrong becomes `Failed`, from which `retry` goes on at the step that failed.
"""

from collections.abc import Callable

from inspector.auth import refusals
from inspector.auth.actions import (
    Action,
    AllowIssuer,
    Authorize,
    ChooseServer,
    Failed,
    Finished,
    Listen,
    NameClient,
    Send,
    Stage,
    StepRecord,
)
from inspector.auth.challenge import BearerChallenge
from inspector.auth.clients import StoredClient
from inspector.auth.desk import Desk
from inspector.auth.flow_discovery import Discovery
from inspector.auth.flow_token import Obtaining
from inspector.auth.grant import Grant, Profile
from inspector.auth.pkce import RANDOM_BYTES
from inspector.auth.policy import Refused, perimeter
from inspector.auth.registration import Client
from inspector.auth.scopes import StepUp
from inspector.auth.steps import StepLog


class Flow:
    """One authorization. `action` is what it wants now, `steps` what it has done."""

    def __init__(
        self,
        profile: Profile,
        *,
        challenge: BearerChallenge | None,
        stored_client: StoredClient,
        random: Callable[[int], bytes],
        known: Grant | None = None,
        step_up: StepUp | None = None,
    ) -> None:
        """`challenge` is what the MCP server answered, None for a login that nobody asked for;
        `known` the grant from before; `stored_client` gives the client that was registered at an
        issuer; `random` draws so many bytes."""
        within = perimeter(profile.server_url, private_allowed=profile.private_allowed)
        self._desk = Desk(StepLog(random(RANDOM_BYTES)), within)
        self._learn(profile, known)
        asked = challenge or BearerChallenge()
        self._obtaining = Obtaining(
            self._desk,
            profile,
            challenged=asked.scopes,
            known=known,
            step_up=step_up,
            stored_client=stored_client,
            random=random,
        )
        self._discovery = Discovery(
            self._desk, profile, asked.resource_metadata, known, self._obtaining.begin
        )
        if challenge is not None:
            self._show(challenge, profile.server_url, step_up)
        self._discovery.begin()

    @property
    def action(self) -> Action:
        """What the flow wants now."""
        return self._desk.action

    @property
    def steps(self) -> tuple[StepRecord, ...]:
        """What was done so far, without any secret."""
        return self._desk.log.records

    @property
    def registered(self) -> Client | None:
        """The client that this flow registered, to be kept as soon as there is one: it is good
        also where the flow fails later."""
        return self._obtaining.registered

    def answered(self, status: int, body: bytes, now: float, *, entry: int = 0) -> None:
        """The answer to the request that was to be sent."""
        if isinstance(self.action, Send):
            self._desk.log.saw(entry)
            self._desk.answered(status, body, now)

    def unreachable(self, reason: str, now: float, *, entry: int = 0) -> None:
        """No answer came, or none that could be read to its end."""
        if isinstance(self.action, Send):
            self._desk.log.saw(entry)
            request = self.action.request
            self._desk.fail(refusals.unreachable(request.step, request.url, reason))

    def refused(self, verdict: Refused, *, entry: int = 0) -> None:
        """The address behind the URL must not be connected to; nothing was sent."""
        if isinstance(self.action, Send):
            self._desk.log.saw(entry)
            self._desk.fail(refusals.url_refused(self.action.request.url, verdict))

    def chosen(self, issuer: str | None, now: float) -> None:
        """The user took one of several authorization servers, or none."""
        if isinstance(self.action, ChooseServer):
            self._discovery.chosen(issuer)

    def issuer_allowed(self, allowed: bool, now: float) -> None:
        """The user allows the other issuer this once, or does not."""
        if isinstance(self.action, AllowIssuer):
            self._discovery.issuer_allowed(allowed, now)

    def client_named(self, client: Client | None, now: float) -> None:
        """The user named a client, or none."""
        if not isinstance(self.action, NameClient):
            return
        if client is None:
            self._desk.fail(refusals.given_up("no client was named"))
        else:
            self._obtaining.named(client, now)

    def listening(self, redirect_uri: str, now: float) -> None:
        """Somebody waits for redirects at `redirect_uri` now."""
        if isinstance(self.action, Listen):
            self._obtaining.listening(redirect_uri)

    def redirected(self, redirect: str, now: float) -> bool:
        """A redirect arrived: a whole URL, or the target of the browser's GET. True where it was
        ours and the wait is over, whatever it said."""
        return isinstance(self.action, Authorize) and self._obtaining.redirected(redirect, now)

    def given_up(self, reason: str, *, hint: str = "") -> None:
        """Nobody waits any longer for what the flow wants: the user closed it, time is over, or
        there is nobody."""
        if not isinstance(self.action, Failed | Finished):
            self._desk.fail(refusals.given_up(reason, hint))

    @property
    def doubted(self) -> Client | None:
        """The client registered earlier from whose page nobody came back: the page may have said
        that it knows it no longer, which only the person before it can read."""
        action = self.action
        if isinstance(action, Failed) and action.kind == refusals.GIVEN_UP:
            return self._obtaining.doubted if action.stage is Stage.CONSENT else None
        return None

    def retry(self, now: float) -> None:
        """Goes on from the step that failed. A new consent has a new state and verifier, and a
        code that was sent is never sent again."""
        if not isinstance(self.action, Failed):
            return
        match self.action.stage:
            case Stage.CHALLENGE | Stage.RESOURCE:
                self._discovery.begin()
            case Stage.SERVER:
                self._discovery.retry_server()
            case Stage.CONSENT if self.action.kind == refusals.GIVEN_UP:
                self._obtaining.choose_after_nobody_came(now)
            case Stage.CLIENT | Stage.CONSENT | Stage.TOKEN:
                self._obtaining.choose(now)

    def _learn(self, profile: Profile, known: Grant | None) -> None:
        log = self._desk.log
        log.learn_url(profile.server_url)
        log.learn(profile.client.secret if profile.client is not None else None)
        if known is not None:
            log.learn(known.client.secret, known.tokens.access, known.tokens.refresh)

    def _show(self, challenge: BearerChallenge, server_url: str, step_up: StepUp | None) -> None:
        log = self._desk.log
        log.begin(Stage.CHALLENGE)
        log.ask(server_url, "RFC 6750 section 3")
        for name, value in (
            ("error", challenge.error),
            ("description", challenge.error_description),
            ("realm", challenge.realm),
            ("scopes", " ".join(challenge.scopes or ())),
            ("metadata at", challenge.resource_metadata),
            ("more scopes", " ".join(step_up.added) if step_up is not None else ""),
        ):
            if value:
                log.note(name, value)
        log.turn("done")
