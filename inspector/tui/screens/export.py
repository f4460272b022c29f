"""The export dialog: which entries, in which format, what to redact, and where it goes.

Decides what is offered and what the user is told; the formats are `inspector.export`. The work runs
in a thread of its own, so that the interface and the wire go on; Escape stops it, and the file that
was begun goes away.
"""

import os
import shlex
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import gmtime, strftime
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Checkbox, Input, RadioSet, Static

from inspector.errors import InspectorError, UsageError
from inspector.export.formats import FORMATS, Format
from inspector.export.redaction import Redaction
from inspector.export.rules import parse_rules
from inspector.export.source import Source, select
from inspector.render.safe import safe_text
from inspector.render.saving import write_pieces
from inspector.tui.bindings import bindings_for
from inspector.tui.screens.once import LeftOnce
from inspector.tui.widgets.header import HintLine
from inspector.tui.widgets.text_box import TextBox
from inspector.tui.widgets.toggles import ChoiceButton, Switch

if TYPE_CHECKING:
    from inspector.journal.journal import Journal
    from inspector.workbench import Workbench

CLIPBOARD_MOST: Final = 100_000
"""Bytes that go into a clipboard through a terminal."""
OFFERED: Final = tuple(sorted(FORMATS, key=lambda one: one.name not in ("html", "markdown")))
"""The formats for people first; the first one is proposed."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Some entries that may be exported: `label` says which, `numbers` finds them (it may take its
    time), `wanted` is the filter that they match."""

    label: str
    numbers: Callable[[], Sequence[int]]
    wanted: str = ""


def choices(bench: "Workbench", entry: int | None, wanted: str, matching: int) -> Sequence[Choice]:
    """What may be exported from the traffic pane: what the filter shows first where there is one,
    all of it otherwise. Empty where nothing happened yet."""
    journal = bench.journal
    count = len(journal)
    if not count:
        return ()
    found = [Choice(f"everything: {count:,} entries", lambda: range(1, count + 1))]
    if wanted.strip():
        label = f"what the filter shows: {matching:,}"
        found.insert(0, Choice(label, lambda: select(journal, wanted), wanted))
    if entry is not None:
        members = bench.exchanges.of(entry)
        if len(members) > 1:
            found.append(Choice(f"its exchange: {len(members):,} entries", lambda: members))
        found.append(Choice(f"this entry: {entry}", lambda: (entry,)))
    return found


class _Stopped(Exception):
    """The user has stopped the export."""


