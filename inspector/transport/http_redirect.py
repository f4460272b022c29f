"""Which redirects may be followed: same origin, 307 or 308, never in a circle. Pure.

A request carries credentials, custom headers and tool arguments; none of them may go to an origin
that the user did not name. So everything else is refused, with the place that it pointed to.
"""

from collections.abc import Collection
from typing import Final

import httpx

from inspector.errors import ConnectionFailed, excerpt

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
FOLLOWED: Final = frozenset({307, 308})
MOST_HOPS: Final = 5
LONGEST_URL: Final = 1000
"""Characters of a place that a refusal names."""

_PORTS: Final = {"http": 80, "https": 443}


def origin(url: httpx.URL) -> tuple[str, str, int]:
    """Scheme, host and port of a URL."""
    return url.scheme, url.host.lower(), url.port or _PORTS.get(url.scheme, 0)


def same_origin(one: httpx.URL, other: httpx.URL) -> bool:
    """Whether both are one origin (RFC 6454)."""
    return origin(one) == origin(other)


def redirect_target(
    status: int, current: httpx.URL, location: str | None, visited: Collection[httpx.URL]
) -> httpx.URL:
    """Where to send the same request again. Raises ConnectionFailed where that is refused."""
    if not location:
        raise _refused(f"HTTP {status} without a Location", "")
    try:
        target = current.join(location)
    except (httpx.InvalidURL, ValueError, TypeError):
        raise _refused(f"HTTP {status} to {excerpt(repr(location))}, which is no URL", "") from None
    bare = target.copy_with(username=None, password=None) if target.userinfo else target
    shown = excerpt(str(bare), LONGEST_URL)
    if not same_origin(current, target) or target.userinfo:
        raise _refused(
            f"HTTP {status} redirects to {shown}, another origin; not followed, so that"
            " credentials and headers stay here",
            f"if you trust it, connect to {shown} itself",
        )
    if status not in FOLLOWED:
        raise _refused(
            f"HTTP {status} redirects to {shown}; only 307 and 308 keep method and body",
            f"connect to {shown} itself",
        )
    if target in visited:
        raise _refused(f"HTTP {status} redirects in a circle, to {shown}", "")
    if len(visited) > MOST_HOPS:
        raise _refused(f"more than {MOST_HOPS} redirects, the last one to {shown}", "")
    return target


def _refused(message: str, hint: str) -> ConnectionFailed:
    return ConnectionFailed(message, hint=hint, kind="redirect")
