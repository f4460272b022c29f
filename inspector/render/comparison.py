"""The differences of two recordings as lines of text, for the command line and the screen alike.

A line knows the entries that it is about. Signs tell what was added (+), removed (-) or changed
(~), so that colours are not needed. What a difference is, is decided by `inspector.compare`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from inspector.compare.calls import CallChange, Compared, Operation
from inspector.compare.latency import Shift
from inspector.compare.offers import ItemChange, Offer
from inspector.compare.recordings import Comparison, RuleChange
from inspector.compare.schemas import Effect
from inspector.journal.spans import duration
from inspector.protocol.messages import Json
from inspector.render.safe import one_line
from inspector.render.values import shown_json

TITLES: Final[Mapping[str, str]] = {
    "server": "server",
    "tools": "tools",
    "resources": "resources",
    "resourceTemplates": "resource templates",
    "prompts": "prompts",
}
VALUE_CELLS: Final = 36
NAME_CELLS: Final = 60
PLACES: Final = 8
"""Differences that are drawn of one item; JSON has more."""
SPARE: Final = 12
"""Operations without a counterpart that are named."""
_SIGNS: Final = {
    "added": ("+", "mcp.ok"),
    "removed": ("-", "mcp.error"),
    "changed": ("~", "mcp.warn"),
}
_EFFECT_INKS: Final[Mapping[Effect, str]] = {
    "breaks": "mcp.error",
    "may break": "mcp.warn",
    "compatible": "mcp.dim",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `level` is how far it is indented: 0 for headings. `left` and `right` are the
    entries that it is about (0: none)."""

    text: Text
    level: int
    left: int = 0
    right: int = 0


def comparison_lines(comparison: Comparison) -> Iterator[Line]:
    """All lines; a section that has nothing to say is left out."""
    kind = ""
    for item in comparison.offers:
        if item.kind != kind:
            kind = item.kind
            yield _heading(TITLES.get(kind, kind))
        yield from _item(item)
    for kind, side in comparison.unread:
        where = "first" if side == "left" else "second"
        yield Line(Text(f"{TITLES[kind]} were not read in the {where} recording", "mcp.dim"), 0)
    yield from _calls(comparison.calls)
    if comparison.shifts:
        yield _heading("latency")
        for operation, moved in comparison.shifts:
            yield _shift(operation, moved)
    if comparison.rules is None:
        yield Line(Text("findings were not compared: too many entries", "mcp.dim"), 0)
    elif comparison.rules:
        yield _heading("findings")
        for rule in comparison.rules:
            yield _rule(rule)


def offer_words(offer: Offer) -> str:
    """A server in a few words: name, version, revision."""
    name, version = offer.server.get("name"), offer.server.get("version")
    words = " ".join(one for one in (name, version) if isinstance(one, str))
    return " · ".join(one for one in (one_line(words, NAME_CELLS), offer.revision) if one)


def _heading(words: str) -> Line:
    return Line(Text(words, "mcp.title"), 0)


def _signed(how: str) -> Text:
    sign, ink = _SIGNS[how]
    return Text(f"{sign} ", ink)


def _item(item: ItemChange) -> Iterator[Line]:
    text = _signed(item.how).append(one_line(item.name, NAME_CELLS))
    if [one.pointer for one in item.changes] == [f"/{item.name}"]:
        (one,) = item.changes
        text.append("  ").append_text(_moved(one.left, one.right, one.missing))
        yield Line(text.append(f"  {one.effect}", _EFFECT_INKS[one.effect]), 1)
        return
    yield Line(text.append(f"  {item.effect}", _EFFECT_INKS[item.effect]), 1)
    for one in item.changes[:PLACES]:
        line = Text(one_line(one.pointer or "/", NAME_CELLS) + "  ", "mcp.key")
        line.append_text(_moved(one.left, one.right, one.missing))
        yield Line(line.append(f"  {one.effect}", _EFFECT_INKS[one.effect]), 2)
    if len(item.changes) > PLACES:
        yield Line(Text(f"and {len(item.changes) - PLACES} more", "mcp.dim"), 2)


