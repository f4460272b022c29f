"""The input that draws nothing dangerous, and keeps its value."""

from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.filter import LineFilter

from inspector.tui.wall import Wall
from inspector.tui.widgets.text_box import TextBox
from tests.hostile.glass import behind_glass
from tests.servers.hostile_texts import TEXTS
from tests.tui.world import text_of

NASTY = "a\x1b[2J\u202eb\u0301\x9b漢\t\ud800⚠\ufe0fz"


class Boxed(App[None]):
    """One box on a screen, behind the wall."""

    def __init__(self, value: str, *, password: bool = False) -> None:
        super().__init__()
        self._given = value, password

    def compose(self) -> ComposeResult:
        value, password = self._given
        yield TextBox(value, password=password, select_on_focus=False)

    def get_line_filters(self) -> list[LineFilter]:
        return [*super().get_line_filters(), Wall()]

    @property
    def box(self) -> TextBox:
        return self.query_one(TextBox)


async def test_what_is_edited_is_seen_and_keeps_its_value() -> None:
    app = Boxed(NASTY)
    async with app.run_test(size=(60, 5)) as pilot:
        shown = text_of(app.box)
        assert "a␛[2J�b\u0301�漢␉�⚠�z" in shown
        assert app.box.value == NASTY
        await pilot.press("home", "right", "delete", "end", "backspace", "x")
        assert app.box.value == "a" + NASTY[2:-1] + "x"


async def test_the_cursor_stands_on_what_is_clicked() -> None:
    app = Boxed(NASTY)
    async with app.run_test(size=(60, 5)) as pilot:
        drawn = app.box._value.plain
        assert len(drawn) == len(NASTY)
        for index in range(len(NASTY)):
            cell = cell_len(drawn[:index])
            assert app.box._position_to_cell(index) == cell
            if cell_len(drawn[index]):
                await pilot.click(TextBox, offset=(cell + 3, 1))
                assert app.box.cursor_position == index


async def test_no_text_gets_out_of_a_box_wherever_the_cursor_stands() -> None:
    with behind_glass((60, 5)) as glass:
        app = Boxed("")
        async with app.run_test(size=(60, 5)) as pilot:
            for text in TEXTS.values():
                app.box.value = text[:80]
                for key in ("home", "right", "right", "end", "left"):
                    await pilot.press(key)
                    assert glass.foreign() == []
                    assert glass.crooked(app) == [], text[:80]
    assert glass.looks == 5 * len(TEXTS)


async def test_a_password_shows_nothing_of_itself() -> None:
    app = Boxed("s3cret\x1b", password=True)
    async with app.run_test(size=(60, 5)):
        assert "•" * 7 in text_of(app.box)
