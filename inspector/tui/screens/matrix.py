"""The era matrix on the screen: one call under every revision, a row for each.

It says what will happen before anything is sent, lets the user choose what questions get, and keeps
what is there when it is stopped. How runs are made and compared is `inspector.era_matrix`; how a
row looks `inspector.tui.screens.matrix_lines`.
"""

from collections.abc import Mapping
from typing import ClassVar, Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from inspector.era_compare import Comparison, Run
from inspector.era_matrix import METHODS, EraMatrix, Wanted, same_for_all
from inspector.protocol.messages import Sendable
from inspector.protocol.versions import REVISIONS, Era
from inspector.render.safe import one_line, safe_text
from inspector.session.asks import AskKind, Policy, PolicyMode
from inspector.session.pending import Failure, Success
from inspector.tui.bindings import bindings_for
from inspector.tui.documents import TextDocument
from inspector.tui.key_hints import key_hints, key_name
from inspector.tui.screens.matrix_lines import (
    HEAD,
    Row,
    about_lines,
    detail_lines,
    row_line,
    rows_of,
)
from inspector.tui.screens.once import LeftOnce
from inspector.tui.widgets.body import BodyView
from inspector.tui.widgets.header import HintLine
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.rule import Rule

ANSWERS: Final[tuple[PolicyMode, ...]] = ("decline", "accept-defaults", "cancel")
"""What may stand in for a person, the harmless one first."""
LOOKS: Final = 0.1
"""Seconds between two looks at how far the runs are."""
ABOUT_LINES: Final = 8
"""Lines above the JSON; Tab goes there, to scroll."""
COMMANDS: Final = {
    "tools/call": ("mcp-inspect call ", "mcp-inspect matrix "),
    "prompts/get": ("mcp-inspect prompt ", "mcp-inspect matrix --prompt "),
    "resources/read": ("mcp-inspect read ", "mcp-inspect matrix --read "),
}


def wanted_of(method: str, params: dict[str, Sendable]) -> Wanted:
    """The call that `params` would make."""
    name = params.get(METHODS[method])
    return Wanted(method, name if isinstance(name, str) else "", params.get("arguments"))


def matrix_command(method: str, command: str) -> str:
    """The command of the matrix for that of a single call."""
    single, several = COMMANDS[method]
    return command.replace(single, several, 1)