def _moved(left: Json, right: Json, missing: str) -> Text:
    if missing == "left":
        return Text("+ ", "mcp.ok").append(_short(right))
    if missing == "right":
        return Text("- ", "mcp.error").append(_short(left))
    return Text(_short(left)).append(" → ", "mcp.warn").append(_short(right))


def _short(value: Json) -> str:
    return one_line(shown_json(value).decode("utf-8", "replace"), VALUE_CELLS)


def _calls(calls: Compared) -> Iterator[Line]:
    counts = [f"{calls.matched:,} matched"]
    if calls.changed_count:
        counts.append(f"{calls.changed_count:,} came to something else")
    if calls.varying:
        counts.append(f"{calls.varying:,} vary by themselves")
    if calls.matched or calls.only_left or calls.only_right:
        yield _heading(f"calls: {', '.join(counts)}")
    for one in calls.changed:
        yield from _call(one)
    if calls.changed_count > len(calls.changed):
        more = f"and {calls.changed_count - len(calls.changed):,} more"
        yield Line(Text(more, "mcp.dim"), 1)
    for how, spare in (("removed", calls.only_left), ("added", calls.only_right)):
        yield from _spare(how, spare)


def _call(one: CallChange) -> Iterator[Line]:
    text = _signed("changed").append(_operation(one.operation))
    text.append(f"  #{one.left} #{one.right}", "mcp.faint")
    if one.before.state != one.after.state:
        worse = one.before.state == "result"
        text.append("  ").append(one.before.state).append(" → ", "mcp.warn")
        text.append(one.after.state, "mcp.error" if worse else "mcp.ok")
    yield Line(text, 1, one.left, one.right)
    for place in one.differences[:PLACES]:
        line = Text(one_line(place.pointer or "/", NAME_CELLS) + "  ", "mcp.key")
        line.append_text(_moved(place.left, place.right, place.missing))
        yield Line(line, 2, one.left, one.right)
    if len(one.differences) > PLACES:
        yield Line(Text(f"and {len(one.differences) - PLACES} more", "mcp.dim"), 2)


def _spare(how: str, spare: Mapping[Operation, int]) -> Iterator[Line]:
    where = "first" if how == "removed" else "second"
    for operation, count in list(spare.items())[:SPARE]:
        text = _signed(how).append(_operation(operation))
        times = f" ×{count:,}" if count > 1 else ""
        yield Line(text.append(f"{times}  only in the {where}", "mcp.dim"), 1)
    if len(spare) > SPARE:
        yield Line(Text(f"and {len(spare) - SPARE:,} more only in the {where}", "mcp.dim"), 1)


def _operation(operation: Operation) -> str:
    return one_line(f"{operation.method} {operation.name}".rstrip(), NAME_CELLS)


def _shift(operation: Operation, moved: Shift) -> Line:
    slower = moved.right > moved.left
    text = _signed("changed").append(_operation(operation) + "  ")
    text.append(duration(moved.left)).append(" → ", "mcp.warn")
    text.append(duration(moved.right), "mcp.error" if slower else "mcp.ok")
    left, right = moved.counts
    said = f"  ×{moved.right / moved.left:.2g}" if moved.left > 0 else ""
    said += f"  noise ±{duration(moved.floor)}, {left:,} and {right:,} calls"
    return Line(text.append(said, "mcp.dim"), 1)


def _rule(one: RuleChange) -> Line:
    how = "added" if not one.left else "removed" if not one.right else "changed"
    worse = one.right > one.left
    text = Text(_SIGNS[how][0] + " ", "mcp.error" if worse else "mcp.ok")
    text.append(f"{one.severity.value} ", "mcp.dim").append(one.rule)
    return Line(text.append(f"  {one.left:,} → {one.right:,}", "mcp.dim"), 1)
