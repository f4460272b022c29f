"""A terminal that changes its size while the interface is busy."""

from textual.events import Resize
from textual.geometry import Size
from textual.screen import Screen

from inspector.config.targets import Target
from inspector.session.options import Options
from inspector.tui.app import InspectorApp
from inspector.workbench import Workbench
from tests.calm import calm


async def test_two_sizes_at_once_are_laid_out_and_then_it_is_quiet() -> None:
    app = InspectorApp(
        lambda target: Workbench(target, options=Options(no_record=True)),
        Target(("unused",)),
        connect=False,
    )
    async with app.run_test(size=(80, 24)) as pilot:
        told: list[Size] = []
        before = Screen._on_resize

        class Counting(type(app.screen)):  # type: ignore[misc]  # its class is known here only
            async def _on_resize(self, event: Resize) -> None:
                told.append(event.size)
                assert len(told) < 50, "the screen tells itself of two sizes in turn"
                await before(self, event)

        app.screen.__class__ = Counting
        app._size = Size(100, 30)
        for size in (Size(90, 27), Size(100, 30), Size(80, 24)):
            app.screen.post_message(Resize(size, size))
        await calm(app)
        assert app.screen.size == Size(100, 30)
        await pilot.resize_terminal(60, 20)
        assert app.screen.size == Size(60, 20)
        app.close_bridge()
