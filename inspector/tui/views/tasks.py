"""The Tasks tab: calls that the server goes on with after it has answered (2025-11-25).

Lists what is known of each task and lets the user look, wait for the result, or cancel. How our
own tasks are followed is decided by `inspector.session.tasks`.
"""

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from inspector.errors import InspectorError
from inspector.protocol.versions import Era
from inspector.render.safe import one_line
from inspector.render.values import shown_json
from inspector.session.pending import Call, Failure, Lost, Success
from inspector.session.tasks import TaskState
from inspector.tui.bindings import bindings_for
from inspector.tui.key_hints import key_name
from inspector.tui.traffic_row import duration
from inspector.tui.views.base import View
from inspector.tui.widgets.body import BodyView
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.rule import Rule

_INKS = {
    "working": "mcp.primary",
    "input_required": "mcp.badge",
    "completed": "mcp.ok",
    "failed": "mcp.error",
    "cancelled": "mcp.dim",
}


class TasksView(View):
    """The list above, the last description of the selected task or its result below."""

    TOPICS: ClassVar[tuple[str, ...]] = ("tasks", "state", "calls")
    HELP: ClassVar[str] = (
        "Tasks are calls that the server goes on with after it has answered. A tool runs as one "
        "when its form says so.\n\n"
        "u asks the server for its list, p asks how one task stands, w waits for its result, "
        "x cancels it. Enter goes to the message that last described it."
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("tasks")]
    DEFAULT_CSS = """
    TasksView {
        layout: vertical;
        & #task-list { height: 1fr; min-height: 4; }
        & #task-body { height: 1fr; min-height: 4; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._results: dict[str, bytes] = {}
        self._waiting: set[str] = set()
        self._session: object = None
        self._shown: tuple[str, int, bool, bool] | None = None

    def compose(self) -> ComposeResult:
        """Heading, list, and what the server said last."""
        yield Rule("tasks", id="task-rule")
        yield RowList[TaskState](
            self._line, key=lambda task: task.id, haystack=lambda t: t.id, id="task-list"
        )
        yield Rule("task", id="task-body-rule")
        yield BodyView(id="task-body", empty="No task is selected")

    @property
    def tasks(self) -> "RowList[TaskState]":
        """The list."""
        return self.query_one("#task-list", RowList)

    def show_changes(self, topics: frozenset[str]) -> None:
        """Takes the tasks as they stand, newest first."""
        session = self.bench.session
        if session is not self._session:
            self._session = session
            self._results.clear()
            self._waiting.clear()
        offered = session.has_tasks
        known = session.tasks.tasks
        how, ask = key_name(self.app, "tools.task"), key_name(self.app, "tasks.update")
        by_server = session.era is Era.MODERN
        self.tasks.set_empty(
            "No task yet. The server decides which calls run as tasks (since 2026-07-28)."
            if offered and by_server
            else f"No task yet. {how} in the Tools tab makes a call run as one, where the server "
            f"and the tool allow it; {ask} asks the server for its list."
            if offered
            else "This server does not declare tasks (they came with revision 2025-11-25)"
        )
        self.tasks.set_items(tuple(reversed(known)))
        self.refresh_bindings()
        running = sum(not task.over for task in known)
        facts = f"{len(known)} known · {running} running" if known else ""
        self.query_one("#task-rule", Rule).show(facts=Text(facts))
        self._show_task()

    @on(RowList.Highlighted, "#task-list")
    def _moved(self) -> None:
        self._show_task()

    @on(RowList.Selected, "#task-list")
    def _chosen(self) -> None:
        task = self.tasks.current
        if task is not None and task.entry:
            self.inspector.open_entry(task.entry)

    def action_update(self) -> None:
        """Reads the server's list of tasks."""
        if not self.can_send():
            return
        self.send(lambda session: session.tasks.list_all(session.check("tasks/list")))

    def action_poll(self) -> None:
        """Asks how the selected task stands."""
        if (task := self._task_for_key()) is not None:
            wanted = task.id
            self.send(lambda session: session.tasks.get(wanted, session.check("tasks/get")))

    def action_cancel(self) -> None:
        """Cancels the selected task."""
        task = self._task_for_key()
        if task is None:
            return
        if task.over:
            self.inspector.notify_safe(f"The task is over: {task.status}")
            return
        wanted = task.id
        self.send(lambda session: session.tasks.cancel(wanted, session.check("tasks/cancel")))

    async def action_result(self) -> None:
        """Fetches the result of the selected task; blocks on the server's side until its end."""
        if self.bench.session.era is Era.MODERN:  # the description carries the result
            self.action_poll()
        elif (task := self._task_for_key()) is not None:
            self.run_worker(self._fetch(task.id), group=f"task {task.id}", exclusive=True)

    def _task_for_key(self) -> TaskState | None:
        """The task under the cursor; without one, or without a session, the user is told so."""
        if (task := self.tasks.current) is None:
            self.inspector.notify_safe(f"There is no task to do this to. {self.tasks.empty_text()}")
            return None
        return task if self.can_send() else None

    def quiet_actions(self) -> frozenset[str]:
        """What the footer does not offer while there is no task."""
        return frozenset() if self.tasks.current else frozenset({"poll", "result", "cancel"})

    async def _fetch(self, task_id: str) -> None:
        session = self.bench.session
        self._waiting.add(task_id)
        self._show_task()

        async def ask() -> Call:
            call = await session.tasks.result(task_id, session.check("tasks/result"))
            await call.wait()
            return call

        try:
            call = await self.bridge.run(ask)
        except InspectorError as error:
            self.inspector.notify_safe(error.message, severity="error")
            return
        finally:
            self._waiting.discard(task_id)
        match call.outcome:
            case Success(raw=raw) | Failure(raw=raw):
                self._results[task_id] = raw
            case Lost(error=lost):
                self.inspector.notify_safe(lost.message, severity="error")
            case None:
                pass
        self._show_task()

    def _show_task(self) -> None:
        task = self.tasks.current
        body = self.query_one("#task-body", BodyView)
        rule = self.query_one("#task-body-rule", Rule)
        if task is None:
            self._shown = None
            body.set_bytes(b"")
            rule.show(title=Text("task"), facts=Text())
            return
        result = self._results.get(task.id)
        waiting = task.id in self._waiting
        shown = (task.id, task.entry, result is not None, waiting)
        if shown == self._shown:
            return
        self._shown = shown
        rule.show(
            title=Text("result" if result else "waiting for the result" if waiting else "task"),
            facts=Text(f"{task.polls} polls · entry {task.entry}"),
        )
        body.set_bytes(result or shown_json(task.raw or {}), mode="pretty")

    def _line(self, task: TaskState, width: int) -> Text:
        text = Text(end="", no_wrap=True)
        text.append(f"{one_line(task.status, 14):<15}", _INKS.get(task.status, "mcp.warn"))
        what = task.label or task.method or "task"
        text.append(f"{one_line(what, 28):<29}", "mcp.title")
        text.append(f"{one_line(task.id, 24):<25}", "mcp.dim")
        call = next((c for c in self.bench.session.calls if c.number == task.call), None)
        if call is not None:
            ended = call.ended if call.ended is not None else self.bench.journal.clock.monotonic()
            text.append(f"{duration(ended - call.started):>8}  ", "mcp.dim")
        if task.message:
            text.append(one_line(task.message, max(8, width - text.cell_len)), "")
        return text
