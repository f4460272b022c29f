"""A mark is there where something is on, and nowhere else."""

from textual.app import App, ComposeResult

from inspector.tui.widgets.toggles import ChoiceButton, Switch
from tests.tui.world import text_of


class Form(App[None]):
    """One of each, off."""

    def compose(self) -> ComposeResult:
        yield ChoiceButton("one")
        yield Switch("two")


async def test_the_mark_tells_without_colour_what_is_on() -> None:
    async with Form().run_test() as pilot:
        choice, switch = pilot.app.query_one(ChoiceButton), pilot.app.query_one(Switch)
        assert "●" not in text_of(choice)
        assert "X" not in text_of(switch)
        choice.value = switch.value = True
        await pilot.pause()
        assert "●" in text_of(choice)
        assert "X" in text_of(switch)
        choice.value = switch.value = False
        await pilot.pause()
        assert "●" not in text_of(choice)
        assert "X" not in text_of(switch)
