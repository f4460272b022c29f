"""The looks of the app: themes follow each other, and what is wrong with one is told."""

from inspector.tui.dressed import DressedApp


async def test_each_theme_comes_once_and_the_first_again() -> None:
    app = DressedApp()
    app.load_themes("")
    async with app.run_test():
        seen = [app.theme]
        for _ in app.theme_names[1:]:
            app.action_next_theme()
            seen.append(app.theme)
        assert tuple(seen) == app.theme_names
        app.action_next_theme()
        assert app.theme == app.theme_names[0]


def test_a_theme_that_there_is_not_is_a_problem_and_the_default_is_taken() -> None:
    app = DressedApp()
    app.load_themes("no-such-theme")
    assert app.theme == app.theme_names[0]
    assert "no-such-theme" in " ".join(app.problems)


def test_the_problems_of_other_files_are_kept() -> None:
    app = DressedApp()
    app.problems = ("a bad key",)
    app.load_themes("no-such-theme")
    assert app.problems[0] == "a bad key"
    assert len(app.problems) == 2