class MatrixScreen(ModalScreen[None], LeftOnce[None]):
    """One comparison."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("matrix")]
    HELP: ClassVar[str] = (
        "The same call under every protocol revision, each in a session of its own beside the one "
        "that is open. = is like the newest revision that was accepted, ≠ is not; equal outcomes "
        "share a letter. A result's _meta, resultType and caching hints are not compared, nor how "
        "long it took and what was logged.\n\n"
        "Enter opens the whole outcome of a revision. The traffic pane has each run as a section "
        "of its own: conn:N in its filter shows one."
    )
    DEFAULT_CSS = """
    MatrixScreen { align: center middle; background: $background 60%; }
    MatrixScreen > Vertical {
        width: 100%; max-width: 130; height: 100%; max-height: 36; padding: 0 1;
        background: $panel; border-left: outer $primary;
    }
    MatrixScreen #matrix-about { height: auto; margin: 0 1; }
    MatrixScreen #matrix-head { height: 1; margin-top: 1; color: $text-muted; }
    MatrixScreen #matrix-rows { height: 7; }
    MatrixScreen #matrix-detail { height: 1fr; margin: 0 1; }
    """

    def __init__(self, wanted: Wanted, command: str = "") -> None:
        super().__init__()
        self._wanted = wanted
        self._command = command
        self._answer: PolicyMode = ANSWERS[0]
        self._matrix: EraMatrix | None = None
        self._runs = tuple(Run(revision) for revision in REVISIONS)
        self._seen: tuple[Run, ...] | None = None
        self._comparison = Comparison()

    @property
    def matrix(self) -> EraMatrix | None:
        """What was started, None before that."""
        return self._matrix

    @property
    def running(self) -> bool:
        """Whether a revision is still to come."""
        return self._matrix is not None and not self._matrix.over

    def compose(self) -> ComposeResult:
        """What will happen, the rows, and what is known of the one under the cursor."""
        with Vertical():
            yield Rule("era matrix", id="matrix-rule")
            yield Static(id="matrix-about", markup=False)
            yield Static(HEAD, id="matrix-head", markup=False)
            yield RowList[Row](
                self._line,
                key=lambda row: row.value if isinstance(row, Era) else row.revision.value,
                heading=lambda row: isinstance(row, Era),
                id="matrix-rows",
            )
            yield Rule(id="matrix-detail-rule")
            yield BodyView(own_modes=False, cursor=False, id="matrix-detail")
            yield HintLine()

    def on_mount(self) -> None:
        """The focus is in the rows; looking goes on while the screen is there."""
        self._rows = self.query_one("#matrix-rows", RowList)
        self._rows.focus()
        self._look()
        self._rows.action_first()
        self.set_interval(LOOKS, self._look)
        self.call_after_refresh(self._say_hints)

    def _line(self, row: Row, width: int) -> Text:
        return row_line(row, self._comparison, width)

    # -- looking --------------------------------------------------------------------------------

    def _look(self) -> None:
        runs = self._runs if self._matrix is None else self._matrix.runs
        if runs is self._seen:
            return
        ended = self._seen is not None and all(run.over for run in runs)
        self._seen = runs
        self._comparison = self._matrix.comparison if self._matrix else Comparison()
        self._rows.set_items(rows_of(runs))
        self._say_head(runs)
        self._show_detail(self._rows.current)
        if ended:
            self._say_hints()

    def _say_head(self, runs: tuple[Run, ...]) -> None:
        done = sum(run.over for run in runs)
        facts = Text()
        if self._matrix is None:
            facts.append(f"{len(runs)} revisions")
        elif done < len(runs):
            facts.append(f"● {done} of {len(runs)} done", "mcp.accent")
        else:
            facts.append_text(verdict(runs, self._comparison))
        title = f"era matrix  {self._wanted.method} {one_line(self._wanted.name, 60)}"
        self.query_one("#matrix-rule", Rule).show(title=Text(title), facts=facts)
        policies = (
            self._matrix.policies
            if self._matrix is not None
            else same_for_all(self._policies(), self._answer)
        )
        key = key_name(self.app, "matrix.answers")
        about = about_lines(len(runs), policies, key, started=self._matrix is not None)
        self.query_one("#matrix-about", Static).update(about)

    def _policies(self) -> Mapping[AskKind, Policy]:
        return self.inspector.bridge.workbench.session.inbox.policies

    def _say_hints(self) -> None:
        self.refresh_bindings()
        self.query_one(HintLine).update_hints()

    @on(RowList.Highlighted, "#matrix-rows")
    def _highlighted(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._show_detail(self._rows.current)

    def _show_detail(self, row: Row | None) -> None:
        rule, body = self.query_one("#matrix-detail-rule", Rule), self.query_one(BodyView)
        if not isinstance(row, Run):
            return
        lines = detail_lines(row, self._comparison) if row.state != "waiting" else []
        if self._matrix is None:
            hints = ("matrix.start", "makes the calls"), ("matrix.close", "leaves without")
            lines = [key_hints(self.app, *hints)]
        rule.show(title=Text(row.revision.value), facts=self._detail_facts(row))
        body.set_document(
            TextDocument(lines), "\n".join(line.plain for line in lines).encode("utf-8", "replace")
        )

    def _detail_facts(self, run: Run) -> Text:
        if run.state == "waiting":
            return Text()
        hints = [("rows.open", "all of it")]
        if run.entry:
            hints.append(("matrix.frames", "frames"))
        return key_hints(self.app, *hints)

    # -- acting ---------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that would do nothing are not offered."""
        if action in ("start", "next_answer"):
            return not self.running
        return self.running if action == "skip" else True

    def action_start(self) -> None:
        """Makes the calls; again, when they have been made."""
        if self.running or not self.inspector.bridge.ready:
            return
        bench = self.inspector.bridge.workbench
        policies = same_for_all(self._policies(), self._answer)
        matrix = EraMatrix(bench, self._wanted, policies=policies)
        self.show(matrix)
        self.inspector.bridge.post(matrix.run)

    def show(self, matrix: EraMatrix) -> None:
        """What these runs bring, as they go on."""
        self._matrix = matrix
        self._look()
        self._say_hints()

    def action_next_answer(self) -> None:
        """The next thing that may stand in for a person; what was made is shown no more."""
        self._answer = ANSWERS[(ANSWERS.index(self._answer) + 1) % len(ANSWERS)]
        self._matrix = None
        self._look()
        self._say_head(self._runs)

    def action_skip(self) -> None:
        """Goes on with the next revision."""
        if (matrix := self._matrix) is not None:
            self.inspector.bridge.post(matrix.skip)

    def action_close(self) -> None:
        """Stops, or closes."""
        if self.running and (matrix := self._matrix) is not None and not matrix.stopping:
            self.inspector.bridge.post(matrix.stop)
        else:
            self.dismiss()

    @on(RowList.Selected, "#matrix-rows")
    def _opened(self, event: RowList.Selected) -> None:
        event.stop()
        row = self._rows.current
        if self._matrix is None:
            self.action_start()
        elif isinstance(row, Run) and row.state != "waiting":
            self.app.push_screen(OutcomeScreen(row, self._comparison))

    def action_frames(self) -> None:
        """Closes, and shows the request in the traffic pane."""
        row = self._rows.current
        if isinstance(row, Run) and (entry := row.entry or row.first) and not self.running:
            self.dismiss()
            self.inspector.open_entry(entry)

    def action_copy_command(self) -> None:
        """The same as a command."""
        if self._command:
            self.inspector.copy(self._command)


