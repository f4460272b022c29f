"""The line that asks where to go."""

from textual import on
from textual.app import App, ComposeResult
from textual.widgets import Input

from inspector.tui.widgets.place_box import PlaceBox


class Host(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.wanted: list[str] = []
        self.left = 0

    def compose(self) -> ComposeResult:
        yield PlaceBox()

    @on(PlaceBox.Wanted)
    def _wanted(self, event: PlaceBox.Wanted) -> None:
        self.wanted.append(event.text)
        event.box.refuse("not there")

    @on(PlaceBox.Left)
    def _left(self) -> None:
        self.left += 1


async def test_what_was_refused_stays_until_it_is_mended_or_left() -> None:
    app = Host()
    async with app.run_test() as pilot:
        box = app.query_one(PlaceBox)
        assert not box.display
        box.open()
        await pilot.press("x", "enter")
        assert app.wanted == ["x"]
        assert box.has_class("-wrong")
        assert "not there" in str(box.query_one("#place-problem").render())
        await pilot.press("1")
        assert not box.has_class("-wrong")
        assert box.query_one(Input).value == "x1"
        await pilot.press("escape")
        assert app.left == 1
        assert not box.display
        box.open()
        assert box.text == ""
