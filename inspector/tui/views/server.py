"""The Server tab: who it is, what was negotiated and why, what it can do, and our own side.

Shows facts and instructions on the left, and on the right a list whose lines react to Enter:
capabilities, the switches for ours, the policies for asks, roots, ping, log level.
"""

import time
from dataclasses import replace
from typing import ClassVar, Final

import msgspec
from rich.console import Group
from rich.table import Column, Table
from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.timer import Timer
from textual.widgets import Static

from inspector.errors import InspectorError
from inspector.journal.method_counts import MethodCounts
from inspector.protocol.messages import Json, JsonObject
from inspector.protocol.versions import Era
from inspector.render.markdown import CHARACTERS_CAP, markdown
from inspector.render.safe import one_line, safe_text, suspicious, suspicious_title
from inspector.session.asks import AskKind, Policy, PolicyMode
from inspector.session.logs import level_after
from inspector.session.roots import Root, read_root
from inspector.session.state import SessionState
from inspector.session.wrong_era import named_versions
from inspector.tui.ask_text import inked
from inspector.tui.bindings import bindings_for
from inspector.tui.gist import as_said
from inspector.tui.key_hints import key_hints
from inspector.tui.log_index import per_request
from inspector.tui.open_rows import OpenLine, open_lines
from inspector.tui.screens.dialogs import EditDialog, LineDialog
from inspector.tui.server_rows import (
    CacheLine,
    CapabilityLine,
    HeadingLine,
    LevelLine,
    ListenLine,
    PingLine,
    PolicyLine,
    RootLine,
    ServerLine,
    SwitchLine,
    draw_line,
    enter_words,
    key_of,
    server_lines,
)
from inspector.tui.views.base import View
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.rule import Rule

COUNT_SECONDS: Final = 0.5
AGEING: Final = (CacheLine, OpenLine)
"""Lines that change while nothing happens."""
FACT_CAP: Final = 2_000
"""Characters of one fact that are laid out."""
FACTS_CAP: Final = 50
"""What a server says of itself beyond that is counted."""
SSE_IS_OLD: Final = " (HTTP+SSE is deprecated)"

_MODES: Final[dict[AskKind, tuple[PolicyMode, ...]]] = {
    "sampling": ("ask", "decline", "answer"),
    "elicitation": ("ask", "accept-defaults", "decline", "cancel", "answer"),
    "elicitation-url": ("ask", "decline", "cancel"),
    "roots": ("answer", "ask", "decline"),
    "round": ("answer", "ask", "decline"),
}
_CANNED: Final[dict[str, Json]] = {
    "sampling": {
        "role": "assistant",
        "content": {"type": "text", "text": "A canned answer."},
        "model": "canned",
        "stopReason": "endTurn",
    },
    "elicitation": {"action": "accept", "content": {}},
}