def verdict(runs: tuple[Run, ...], comparison: Comparison) -> Text:
    """The end in a few words."""
    accepted = sum(run.accepted is True for run in runs)
    if not accepted:
        return safe_text("✗ no revision was accepted", "mcp.error")
    if not comparison.agree:
        return safe_text(f"≠ {len(comparison.groups)} different outcomes", "mcp.match")
    if not comparison.groups:
        return safe_text("stopped", "mcp.dim")
    return safe_text(f"= the same under all {accepted} accepted", "mcp.ok")


class OutcomeScreen(ModalScreen[None], LeftOnce[None]):
    """All that is known of one run, and the result or error as the server sent it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("help")]
    DEFAULT_CSS = """
    OutcomeScreen { align: center middle; background: $background 60%; }
    OutcomeScreen > Vertical {
        width: 110; max-width: 96%; height: 90%; padding: 1 2; background: $panel;
        border-left: outer $primary;
    }
    OutcomeScreen #outcome-about { margin-bottom: 1; }
    """

    def __init__(self, run: Run, comparison: Comparison) -> None:
        super().__init__()
        self._run = run
        self._comparison = comparison

    def compose(self) -> ComposeResult:
        """A heading, what is known, the JSON."""
        with Vertical():
            yield Rule(self._run.revision.value, id="outcome-rule")
            yield BodyView(own_modes=False, cursor=False, id="outcome-about")
            yield BodyView(id="outcome-body", empty="There is no answer to show")

    def on_mount(self) -> None:
        """The focus is in the JSON."""
        lines = detail_lines(self._run, self._comparison)
        about = self.query_one("#outcome-about", BodyView)
        about.styles.height = min(len(lines), ABOUT_LINES)
        about.set_document(
            TextDocument(lines), "\n".join(line.plain for line in lines).encode("utf-8", "replace")
        )
        body = self.query_one("#outcome-body", BodyView)
        match self._run.outcome:
            case Success(raw=raw) | Failure(raw=raw):
                body.set_bytes(raw)
        body.focus()
        hints = key_hints(self.app, ("help.close", "closes"))
        self.query_one("#outcome-rule", Rule).show(facts=hints)

    def action_close(self) -> None:
        """Back."""
        self.dismiss()
