"""What a view is told, and when."""

from typing import ClassVar
from unittest.mock import patch

from textual.app import ComposeResult
from textual.widgets import Input

from inspector.tui.views.base import View
from inspector.tui.views.registry import ViewSpec
from tests.tui.world import Server, app_for, main, wait_for


class Recorder(View):
    """Notes what it is told."""

    TOPICS: ClassVar[tuple[str, ...]] = ("catalog", "calls")

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.told: list[frozenset[str]] = []

    def compose(self) -> ComposeResult:
        yield Input()

    def show_changes(self, topics: frozenset[str]) -> None:
        self.told.append(topics)


async def test_a_view_is_told_of_its_topics_only_and_all_of_them_when_it_appears() -> None:
    app = app_for(Server())

    def make(spec: ViewSpec) -> View:
        return Recorder(id=f"view-{spec.id}")

    with patch.object(ViewSpec, "make", make):
        async with app.run_test() as pilot:
            await wait_for(pilot, lambda: main(app).tab == "tools")
            view = app.screen.query_one(Recorder)
            await wait_for(pilot, lambda: frozenset(Recorder.TOPICS) in view.told)
            assert view.bench is app.bridge.workbench
            view.told.clear()
            bench = app.bridge.workbench
            await app.bridge.run(bench.session.ping)
            await wait_for(pilot, lambda: any("calls" in topics for topics in view.told))
            assert all(topics <= set(Recorder.TOPICS) for topics in view.told)
            app.action_show_tab("logs")
            await wait_for(pilot, lambda: main(app).tab == "logs")
            await pilot.pause(0.1)
            view.told.clear()
            await app.bridge.run(bench.session.ping)
            await pilot.pause(0.1)
            assert view.told == []
            app.close_bridge()
