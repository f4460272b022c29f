"""The first half of a flow: who authorizes for an MCP server, and where its endpoints are.

Asks for the metadata of the resource, then of one of its authorization servers; the user chooses
where there are several and may allow another issuer once. Where nothing is published, only the
rules of 2025-03-26 or the user's own word lead on: rejected metadata is never replaced by a guess.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from inspector.auth import refusals
from inspector.auth.actions import AllowIssuer, ChooseServer, Stage
from inspector.auth.desk import Desk
from inspector.auth.discovery import (
    default_endpoints,
    origin_root_issuer,
    resource_metadata_candidates,
    server_metadata_candidates,
)
from inspector.auth.exchange import Form, Step
from inspector.auth.grant import Grant, Profile
from inspector.auth.metadata import (
    AuthorizationServer,
    ProtectedResource,
    read_authorization_server,
    read_protected_resource,
    slash_only,
)
from inspector.auth.policy import Refused, canonical_resource, judge_url, resource_parameter
from inspector.auth.remarks import Judged, note, warning
from inspector.auth.scopes import Scopes
from inspector.auth.search import Search, Stopped, rejected
from inspector.protocol.versions import Revision

VERSION_HEADER: Final = "MCP-Protocol-Version"
_LOCATION: Final = "2025-06-18 basic/authorization, Authorization Server Location"
_BINDING: Final = "2026-07-28 basic/authorization/client-registration, Authorization Server Binding"


@dataclass(frozen=True, slots=True)
class Discovered:
    """What the second half needs: the authorization server, the resource indicator (None: none is
    sent), and the scopes that the resource names."""

    server: AuthorizationServer
    resource: str | None
    scopes: Scopes | None


class Discovery:
    """Finds an authorization server; `done` takes what was found."""

    def __init__(
        self,
        desk: Desk,
        profile: Profile,
        challenge_url: str | None,
        known: Grant | None,
        done: Callable[[Discovered, float], None],
    ) -> None:
        self._desk = desk
        self._profile = profile
        self._challenge_url = challenge_url
        self._known = known
        self._done = done
        self._resource: ProtectedResource | None = None
        self._issuers: tuple[str, ...] = ()
        self._issuer = ""
        self._held: tuple[bytes, str] = (b"", "")

    def begin(self) -> None:
        """Looks for the metadata of the resource, from the first candidate on."""
        self._desk.log.begin(Stage.RESOURCE)
        self._resource, self._issuers, self._issuer = None, (), ""
        url = self._profile.server_url
        verdict = judge_url(url, self._desk.within)
        if isinstance(verdict, Refused):
            self._desk.fail(refusals.server_refused(url, verdict))
            return
        search = Search(
            Step.RESOURCE_METADATA,
            resource_metadata_candidates(url, self._challenge_url),
            lambda body: read_protected_resource(body, server_url=url, within=self._desk.within),
            self._headers,
        )
        self._look_for_resource(search)

    def retry_server(self) -> None:
        """Looks for the authorization server again, or lets the user choose again."""
        if self._issuer:
            self._seek_server(self._issuer)
        else:
            self._choose()

    def chosen(self, issuer: str | None) -> None:
        """The user took one of the servers, or none."""
        if issuer is None:
            self._desk.fail(refusals.given_up("no authorization server was chosen"))
        elif issuer not in self._issuers:
            self._desk.fail(refusals.issuer_not_named(issuer, self._issuers))
        else:
            self._seek_server(issuer)

    def issuer_allowed(self, allowed: bool, now: float) -> None:
        """The user allows the issuer that the document names, this once; or does not."""
        body, named = self._held
        judged = self._read_server(body, named if allowed else "")
        self._server_read(judged, now)

    # The resource

    def _look_for_resource(self, search: Search[ProtectedResource]) -> None:
        request = search.following()
        if request is None:
            self._no_resource(search)
            return

        def take(status: int, body: bytes, now: float) -> None:
            found = search.take(status, body)
            if found is None:
                self._desk.log.note("nothing at", search.where)
                self._look_for_resource(search)
            elif isinstance(found, Stopped):
                self._desk.fail(found)
            elif found.usable is None:
                self._desk.fail(rejected(found, search.where))
            else:
                self._resource_found(found.usable, found, search.where)

        self._desk.send(request, take, search.source)

    def _resource_found(
        self, resource: ProtectedResource, judged: Judged[ProtectedResource], where: str
    ) -> None:
        log = self._desk.log
        log.remark(judged.remarks)
        log.note("found at", where)
        log.note("resource", resource.resource)
        for issuer in resource.authorization_servers:
            log.note("authorization server", issuer)
        if resource.scopes_supported is not None:
            log.note("scopes", " ".join(resource.scopes_supported) or "none")
        self._resource = resource
        self._issuers = resource.authorization_servers
        self._choose()

    def _no_resource(self, search: Search[ProtectedResource]) -> None:
        url, revision = self._profile.server_url, self._profile.revision
        issuer = self._profile.issuer or origin_root_issuer(url, revision)
        if not issuer:
            self._desk.fail(refusals.no_resource_metadata(search.absent, revision))
            return
        why = "you named it" if self._profile.issuer else "it is assumed at the server's origin"
        message = f"no protected resource metadata; the authorization server is known as {why}"
        source = _LOCATION if self._profile.issuer else _FALLBACK
        self._desk.log.remark((warning("resource-metadata-absent", message, source),))
        self._issuers = (issuer,)
        self._choose()

    # The authorization server

    def _choose(self) -> None:
        self._desk.log.begin(Stage.SERVER)
        wanted = self._profile.issuer
        if wanted and wanted not in self._issuers:
            self._desk.fail(refusals.issuer_not_named(wanted, self._issuers))
            return
        before = self._known.server.issuer if self._known is not None else ""
        mine = self._profile.client.issuer if self._profile.client is not None else ""
        for issuer in (wanted, mine, before):
            if issuer and issuer in self._issuers:
                self._seek_server(issuer)
                return
        if len(self._issuers) == 1:
            self._seek_server(self._issuers[0])
        else:
            self._desk.wait(ChooseServer(self._issuers))

    def _seek_server(self, issuer: str) -> None:
        log = self._desk.log
        log.begin(Stage.SERVER)
        self._issuer = issuer
        before = self._known.server.issuer if self._known is not None else issuer
        if before.rstrip("/") != issuer.rstrip("/"):
            message = f"the authorization server was {before} before; nothing of it is used here"
            log.remark((note("authorization-server-changed", message, _BINDING),))
        search = Search(
            Step.SERVER_METADATA,
            server_metadata_candidates(issuer, self._profile.revision),
            self._read_server,
            self._headers,
        )
        self._look_for_server(search)

    def _look_for_server(self, search: Search[AuthorizationServer]) -> None:
        request = search.following()

        def take(status: int, body: bytes, now: float) -> None:
            found = search.take(status, body)
            if found is None:
                self._desk.log.note("nothing at", search.where)
                if search.left:
                    self._look_for_server(search)
                else:
                    self._no_server(search, now)
            elif isinstance(found, Stopped):
                self._desk.fail(found)
            else:
                self._held = (body, found.document.issuer if found.document else "")
                self._desk.log.note("found at", search.where)
                self._server_read(found, now)

        if request is not None:
            self._desk.send(request, take, search.source)

    def _read_server(self, body: bytes, allowed: str = "") -> Judged[AuthorizationServer]:
        allowances = self._profile.allowances
        if allowed:
            allowances = replace(allowances, issuer=allowed)
        return read_authorization_server(
            body,
            issuer=self._issuer,
            within=self._desk.within,
            revision=self._profile.revision,
            grant=self._profile.grant,
            allowances=allowances,
        )

    def _server_read(self, judged: Judged[AuthorizationServer], now: float) -> None:
        where = self._desk.log.records[-1].where
        asked = isinstance(self._desk.action, AllowIssuer)
        if judged.usable is not None:
            self._server_found(judged.usable, judged, now)
        elif slash_only(judged, self._issuer) and not asked:
            self._desk.wait(AllowIssuer(self._issuer, self._held[1]))
        else:
            self._desk.fail(rejected(judged, where))

    def _no_server(self, search: Search[AuthorizationServer], now: float) -> None:
        url, revision = self._profile.server_url, self._profile.revision
        guess = None
        if self._resource is None and self._issuer == origin_root_issuer(url, revision):
            guess = default_endpoints(url, revision, search.outcomes)
        if guess is None:
            self._desk.fail(refusals.no_server_metadata(self._issuer, search.absent))
            return
        message = "no metadata; the default endpoints at the server's origin are used"
        self._server_found(
            guess, Judged(guess, (warning("default-endpoints", message, _FALLBACK),)), now
        )

    def _server_found(
        self, server: AuthorizationServer, judged: Judged[AuthorizationServer], now: float
    ) -> None:
        log = self._desk.log
        log.turn("running")
        log.remark(judged.remarks)
        log.note("issuer", server.issuer)
        for name, value in (
            ("authorization endpoint", server.authorization_endpoint),
            ("token endpoint", server.token_endpoint),
            ("registration endpoint", server.registration_endpoint),
            ("revocation endpoint", server.revocation_endpoint),
            ("PKCE", " ".join(server.code_challenge_methods or ())),
            ("scopes", " ".join(server.scopes_supported or ())),
            ("client proof", " ".join(server.auth_methods or ())),
        ):
            if value:
                log.note(name, value)
        log.note("metadata documents", "yes" if server.metadata_documents else "no")
        log.note("names itself in redirects", "yes" if server.iss_advertised else "no")
        scopes = self._resource.scopes_supported if self._resource is not None else None
        self._done(Discovered(server, self._indicator, scopes), now)

    @property
    def _indicator(self) -> str | None:
        """Of the revisions, only 2025-03-26 has no resource indicator (AU-09)."""
        url = self._profile.server_url
        if self._resource is not None:
            return resource_parameter(url, self._resource.resource)
        oldest = self._profile.revision <= Revision.V2025_03_26
        return None if oldest else canonical_resource(url)

    @property
    def _headers(self) -> Form:
        """2025-03-26 wants the revision named while metadata is looked for (AU-21)."""
        revision = self._profile.revision
        return ((VERSION_HEADER, revision),) if revision is Revision.V2025_03_26 else ()


_FALLBACK: Final = "2025-03-26 basic/authorization, Server Metadata Discovery"
