"""The Tasks tab: what is known of each task, and asking, waiting and cancelling by key."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from inspector.session.pending import Call
from inspector.session.state import Phase
from inspector.tui.app import InspectorApp
from inspector.tui.screens.dialogs import ConfirmDialog
from inspector.tui.views.tasks import TasksView
from inspector.tui.widgets.rule import Rule
from tests.tui.askers import HOSTILE, Asker, session_of, tab
from tests.tui.world import rows, running, text_of, wait_for


@asynccontextmanager
async def tasks_tab(
    server: Asker, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[tuple[InspectorApp, Pilot[int], TasksView]]:
    """The Tasks tab on `server`."""
    async with running(server, size, plain=False) as (app, pilot):
        await wait_for(
            pilot, lambda: session_of(app).catalog["tools"].state in ("ready", "unsupported")
        )
        view = await tab(pilot, app, "6", TasksView)
        assert isinstance(view, TasksView)
        yield app, pilot, view


async def slow(app: InspectorApp, pilot: Pilot[int], view: TasksView) -> Call:
    """A call that the server runs as a task, once it is listed."""
    session = session_of(app)
    call = await app.bridge.run(lambda: session.call_tool("slow", task=0))
    await wait_for(pilot, lambda: len(view.tasks.items) == 1)
    return call


async def test_without_tasks_the_tab_says_how_to_get_one() -> None:
    async with tasks_tab(Asker()) as (_, pilot, view):
        await wait_for(pilot, lambda: "No task yet" in text_of(view.tasks))


async def test_a_server_without_tasks_is_said_to_have_none() -> None:
    server = Asker(capabilities={"tools": {}})
    async with tasks_tab(server) as (app, pilot, view):
        await wait_for(pilot, lambda: "does not declare tasks" in text_of(view.tasks))
        await pilot.press("u")
        await wait_for(pilot, lambda: isinstance(app.screen, ConfirmDialog))
        await pilot.press("escape")
        await wait_for(pilot, lambda: not isinstance(app.screen, ConfirmDialog))
        assert server.all_heard("tasks/list") == []


async def test_a_running_task_is_listed_with_its_tool() -> None:
    async with tasks_tab(Asker()) as (app, pilot, view):
        await slow(app, pilot, view)
        await wait_for(pilot, lambda: "working" in text_of(view.tasks))
        assert "slow" in text_of(view.tasks)
        assert "task-1" in text_of(view.tasks)
        await wait_for(pilot, lambda: "1 running" in text_of(view.query_one("#task-rule", Rule)))


async def test_a_task_is_polled_with_its_key() -> None:
    server = Asker()
    async with tasks_tab(server) as (app, pilot, view):
        await slow(app, pilot, view)
        before = len(server.all_heard("tasks/get"))
        server.task_message = "half way"
        await pilot.press("p")
        await wait_for(pilot, lambda: len(server.all_heard("tasks/get")) > before)
        await wait_for(pilot, lambda: "half way" in text_of(view.tasks))


async def test_the_servers_list_is_read_with_its_key() -> None:
    server = Asker()
    server.tasks = {"another": "completed", "third": "failed"}
    async with tasks_tab(server) as (_, pilot, view):
        await pilot.press("u")
        await wait_for(pilot, lambda: len(view.tasks.items) == 2)
        shown = text_of(view.tasks)
        assert "another" in shown
        assert "failed" in shown


async def test_the_result_of_a_task_is_fetched_and_shown() -> None:
    server = Asker()
    server.tasks = {"another": "completed"}
    async with tasks_tab(server) as (_, pilot, view):
        await pilot.press("u")
        await wait_for(pilot, lambda: len(view.tasks.items) == 1)
        await pilot.press("w")
        await wait_for(pilot, lambda: "the long awaited" in text_of(view.query_one("#task-body")))
        assert "result" in text_of(view.query_one("#task-body-rule", Rule))


async def test_waiting_for_a_result_is_seen() -> None:
    server = Asker()
    server.tasks = {"another": "working"}
    server.held = True
    async with tasks_tab(server) as (_, pilot, view):
        await pilot.press("u")
        await wait_for(pilot, lambda: len(view.tasks.items) == 1)
        await pilot.press("w")
        await wait_for(
            pilot, lambda: "waiting for the result" in text_of(view.query_one("#task-body-rule"))
        )


async def test_a_task_is_cancelled_with_its_key() -> None:
    server = Asker()
    async with tasks_tab(server) as (app, pilot, view):
        call = await slow(app, pilot, view)
        await pilot.press("x")
        await wait_for(pilot, lambda: len(server.all_heard("tasks/cancel")) == 1)
        await wait_for(pilot, lambda: "cancelled" in text_of(view.tasks))
        await wait_for(pilot, lambda: call.done)
        await pilot.press("x")
        await wait_for(pilot, lambda: any("is over" in n.message for n in app._notifications))
        assert len(server.all_heard("tasks/cancel")) == 1


async def test_enter_goes_to_the_message_that_described_the_task() -> None:
    async with tasks_tab(Asker()) as (app, pilot, view):
        await slow(app, pilot, view)
        task = view.tasks.current
        assert task is not None
        await pilot.press("enter")
        await wait_for(pilot, lambda: rows(app).entry == task.entry)


async def test_keys_without_a_task_do_nothing() -> None:
    server = Asker()
    async with tasks_tab(server) as (app, pilot, _):
        await pilot.press("p", "w", "x", "enter")
        await pilot.pause(0.1)
        assert not [m for m in server.seen if m in ("tasks/get", "tasks/result", "tasks/cancel")]
        assert app.is_running


async def test_hostile_task_ids_and_messages_are_harmless() -> None:
    server = Asker()
    server.task_id = HOSTILE
    server.task_message = HOSTILE
    async with tasks_tab(server, (160, 40)) as (app, pilot, view):
        await slow(app, pilot, view)
        await wait_for(pilot, lambda: "evil␛[31m" in text_of(view.tasks))
        told = text_of(view.tasks) + text_of(view.query_one("#task-body"))
        assert "[bold]x[/bold]" in told
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(told)
        await pilot.press("x")
        await wait_for(pilot, lambda: len(server.all_heard("tasks/cancel")) == 1)


async def test_an_earlier_connections_tasks_are_not_mixed_with_the_new_ones() -> None:
    async with tasks_tab(Asker()) as (app, pilot, view):
        await slow(app, pilot, view)
        old = session_of(app)
        await pilot.press("f5")
        await wait_for(pilot, lambda: session_of(app) is not old and session_of(app).state.ready)
        await wait_for(pilot, lambda: len(view.tasks.items) == 0)
        await wait_for(
            pilot, lambda: "No task is selected" in text_of(view.query_one("#task-body"))
        )


async def test_keys_on_a_task_of_a_closed_connection_say_why_they_do_nothing() -> None:
    async with tasks_tab(Asker()) as (app, pilot, view):
        await slow(app, pilot, view)
        app.bridge.post(app.bridge.workbench.disconnect)
        await wait_for(pilot, lambda: session_of(app).state.phase is Phase.CLOSED)
        await pilot.press("u", "p", "w", "x")
        await wait_for(pilot, lambda: len(app._notifications) >= 3)
        assert app.is_running
