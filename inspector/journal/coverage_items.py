"""What a session could have tried, whether it did, and what would: the list behind the coverage.

Follows the method table of the negotiated revision in both directions, the capabilities that were
declared, the names that were listed, and the ways in which things go wrong. What the server does
not offer is listed too, and counts for nothing. Pure.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from inspector.journal.coverage import Coverage, Facts, Tally, tallied
from inspector.journal.entries import Direction
from inspector.journal.method_counts import uses
from inspector.journal.timeline_readings import items_of
from inspector.journal.timeline_values import ConnectionAt
from inspector.protocol.gaps import fills
from inspector.protocol.messages import Json, JsonObject, MessageKind
from inspector.protocol.methods import METHODS, Method, Side
from inspector.protocol.versions import Era, Revision

NAMES_LISTED: Final = 500


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that can be tried. `count` says how often it was, `entry` where first (0: not);
    `hint` what would try it; `offered` is false where the other side does not have it. `tab` and
    `name` lead to it in the interface, where it has a place there."""

    area: str
    name: str
    count: int
    entry: int
    hint: str = ""
    offered: bool = True
    tab: str = ""

    @property
    def untried(self) -> bool:
        """Whether it is there and was never tried."""
        return self.offered and not self.count


SEND: Final = "Methods that we can send"
RECEIVE: Final = "What the server can send"
CAPABILITIES: Final = "Capabilities"
TOOLS: Final = "Tools"
PROMPTS: Final = "Prompts"
RESOURCES: Final = "Resources"
TEMPLATES: Final = "Resource templates"
OUTCOMES: Final = "Ways in which it can go wrong, or on"
AREAS: Final = (SEND, RECEIVE, CAPABILITIES, TOOLS, PROMPTS, RESOURCES, TEMPLATES, OUTCOMES)

_HINTS: Final[Mapping[str, str]] = {
    "ping": "p in the Server tab",
    "tools/call": "call a tool in the Tools tab",
    "tools/list": "open the Tools tab",
    "resources/list": "open the Resources tab",
    "resources/templates/list": "open the Resources tab",
    "resources/read": "read a resource in the Resources tab",
    "resources/subscribe": "subscribe to a resource in the Resources tab",
    "resources/unsubscribe": "end a subscription in the Resources tab",
    "prompts/list": "open the Prompts tab",
    "prompts/get": "get a prompt in the Prompts tab",
    "completion/complete": "type into an argument of a prompt or a template",
    "logging/setLevel": "choose a level in the Logs tab (L)",
    "subscriptions/listen": "listen for announcements in the Server tab",
    "tasks/list": "u in the Tasks tab",
    "tasks/get": "p in the Tasks tab",
    "tasks/result": "w in the Tasks tab",
    "tasks/cancel": "x in the Tasks tab",
    "tasks/update": "answer what a task asks",
    "server/discover": "connect with --protocol modern",
    "notifications/cancelled": "cancel a running call with Ctrl+C",
    "notifications/roots/list_changed": "add a root in the Server tab (a)",
    "notifications/progress": "call a tool that reports progress",
    "notifications/message": "choose a log level in the Logs tab, then call a tool",
    "sampling/createMessage": "call a tool that asks a model",
    "elicitation/create": "call a tool that asks its user",
    "roots/list": "call a tool that wants to know the roots",
    "notifications/resources/updated": "subscribe to a resource, then change it",
    "notifications/tools/list_changed": "make the server change its tools",
    "notifications/prompts/list_changed": "make the server change its prompts",
    "notifications/resources/list_changed": "make the server change its resources",
    "notifications/elicitation/complete": "call a tool that sends its user to a page",
    "notifications/tasks/status": "run a tool as a task",
    "notifications/tasks": "run a tool as a task",
    "notifications/subscriptions/acknowledged": "listen for announcements in the Server tab",
}
_PART_OF: Final[Mapping[str, tuple[Side, tuple[str, ...]]]] = {
    "notifications/tasks/status": ("server", ("tasks",)),
    "notifications/elicitation/complete": ("client", ("elicitation", "url")),
}
"""What no capability is named for, and which makes no sense without one."""
_BY_HAND: Final = frozenset({"notifications/progress", "notifications/tasks/status"})
"""What we may send and never do by ourselves."""
_CODES: Final = (
    (-32602, "invalid params", "call a tool with a missing required argument, or one unknown"),
    (-32601, "method not found", "mcp-inspect request no/such/method"),
    (-32600, "invalid request", "edit a request in the traffic (R): take its method away"),
    (-32700, "parse error", "edit a request in the traffic (R): leave a brace out"),
)
_NOT_FOUND: Final = (-32002, "resource not found", "read a URI that there is not")


