"""The first two lines: what we are connected to and how it stands, and the tabs.

Both are drawn from snapshots and repainted only where their text changed. Which tabs there are is
`inspector.tui.views.registry`.
"""

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING, Final

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget

from inspector.protocol.versions import Era
from inspector.render.safe import one_line
from inspector.session.state import Phase, SessionState
from inspector.tui.judging import concern, judged_words
from inspector.tui.readiness import NOW_ONLY
from inspector.tui.source_words import source_words
from inspector.tui.views.registry import VIEWS

if TYPE_CHECKING:
    from inspector.past.bench import Scene

PHASES: Final = {
    Phase.IDLE: ("○", "idle", "mcp.dim"),
    Phase.CONNECTING: ("◌", "connecting", "mcp.warn"),
    Phase.NEGOTIATING: ("◌", "negotiating", "mcp.warn"),
    Phase.READY: ("●", "ready", "mcp.ok"),
    Phase.CLOSING: ("◌", "closing", "mcp.warn"),
    Phase.CLOSED: ("○", "closed", "mcp.warn"),
    Phase.FAILED: ("✗", "failed", "mcp.error"),
}
NARROW: Final = 100
ALWAYS: Final = ("app.help", "app.palette")
"""Bindings whose hints have a place of their own."""
APART: Final = 3
"""Cells between what is connected to and how it stands."""
LEFT_SIDES: Final = (
    # cells of the name, version, transport, cells of the place
    (48, True, True, 60),
    (48, True, True, 24),
    (48, True, True, 0),
    (24, True, True, 0),
    (20, False, True, 0),
    (20, False, False, 0),
    (12, False, False, 0),
)
"""What is said of the server, from most to least: the first that has room is taken."""
BRIEFLY: Final = {
    "as chosen": "chosen",
    "found by asking": "auto",
    "agreed": "agreed",
    "the server's choice": "its choice",
}
"""Why a revision is spoken, where there is little room."""
FIRST: Final = ("act", "cancel", "leave", "back")
"""Names of bindings that come first among the hints, in this order."""


