"""Reads and judges the two metadata documents: of the protected resource (RFC 9728) and of the
authorization server (RFC 8414, OpenID Connect Discovery).

A document is read leniently and judged strictly: every rule that it breaks is a remark with its
source, and a refusal makes it unusable. Where documents lie is decided in `discovery`.
"""

from dataclasses import dataclass
from typing import Final

from inspector.auth.exchange import read_object, shown, text_of, texts_of
from inspector.auth.pkce import METHOD
from inspector.auth.policy import (
    Perimeter,
    Refused,
    ResourceMatch,
    judge_url,
    match_resource,
)
from inspector.auth.remarks import Judged, Remark, note, refusal, refusals, warning
from inspector.protocol.json_text import JsonObject
from inspector.protocol.versions import Revision

CODE_GRANT: Final = "authorization_code"
CLIENT_CREDENTIALS_GRANT: Final = "client_credentials"
REFRESH_GRANT: Final = "refresh_token"

_RESOURCE_RULE: Final = "RFC 9728 section 3.3"
_ISSUER_RULE: Final = "RFC 8414 section 3.3"
_PKCE_RULE: Final = "2025-11-25 basic/authorization, Authorization Code Protection"


@dataclass(frozen=True, slots=True)
class ProtectedResource:
    """The metadata of an MCP server. `authorization_servers` holds only usable issuers; which one
    is taken is the user's choice where there are several (RFC 9728 section 7.6)."""

    resource: str
    authorization_servers: tuple[str, ...]
    scopes_supported: tuple[str, ...] | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class AuthorizationServer:
    """The metadata of an authorization server; None where it says nothing. `guessed` is for the
    default endpoints of 2025-03-26, which no document names."""

    issuer: str
    token_endpoint: str
    authorization_endpoint: str = ""
    registration_endpoint: str = ""
    revocation_endpoint: str = ""
    scopes_supported: tuple[str, ...] | None = None
    grant_types: tuple[str, ...] | None = None
    auth_methods: tuple[str, ...] | None = None
    code_challenge_methods: tuple[str, ...] | None = None
    iss_advertised: bool = False
    """`authorization_response_iss_parameter_supported` (RFC 9207 section 3)."""
    metadata_documents: bool = False
    """`client_id_metadata_document_supported`."""
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class Allowances:
    """What the user permits although a rule forbids it; each becomes a warning where it is used.

    `issuer` is the one other issuer that a document may name, letter for letter.
    """

    missing_pkce_metadata: bool = False
    issuer: str = ""


NO_ALLOWANCES: Final = Allowances()


def read_protected_resource(
    body: bytes, *, server_url: str, within: Perimeter
) -> Judged[ProtectedResource]:
    """The metadata in `body`, judged for the MCP server at `server_url`."""
    found = read_object(body)
    if isinstance(found, str):
        return Judged(None, (refusal("metadata-unreadable", found, "RFC 9728 section 3.2"),))
    remarks = [*_wrong_types(found, _RESOURCE_LISTS, "RFC 9728 section 2")]
    resource = text_of(found, "resource")
    remarks += _judge_resource(resource, server_url)
    servers = []
    for issuer in dict.fromkeys(texts_of(found, "authorization_servers") or ()):
        verdict = judge_url(issuer, within, query=False)
        if isinstance(verdict, Refused):
            message = f"the authorization server {shown(issuer)} is not used: {verdict.reason}"
            remarks.append(warning("issuer-refused", message, verdict.source))
        else:
            servers.append(issuer)
    if not servers:
        message = "the metadata names no authorization server that may be used"
        source = "2025-06-18 basic/authorization, Authorization Server Location"
        remarks.append(refusal("no-authorization-server", message, source))
    methods = texts_of(found, "bearer_methods_supported")
    if methods is not None and "header" not in methods:
        message = "the server says it takes no token in the Authorization header, as MCP sends it"
        remarks.append(warning("no-header-method", message, "RFC 9728 section 2"))
    document = ProtectedResource(
        resource,
        tuple(servers),
        texts_of(found, "scopes_supported"),
        text_of(found, "resource_name"),
    )
    return Judged(document, tuple(remarks))


def read_authorization_server(
    body: bytes,
    *,
    issuer: str,
    within: Perimeter,
    revision: Revision,
    grant: str = CODE_GRANT,
    allowances: Allowances = NO_ALLOWANCES,
) -> Judged[AuthorizationServer]:
    """The metadata in `body`, fetched for `issuer` and judged for a flow with `grant`."""
    found = read_object(body)
    if isinstance(found, str):
        return Judged(None, (refusal("metadata-unreadable", found, "RFC 8414 section 3.2"),))
    remarks = [*_wrong_types(found, _SERVER_LISTS, "RFC 8414 section 2")]
    remarks += _judge_issuer(text_of(found, "issuer"), issuer, within, allowances)
    for name in _ENDPOINTS:
        remarks += _judge_endpoint(found, name, within, required=name in _needed(grant))
    remarks += _judge_grant(found, grant)
    if grant == CODE_GRANT:
        remarks += _judge_pkce(found, revision, allowances)
    document = AuthorizationServer(
        issuer=text_of(found, "issuer"),
        token_endpoint=text_of(found, "token_endpoint"),
        authorization_endpoint=text_of(found, "authorization_endpoint"),
        registration_endpoint=text_of(found, "registration_endpoint"),
        revocation_endpoint=text_of(found, "revocation_endpoint"),
        scopes_supported=texts_of(found, "scopes_supported"),
        grant_types=texts_of(found, "grant_types_supported"),
        auth_methods=texts_of(found, "token_endpoint_auth_methods_supported"),
        code_challenge_methods=texts_of(found, "code_challenge_methods_supported"),
        iss_advertised=found.get("authorization_response_iss_parameter_supported") is True,
        metadata_documents=found.get("client_id_metadata_document_supported") is True,
    )
    return Judged(document, tuple(remarks))


