"""Where to look for metadata, in which order, and when to stop looking.

Protected-resource metadata (RFC 9728) and authorization-server metadata (RFC 8414, OpenID Connect
Discovery); for 2025-03-26 the origin root and the default endpoints. What the documents say is
judged in `metadata`; a candidate is still to be judged by `policy` before it is fetched.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeVar
from urllib.parse import urlsplit

from inspector.auth.metadata import AuthorizationServer
from inspector.auth.policy import origin
from inspector.auth.remarks import Judged
from inspector.protocol.versions import Revision

RESOURCE_SUFFIX: Final = "oauth-protected-resource"
SERVER_SUFFIX: Final = "oauth-authorization-server"
OPENID_SUFFIX: Final = "openid-configuration"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place where metadata may lie, and the rule that says so."""

    url: str
    source: str


class Answer(Enum):
    """What the status of an answer means for the search."""

    READ = "read"
    NEXT = "next"
    STOP = "stop"


class Outcome(Enum):
    """How the look at one candidate ended."""

    ABSENT = "absent"
    """The server answered that nothing is there."""
    REJECTED = "rejected"
    """A document was there, and a rule forbids its use: the search ends."""
    FAILED = "failed"
    """No answer, or the server was in trouble."""


def resource_metadata_candidates(server_url: str, challenge_url: str | None) -> list[Candidate]:
    """Where the metadata of the MCP server may lie: where the challenge says, at the well-known
    place of our path, at the root (2025-11-25 basic/authorization, Protected Resource Metadata
    Discovery Requirements; AU-01)."""
    parts = urlsplit(server_url)
    base = f"{origin(server_url)}/.well-known/{RESOURCE_SUFFIX}"
    query = f"?{parts.query}" if parts.query else ""
    found = []
    if challenge_url:
        found.append(Candidate(challenge_url, "RFC 9728 section 5.1"))
    for path in (parts.path, parts.path.rstrip("/")):
        if path.strip("/"):
            found.append(Candidate(base + path + query, "RFC 9728 section 3.1"))
    found.append(Candidate(base, "2025-11-25 basic/authorization"))
    return _unique(found)


def server_metadata_candidates(issuer: str, revision: Revision) -> list[Candidate]:
    """Where the metadata of `issuer` may lie (AU-03): from 2025-11-25 on by RFC 8414 and OpenID
    Connect, three places where the issuer has a path and two where it has none; before that by
    RFC 8414 only."""
    base, path = origin(issuer), urlsplit(issuer).path.rstrip("/")
    well_known = f"{base}/.well-known"
    found = [Candidate(f"{well_known}/{SERVER_SUFFIX}{path}", "RFC 8414 section 3.1")]
    if revision >= Revision.V2025_11_25:
        found.append(Candidate(f"{well_known}/{OPENID_SUFFIX}{path}", "RFC 8414 section 5"))
        found.append(
            Candidate(
                f"{base}{path}/.well-known/{OPENID_SUFFIX}",
                "OpenID Connect Discovery 1.0 section 4.1",
            )
        )
    return _unique(found)


def origin_root_issuer(server_url: str, revision: Revision) -> str | None:
    """The issuer to assume where an MCP server of 2025-03-26 has no resource metadata: the origin
    of its URL (2025-03-26 basic/authorization, Authorization Base URL; AU-21). None for later
    revisions, which have no such rule."""
    return (origin(server_url) or None) if revision is Revision.V2025_03_26 else None


def default_endpoints(
    server_url: str, revision: Revision, outcomes: Iterable[Outcome]
) -> AuthorizationServer | None:
    """The endpoints to assume where a server of 2025-03-26 has no metadata at all (2025-03-26
    basic/authorization, Fallbacks for Servers without Metadata Discovery; AU-21).

    Only where every place was found to be empty: metadata that was rejected is never replaced by
    a guess.
    """
    issuer = origin_root_issuer(server_url, revision)
    ends = tuple(outcomes)
    if issuer is None or not ends or any(end is not Outcome.ABSENT for end in ends):
        return None
    return AuthorizationServer(
        issuer=issuer,
        authorization_endpoint=f"{issuer}/authorize",
        token_endpoint=f"{issuer}/token",
        registration_endpoint=f"{issuer}/register",
        guessed=True,
    )


def after_status(status: int) -> Answer:
    """What to do after an answer with `status`: only a server in trouble ends the search, as its
    metadata may be there; a redirect is no document, and none is followed."""
    if status == 200:
        return Answer.READ
    return Answer.NEXT if 300 <= status < 500 and status != 429 else Answer.STOP


def outcome_of(judged: Judged[T]) -> Outcome | None:
    """How a look that found something ended; None where it found what can be used, and the search
    is over. What is no JSON object (a page for browsers, say) is no metadata. Metadata that is
    rejected ends the search like a server in trouble does: nothing is guessed in its place."""
    if judged.document is None:
        return Outcome.ABSENT
    return Outcome.REJECTED if judged.usable is None else None


def _unique(candidates: Iterable[Candidate]) -> list[Candidate]:
    first: dict[str, Candidate] = {}
    for candidate in candidates:
        first.setdefault(candidate.url, candidate)
    return list(first.values())