class LineWidget(Widget):
    """One line, given as a `Text`; never takes part in layout."""

    DEFAULT_CSS = """
    LineWidget { height: 1; width: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._line = Text(end="")

    def show_line(self, line: Text) -> None:
        """Repaints where the line differs."""
        if line != self._line or line.spans != self._line.spans:
            self._line = line
            self.refresh()

    def render(self) -> Text:
        """The line."""
        return self._line


class Header(LineWidget):
    """Server, transport, revision; phase and elapsed time, traffic counts, findings, recording."""

    DEFAULT_CSS = """
    Header { background: $panel; color: $foreground; }
    """

    def update_from(self, bench: "Scene | None", label: str) -> None:
        """Read the snapshots and show them; `label` names what is being started."""
        width = self.size.width
        left, right = Text(" ", end=""), Text(end="")
        if bench is None:
            left.append(one_line(label, max(8, width - 20)), "mcp.title")
            right.append("◌ starting ", "mcp.warn")
        else:
            state = bench.session.state
            _right_side(right, bench, state, narrow=width < NARROW)
            left = _left_side(bench, state, width - right.cell_len - APART, narrow=width < NARROW)
        room = max(0, width - right.cell_len - APART)
        if left.cell_len > room:
            left.truncate(room, overflow="ellipsis")
        left.append(" " * max(0, width - left.cell_len - right.cell_len))
        left.append_text(right)
        self.show_line(left)


def _left_side(bench: "Scene", state: SessionState, room: int, *, narrow: bool) -> Text:
    """Server, transport, revision with its era and why; of what has no room, the place goes first,
    then the end of a long name, then the version, then the transport. The revision stays."""
    revision = _revision(bench, state, narrow=narrow)
    for name_cells, version, kind, place in LEFT_SIDES:
        line = _server(bench, state, name_cells, version=version, kind=kind, place=place)
        line.append_text(revision)
        if line.cell_len <= room:
            break
    return line


def _server(
    bench: "Scene",
    state: SessionState,
    name_cells: int,
    *,
    version: bool,
    kind: bool,
    place: int,
) -> Text:
    from inspector.tui.gist import as_said

    text = Text(" ", end="")
    info = state.server_info
    name = as_said(info.get("title") or info.get("name") or bench.target.label)
    text.append(one_line(name, name_cells), "mcp.title")
    if version and (said := info.get("version")):
        text.append(" " + one_line(as_said(said), 12))
    facts = state.transport
    if facts is not None and kind:
        text.append(" · ", "mcp.dim")
        text.append(facts.kind)
        if place and facts.pid is not None:
            text.append(f" pid {facts.pid}")
        elif place and facts.url:
            text.append(" " + one_line(facts.url, place))
    return text


def _revision(bench: "Scene", state: SessionState, *, narrow: bool) -> Text:
    """A revision of the handshake era tells its era by its date where there is little room."""
    text = Text(end="")
    if state.revision_text:
        text.append(" · ", "mcp.dim")
        known = state.revision is not None
        text.append(one_line(state.revision_text, 16), "" if known else "mcp.error")
        era = state.revision.era if state.revision is not None else None
        if era is not None and (era is Era.MODERN or not narrow):
            text.append(f" {era.value}", "mcp.accent" if era is Era.MODERN else "mcp.dim")
        if why := short_reason(bench.options.protocol, state):
            text.append(f", {BRIEFLY[why] if narrow else why}", "mcp.dim")
    return text


def short_reason(protocol: str, state: SessionState) -> str:
    """Why this revision is spoken, in two or three words; the Server tab has the whole sentence."""
    if not state.revision_text:
        return ""
    if protocol == "modern" or protocol == state.revision_text:
        return "as chosen"
    if protocol == "auto":
        return "found by asking"
    return "agreed" if state.revision_text == state.offered else "the server's choice"


def _right_side(text: Text, bench: "Scene", state: SessionState, *, narrow: bool) -> None:
    mark, word, ink = PHASES[state.phase]
    journal = bench.journal
    source, seen = bench.source, state.phase is not Phase.IDLE
    if source is not None and (source.reading or source.following or source.problem or not seen):
        text.append_text(source_words(source, narrow=narrow))
        text.append("  " if seen else "")
    if source is None or seen:  # how it was then
        text.append(f"{mark} {word}", ink)
    if state.phase is Phase.READY and state.connected_at is not None:
        text.append(f" {_elapsed(journal.clock.monotonic() - state.connected_at)}", "mcp.dim")
    text.append("  ")
    text.append(f"↑{journal.sent:,}", "mcp.sent")
    text.append(f" ↓{journal.received:,}", "mcp.received")
    _findings(text, bench)
    if journal.file.failure or bench.recording_problem:
        text.append("  ! not recording" if not narrow else "  !rec", "mcp.error")
    elif bench.recording is not None:
        text.append("  rec", "mcp.dim")
    text.append(" ")


def _findings(text: Text, bench: "Scene") -> None:
    count, ink = concern(bench)
    if not count:
        return
    more = "…" if judged_words(bench) else ""
    text.append(f"  {count:,} finding{'' if count == 1 else 's'}{more}", ink)


def _elapsed(seconds: float) -> str:
    whole = int(seconds)
    hours = f"{whole // 3600}:" if whole >= 3600 else ""
    return f"{hours}{whole // 60 % 60:02}:{whole % 60:02}"


class TabStrip(LineWidget):
    """The tabs with their numbers and badges; a click goes to one."""

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, tab: str) -> None:
            super().__init__()
            self.tab = tab

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._spots: list[tuple[int, int, str]] = []

    def update_from(self, bench: "Scene | None", current: str) -> None:
        """Read the badges and show them."""
        badges = {spec.id: spec.badge(bench) if bench is not None else "" for spec in VIEWS}
        line = self._drawn(badges, current, gap=" ")
        if line.cell_len > self.size.width:
            line = self._drawn(badges, current, gap="")
        if line.cell_len > self.size.width:
            line = self._drawn(badges, current, gap="", end="")
        brief: set[str] = set()
        for spec in sorted(VIEWS, key=lambda one: -len(one.title)):
            if line.cell_len <= self.size.width:
                break
            brief.add(spec.id)
            line = self._drawn(badges, current, gap="", end="", brief=brief)
        self.show_line(line)

    def _drawn(
        self,
        badges: dict[str, str],
        current: str,
        *,
        gap: str,
        end: str = " ",
        brief: Set[str] = frozenset(),
    ) -> Text:
        line, self._spots = Text(gap, end=""), []
        for spec in VIEWS:
            start, badge, chosen = line.cell_len, badges[spec.id], spec.id == current
            title = spec.title if spec.id not in brief or chosen else spec.title[:4]
            if chosen:
                line.append(f" {spec.key} {title}{f' {badge}' if badge else ''} ", "mcp.tab")
            else:
                # Without room between tabs a number stands with its own title, not the one before
                line.append(f" {spec.key} " if end else f"  {spec.key}", "mcp.dim")
                line.append(title)
                if badge:
                    line.append(f" {badge}", "mcp.badge" if badge.endswith("!") else "mcp.dim")
                line.append(end)
            self._spots.append((start, line.cell_len, spec.id))
            line.append(gap)
        return line

    def on_click(self, event: events.Click) -> None:
        """Find the tab under the mouse."""
        for start, end, tab in self._spots:
            if start <= event.x < end:
                self.post_message(self.Chosen(tab))


class HintLine(LineWidget):
    """The last line: keys that matter for what has the focus."""

    DEFAULT_CSS = """
    HintLine { background: $panel; }
    """

    def update_hints(self) -> None:
        """Read the active bindings of the screen and show those meant for the footer.

        What this place is for comes first; the way to all the rest (help, palette) keeps its place
        on the right however narrow it is, but in a dialog, which says all that it can do.
        """
        seen: set[str] = set()
        hints: list[tuple[int, str, str]] = []
        always: list[tuple[str, str]] = []
        travel = getattr(self.app, "travel", None)
        past = travel is not None and travel.travelling
        for active in self.screen.active_bindings.values():
            binding = active.binding
            quiet = getattr(active.node, "quiet_actions", frozenset[str])()
            if not binding.show or binding.action in seen or not active.enabled:
                continue
            if binding.action in quiet or (past and binding.id in NOW_ONLY):
                continue
            seen.add(binding.action)
            key, known = self.app.get_key_display(binding), binding.id or ""
            if known in ALWAYS:
                always.append((key, binding.description))
            else:
                hints.append((_rank(known), key, binding.description))
        end = Text(end="")
        if always and not self.screen.is_modal:
            end = _hints(always)
            end.right_crop(2)
        line = Text(" ", end="")
        room = self.size.width - end.cell_len
        for _, key, description in sorted(hints, key=lambda hint: hint[0]):
            if line.cell_len + len(key) + len(description) + 3 > room:
                continue
            line.append_text(_hints([(key, description)]))
        line.append(" " * max(0, room - line.cell_len))
        line.append_text(end)
        self.show_line(line)

    def on_resize(self) -> None:
        """Another width has room for others."""
        if self.app.screen is self.screen:
            self.call_after_refresh(self.update_hints)

    def clear(self) -> None:
        """Something else takes the keys."""
        self.show_line(Text(end=""))


def _hints(hints: Sequence[tuple[str, str]]) -> Text:
    line = Text(end="")
    for key, description in hints:
        line.append(key, "mcp.primary")
        line.append(f" {description}   ", "mcp.dim")
    return line


def _rank(binding: str) -> int:
    scope, _, name = binding.partition(".")
    if scope in ("app", "main"):
        return len(FIRST) + 1
    return FIRST.index(name) if name in FIRST else len(FIRST)
