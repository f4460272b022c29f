"""What this session has tried of the server, and what it has not, with what would.

The list is made by `inspector.journal.coverage_items`, from the same counts as the Server tab; here
is decided how it is shown and where Enter leads: to the first entry of what was tried, to the place
where the rest can be.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from inspector.journal.coverage import Coverage
from inspector.journal.coverage_items import Item, coverage_items, tried_of
from inspector.render.safe import one_line
from inspector.tui.bindings import bindings_for
from inspector.tui.screens.once import LeftOnce
from inspector.tui.widgets.header import HintLine
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.rule import Rule

SLICE: Final = 2_000
"""Entries that are gone along between two repaints."""
PAUSE: Final = 0.01
LOOKS: Final = 2.0
NAME_CELLS: Final = 40


@dataclass(frozen=True, slots=True)
class AreaLine:
    """The heading of an area: how many of its things were tried."""

    area: str
    tried: int
    offered: int


CoverageLine = AreaLine | Item


def coverage_lines(items: Sequence[Item], *, untried: bool = False) -> list[CoverageLine]:
    """The areas with their things; with `untried` only those that were not tried."""
    lines: list[CoverageLine] = []
    for area in dict.fromkeys(item.area for item in items):
        inside = [item for item in items if item.area == area]
        lines.append(AreaLine(area, *tried_of(inside)))
        lines += [item for item in inside if item.untried or not untried]
    return lines


def draw_line(line: CoverageLine, width: int) -> Text:
    """One line of the list."""
    text = Text(end="", no_wrap=True)
    if isinstance(line, AreaLine):
        text.append(f"── {line.area} ", "mcp.title")
        text.append(f"{line.tried} of {line.offered}", "mcp.dim")
        return text
    sign, ink = ("✓", "mcp.ok") if line.count else ("○", "mcp.warn")
    if not line.offered:
        sign, ink = "·", "mcp.faint"
    text.append(f" {sign} ", ink)
    cells = min(NAME_CELLS, max(16, width * 2 // 5))
    brief = line.name if len(line.name) <= cells else line.name.removeprefix("notifications/")
    name = one_line(brief, cells)
    text.append(name, "" if line.offered else "mcp.faint")
    text.append(" " * max(1, cells + 1 - Text(name).cell_len))
    if line.count:
        words = f"{line.count:,}×, first #{line.entry}" if line.entry else f"{line.count:,}×"
        text.append(words, "mcp.accent")
    elif not line.offered:
        text.append("not offered", "mcp.faint")
    elif line.hint and (room := width - text.cell_len) > 8:
        text.append(one_line(f"never: {line.hint}", room), "mcp.dim")
    else:
        text.append("never", "mcp.dim")
    return text


def coverage_text(items: Sequence[Item], *, untried: bool = False) -> str:
    """The list for the clipboard."""
    tried, offered = tried_of(list(items))
    drawn = [f"coverage: {tried} of {offered} tried"]
    for line in coverage_lines(items, untried=untried):
        if isinstance(line, AreaLine):
            drawn.append("")
        drawn.append(draw_line(line, 120).plain.rstrip())
    return "\n".join(drawn) + "\n"


def _key(line: CoverageLine) -> tuple[str, ...]:
    return (line.area,) if isinstance(line, AreaLine) else (line.area, line.name)


class CoverageScreen(ModalScreen[None], LeftOnce[None]):
    """One panel; it goes on while messages come."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("coverage")]
    HELP: ClassVar[str] = (
        "What the latest connection has exercised: ✓ with how often and where first, ○ for what "
        "is there and was never tried, with what would try it, · for what the other side does "
        "not offer. Enter goes to the first entry, or to the place where it can be tried.\n\n"
        "u leaves only what was not tried; y copies the list."
    )
    DEFAULT_CSS = """
    CoverageScreen { align: center middle; background: $background 60%; }
    CoverageScreen > Vertical {
        width: 100%; max-width: 120; height: 100%; max-height: 40; padding: 0 1;
        background: $panel; border-left: outer $primary;
    }
    CoverageScreen #coverage-list { height: 1fr; margin-top: 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._coverage: Coverage | None = None
        self._items: list[Item] = []
        self._untried = False
        self._seen = -1

    @property
    def lines(self) -> "RowList[CoverageLine]":
        """The list."""
        return self.query_one("#coverage-list", RowList)

    def compose(self) -> ComposeResult:
        """Heading, list, and what keys do."""
        with Vertical():
            yield Rule("coverage", id="coverage-rule")
            yield RowList[CoverageLine](
                draw_line,
                key=_key,
                heading=lambda line: isinstance(line, AreaLine),
                empty="Nothing was connected yet",
                id="coverage-list",
            )
            yield HintLine()

    def on_mount(self) -> None:
        """The focus is in the list; looking goes on while the panel is there."""
        self.lines.focus()
        self._coverage = Coverage(self.inspector.bridge.workbench.journal)
        self.set_interval(LOOKS, self.look)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.look()
        self.lines.action_first()
        self.query_one(HintLine).update_hints()

    def look(self) -> None:
        """Goes on along the journal, a slice at a time; the list is made when all was seen."""
        coverage = self._coverage
        if coverage is None or not self.is_attached:
            return
        journal = coverage.journal
        if not coverage.advance(SLICE):
            done = 100 * (len(journal) - coverage.behind) // max(1, len(journal))
            self.query_one("#coverage-rule", Rule).show(facts=Text(f"looked at {done} %"))
            self.set_timer(PAUSE, self.look)
            return
        if len(journal) != self._seen:
            self._seen = len(journal)
            self._items = coverage_items(coverage)
            self._show()

    def _show(self) -> None:
        tried, offered = tried_of(self._items)
        words = f"{tried} of {offered} tried"
        if self._coverage is not None and self._coverage.facts.capped:
            words += " · names of the first calls only"
        self.query_one("#coverage-rule", Rule).show(facts=Text(words))
        first = not self.lines.items
        self.lines.set_items(coverage_lines(self._items, untried=self._untried))
        if first:
            self.lines.action_first()

    @on(RowList.Selected, "#coverage-list")
    def _chosen(self) -> None:
        line, main = self.lines.current, self.inspector.main
        if not isinstance(line, Item) or main is None:
            return
        if line.entry:
            self.dismiss()
            self.app.call_later(partial(main.show_entry, line.entry))
        elif line.tab and line.offered:
            self.dismiss()
            self.app.call_later(partial(self.inspector.open_item, line.tab, line.name))
        else:
            self.inspector.notify_safe(line.hint or "There is nothing to go to")

    def action_untried(self) -> None:
        """u"""
        self._untried = not self._untried
        self._show()

    def action_copy(self) -> None:
        """y"""
        self.inspector.copy(coverage_text(self._items, untried=self._untried))

    def action_close(self) -> None:
        """Back."""
        self.dismiss()
