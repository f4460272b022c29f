"""One rule about the tools of a server as a whole (2026-07-28 `server/tools`): the list must not
depend on the connection.

Decides by listings in turns: one connection, another one in between, and the first one again. What
only changes in the course of time is no breach, nor is what may depend on the user or on what the
client can do.
"""

from dataclasses import dataclass, field
from typing import Final

from inspector.journal.recent import Recent
from inspector.lint.look import Look
from inspector.lint.rule import Rule, quoted, rule
from inspector.protocol.messages import encode_json

NAMES_KEPT: Final = 10_000

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "tool/list-varies-per-connection",
        "The tools depend on the connection",
        "server/tools",
        error="E",
    ),
)


@dataclass(frozen=True, slots=True)
class _Listing:
    number: int
    connection: int
    names: frozenset[str]


@dataclass(slots=True)
class _Server:
    """What was listed last, by connection and by any."""

    by: Recent[int, _Listing] = field(default_factory=lambda: Recent(64))
    last: _Listing | None = None
    other: _Listing | None = None
    """The last one of another connection than `last`."""


@dataclass(slots=True)
class _Servers:
    """The servers by address and what the client said that it can do."""

    known: Recent[str, _Server] = field(default_factory=lambda: Recent(64))


@dataclass(slots=True)
class _Kept:
    names: set[str] = field(default_factory=set)
    whole: bool = True


def check(look: Look) -> None:
    """Judges a page of the tools."""
    state, kept = look.state, look.state.held(_Kept)
    if not state.url or not look.from_server:
        return
    if look.method == "notifications/tools/list_changed":
        state.shared.held(_Servers).known = Recent(64)
        return
    if look.asked is None or state.authorized:
        return
    if "cursor" not in look.asked.params:
        kept.names, kept.whole = set(), True
    tools = look.result.get("tools")
    for tool in tools if isinstance(tools, list) else ():
        name = tool.get("name") if isinstance(tool, dict) else None
        if len(kept.names) >= NAMES_KEPT:
            kept.whole = False
        elif isinstance(name, str):
            kept.names.add(name)
    if "nextCursor" in look.result or not kept.whole:
        return
    _listed(look, frozenset(kept.names))


def _listed(look: Look, names: frozenset[str]) -> None:
    state = look.state
    able = encode_json(state.capabilities(look.asked)).decode("utf-8", "replace")
    key = f"{state.url} {able}"
    known = state.shared.held(_Servers).known
    server = known.get(key)
    if server is None:
        server = _Server()
        known.put(key, server)
    now = _Listing(look.number, state.number, names)
    before = server.by.get(state.number)
    between = server.last
    if between is not None and between.connection == state.number:
        between = server.other
    if (
        before is not None
        and between is not None
        and between.number > before.number
        and before.names == names != between.names
    ):
        odd = sorted(names ^ between.names)[0]
        look.report(
            "tool/list-varies-per-connection",
            f"Another connection was told of other tools in between ({quoted(odd)} is in one list"
            " only); the list must not depend on the connection.",
            "/result/tools",
            between.number,
            before.number,
        )
    if server.last is not None and server.last.connection != state.number:
        server.other = server.last
    server.last = now
    server.by.put(state.number, now)
