"""The list of items: keeps its place, filters, says what was chosen."""

from dataclasses import dataclass

from textual import on
from textual.app import App, ComposeResult

from inspector.render.safe import safe_text
from inspector.tui.widgets.rows import RowList
from tests.tui.world import text_of


@dataclass(frozen=True)
class Item:
    name: str
    words: str = ""


class Host(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[object] = []

    def compose(self) -> ComposeResult:
        yield RowList[Item](
            lambda item, width: safe_text(item.name),
            key=lambda item: item.name,
            haystack=lambda item: f"{item.name} {item.words}",
            empty="No items",
        )

    @on(RowList.Highlighted)
    def _highlighted(self, event: RowList.Highlighted) -> None:
        self.seen.append(event.item)

    @on(RowList.Selected)
    def _selected(self, event: RowList.Selected) -> None:
        self.seen.append(("chosen", event.item))


ITEMS = [Item("add", "numbers"), Item("echo"), Item("evil\x1b[31m[/x]")]


def the_list(app: App[None]) -> RowList[Item]:
    return app.query_one(RowList)


async def test_the_cursor_stays_on_its_item_when_the_list_changes() -> None:
    async with Host().run_test(size=(30, 8)) as pilot:
        rows = the_list(pilot.app)
        rows.set_items(ITEMS)
        assert rows.select("echo")
        rows.set_items([Item("aaa"), *ITEMS])
        assert rows.current == Item("echo")
        assert rows.cursor == 2


async def test_the_filter_looks_for_every_word_and_says_when_nothing_is_left() -> None:
    async with Host().run_test(size=(40, 8)) as pilot:
        rows = the_list(pilot.app)
        rows.set_items(ITEMS)
        rows.set_filter("NUM add")
        assert rows.shown == [ITEMS[0]]
        rows.set_filter("zzz")
        await pilot.pause()
        assert rows.current is None
        assert "Nothing matches 'zzz'" in text_of(rows)
        rows.set_filter("")
        assert len(rows.shown) == 3


async def test_enter_chooses_and_moving_announces() -> None:
    app = Host()
    async with app.run_test(size=(30, 8)) as pilot:
        rows = the_list(app)
        rows.set_items(ITEMS)
        rows.focus()
        await pilot.press("down", "enter")
        await pilot.pause()
        assert app.seen == [ITEMS[0], ITEMS[1], ("chosen", ITEMS[1])]


async def test_an_empty_list_says_so_and_survives_keys() -> None:
    async with Host().run_test(size=(30, 8)) as pilot:
        rows = the_list(pilot.app)
        rows.focus()
        await pilot.press("j", "k", "G", "enter", "pagedown")
        assert "No items" in text_of(rows)


async def test_a_long_reason_why_the_list_is_empty_is_wrapped() -> None:
    async with Host().run_test(size=(30, 8)) as pilot:
        rows = the_list(pilot.app)
        rows.set_empty("Could not be read: the answer is nested deeper than 512 levels")
        await pilot.pause()
        assert " ".join(text_of(rows).split()).startswith(
            "Could not be read: the answer is nested deeper than 512 levels"
        )


async def test_server_text_is_shown_and_not_obeyed() -> None:
    async with Host().run_test(size=(40, 8)) as pilot:
        rows = the_list(pilot.app)
        rows.set_items(ITEMS)
        await pilot.pause()
        assert "evil␛[31m[/x]" in text_of(rows)
