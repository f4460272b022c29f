"""Which clients one flow knows: the user's own, one registered before, one registered just now; and
which of them may still be used at the server that was found.

A client belongs to one authorization server and is never shown to another (AU-15). The order among
them is decided in `registration`.
"""

from collections.abc import Callable
from dataclasses import replace

from inspector.auth.grant import Grant, Profile
from inspector.auth.metadata import CLIENT_CREDENTIALS_GRANT, AuthorizationServer
from inspector.auth.registration import (
    AskForClient,
    AuthMethod,
    Client,
    ClientChoice,
    ClientOrigin,
    RegisterClient,
    choose_client,
)

StoredClient = Callable[[str], Client | None]


class Clients:
    """The clients of one flow."""

    def __init__(self, profile: Profile, known: Grant | None, stored: StoredClient) -> None:
        self._profile = profile
        self._known = known
        self._stored_client = stored
        self._issuer = ""
        self._named: Client | None = None
        self._why_again = ""
        self._again = False
        self.registered: Client | None = None

    def at(self, issuer: str) -> None:
        """The server is `issuer` from here on: what belongs to another one is forgotten."""
        self._issuer = issuer
        if self.registered is not None and self.registered.issuer != issuer:
            self.registered = None
        if self._named is not None and self._named.issuer != issuer:
            self._named = None

    def name(self, client: Client) -> None:
        """The user named a client for this server."""
        self._named = replace(client, issuer=client.issuer or self._issuer)

    def choice(self, server: AuthorizationServer, now: float) -> ClientChoice:
        """Which one to use. Raises InspectorError where the user's wish makes no sense or the
        store cannot be read."""
        mine = self._mine()
        if mine is None and self._profile.grant == CLIENT_CREDENTIALS_GRANT:
            return AskForClient("a program that acts for itself needs a client of its own")
        choice = choose_client(
            server,
            now=now,
            preregistered=mine,
            document_url=self._profile.document_url,
            stored=None if mine is not None else self._stored(server.issuer),
        )
        if isinstance(choice, RegisterClient) and self._why_again:
            return replace(choice, why=self._why_again)
        return choice

    def forgotten(self, client: Client) -> bool:
        """The server no longer knows `client`. True where registering again is worth a try: once,
        and not where it was registered a moment ago and would fare no better."""
        if client.origin is not ClientOrigin.DYNAMIC:
            return False
        fresh = client == self.registered
        self.registered = None
        self._why_again = "the authorization server no longer knows it"
        first, self._again = not self._again, True
        return first and not fresh

    def doubt(self, client: Client) -> None:
        """Nobody came back from the page of the server: it may have said that it does not know a
        client that was registered earlier, which only the person before it can read."""
        if self.is_old(client):
            self._why_again = "nobody came back from the page for the client registered before"

    def is_old(self, client: Client) -> bool:
        """Whether `client` was registered dynamically, and not in this flow."""
        return client.origin is ClientOrigin.DYNAMIC and client != self.registered

    def _mine(self) -> Client | None:
        """The user's own client. One that was used at a server before belongs to that one, also
        where the user did not say so; unless the user says which server is meant."""
        mine = self._named or self._profile.client
        if mine is None:
            return None
        if self._profile.sign is not None and mine.auth_method is AuthMethod.NONE:
            mine = replace(mine, auth_method=AuthMethod.PRIVATE_KEY_JWT)
        known, said = self._known, mine.issuer or self._profile.issuer
        if not said and known is not None and known.client.client_id == mine.client_id:
            mine = replace(mine, issuer=known.server.issuer)
        return mine

    def _stored(self, issuer: str) -> Client | None:
        """The client registered here before: in this flow, in the store, or in the grant."""
        if self.registered is not None:
            return self.registered
        if self._why_again:
            return None
        stored = self._stored_client(issuer)
        known = self._known.client if self._known is not None else None
        if stored is None and known is not None and known.origin is ClientOrigin.DYNAMIC:
            stored = known if known.issuer == issuer else None
        return stored
