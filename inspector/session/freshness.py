"""How long a server says that an answer stays fresh (2026-07-28 server/utilities/caching).

Reads the hints `ttlMs` and `cacheScope` of a result. Nothing is ever answered out of a cache here:
an inspector asks each time and shows what a client that caches would be allowed to do. Pure.
"""

from dataclasses import dataclass
from typing import Final, Literal

from inspector.protocol.messages import Json
from inspector.session.pending import Call, Success

CACHEABLE: Final = frozenset(
    {
        "server/discover",
        "tools/list",
        "resources/list",
        "resources/templates/list",
        "prompts/list",
        "resources/read",
    }
)
"""The requests whose results carry these hints."""
LONGEST: Final = 10**15
"""Milliseconds; more than that is not told apart."""

Scope = Literal["public", "private", ""]


@dataclass(frozen=True, slots=True)
class Freshness:
    """What one answer says of its own life.

    `ttl_ms` is 0 where the answer is stale at once (a negative one counts as 0), `scope` is empty
    where the server names none that is known. `received_at` is monotonic, in the journal's seconds.
    """

    ttl_ms: int
    scope: Scope
    received_at: float

    def left(self, now: float) -> float:
        """Seconds for which the answer stays fresh, at least 0."""
        return max(0.0, self.received_at + self.ttl_ms / 1000 - now)

    def stale(self, now: float) -> bool:
        """Whether a client that caches should ask again."""
        return self.left(now) <= 0


def freshness_of(result: Json, received_at: float) -> Freshness | None:
    """The hints in a result; None where it has no `ttlMs` that can be read."""
    if not isinstance(result, dict):
        return None
    ttl, scope = result.get("ttlMs"), result.get("cacheScope")
    if isinstance(ttl, bool) or not isinstance(ttl, int | float) or ttl != ttl:
        return None
    known: Scope = "public" if scope == "public" else "private" if scope == "private" else ""
    return Freshness(int(min(max(ttl, 0), LONGEST)), known, received_at)


def freshness_of_call(call: Call, received_at: float) -> Freshness | None:
    """The hints in the outcome of a call, None where it may not be cached: the answer to a retry
    with somebody's input is for that retry only (CA-01)."""
    outcome = call.outcome
    if call.method not in CACHEABLE or call.rounds or not isinstance(outcome, Success):
        return None
    return freshness_of(outcome.result, received_at)


def together(so_far: Freshness | None, page: Freshness | None) -> Freshness | None:
    """The hints of a list that came in pages: it is stale with the first of them, and private
    where one is. None where a page says nothing."""
    if so_far is None or page is None:
        return None
    first, second = so_far, page
    if page.received_at + page.ttl_ms / 1000 < so_far.received_at + so_far.ttl_ms / 1000:
        first, second = page, so_far
    scopes = (first.scope, second.scope)
    scope: Scope = "private" if "private" in scopes else "" if "" in scopes else "public"
    return Freshness(first.ttl_ms, scope, first.received_at)
