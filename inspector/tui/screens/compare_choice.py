"""The dialog that asks which recording to compare with: a path, or one of those that were kept.

What is done with it is decided by `inspector.tui.screens.compare`.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from inspector.render.safe import one_line
from inspector.tui.bindings import bindings_for
from inspector.tui.screens.once import LeftOnce
from inspector.tui.traffic_row import byte_size
from inspector.tui.widgets.header import HintLine
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.text_box import TextBox

SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class Kept:
    """A recording that is there: `changed` is seconds since the epoch, `size` bytes."""

    path: Path
    changed: float
    size: int


def kept_recordings(*folders: Path, but: Path | None = None) -> list[Kept]:
    """The recordings in some folders, the newest first, without the one at `but`. Folders that
    cannot be read have none."""
    found: dict[Path, Kept] = {}
    for folder in folders:
        try:
            paths = [*folder.glob("*.jsonl")]
        except OSError:
            continue
        for path in paths:
            try:
                facts = path.stat()
                resolved = path.resolve()
            except OSError:
                continue
            if but is None or resolved != but.resolve():
                found[resolved] = Kept(path, facts.st_mtime, facts.st_size)
    return sorted(found.values(), key=lambda one: -one.changed)[:SHOWN]


def draw_kept(one: Kept, width: int) -> Text:
    """One line."""
    stamp = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.changed))
    line = Text(f" {stamp} ", "mcp.dim", end="", no_wrap=True)
    line.append(f"{byte_size(one.size):>8}  ", "mcp.dim")
    return line.append(one_line(str(one.path), max(8, width - line.cell_len)))


class CompareChoice(ModalScreen[Path | None], LeftOnce[Path | None]):
    """Returns a path, None where the user left."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("dialog")]
    HELP: ClassVar[str] = (
        "Type the path of a recording, or go down to one that was kept. It is compared with what "
        "is open: what the server offers, what equal calls come to, how long they take, and which "
        "rules are broken."
    )
    DEFAULT_CSS = """
    CompareChoice { align: center middle; background: $background 60%; }
    CompareChoice > Vertical {
        width: 100; max-width: 96%; height: auto; max-height: 96%; padding: 1 2;
        background: $panel; border-left: outer $primary;
    }
    CompareChoice Static { height: auto; margin-bottom: 1; text-style: bold; }
    CompareChoice RowList { height: 10; margin-top: 1; background: $panel; }
    CompareChoice HintLine { margin-top: 1; }
    """

    def __init__(self, recordings: Sequence[Kept]) -> None:
        super().__init__()
        self._recordings = recordings

    def compose(self) -> ComposeResult:
        """A line to type in, and what was kept."""
        with Vertical():
            yield Static("Compare with the recording …", markup=False)
            yield TextBox(placeholder="path of a recording; Tab goes to the list")
            yield RowList[Kept](
                draw_kept,
                key=lambda one: one.path,
                empty="No recordings were kept yet",
                id="compare-kept",
            )
            yield HintLine()

    def on_mount(self) -> None:
        """The newest is under the cursor."""
        self.query_one(RowList).set_items(self._recordings)
        (self.query_one(RowList) if self._recordings else self.query_one(Input)).focus()
        self.call_after_refresh(self.query_one(HintLine).update_hints)

    @on(Input.Submitted)
    @on(RowList.Selected)
    def action_accept(self) -> None:
        """Hands back what was typed, else what the cursor stands on."""
        typed = self.query_one(Input).value.strip()
        rows: RowList[Kept] = self.query_one(RowList)
        if typed and not rows.has_focus:
            self.dismiss(Path(typed).expanduser())
        elif (one := rows.current) is not None:
            self.dismiss(one.path)

    def action_cancel(self) -> None:
        """Hands back nothing."""
        self.dismiss(None)