class ExportScreen(ModalScreen[Path | None], LeftOnce[Path | None]):
    """Hands back the file that was written; None where nothing was."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("dialog")]
    DEFAULT_CSS = """
    ExportScreen { align: center middle; background: $background 60%; }
    ExportScreen > Vertical {
        width: 78; max-width: 100%; height: auto; max-height: 100%; padding: 0 2;
        background: $panel; border-left: outer $primary;
    }
    ExportScreen #export-title { height: 1; text-style: bold; }
    ExportScreen Horizontal { height: auto; }
    ExportScreen RadioSet {
        width: 1fr; height: auto; padding: 0; background: $panel;
        &, &:focus { border: none; background-tint: transparent 0%; }
    }
    ExportScreen #export-what { width: 32; }
    ExportScreen .label { height: 1; color: $text-muted; margin-top: 1; }
    ExportScreen Input, ExportScreen Checkbox { border: none; height: 1; padding: 0 1; }
    ExportScreen Checkbox { background: $panel; }
    ExportScreen #export-status { height: auto; min-height: 1; margin-top: 1; }
    ExportScreen #export-status.-wrong { color: $text-error; }
    """

    def __init__(self, journal: "Journal", choices: Sequence[Choice]) -> None:
        """`choices` as they are offered, the proposed one first."""
        super().__init__()
        self._journal = journal
        self._choices = choices
        self._wants_end = threading.Event()
        self._reached = (0, 0)
        self._exporting = False
        self._proposed = ""

    def compose(self) -> ComposeResult:
        """What, how, what not, and where."""
        with Vertical():
            yield Static("Export", id="export-title", markup=False)
            with Horizontal():
                with RadioSet(id="export-what"):
                    for at, choice in enumerate(self._choices):
                        yield ChoiceButton(safe_text(choice.label), value=at == 0)
                with RadioSet(id="export-format"):
                    for at, one in enumerate(OFFERED):
                        yield ChoiceButton(safe_text(f"{one.name}: {one.about}"), value=at == 0)
            yield Static(
                "redact: key=NAME path=$.a.b value=TEXT regex=PATTERN",
                classes="label",
                markup=False,
            )
            yield TextBox(id="export-rules", select_on_focus=False)
            yield Static("new file in the working directory", classes="label", markup=False)
            yield TextBox(id="export-name", select_on_focus=False)
            yield Switch("to the clipboard instead", id="export-clipboard")
            yield Static("", id="export-status", markup=False)
            yield HintLine()

    def on_mount(self) -> None:
        """A name is proposed, the focus is on what to export."""
        self._propose()
        self.query_one("#export-what").focus()
        self.set_interval(0.2, self._show_progress)
        self.call_after_refresh(self.query_one(HintLine).update_hints)

    def on_unmount(self) -> None:
        """Nothing runs on behind a screen that is gone."""
        self._wants_end.set()

    @property
    def chosen(self) -> Format:
        """The format."""
        return OFFERED[max(self.query_one("#export-format", RadioSet).pressed_index, 0)]

    @on(RadioSet.Changed, "#export-format")
    def _propose(self) -> None:
        """A name with the format's suffix, unless the user has written one."""
        box = self.query_one("#export-name", Input)
        stem = Path(self._proposed).stem or _stem(self._journal)
        if box.value == self._proposed:
            self._proposed = box.value = stem + self.chosen.suffix

    @on(Input.Submitted)
    def action_accept(self) -> None:
        """Begins, unless it has begun."""
        if self._exporting:
            return
        name = self.query_one("#export-name", Input).value.strip()
        copied = self.query_one("#export-clipboard", Checkbox).value
        choice = self._choices[max(self.query_one("#export-what", RadioSet).pressed_index, 0)]
        try:
            rules = parse_rules(_words(self.query_one("#export-rules", Input).value), os.environ)
            if not copied and not name:
                raise UsageError("a name for the file is missing")
        except InspectorError as error:
            self._say(error.message, wrong=True)
            return
        self._exporting = True
        self._wants_end.clear()
        self._reached = (0, 0)
        self._say("exporting …")
        path = None if copied else Path.cwd() / Path(name).expanduser()
        self._export(choice, self.chosen, Redaction(rules), path)

    def action_cancel(self) -> None:
        """Stops what runs, else leaves."""
        if self._exporting:
            self._wants_end.set()
            self._say("stopping …")
        else:
            self.dismiss(None)

    @work(description="worker", thread=True, group="export")
    def _export(
        self, choice: Choice, chosen: Format, redaction: Redaction, path: Path | None
    ) -> None:
        text = ""
        told: list[str] = []
        try:
            numbers = choice.numbers()
            source = Source(
                self._journal, numbers, redaction, wanted=choice.wanted, tick=self._tick
            )
            pieces = chosen.write(source)
            if path is None:
                text = b"".join(_bounded(pieces)).decode("utf-8", "replace")
            else:
                write_pieces(path, pieces)
            told = [*source.told, *_redacted(redaction)]
        except _Stopped:
            self._answer("stopped; nothing was written", wrong=True)
        except InspectorError as error:
            self._answer(error.message, wrong=True)
        else:
            self._from_thread(lambda: self._finish(path, text, told))

    def _tick(self, done: int, total: int) -> None:
        """Called in the thread of the export."""
        self._reached = (done, total)
        if self._wants_end.is_set():
            raise _Stopped

    def _answer(self, message: str, *, wrong: bool) -> None:
        self._from_thread(lambda: self._end(message, wrong))

    def _from_thread(self, say: Callable[[], None]) -> None:
        """Whoever has quit is told nothing any more."""
        if self.is_mounted and self.is_running:
            self.app.call_from_thread(say)

    def _end(self, message: str, wrong: bool) -> None:
        self._exporting = False
        self._say(message, wrong=wrong)

    def _finish(self, path: Path | None, text: str, told: Sequence[str]) -> None:
        from inspector.tui.app import InspectorApp

        self._exporting = False
        app = self.app
        assert isinstance(app, InspectorApp)
        if path is None:
            app.copy(text)
        else:
            app.notify_safe(f"Written to {path}")
        for remark in told:
            app.notify_safe(remark)
        self.dismiss(path)

    def _show_progress(self) -> None:
        done, total = self._reached
        if self._exporting and total and not self._wants_end.is_set():
            self._say(f"exporting … {done:,} of {total:,} entries")

    def _say(self, message: str, *, wrong: bool = False) -> None:
        status = self.query_one("#export-status", Static)
        status.set_class(wrong, "-wrong")
        status.update(safe_text(message))


def _redacted(redaction: Redaction) -> Iterator[str]:
    if redaction.rules.any:
        yield f"{redaction.replaced:,} values redacted in {redaction.entries:,} entries"
    for label in redaction.idle:
        yield f"redact {label} replaced nothing"


def _bounded(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces; UsageError where they are more than a clipboard takes."""
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > CLIPBOARD_MOST:
            raise UsageError(
                f"longer than {CLIPBOARD_MOST:,} bytes: too long for the clipboard, write a file"
            )
        yield piece


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(f"redact: {error}") from None


def _stem(journal: "Journal") -> str:
    wall = journal.row(1).wall if len(journal) else 0.0
    return strftime("mcp-%Y%m%d-%H%M%S", gmtime(max(wall, 0.0)))
