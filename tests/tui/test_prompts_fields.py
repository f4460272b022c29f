"""Text fields with suggestions of the server."""

from collections.abc import Mapping, Sequence

from rich.theme import Theme
from textual.app import App, ComposeResult
from textual.widgets import Input, Static

from inspector.session.completion import Completion
from inspector.tui.themes import INKS
from inspector.tui.views.prompts_fields import FIELDS_CAP, Complete, TextField, TextFields
from inspector.tui.widgets.rows import RowList
from tests.tui.world import wait_for


class FieldsApp(App[int]):
    """Nothing but fields."""

    def __init__(
        self,
        complete: Complete | None,
        fields: Sequence[TextField] = (TextField("a", True, "first"), TextField("b")),
    ) -> None:
        super().__init__()
        self.console.push_theme(Theme(dict.fromkeys(INKS, "")))
        self._complete = complete
        self._given = fields

    def compose(self) -> ComposeResult:
        """The fields."""
        yield TextFields(self._given, self._complete)

    @property
    def fields(self) -> TextFields:
        """The widget under test."""
        return self.query_one(TextFields)


async def test_empty_fields_are_left_out_and_two_quotes_are_an_empty_text() -> None:
    app = FieldsApp(None)
    async with app.run_test() as pilot:
        app.fields.set_values({"a": "", "b": "x"})
        assert [box.value for box in app.query(Input)] == ['""', "x"]
        assert app.fields.values() == {"a": "", "b": "x"}
        app.fields.set_values({})
        assert app.fields.values() == {}
        await pilot.pause()


async def test_suggestions_come_after_typing_with_the_other_fields_as_context() -> None:
    asked: list[tuple[str, str, Mapping[str, str]]] = []

    async def complete(name: str, value: str, context: Mapping[str, str]) -> Completion:
        asked.append((name, value, context))
        return Completion(values=("anna", "anton"))

    app = FieldsApp(complete)
    async with app.run_test() as pilot:
        app.fields.set_values({"b": "x"})
        app.fields.focus_first()
        await pilot.pause()
        assert asked == []
        await pilot.press("a", "n")
        await wait_for(pilot, lambda: bool(app.query("RowList.-open")))
        assert asked == [("a", "an", {"b": "x"})]
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        assert app.fields.values()["a"] == "anton"
        assert not app.query("RowList.-open")


async def test_escape_closes_the_suggestions_and_stays_in_the_field() -> None:
    async def complete(name: str, value: str, context: Mapping[str, str]) -> Completion:
        return Completion(values=("anna",))

    app = FieldsApp(complete)
    async with app.run_test() as pilot:
        app.fields.focus_first()
        await pilot.press("a")
        await wait_for(pilot, lambda: bool(app.query("RowList.-open")))
        await pilot.press("escape")
        await pilot.pause()
        assert not app.query("RowList.-open")
        assert isinstance(app.focused, Input)


async def test_down_asks_at_once() -> None:
    async def complete(name: str, value: str, context: Mapping[str, str]) -> Completion:
        return Completion(values=("anna",))

    app = FieldsApp(complete)
    async with app.run_test() as pilot:
        app.fields.focus_first()
        await pilot.press("down")
        await wait_for(pilot, lambda: bool(app.query("RowList.-open")))
        (rows,) = app.query("RowList.-open").results(RowList)
        assert rows.shown == ["anna"]


async def test_tab_goes_to_the_next_field_though_suggestions_are_open() -> None:
    async def complete(name: str, value: str, context: Mapping[str, str]) -> Completion:
        return Completion(values=("anna", "anton"))

    app = FieldsApp(complete)
    async with app.run_test() as pilot:
        app.fields.focus_first()
        await pilot.press("a")
        await wait_for(pilot, lambda: bool(app.query("RowList.-open")))
        await pilot.press("tab", "1")
        await wait_for(pilot, lambda: app.fields.values() == {"a": "a", "b": "1"})
        lists = list(app.query(RowList))
        await wait_for(pilot, lambda: [one.has_class("-open") for one in lists] == [False, True])
        await pilot.press("down", "down", "enter")
        await wait_for(pilot, lambda: app.fields.values() == {"a": "a", "b": "anton"})


async def test_fields_and_words_that_are_too_many_are_cut_and_told_so() -> None:
    many = [TextField("a", description="d" * 700), *(TextField(f"a{n}") for n in range(200))]
    app = FieldsApp(None, many)
    async with app.run_test() as pilot:
        await pilot.pause()
        assert len(app.query(Input)) == FIELDS_CAP
        labels = [str(label.render()) for label in app.query(Static)]
        assert any("… 200 characters more, in the traffic" in label for label in labels)
        assert f"… {len(many) - FIELDS_CAP:,} fields more, left out" in labels
