"""Every widget is told its size, whatever was looked at before it was laid out."""

from textual.events import Resize
from textual.geometry import Size
from textual.widget import Widget

from tests.tui.world import main, running


class Probe(Widget):
    """Remembers the sizes that it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[Size] = []

    def on_resize(self, event: Resize) -> None:
        self.told.append(event.size)


async def test_a_widget_is_told_its_size_though_its_place_was_asked_for_before() -> None:
    async with running() as (app, pilot):
        probe = Probe()
        screen = main(app)
        await screen.query_one("#traffic").mount(probe)
        screen._compositor.update_widgets({probe})
        assert probe in screen._compositor.full_map
        await pilot.pause()
        assert probe.told[-1:] == [probe.outer_size]


async def test_a_widget_is_told_its_size_once() -> None:
    async with running() as (app, pilot):
        probe = Probe()
        await main(app).query_one("#traffic").mount(probe)
        await pilot.pause()
        probe.refresh(layout=True)
        await pilot.pause()
        assert probe.told == [probe.outer_size]
