"""What a server offered in a recording, and what another recording of it offers otherwise.

Decides which reading of a list counts (the last one that brought a page, of whichever connection),
and whom a change breaks: what goes away breaks, what is new does not, schemas are judged by
`inspector.compare.schemas`. Pure.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from inspector.compare.schemas import Change, Effect, member_changes, schema_changes
from inspector.journal.facts import ASIDE
from inspector.journal.journal import Journal
from inspector.journal.timeline import Timeline
from inspector.journal.timeline_readings import items_of
from inspector.journal.timeline_values import LIST_KINDS, ConnectionAt
from inspector.protocol.messages import Json, JsonObject

KEYS: Final[Mapping[str, str]] = {
    "tools": "name",
    "resources": "uri",
    "resourceTemplates": "uriTemplate",
    "prompts": "name",
}
"""What the items of a list are told apart by."""
_GRAVE: Final[tuple[Effect, ...]] = ("breaks", "may break", "compatible")


@dataclass(frozen=True, slots=True)
class Offer:
    """What was offered. `lists` has the items by their key, of the lists that were read; `doubled`
    counts items that had the key of another."""

    revision: str = ""
    server: JsonObject = field(default_factory=dict)
    capabilities: JsonObject = field(default_factory=dict)
    instructions: str = ""
    lists: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    doubled: int = 0


@dataclass(frozen=True, slots=True)
class ItemChange:
    """One item of a list (or, with `kind` "server", the server itself) that is no longer the
    same."""

    kind: str
    name: str
    how: Literal["added", "removed", "changed"]
    changes: tuple[Change, ...] = ()

    @property
    def effect(self) -> Effect:
        """The gravest effect."""
        if self.how != "changed":
            return "breaks" if self.how == "removed" else "compatible"
        found = {one.effect for one in self.changes}
        return next((one for one in _GRAVE if one in found), "compatible")


def offer_of(journal: Journal) -> Offer:
    """What the server of a recording offered, as of its end."""
    state = Timeline(journal).state_at(len(journal))
    connections = [one for one in state.connections if ASIDE not in one.facts]
    opened = [one for one in connections if one.opening.entry] or connections
    lists: dict[str, dict[str, Json]] = {}
    doubled = 0
    for kind in LIST_KINDS:
        if (read := _last_read(connections, kind)) is None:
            continue
        found = lists.setdefault(kind, {})
        for item, raw in items_of(journal, read.lists[kind]):
            name = item.get(KEYS[kind]) if isinstance(item, dict) else None
            key = name if isinstance(name, str) else raw[:200].decode("utf-8", "replace")
            doubled += key in found
            found.setdefault(key, item)
    if not opened:
        return Offer(lists=lists, doubled=doubled)
    opening = opened[-1].opening
    return Offer(
        revision=opening.revision.value if opening.revision is not None else "",
        server=opening.server_info,
        capabilities=opening.capabilities,
        instructions=opening.instructions,
        lists=lists,
        doubled=doubled,
    )


def compare_offers(left: Offer, right: Offer) -> tuple[ItemChange, ...]:
    """What is otherwise: the server first, then list by list. Only lists that both recordings read
    are compared."""
    found = [*_server(left, right)]
    for kind in LIST_KINDS:
        before, after = left.lists.get(kind), right.lists.get(kind)
        if before is None or after is None:
            continue
        for name in dict.fromkeys((*before, *after)):
            if name not in after:
                found.append(ItemChange(kind, name, "removed"))
            elif name not in before:
                found.append(ItemChange(kind, name, "added"))
            elif changes := _item(kind, before[name], after[name]):
                found.append(ItemChange(kind, name, "changed", changes))
    return tuple(found)


def unread(left: Offer, right: Offer) -> tuple[tuple[str, str], ...]:
    """The lists that only one recording read: kind, and the side that did not."""
    return tuple(
        (kind, "left" if kind not in left.lists else "right")
        for kind in LIST_KINDS
        if (kind in left.lists) is not (kind in right.lists)
    )


def _last_read(connections: list[ConnectionAt], kind: str) -> ConnectionAt | None:
    return next((one for one in reversed(connections) if one.lists[kind].pages), None)


def _server(left: Offer, right: Offer) -> list[ItemChange]:
    found = []
    for name, one, two in (
        ("protocolVersion", left.revision, right.revision),
        ("instructions", left.instructions, right.instructions),
    ):
        if one != two:
            effect: Effect = "compatible" if name == "instructions" else "may break"
            change = Change(f"/{name}", one, two, "", effect)
            found.append(ItemChange("server", name, "changed", (change,)))
    if changes := member_changes(left.server, right.server):
        harmless = tuple(replace(one, effect="compatible") for one in changes)
        found.append(ItemChange("server", "serverInfo", "changed", harmless))
    if changes := member_changes(left.capabilities, right.capabilities):
        graver = tuple(
            replace(
                one,
                effect="breaks"
                if one.missing == "right" or one.right is False
                else "compatible"
                if one.left is False
                else one.effect,
            )
            for one in changes
        )
        found.append(ItemChange("server", "capabilities", "changed", graver))
    return found


def _item(kind: str, left: Json, right: Json) -> tuple[Change, ...]:
    if not isinstance(left, dict) or not isinstance(right, dict):
        return member_changes({"": left}, {"": right})
    if kind == "tools":
        return _tool(left, right)
    if kind == "prompts":
        return _prompt(left, right)
    return member_changes(left, right)


def _tool(left: JsonObject, right: JsonObject) -> tuple[Change, ...]:
    schemas = ("inputSchema", "outputSchema")
    rest = member_changes(_without(left, *schemas), _without(right, *schemas))
    found = schema_changes(left.get("inputSchema", {}), right.get("inputSchema", {}), "input",
                           "/inputSchema")  # fmt: skip
    before, after = left.get("outputSchema"), right.get("outputSchema")
    if before is not None and after is not None:
        found += schema_changes(before, after, "output", "/outputSchema")
    elif before is not None:
        found += (Change("/outputSchema", before, None, "right", "breaks"),)
    elif after is not None:
        found += (Change("/outputSchema", None, after, "left", "compatible"),)
    return rest + found


def _prompt(left: JsonObject, right: JsonObject) -> tuple[Change, ...]:
    """Arguments are told apart by their names; one that is newly required breaks callers."""
    found = [*member_changes(_without(left, "arguments"), _without(right, "arguments"))]
    before, after = _arguments(left), _arguments(right)
    for name in dict.fromkeys((*before, *after)):
        at = f"/arguments/{name}"
        one, two = before.get(name), after.get(name)
        if two is None:
            found.append(Change(at, one, None, "right", "may break"))
        elif one is None:
            required = two.get("required") is True
            found.append(Change(at, None, two, "left", "breaks" if required else "compatible"))
        else:
            for change in member_changes(one, two, at):
                newly = change.pointer == f"{at}/required" and change.right is True
                effect: Effect = "breaks" if newly else "compatible"
                found.append(replace(change, effect=effect))
    return tuple(found)


def _arguments(prompt: JsonObject) -> dict[str, JsonObject]:
    named: dict[str, JsonObject] = {}
    arguments = prompt.get("arguments")
    for one in arguments if isinstance(arguments, list) else []:
        if isinstance(one, dict) and isinstance(name := one.get("name"), str):
            named.setdefault(name, one)
    return named


def _without(item: JsonObject, *names: str) -> JsonObject:
    return {key: value for key, value in item.items() if key not in names}