def coverage_items(coverage: Coverage) -> list[Item]:
    """All there is to try in the latest connection, area by area; empty before it is known."""
    state, facts = coverage.state, coverage.settled()
    if state is None:
        return []
    revision, counts = state.opening.revision, coverage.counts
    found: list[Item] = []
    if revision is not None:
        for row in METHODS.values():
            found += _methods(row, revision, state, facts, counts)
        found += _capabilities(revision, state, facts, counts)
    found += _names(coverage, state, facts)
    found += _outcomes(state, facts, counts)
    return sorted(found, key=lambda one: AREAS.index(one.area))


def tried_of(items: list[Item]) -> tuple[int, int]:
    """How many of the things that are offered were tried, and how many are."""
    offered = [item for item in items if item.offered]
    return sum(1 for item in offered if item.count), len(offered)


def declares(capabilities: JsonObject, path: tuple[str, ...] | None) -> bool:
    """Whether a capability is declared (true where none is needed)."""
    here: Json = capabilities
    for step in path or ():
        if not isinstance(here, dict) or here.get(step) in (None, False):
            return False
        here = here[step]
    return True


Counted = Mapping[tuple[Direction, str], int]


def _methods(
    row: Method, revision: Revision, state: ConnectionAt, facts: Facts, counts: Counted
) -> Iterator[Item]:
    inside = revision in row.embedded
    if revision not in row.revisions and revision not in row.extensions and not inside:
        return
    sender, needs = row.sender_in(revision), row.needs(revision)
    opening = state.opening
    theirs = row.declared_by == "client" and revision not in row.extensions
    declared = opening.client_capabilities if theirs else opening.capabilities
    ways = (
        (Direction.SENT, SEND, sender in ("client", "both")),
        (Direction.RECEIVED, RECEIVE, sender in ("server", "both")),
    )
    for direction, area, may in ways:
        count = counts.get((direction, row.name), 0)
        if not may and not count:
            continue
        if row.name in _PART_OF:
            side, needs = _PART_OF[row.name]
            declared = opening.client_capabilities if side == "client" else opening.capabilities
        offered = declares(declared, needs)
        if direction is Direction.RECEIVED and sender == "both" and row.needs(revision):
            offered = offered and declares(opening.client_capabilities, needs)
        hint = _HINTS.get(row.name, "")
        if area == RECEIVE and row.name in ("ping", "notifications/cancelled"):
            hint = "the server decides"
        elif area == SEND and row.name in _BY_HAND:
            hint = "send it by hand: mcp-inspect request"
        entry = facts.methods.get((direction, row.name), 0)
        yield Item(area, row.name, count, entry, hint, offered or bool(count))


def _capabilities(
    revision: Revision, state: ConnectionAt, facts: Facts, counts: Counted
) -> Iterator[Item]:
    sides: tuple[tuple[Side, str, JsonObject], ...] = (
        ("server", "", state.opening.capabilities),
        ("client", "ours: ", state.opening.client_capabilities),
    )
    for side, prefix, declared in sides:
        seen: set[tuple[str, ...]] = set()
        for row in METHODS.values():
            known = {*row.revisions, *row.extensions, *row.embedded}
            path = row.needs(revision) if revision in known else None
            extension = revision in row.extensions
            if path is None or path in seen or not (extension or row.declared_by == side):
                continue
            seen.add(path)
            if extension and side == "client":
                continue  # declared by both sides: told once
            used = list(uses(side, path, revision, counts))
            entry = min(
                (number for (_, method), number in facts.methods.items()
                 if method in {name for name, _ in used}),
                default=0,
            )  # fmt: skip
            name = path[1] if extension else ".".join(path)
            hint = "see the methods above that need it"
            yield Item(
                CAPABILITIES, prefix + name, sum(count for _, count in used), entry, hint,
                declares(declared, path),
            )  # fmt: skip


