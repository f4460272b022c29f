"""Headings of panes."""

from rich.text import Text
from textual.app import App, ComposeResult

from inspector.tui.themes import rich_inks
from inspector.tui.widgets.rule import Rule
from tests.tui.world import text_of


class Host(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.console.push_theme(rich_inks(self.current_theme))

    def compose(self) -> ComposeResult:
        yield Rule("traffic")


async def test_title_left_facts_right_and_exactly_one_line_wide() -> None:
    async with Host().run_test(size=(40, 5)) as pilot:
        rule = pilot.app.query_one(Rule)
        rule.show(facts=Text("17 · follow"))
        await pilot.pause()
        line = text_of(rule)
        assert line.startswith("── traffic ─")
        assert line.endswith(" 17 · follow ──")
        assert len(line) == 40


async def test_a_long_title_gives_way_to_the_facts() -> None:
    async with Host().run_test(size=(40, 5)) as pilot:
        rule = pilot.app.query_one(Rule)
        rule.show(title=Text("x" * 90), facts=Text("facts"))
        await pilot.pause()
        assert text_of(rule).endswith(" facts ──")
        assert "…" in text_of(rule)