class ServerView(View):
    """Facts, instructions, and the list."""

    TOPICS: ClassVar[tuple[str, ...]] = ("state", "asks", "catalog", "subscriptions", "journal")
    HELP: ClassVar[str] = (
        "What was negotiated and why, and what each side declared. The table says since which "
        "revision a capability exists and how often this connection used it.\n\n"
        "Enter on a line acts on it: a switch changes what we declare (F5 reconnects; in the "
        "modern era the next request says it), a policy goes to its next choice, a root is edited, "
        "ping is measured, the log level is raised, a stream that ended is opened again. "
        "p pings, a adds a root, Delete removes one, e edits a canned answer, c shows what was not "
        "tried yet. F2 speaks another "
        "revision."
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("server")]
    DEFAULT_CSS = """
    ServerView {
        layout: horizontal;
        & #server-about { width: 2fr; height: 1fr; padding: 0 1 0 1; scrollbar-size-vertical: 1; }
        & #server-side { width: 3fr; height: 1fr; }
        & Static { width: 1fr; height: auto; }
        & #server-instructions { margin-top: 1; }
    }
    ServerView.-stacked {
        layout: vertical;
        & #server-about { width: 1fr; height: auto; max-height: 40%; }
        & #server-side { width: 1fr; height: 1fr; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._counts: MethodCounts | None = None
        self._counted_in: object = None
        self._about: object = None
        self._counted = 0.0
        self._later: Timer | None = None

    def compose(self) -> ComposeResult:
        """Left the facts, right the list."""
        with VerticalScroll(id="server-about", can_focus=True):
            yield Static(id="server-facts", markup=False)
            yield Static(id="server-instructions", markup=False)
        with VerticalScroll(id="server-side", can_focus=False):
            yield Rule("capabilities", id="server-rule")
            yield RowList[ServerLine](
                draw_line,
                key=key_of,
                heading=lambda line: isinstance(line, HeadingLine),
                id="server-list",
            )

    @property
    def lines(self) -> "RowList[ServerLine]":
        """The list."""
        return self.query_one("#server-list", RowList)

    def on_resize(self) -> None:
        """Narrow: one above the other."""
        self.set_class(self.size.width < 90, "-stacked")

    def focus_first(self) -> None:
        """The list is where something can be done."""
        self.lines.focus()

    def show_changes(self, topics: frozenset[str]) -> None:
        """Reads the session as it stands; mere traffic is counted twice a second at most."""
        now = time.monotonic()
        if topics == {"journal"} and now - self._counted < COUNT_SECONDS:
            if self._later is None:
                self._later = self.set_timer(COUNT_SECONDS, self._count_later)
            return
        self._counted = now
        bench = self.bench
        session = bench.session
        if self._counts is None or self._counted_in is not bench.journal:
            self._counts, self._counted_in = MethodCounts(bench.journal), bench.journal
        self._counts.catch_up(session.state.connection, inside=session.era is Era.MODERN)
        if self._counts.behind and self._later is None:
            self._later = self.set_timer(COUNT_SECONDS, self._count_later)
        counts = self._counts.by_method()
        lines = server_lines(
            session, bench.options.advertise, counts, open_lines(bench), past=self.past
        )
        if lines != list(self.lines.items):
            first = not self.lines.items
            self.lines.set_items(lines)
            if first:
                self.lines.action_move(1)  # the first line is a heading
        if session.state is not self._about:
            self._about = session.state
            self.query_one("#server-facts", Static).update(facts_table(session.state))
            words = session.state.instructions
            # The blank end: the height is counted in line ends, and plain text has none.
            long = len(words) > CHARACTERS_CAP
            laid = Group(inked(words), Text()) if long else markdown(words)
            shown = Group(Text("Instructions", "mcp.title"), laid) if words else ""
            self.query_one("#server-instructions", Static).update(shown)

    def on_mount(self) -> None:
        """What is left of an answer's life runs out by itself."""
        self.set_interval(1, self._grow_older)

    def _grow_older(self) -> None:
        if self.display and any(isinstance(one, AGEING) for one in self.lines.items):
            self.show_changes(frozenset({"state"}))

    def _count_later(self) -> None:
        self._later = None
        if self.display:
            self.show_changes(frozenset(self.TOPICS))

    @on(RowList.Highlighted, "#server-list")
    def _moved(self) -> None:
        line = self.lines.current
        words = enter_words(line)
        hints = [("rows.open", words)] if words else []
        if isinstance(line, PolicyLine) and line.kind in _CANNED:
            hints.append(("server.edit_answer", "edits the canned answer"))
        if isinstance(line, RootLine) and line.root is not None:
            hints.append(("server.remove_root", "removes it"))
        self.query_one("#server-rule", Rule).show(facts=key_hints(self.app, *hints, gap=2))

    def action_coverage(self) -> None:
        """Shows what was tried and what was not."""
        if (main := self.inspector.main) is not None:
            main.action_coverage()

    # -- what keys do ---------------------------------------------------------------------------

    @on(RowList.Selected, "#server-list")
    def _chosen(self) -> None:
        match self.lines.current:
            case SwitchLine(field=field):
                self._switch(field)
            case PolicyLine(kind, policy):
                self._next_policy(kind, policy)
            case RootLine(root):
                self._edit_root(root)
            case PingLine():
                self.action_ping()
            case LevelLine(level):
                self._next_level(level)
            case OpenLine(number):
                self.inspector.open_entry(number)
            case ListenLine(stream) if (stream is None or stream.ended) and self.can_send():
                self.send(lambda session: session.subscriptions.resume())
            case CapabilityLine(row) if row.uses:
                # Where it is asked inside results, no message has the method.
                inside = self.bench.session.era is Era.MODERN and row.side == "client"
                words = '"{}"' if inside else "method:{}"
                self.inspector.filter_traffic(
                    " | ".join(words.format(method) for method, _ in row.uses)
                )
            case _:
                return

    def _switch(self, field: str) -> None:
        if not self.is_now():
            return
        bench = self.inspector.bridge.workbench

        async def switch() -> None:
            before = bench.options.advertise
            bench.advertise(replace(before, **{field: not getattr(before, field)}))

        self.bridge.post(switch)

    def action_ping(self) -> None:
        """Measures one ping."""
        if self.can_send():
            self.send(lambda session: session.ping())

    def action_add_root(self) -> None:
        """Asks for a new root."""
        self._edit_root(None)

    def action_remove_root(self) -> None:
        """Removes the root under the cursor."""
        line = self.lines.current
        if isinstance(line, RootLine) and line.root is not None and self.is_now():
            gone = line.root
            self._set_roots([root for root in self.bench.session.roots if root != gone])

    @work
    async def action_edit_answer(self) -> None:
        """Edits the canned answer of the policy under the cursor."""
        line = self.lines.current
        if not isinstance(line, PolicyLine) or line.kind not in _CANNED:
            self.inspector.notify_safe("A canned answer belongs to sampling or to an elicitation")
            return
        before = msgspec.json.encode(line.policy.answer or _CANNED[line.kind])
        edited = await self.app.push_screen_wait(
            EditDialog(f"Canned answer to {line.kind}: the result", before, must_be_json=True)
        )
        if edited is None:
            return
        answer: Json = msgspec.json.decode(edited)
        if isinstance(answer, dict):
            self._set_policy(line.kind, Policy("answer", answer))
        else:
            self.inspector.notify_safe("Not kept: an answer is a JSON object", severity="error")

    def _next_policy(self, kind: AskKind, policy: Policy) -> None:
        modes = _MODES[kind]
        place = modes.index(policy.mode) if policy.mode in modes else -1
        mode = modes[(place + 1) % len(modes)]
        if mode == "answer" and kind in _CANNED:
            canned = _CANNED[kind]
            answer = policy.answer or (canned if isinstance(canned, dict) else None)
            self._set_policy(kind, Policy("answer", answer))
        else:
            self._set_policy(kind, Policy(mode))

    def _set_policy(self, kind: AskKind, policy: Policy) -> None:
        if not self.is_now():
            return
        inbox = self.bench.session.inbox

        async def choose() -> None:
            inbox.set_policy(kind, policy)

        self.bridge.post(choose)

    def _next_level(self, level: str | None) -> None:
        if not self.can_send():
            return
        modern = self.bench.session.era is Era.MODERN
        following = level_after(level, off=modern)
        self.send(lambda session: session.set_log_level(following))
        if modern:
            self.inspector.notify_safe(per_request(following), title="Log level")

    @work(description="worker")
    async def _edit_root(self, root: Root | None) -> None:
        if not self.is_now():
            return
        before = root.uri if root else ""
        typed = await self.app.push_screen_wait(LineDialog("Root: a path or a file:// URI", before))
        if typed is None or not typed.strip():
            return
        try:
            fresh = read_root(typed.strip(), root.name if root else "")
        except InspectorError as error:
            self.inspector.notify_safe(f"{error.message}. {error.hint}", severity="error")
            return
        roots = self.bench.session.roots
        if root is None:
            self._set_roots([*roots, fresh])
        else:
            self._set_roots([fresh if known == root else known for known in roots])

    def _set_roots(self, roots: list[Root]) -> None:
        session = self.bench.session
        self.bridge.post(lambda: session.set_roots(roots))


