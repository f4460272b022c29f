"""Help: the keys of the focused chain, made from the one table."""

from inspector.tui.bindings import BINDINGS, SCOPES
from inspector.tui.key_hints import pretty_keys
from inspector.tui.screens.help import TextScreen
from tests.tui.world import main, rows, running, wait_for


async def test_help_shows_the_keys_of_what_has_the_focus() -> None:
    async with running() as (app, pilot):
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        await pilot.press("f1")
        assert isinstance(app.screen, TextScreen)
        text = "\n".join(line.plain for line in app.screen.lines)
        assert "Edit and resend" in text
        assert "Ctrl+T" in text
        await pilot.press("escape")
        assert app.screen_stack == [main(app)]


async def test_what_is_special_to_the_place_comes_before_how_one_moves_in_any_list() -> None:
    async with running() as (app, pilot):
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        await pilot.press("f1")
        assert isinstance(app.screen, TextScreen)
        shown = [line.plain for line in app.screen.lines]
        headings = [SCOPES[scope] for scope in ("traffic", "main", "app", "lines")]
        assert [line for line in shown if line in headings] == headings
        # Names stand in one column below each heading.
        first = shown.index(SCOPES["lines"]) + 1
        names = ("Down", "Up", "Page down")
        places = [line.index(name) for line, name in zip(shown[first:], names, strict=False)]
        assert len(set(places)) == 1


async def test_a_text_can_be_shown_and_read_by_key() -> None:
    async with running() as (app, pilot):
        app.push_screen(TextScreen("A text", "one\ntwo\x1b[31m"))
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, TextScreen)
        assert [line.plain for line in screen.lines] == ["one", "two␛[31m"]
        await pilot.press("j", "G", "q")
        assert app.screen_stack == [main(app)]


def test_keys_are_written_as_people_write_them() -> None:
    assert pretty_keys("ctrl+t,f5") == "Ctrl+T F5"
    assert pretty_keys("G,end") == "G End"
    assert pretty_keys("right_square_bracket") == "]"
    assert pretty_keys("") == "no key"
    for spec in BINDINGS.values():
        assert "_" not in pretty_keys(spec.keys), spec.id
