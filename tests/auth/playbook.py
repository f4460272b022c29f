"""Plays an authorization by feeding a flow answers, and remembers what it wanted to send.

The world it plays is honest; a test changes one document, status or redirect of it.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from inspector.auth.actions import Action, Authorize, Failed, Finished, Listen, Send
from inspector.auth.challenge import BearerChallenge
from inspector.auth.exchange import OAuthRequest, Step
from inspector.auth.flow import Flow
from inspector.auth.grant import Grant, Profile
from inspector.auth.registration import Client
from inspector.auth.scopes import StepUp
from inspector.protocol.json_text import JsonObject
from inspector.protocol.versions import Revision

SERVER: Final = "https://mcp.example.com/mcp"
ISSUER: Final = "https://auth.example.com"
REDIRECT: Final = "http://127.0.0.1:4711/callback"
PRM: Final = "https://mcp.example.com/.well-known/oauth-protected-resource"
METADATA: Final = f"{ISSUER}/.well-known/oauth-authorization-server"
NOW: Final = 1_000_000.0
ACCESS: Final = "access-token-4f1c9a"
REFRESH: Final = "refresh-token-77b0e2"
CODE: Final = "code-93ab51cc"
CLIENT_SECRET: Final = "client-secret-5d0f3e"

Answer = tuple[int, bytes]
Handler = Callable[[OAuthRequest], Answer]


def json_answer(document: object, status: int = 200) -> Answer:
    return status, json.dumps(document).encode()


NOTHING: Final = (404, b"not found")


class Draws:
    """Random bytes that are never the same twice."""

    def __init__(self) -> None:
        self.drawn = 0

    def __call__(self, count: int) -> bytes:
        self.drawn += 1
        return self.drawn.to_bytes(4, "big").rjust(count, b"r")


@dataclass
class World:
    """The documents and answers of an MCP server and its authorization server."""

    resource: JsonObject = field(
        default_factory=lambda: {"resource": SERVER, "authorization_servers": [ISSUER]}
    )
    server: JsonObject = field(
        default_factory=lambda: {
            "issuer": ISSUER,
            "authorization_endpoint": f"{ISSUER}/authorize",
            "token_endpoint": f"{ISSUER}/token",
            "registration_endpoint": f"{ISSUER}/register",
            "revocation_endpoint": f"{ISSUER}/revoke",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
        }
    )
    registration: JsonObject = field(default_factory=lambda: {"client_id": "dynamic-1"})
    token: JsonObject = field(
        default_factory=lambda: {
            "access_token": ACCESS,
            "token_type": "Bearer",
            "expires_in": 3600,
            "refresh_token": REFRESH,
        }
    )
    answers: dict[str, Answer] = field(default_factory=dict)
    """By URL; goes before everything else."""

    def answer(self, request: OAuthRequest) -> Answer:
        if request.url in self.answers:
            return self.answers[request.url]
        match request.step:
            case Step.RESOURCE_METADATA:
                return json_answer(self.resource)
            case Step.SERVER_METADATA:
                return json_answer(self.server)
            case Step.REGISTRATION:
                return json_answer(self.registration, 201)
            case _:
                return json_answer(self.token)


class Play:
    """One flow in one world."""

    def __init__(
        self,
        world: World | None = None,
        *,
        profile: Profile | None = None,
        challenge: BearerChallenge | None = None,
        known: Grant | None = None,
        stored: Callable[[str], Client | None] = lambda _: None,
        step_up: StepUp | None = None,
    ) -> None:
        self.world = world or World()
        self.draws = Draws()
        self.sent: list[OAuthRequest] = []
        self.opened: list[str] = []
        self.now = NOW
        self.flow = Flow(
            profile or Profile(SERVER, Revision.V2026_07_28),
            challenge=challenge,
            stored_client=stored,
            random=self.draws,
            known=known,
            step_up=step_up,
        )

    @property
    def action(self) -> Action:
        return self.flow.action

    def go(self) -> Action:
        """Answers requests as the world does, and listens, until something else is wanted."""
        while True:
            action = self.flow.action
            if isinstance(action, Send):
                self.sent.append(action.request)
                self.flow.answered(*self.world.answer(action.request), self.now)
            elif isinstance(action, Listen):
                self.flow.listening(REDIRECT, self.now)
            else:
                if isinstance(action, Authorize):
                    self.opened.append(action.request.url())
                return action

    def until(self, step: Step) -> Action:
        """The same, up to the wish to send a request of `step`."""
        while True:
            action = self.flow.action
            if isinstance(action, Send):
                if action.request.step is step:
                    return action
                self.sent.append(action.request)
                self.flow.answered(*self.world.answer(action.request), self.now)
            elif isinstance(action, Listen):
                self.flow.listening(REDIRECT, self.now)
            elif isinstance(action, Authorize):
                self.consent()
            else:
                return action

    def consent(self, **changes: str | None) -> bool:
        """The user says yes: the redirect that an honest server sends, with changes."""
        fields: dict[str, str | None] = {"code": CODE, "state": self.query()["state"], **changes}
        if self.world.server.get("authorization_response_iss_parameter_supported") is True:
            fields.setdefault("iss", ISSUER)
        pairs = {name: value for name, value in fields.items() if value is not None}
        return self.flow.redirected(f"{REDIRECT}?{urlencode(pairs)}", self.now)

    def query(self) -> dict[str, str]:
        """What the authorize URL that is open now says."""
        assert isinstance(self.action, Authorize)
        return dict(parse_qsl(urlsplit(self.action.request.url()).query))

    def finish(self) -> Action:
        """To the end, the user saying yes to everything."""
        while isinstance(self.go(), Authorize):
            assert self.consent()
        return self.action

    def grant(self) -> Grant:
        action = self.finish()
        assert isinstance(action, Finished), action
        return action.grant

    def failure(self) -> Failed:
        action = self.finish()
        assert isinstance(action, Failed), action
        return action

    def steps_sent(self) -> list[Step]:
        return [request.step for request in self.sent]

    def urls(self) -> list[str]:
        return [request.url for request in self.sent]

    def form(self, step: Step) -> dict[str, str]:
        """The fields of the last form sent in `step`."""
        found = [request for request in self.sent if request.step is step]
        fields = parse_qs(found[-1].body.decode("ascii"), strict_parsing=True)
        assert all(len(values) == 1 for values in fields.values())
        return {name: values[0] for name, values in fields.items()}