_ENDPOINTS: Final = (
    "authorization_endpoint",
    "token_endpoint",
    "registration_endpoint",
    "revocation_endpoint",
)
_RESOURCE_LISTS: Final = ("authorization_servers", "scopes_supported", "bearer_methods_supported")
_SERVER_LISTS: Final = (
    "scopes_supported",
    "response_types_supported",
    "grant_types_supported",
    "token_endpoint_auth_methods_supported",
    "code_challenge_methods_supported",
)


def _wrong_types(document: JsonObject, names: tuple[str, ...], source: str) -> list[Remark]:
    wrong = [name for name in names if name in document and texts_of(document, name) is None]
    return [
        warning("no-list", f"{name} is no list of texts and is ignored", source) for name in wrong
    ]


def _judge_resource(resource: str, server_url: str) -> list[Remark]:
    if not resource:
        return [refusal("resource-missing", "the metadata has no resource", "RFC 9728 section 2")]
    match match_resource(resource, server_url):
        case ResourceMatch.SAME:
            return []
        case ResourceMatch.PARENT:
            message = (
                f"the metadata is about {shown(resource)}, of which this server is a part: "
                "a token is good for everything there"
            )
            return [note("resource-parent", message, _RESOURCE_RULE)]
        case ResourceMatch.OTHER:
            message = f"the metadata is about {shown(resource)}, not about {shown(server_url)}"
            return [refusal("resource-differs", message, _RESOURCE_RULE)]


def _judge_issuer(
    named: str, expected: str, within: Perimeter, allowances: Allowances
) -> list[Remark]:
    if not named:
        return [refusal("issuer-missing", "the metadata has no issuer", "RFC 8414 section 2")]
    verdict = judge_url(named, within, query=False)
    if isinstance(verdict, Refused):
        message = f"the issuer {shown(named)} cannot be used: {verdict.reason}"
        return [refusal("issuer-refused", message, verdict.source)]
    if named == expected:
        return []
    message = f"the metadata of {shown(expected)} calls its issuer {shown(named)}"
    if named.rstrip("/") == expected.rstrip("/"):
        message += (
            "; they differ only in the slash at the end, yet both must be identical letter for "
            "letter: the server's metadata and the authorization_servers of the resource have to "
            "agree"
        )
    if allowances.issuer == named:
        return [warning("issuer-differs", f"{message} (allowed by you)", _ISSUER_RULE)]
    return [refusal("issuer-differs", message, _ISSUER_RULE)]


def _needed(grant: str) -> tuple[str, ...]:
    both = ("authorization_endpoint", "token_endpoint")
    return both if grant == CODE_GRANT else ("token_endpoint",)


def _judge_endpoint(
    document: JsonObject, name: str, within: Perimeter, *, required: bool
) -> list[Remark]:
    """An endpoint that may not be used ends the flow, needed or not: nobody can say what else in
    such a document is wrong, and leaving it out would be a guess."""
    value = document.get(name)
    if value is None:
        missing = refusal("endpoint-missing", f"the metadata has no {name}", "RFC 8414 section 2")
        return [missing] if required else []
    verdict = judge_url(value, within)
    if isinstance(verdict, Refused):
        message = f"{name} {shown(value)} cannot be used: {verdict.reason}"
        return [refusal("endpoint-refused", message, verdict.source)]
    return []


def _judge_grant(document: JsonObject, grant: str) -> list[Remark]:
    remarks = []
    grants = texts_of(document, "grant_types_supported")
    if grants is not None and grant not in grants:
        message = f"the server does not offer the grant {grant}"
        remarks.append(warning("grant-not-offered", message, "RFC 8414 section 2"))
    responses = texts_of(document, "response_types_supported")
    if grant == CODE_GRANT and responses is not None and "code" not in responses:
        message = "the server gives no authorization codes (response_types_supported)"
        remarks.append(refusal("code-not-offered", message, "RFC 8414 section 2"))
    return remarks


def _judge_pkce(document: JsonObject, revision: Revision, allowances: Allowances) -> list[Remark]:
    if "code_challenge_methods_supported" in document:
        if METHOD in (texts_of(document, "code_challenge_methods_supported") or ()):
            return []
        message = f"the server does not offer PKCE with {METHOD} (code_challenge_methods_supported)"
        return [refusal("pkce-not-offered", message, _PKCE_RULE)]
    message = "the metadata does not say whether the server supports PKCE"
    if revision < Revision.V2025_11_25:
        return [warning("pkce-unknown", message, "OAuth 2.1 section 7.5.2")]
    if allowances.missing_pkce_metadata:
        return [warning("pkce-unknown", f"{message} (allowed by you)", _PKCE_RULE)]
    return [refusal("pkce-unknown", message, _PKCE_RULE)]


def slash_only(judged: Judged[AuthorizationServer], issuer: str) -> bool:
    """Whether nothing but a slash at the end of the issuer stands in the way: what an allowance
    may then be offered for."""
    named = judged.document.issuer if judged.document is not None else ""
    rules = {remark.rule for remark in refusals(judged.remarks)}
    return rules == {"issuer-differs"} and named.rstrip("/") == issuer.rstrip("/")
