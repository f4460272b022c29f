"""The grant that is held for one MCP server: loaded, renewed, stored, revoked.

Decides that a secret is known to the redactor before anything else learns of it, that a rotated
token is stored before it is used, that a newer token of another process is taken instead of
refreshing again, and that only a clear word of the server makes a token void. When any of this
happens is `authority`'s decision.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from inspector.auth.exchange import OAuthRequest, read_error
from inspector.auth.grant import Grant, Profile
from inspector.auth.pkce import RANDOM_BYTES
from inspector.auth.registration import AuthMethod, Client
from inspector.auth.renewal import (
    Dropped,
    Kept,
    Renewal,
    Renewed,
    not_renewed,
    renewal_request,
    renewed,
)
from inspector.auth.secret import Secret
from inspector.auth.sending import Forbidden, Received, Sender, Unreachable
from inspector.auth.store import Store
from inspector.auth.tokens import assertion_claims, revocation_request
from inspector.errors import ConnectionFailed, InspectorError
from inspector.journal.journal import Journal
from inspector.protocol.json_text import JsonObject


class Holding:
    """What is held of one MCP server's authorization. `problem` is what could not be stored, in
    words; `news` is set, and replaced, whenever the grant changes."""

    def __init__(
        self,
        profile: Profile,
        journal: Journal,
        *,
        store: Store,
        sender: Sender,
        clock: Callable[[], float],
        random: Callable[[int], bytes],
    ) -> None:
        self.grant: Grant | None = None
        self.problem = ""
        self.news = asyncio.Event()
        self.profile = profile
        self.store = store
        self._journal = journal
        self._sender = sender
        self._clock = clock
        self._random = random
        self.loaded = False
        self._turn = asyncio.Lock()
        self._unknown_client = ""
        self._last_stored: tuple[Secret, Secret | None] | None = None
        self._learn_client(profile.client)

    async def load(self) -> None:
        """Takes what an earlier run has stored; once."""
        if self.loaded:
            return
        async with self._turn:
            if not self.loaded:
                grant = await asyncio.to_thread(self.store.grant, self.profile.server_url)
                if grant is not None and self.grant is None:
                    self._last_stored = _marks(grant)
                    self._take(grant)
                self.loaded = True

    async def take(self, grant: Grant) -> None:
        """Stores a grant, then uses it. One that cannot be stored is used all the same, since
        nothing else is good any more; `problem` says so."""
        self._learn(grant)
        try:
            await asyncio.to_thread(self.store.keep, grant)
            self._last_stored = _marks(grant)
            self.problem = ""
        except InspectorError as error:
            self.problem = f"the token is not stored and is lost at exit: {error.message}"
            self._journal.event("oauth-not-stored", {"reason": error.message}, connection=0)
        self._take(grant)

    def forget(self) -> None:
        """Holds nothing any more."""
        self.grant = None
        self.problem = ""

    def stored_client(self, issuer: str) -> Client | None:
        """The client registered earlier, unless the server has said that it knows it no longer."""
        client = self.store.client(issuer)
        known = client is not None and client.client_id != self._unknown_client
        if known:
            self._learn_client(client)
        return client if known else None

    def keep_client(self, client: Client) -> None:
        """Stores a client that was registered just now."""
        try:
            self.store.keep_client(client)
        except InspectorError as error:
            self.problem = f"the registered client is not stored: {error.message}"

    def drop_client(self, client: Client) -> None:
        """Stores a client no longer from whose page nobody came back."""
        try:
            self.store.drop_client(client)
        except InspectorError as error:
            self.problem = f"the registered client is still stored: {error.message}"

    async def renew(self, connection: int) -> InspectorError | None:
        """Gets a fresh token for the one held. Afterwards the grant is another one, or has no
        refresh token any more; else the error says why nothing has changed."""
        held = self.grant
        if held is None:
            return None
        async with self.store.turn(held.server_url):
            return await self._renew(held, connection)

    async def look_again(self) -> bool:
        """Takes what another process has stored meanwhile; whether it did. What we saw there last
        tells that, and no date: clocks are put back."""
        held = self.grant
        if held is None:
            return False
        stored = await asyncio.to_thread(self.store.grant, held.server_url)
        if stored is None or _marks(stored) in (self._last_stored, _marks(held)):
            return False
        self._last_stored = _marks(stored)
        self._take(stored)
        return True

    async def _renew(self, held: Grant, connection: int) -> InspectorError | None:
        if await self.look_again():
            self._event(
                {"stage": "refresh", "state": "done", "words": "another process did it"}, connection
            )
            return None
        outcome, entry = await self._ask_for_fresh(held, connection)
        facts: JsonObject = {"stage": "refresh", "entries": [entry]}
        if isinstance(outcome, Renewed):
            await self.take(outcome.grant)
            self._event({**facts, "state": "done"}, connection)
            return None
        words = self.clean(f"the token could not be refreshed: {outcome.why.message}")
        self._event({**facts, "state": "failed", "words": words}, connection)
        if isinstance(outcome, Kept) and outcome.passing:
            return ConnectionFailed(
                words,
                hint="the refresh token is kept: try again later",
                kind="auth",
                fault=outcome.why.fault,
            )
        await self._set_aside(held, outcome)
        return None

    async def revoke(self, connection: int) -> list[str]:
        """Ends both tokens at their server where it can do that; what was done, in words."""
        grant = self.grant
        if grant is None:
            return []
        if not grant.server.revocation_endpoint:
            return ["the authorization server cannot revoke tokens"]
        done = []
        for name, token in (("refresh", grant.tokens.refresh), ("access", grant.tokens.access)):
            if token is not None:
                said = await self._revoke_one(grant, token, f"{name}_token", connection)
                done.append(f"{name} token: {said}")
        return done

    def clean(self, text: str) -> str:
        """A text of the server's without what is known to be secret."""
        raw = text.encode("utf-8", "backslashreplace")
        return self._journal.redactor.text(raw)[0].decode("utf-8", "replace")

    async def _ask_for_fresh(self, held: Grant, connection: int) -> tuple[Renewal, int]:
        endpoint = held.server.token_endpoint
        try:
            request = renewal_request(
                held, now=self._clock(), random=self._random, sign=self.profile.sign
            )
        except InspectorError as error:
            return not_renewed(held, endpoint, error.message), 0
        match await self._sender.send(request, connection):
            case Received(status=status, body=body, entry=entry):
                return renewed(held, status, body, self._clock()), entry
            case Unreachable(reason=reason, entry=entry):
                return not_renewed(held, endpoint, reason), entry
            case Forbidden(refused=refused, entry=entry):
                return not_renewed(held, endpoint, refused.reason), entry

    async def _set_aside(self, held: Grant, outcome: Dropped | Kept) -> None:
        """The refresh token is of no use. The rest stays in mind: it says whom to ask again."""
        client = held.client
        if isinstance(outcome, Dropped):
            if outcome.client_too:
                self._unknown_client = client.client_id
                client = replace(client, issuer="")  # it belongs to that server no longer
            try:
                await asyncio.to_thread(self.store.drop, held)
            except InspectorError as error:
                self.problem = f"a void token could not be deleted: {error.message}"
        if self.grant is held:
            tokens = replace(held.tokens, refresh=None)
            self.grant = replace(held, client=client, tokens=tokens)

    async def _revoke_one(self, grant: Grant, token: Secret, hint: str, connection: int) -> str:
        try:
            request = self._revocation(grant, token, hint)
        except InspectorError as error:
            return error.message
        match await self._sender.send(request, connection):
            case Received(status=200):
                return "revoked"
            case Received(status=status, body=body):
                why = read_error(status, body).error
                because = f" ({self.clean(why)})" if why else ""
                return f"not revoked, the server answered HTTP {status}{because}"
            case Unreachable(reason=reason):
                return f"not revoked: {self.clean(reason)}"
            case Forbidden(refused=refused):
                return f"not revoked: {refused.reason}"

    def _revocation(self, grant: Grant, token: Secret, hint: str) -> OAuthRequest:
        assertion = None
        if grant.client.auth_method is AuthMethod.PRIVATE_KEY_JWT and self.profile.sign:
            claims = assertion_claims(
                grant.client.client_id,
                grant.server.issuer,
                now=self._clock(),
                token_id=self._random(RANDOM_BYTES).hex(),
            )
            assertion = self.profile.sign(claims)
        return revocation_request(
            grant.server, grant.client, token=token, hint=hint, assertion=assertion
        )

    def _take(self, grant: Grant) -> None:
        self._learn(grant)
        self.grant = grant
        news, self.news = self.news, asyncio.Event()
        news.set()

    def _learn(self, grant: Grant) -> None:
        for secret in (grant.tokens.access, grant.tokens.refresh):
            if secret is not None:
                self._journal.redactor.learn(secret.reveal())
        self._learn_client(grant.client)

    def _learn_client(self, client: Client | None) -> None:
        if client is not None and client.secret is not None:
            self._journal.redactor.learn(client.secret.reveal())

    def _event(self, facts: JsonObject, connection: int) -> None:
        self._journal.event("oauth", facts, connection=connection)


def _marks(grant: Grant) -> tuple[Secret, Secret | None]:
    return grant.tokens.access, grant.tokens.refresh
