"""The second half of a flow: as which client, with whose consent, and the token itself.

The client is chosen by the rules of `registration`, registered where need be, and shown only to the
server that it belongs to. Every consent has a new state and verifier, and every code is sent once.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from inspector.auth import refusals
from inspector.auth.actions import Authorize, Finished, Listen, NameClient, Stage
from inspector.auth.authorize import (
    Denied,
    Granted,
    NotOurs,
    PendingAuthorization,
    authorization_request,
)
from inspector.auth.clients import Clients, StoredClient
from inspector.auth.desk import Desk
from inspector.auth.exchange import ErrorAnswer, OAuthRequest
from inspector.auth.flow_discovery import Discovered
from inspector.auth.grant import Grant, Profile
from inspector.auth.metadata import CLIENT_CREDENTIALS_GRANT, REFRESH_GRANT
from inspector.auth.pkce import METHOD, RANDOM_BYTES, make_state, make_verifier
from inspector.auth.registration import (
    AskForClient,
    AuthMethod,
    Client,
    ClientOrigin,
    RegisterClient,
    UseClient,
    WrongIssuer,
    check_redirect_uri,
    read_registration,
    registration_request,
)
from inspector.auth.remarks import note
from inspector.auth.scopes import Scopes, StepUp, first_scopes
from inspector.auth.secret import Secret
from inspector.auth.tokens import (
    Tokens,
    assertion_claims,
    client_credentials_request,
    code_request,
    facts,
    read_tokens,
)
from inspector.errors import InspectorError

Random = Callable[[int], bytes]
_REGISTRATION: Final = "RFC 7591 section 3.2.1"
_REGISTRATION_PAGE: Final = "2026-07-28 basic/authorization/client-registration"
_DEPRECATED: Final = (
    "dynamic registration is deprecated in 2026-07-28; client metadata documents take its place"
)


class Obtaining:
    """Gets a token from the authorization server that was found."""

    def __init__(
        self,
        desk: Desk,
        profile: Profile,
        *,
        challenged: Scopes | None,
        known: Grant | None,
        step_up: StepUp | None,
        stored_client: StoredClient,
        random: Random,
    ) -> None:
        self._desk = desk
        self._profile = profile
        self._challenged = challenged
        self._clients = Clients(profile, known, stored_client)
        self._step_up = step_up
        self._random = random
        self._found: Discovered | None = None
        self._client: Client | None = None
        self._pending: PendingAuthorization | None = None
        self.redirect_uri = ""

    @property
    def registered(self) -> Client | None:
        """The client registered in this flow."""
        return self._clients.registered

    def begin(self, found: Discovered, now: float) -> None:
        """Goes on with what was found."""
        self._found = found
        self._clients.at(found.server.issuer)
        self.choose(now)

    # The client

    def choose(self, now: float) -> None:
        """Chooses the client, for the first time or once more."""
        self._desk.log.begin(Stage.CLIENT)
        self._client, self._pending, self.redirect_uri = None, None, ""
        if self._found is None:
            return
        try:
            choice = self._clients.choice(self._found.server, now)
        except InspectorError as error:
            self._desk.fail(refusals.of_error(error))
            return
        match choice:
            case UseClient(client):
                self._use(client, now)
            case RegisterClient(_, why):
                self._say_again(why)
                self._desk.wait(Listen())
            case AskForClient(reason):
                self._desk.wait(NameClient(self._found.server.issuer, reason))
            case WrongIssuer():
                self._desk.fail(refusals.wrong_client(choice))

    @property
    def doubted(self) -> Client | None:
        """The client in use, where it was registered earlier."""
        client = self._client
        return client if client is not None and self._clients.is_old(client) else None

    def choose_after_nobody_came(self, now: float) -> None:
        """The same once a person did not come back from the server's page."""
        if self._client is not None:
            self._clients.doubt(self._client)
        self.choose(now)

    def named(self, client: Client, now: float) -> None:
        """The user named a client, for this server."""
        self._desk.log.learn(client.secret)
        self._clients.name(client)
        self.choose(now)

    def _use(self, client: Client, now: float) -> None:
        log = self._desk.log
        self._client = client
        log.learn(client.secret)
        log.note("client id", client.client_id)
        log.note("client", client.origin.value)
        log.note("proves itself by", client.auth_method.value)
        document = self._profile.document_url
        if document and client.client_id != document and self._found is not None:
            message = "the server takes no client metadata documents"
            if self._found.server.metadata_documents:
                message = "a client registered before goes first"
            source = "2025-11-25 basic/authorization, Client Registration Approaches"
            log.remark((note("metadata-document-unused", message, source),))
        if self._profile.grant == CLIENT_CREDENTIALS_GRANT:
            self._ask_for_itself(now)
        elif self.redirect_uri:
            self._ask_consent(client)
        else:
            wanted = client.redirect_uris if client.origin is ClientOrigin.DYNAMIC else ()
            self._desk.wait(Listen(wanted))

    def listening(self, redirect_uri: str) -> None:
        """Redirects are waited for at `redirect_uri`."""
        try:
            check_redirect_uri(redirect_uri)
        except InspectorError as error:
            self._desk.fail(refusals.of_error(error))
            return
        self.redirect_uri = redirect_uri
        client = self._client
        if client is not None and client.redirect_uris and redirect_uri not in client.redirect_uris:
            self._say_again("it is registered for another redirect URI")
            client = self._client = None
        if client is None:
            self._register(redirect_uri)
        else:
            self._ask_consent(client)

    def _say_again(self, why: str) -> None:
        if why:
            message = f"the client is registered again: {why}"
            self._desk.log.remark((note("registered-again", message, _REGISTRATION),))

    def _register(self, redirect_uri: str) -> None:
        found = self._found
        if found is None:
            return
        if not found.server.registration_endpoint:
            reason = "the client is registered for another redirect URI"
            self._desk.wait(NameClient(found.server.issuer, reason))
            return
        try:
            request = registration_request(
                found.server, redirect_uris=(redirect_uri,), scopes=self._scopes(found)
            )
        except InspectorError as error:
            self._desk.fail(refusals.of_error(error))
            return
        self._desk.send(request, self._registration_answered, _REGISTRATION)

    def _registration_answered(self, status: int, body: bytes, now: float) -> None:
        if self._found is None:
            return
        answer = read_registration(status, body, server=self._found.server, now=now)
        if isinstance(answer, ErrorAnswer):
            self._desk.fail(refusals.registration_refused(self._desk.log.cleaned_answer(answer)))
            return
        self._desk.log.learn(answer.secret)
        self._desk.log.remark((note("registration-deprecated", _DEPRECATED, _REGISTRATION_PAGE),))
        client = replace(answer, redirect_uris=(self.redirect_uri,))
        self._clients.registered = client
        self._use(client, now)

    # The consent

    def _ask_consent(self, client: Client) -> None:
        found = self._found
        if found is None:
            return
        log, scopes = self._desk.log, self._scopes(found)
        log.begin(Stage.CONSENT)
        state = make_state(self._random(RANDOM_BYTES))
        verifier = make_verifier(self._random(RANDOM_BYTES))
        log.learn(state, verifier)
        request = authorization_request(
            found.server,
            client_id=client.client_id,
            redirect_uri=self.redirect_uri,
            resource=found.resource,
            scopes=scopes,
            state=state,
            verifier=verifier,
        )
        log.ask(found.server.authorization_endpoint)
        log.note("redirect URI", self.redirect_uri)
        log.note("PKCE", METHOD)
        log.note("resource", found.resource or "not sent, as before 2025-06-18")
        log.note("scopes", " ".join(scopes) if scopes else "as the server likes")
        self._pending = PendingAuthorization(request)
        self._desk.wait(Authorize(request))

    def redirected(self, redirect: str, now: float) -> bool:
        """A redirect arrived; True where it was ours."""
        pending = self._pending
        if pending is None:
            return False
        outcome = pending.take(redirect)
        if isinstance(outcome, NotOurs):
            return False
        self._pending = None
        log = self._desk.log
        log.turn("running")
        log.learn_url(redirect)
        if isinstance(outcome, Denied):
            outcome = replace(outcome, description=log.clean(outcome.description))
        if isinstance(outcome, Granted):
            log.learn(outcome.code)
            self._ask_with_code(outcome.code, pending, now)
        else:
            self._desk.fail(refusals.redirect_refused(outcome))
        return True

    def _scopes(self, found: Discovered) -> Scopes | None:
        """What to ask for: more after a step-up, the user's own choice, else by AU-13."""
        if self._step_up is not None:
            return self._step_up.scopes
        if self._profile.scopes is not None:
            return self._profile.scopes or None
        grants = found.server.grant_types
        refreshes = grants is None or REFRESH_GRANT in grants
        return first_scopes(
            self._challenged,
            found.scopes,
            server_scopes=found.server.scopes_supported,
            wants_refresh=refreshes and self._profile.grant != CLIENT_CREDENTIALS_GRANT,
        )

    # The token

    def _ask_with_code(self, code: Secret, pending: PendingAuthorization, now: float) -> None:
        found, client = self._found, self._client
        if found is None or client is None:
            return
        self._desk.log.begin(Stage.TOKEN)
        asked = pending.request
        self._ask(
            lambda: code_request(
                found.server,
                client,
                code=code,
                verifier=asked.verifier,
                redirect_uri=asked.redirect_uri,
                resource=asked.resource,
                assertion=self._assertion(found, client, now),
            ),
            asked.scopes,
        )

    def _ask_for_itself(self, now: float) -> None:
        found, client = self._found, self._client
        if found is None or client is None:
            return
        scopes = self._scopes(found)
        self._desk.log.begin(Stage.TOKEN)
        self._ask(
            lambda: client_credentials_request(
                found.server,
                client,
                resource=found.resource,
                scopes=scopes,
                assertion=self._assertion(found, client, now),
            ),
            scopes,
        )

    def _ask(self, make: Callable[[], OAuthRequest], scopes: Scopes | None) -> None:
        try:
            request = make()
        except InspectorError as error:
            self._desk.fail(refusals.of_error(error))
            return
        self._desk.log.note("grant", self._profile.grant)

        def take(status: int, body: bytes, now: float) -> None:
            answer = read_tokens(status, body, now=now, requested=scopes)
            if isinstance(answer, Tokens):
                self._granted(answer, scopes, now)
            else:
                self._token_refused(answer, now)

        self._desk.send(request, take)

    def _assertion(self, found: Discovered, client: Client, now: float) -> Secret | None:
        if client.auth_method is not AuthMethod.PRIVATE_KEY_JWT or self._profile.sign is None:
            return None
        token_id = self._random(RANDOM_BYTES).hex()
        claims = assertion_claims(client.client_id, found.server.issuer, now=now, token_id=token_id)
        signed = self._profile.sign(claims)
        self._desk.log.learn(signed)
        return signed

    def _granted(self, tokens: Tokens, scopes: Scopes | None, now: float) -> None:
        found, client, log = self._found, self._client, self._desk.log
        if found is None or client is None:
            return
        log.learn(tokens.access, tokens.refresh)
        log.remark(tokens.remarks)
        missing = [name for name in scopes or () if name not in (tokens.scopes or ())]
        if missing:
            message = f"not granted: {' '.join(missing)}"
            log.remark((note("scopes-narrowed", message, "RFC 6749 section 3.3"),))
        for name, value in facts(tokens, now):
            log.note(name, value)
        grant = Grant(
            server_url=self._profile.server_url,
            resource=found.resource,
            server=found.server,
            client=client,
            tokens=tokens,
            requested=scopes,
            grant=self._profile.grant,
        )
        self._desk.finish(Finished(grant))

    def _token_refused(self, answer: ErrorAnswer, now: float) -> None:
        client = self._client
        if client is not None and answer.client_unknown and self._clients.forgotten(client):
            self.choose(now)
        else:
            self._desk.fail(refusals.token_refused(self._desk.log.cleaned_answer(answer)))
