"""The line area: cursor, bounds, scroll bar, painting no more than what is visible."""

from rich.text import Text
from textual.app import App, ComposeResult
from textual.strip import Strip

from inspector.tui.widgets.lines import LineArea


class Numbers(LineArea):
    """As many numbers as wanted."""

    total = 1000

    def count_lines(self) -> int:
        return self.total

    def draw_line(self, line: int, width: int) -> Strip:
        return self.strip_of(Text(f"line {line}"))


class Host(App[None]):
    def compose(self) -> ComposeResult:
        yield Numbers()


async def test_keys_move_the_cursor_and_the_window_follows() -> None:
    async with Host().run_test(size=(40, 10)) as pilot:
        area = pilot.app.query_one(Numbers)
        area.focus()
        await pilot.press("j", "j", "down", "k")
        assert area.cursor == 2
        await pilot.press("G")
        assert area.cursor == 999
        assert area.visible_lines() == range(990, 1000)
        await pilot.press("pageup")
        assert area.cursor == 989
        await pilot.press("g")
        assert area.top == 0


async def test_a_frame_draws_no_more_lines_than_there_are_rows() -> None:
    async with Host().run_test(size=(40, 10)) as pilot:
        area = pilot.app.query_one(Numbers)
        area.focus()
        await pilot.pause()
        for total in (1_000, 200_000):
            area.total = total
            area.lines_changed()
            await pilot.pause()
            before = area.lines_drawn
            area.scroll_lines_to(total // 2)
            await pilot.pause()
            assert area.lines_drawn - before == 10


async def test_lines_that_go_away_take_the_cursor_along() -> None:
    async with Host().run_test(size=(40, 10)) as pilot:
        area = pilot.app.query_one(Numbers)
        area.go_to(900)
        area.total = 5
        area.lines_changed()
        assert area.cursor == 4
        assert area.top == 0


async def test_the_wheel_scrolls_and_leaves_the_cursor() -> None:
    async with Host().run_test(size=(40, 10)) as pilot:
        area = pilot.app.query_one(Numbers)
        area.wheel(1)
        assert area.top == 3
        assert area.cursor == 0
        area.wheel(-1)
        assert area.top == 0


async def test_the_bar_is_dragged_and_a_click_puts_the_cursor() -> None:
    async with Host().run_test(size=(40, 10)) as pilot:
        area = pilot.app.query_one(Numbers)
        await pilot.mouse_down(area, offset=(39, 9))
        assert area.top == 990
        await pilot.mouse_up(area, offset=(39, 9))
        await pilot.click(area, offset=(3, 4))
        assert area.cursor == 994


async def test_the_bar_shows_where_the_window_is() -> None:
    async with Host().run_test(size=(40, 10)) as pilot:
        area = pilot.app.query_one(Numbers)
        await pilot.pause()
        column = [area.render_line(y).text[-1] for y in range(10)]
        assert column[0] == "┃"
        area.go_to(999)
        column = [area.render_line(y).text[-1] for y in range(10)]
        assert column[-1] == "┃"