def _names(coverage: Coverage, state: ConnectionAt, facts: Facts) -> Iterator[Item]:
    for kind, area, tab, key, method, hint in (
        ("tools", TOOLS, "tools", "name", "tools/call", "call it"),
        ("prompts", PROMPTS, "prompts", "name", "prompts/get", "get it"),
        ("resources", RESOURCES, "resources", "uri", "resources/read", "read it"),
    ):
        used = tallied(facts.names, method)
        for name in _listed(coverage, state, kind, key):
            tally = used.pop(name, Tally())
            yield Item(area, name, tally.count, tally.entry, hint, tab=tab)
        if kind != "resources":
            for name, tally in list(used.items())[:NAMES_LISTED]:
                yield Item(area, f"{name} (not listed)", tally.count, tally.entry)
    read = tallied(facts.names, "resources/read")
    for template in _listed(coverage, state, "resourceTemplates", "uriTemplate"):
        fitting = [tally for uri, tally in read.items() if _fits(template, uri)]
        count = sum(tally.count for tally in fitting)
        entry = min((tally.entry for tally in fitting), default=0)
        yield Item(TEMPLATES, template, count, entry, "fill it in and read it", tab="resources")


def _listed(coverage: Coverage, state: ConnectionAt, kind: str, key: str) -> list[str]:
    listed = state.lists.get(kind)
    if listed is None:
        return []
    names: dict[str, None] = {}
    for item, _ in items_of(coverage.journal, listed)[:NAMES_LISTED]:
        name = item.get(key) if isinstance(item, dict) else None
        if isinstance(name, str):
            names[name] = None
    return list(names)


def _fits(template: str, uri: str) -> bool:
    """Whether a URI may come of a template (RFC 6570; what stands in braces is anything)."""
    parts = re.split(r"\{[^{}]*\}", template[:1000])
    return len(parts) > 1 and fills(parts, uri)


def _outcomes(state: ConnectionAt, facts: Facts, counts: Counted) -> Iterator[Item]:
    def item(name: str, tally: Tally, hint: str, offered: bool = True) -> Item:
        return Item(OUTCOMES, name, tally.count, tally.entry, hint, offered or bool(tally.count))

    opening = state.opening
    tools = declares(opening.capabilities, ("tools",))
    yield item("a tool that says isError", facts.refused, "call a tool with bad values", tools)
    known = [*_CODES, *([_NOT_FOUND] if opening.declares("resources") else [])]
    for code, words, hint in known:
        yield item(f"{code} {words}", facts.codes.get(code, Tally()), hint)
    for code, tally in sorted(facts.codes.items()):
        if code not in {one[0] for one in known}:
            yield item(f"{code} (another error)", tally, "")
    yield item("a call that we cancel", facts.cancelled, "Ctrl+C while a call runs")
    yield item("a call out of time", facts.timed_out, "call something slow with --timeout 1")
    pages = Tally(
        sum(one.count for one in facts.pages.values()),
        min((one.entry for one in facts.pages.values()), default=0),
    )
    lists = any(opening.declares(one) for one in ("tools", "prompts", "resources"))
    yield item("a list of several pages", pages, "a server with many items", lists)
    again = facts.events.get("session-restored") or facts.events.get("session-expired") or Tally()
    http = state.transport not in ("stdio", "memory")
    yield item("a session that is lost and restored", again, "restart the server", http)
    resumed = facts.events.get("stream-waits", Tally())
    yield item("a stream that breaks and is resumed", resumed, "cut the connection", http)
    if opening.era is Era.MODERN:
        rounds = [
            count for (way, name), count in counts.items()
            if way is Direction.RECEIVED and name in METHODS
            and METHODS[name].kind is MessageKind.REQUEST
        ]  # fmt: skip
        asked = Tally(sum(rounds))
        yield item("a call that is asked back", asked, "call a tool that asks its user")
    for name, tally in (
        ("an answer to nothing", facts.orphan),
        ("a message that is none", facts.malformed),
    ):
        if tally.count:
            yield item(name, tally, "")
