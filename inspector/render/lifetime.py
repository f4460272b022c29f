"""In words: how long a server says that an answer stays fresh.

2026-07-28 server/utilities/caching. What the hints mean is `inspector.session.freshness`; nothing
is cached here, and whoever shows these words says so.
"""

from typing import Final

from inspector.session.freshness import Freshness

BYPASSED: Final = "nothing is cached here: each request asks the server"
_UNITS: Final = ((86_400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def span(seconds: float) -> str:
    """A duration in at most two units: `5 min`, `4 min 12 s`, `250 ms`."""
    if seconds < 1:
        return f"{round(seconds * 1000)} ms"
    rest, parts = int(seconds), list[str]()
    for size, unit in _UNITS:
        count, rest = divmod(rest, size)
        if count or parts:
            parts.append(f"{count} {unit}" if count else "")
        if len(parts) == 2:
            break
    return " ".join(part for part in parts if part)


def lifetime(said: Freshness) -> str:
    """What the server says: `fresh for 5 min, private`."""
    scope = f", {said.scope}" if said.scope else ""
    if said.ttl_ms <= 0:
        return f"stale at once{scope}"
    return f"fresh for {span(said.ttl_ms / 1000)}{scope}"


def time_left(said: Freshness, now: float) -> str:
    """What is left of it at `now` (monotonic): `4 min 12 s left`, "" where it never was fresh."""
    if said.ttl_ms <= 0:
        return ""
    left = said.left(now)
    return f"{span(left)} left" if left >= 1 else "stale by now" if left <= 0 else "under 1 s left"
