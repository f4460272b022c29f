"""One app and its targets one after the other: the same workbench goes on with the next."""

from inspector.config.targets import Target
from inspector.session.state import Phase
from tests.tui.world import Server, running, wait_for


async def test_another_target_is_opened_in_the_same_workbench() -> None:
    async with running(Server()) as (app, pilot):
        bench, before = app.bridge.workbench, app.bridge.workbench.session
        app.open_target(Target(("other",), name="other-server"))
        await wait_for(
            pilot, lambda: bench.session is not before and bench.session.state.phase is Phase.READY
        )
        assert app.bridge.workbench is bench
        assert bench.target.label == "other-server"


async def test_to_reconnect_makes_a_new_session() -> None:
    async with running(Server()) as (app, pilot):
        before = app.bridge.workbench.session
        app.reconnect()
        await wait_for(pilot, lambda: app.bridge.workbench.session is not before)
        assert before.state.over