def _era(state: SessionState) -> str:
    return f"({state.revision.era.value} era)" if state.revision is not None else ""


def name_warnings(info: JsonObject) -> list[str]:
    """Why what a server calls itself may deceive."""
    found: list[str] = []
    for word, value, judge in (
        ("name", info.get("name"), suspicious),
        ("title", info.get("title"), suspicious_title),
    ):
        if isinstance(value, str):
            found += [f"its {word} {why}" for why in judge(value)]
    return found


def facts_table(state: SessionState) -> Table:
    """Who the server is and what was negotiated, a row a fact."""
    names, words = Column(width=9, no_wrap=True), Column(ratio=1, overflow="fold")
    table = Table.grid(names, words, padding=(0, 1, 0, 0))
    info = state.server_info

    def fact(name: str, words: str, ink: str = "") -> None:
        if words:
            table.add_row(Text(name, "mcp.dim"), inked(words, ink, FACT_CAP))

    title, name = info.get("title"), info.get("name")
    fact("server", as_said(title or name or "has not said who it is"), "mcp.title")
    if title and name:
        fact("name", as_said(name))
    for warning in name_warnings(info):
        table.add_row(Text("!", "mcp.warn"), safe_text(warning, "mcp.warn"))
    fact("version", as_said(info.get("version", "")))
    others = [key for key in info if key not in ("name", "title", "version")]
    for key in others[:FACTS_CAP]:
        fact(one_line(key, 9), as_said(info[key]))
    if more := others[FACTS_CAP:]:
        fact("…", f"{len(more):,} facts more, in the traffic")
    fact("protocol", f"{state.revision_text} {_era(state)}".strip())
    fact("because", state.why)
    fact("ended", state.error.message if state.error is not None else "", "mcp.error")
    named = named_versions(state.initialize_raw, ())
    fact("speaks", ", ".join(named[:20]))
    if state.transport is not None:
        facts = state.transport
        fact("transport", facts.kind + (SSE_IS_OLD if facts.kind == "sse" else ""))
        fact("pid", str(facts.pid or ""))
        fact("at", facts.url or facts.label)
    return table
