"""Shipped palettes are readable by everybody; a wrong file is reported whole and hides no other."""

from pathlib import Path

import pytest

from inspector.config.paths import shipped_themes_dir
from inspector.config.themes import (
    DEFAULT_THEME,
    Palette,
    ThemeProblem,
    contrast,
    load_palette,
    load_palettes,
)

SHIPPED, BROKEN = load_palettes((shipped_themes_dir(),))
TEXTS = ("foreground", "primary", "secondary", "accent", "success", "warning", "error")
GROUNDS = ("background", "surface", "panel")


def test_all_shipped_files_are_right_and_there_are_enough() -> None:
    assert not BROKEN
    assert len(SHIPPED) >= 8
    assert next(iter(SHIPPED)) == DEFAULT_THEME


@pytest.mark.parametrize("kind", ["high-contrast", "colour-blind", "monochrome", "inspector"])
def test_each_family_has_a_dark_and_a_light_one(kind: str) -> None:
    family = [palette for name, palette in SHIPPED.items() if name.startswith(kind)]
    assert {palette.dark for palette in family} == {True, False}


@pytest.mark.parametrize("name", list(SHIPPED))
def test_text_can_be_read_on_every_ground(name: str) -> None:
    palette = SHIPPED[name]
    needed = 7.0 if name.startswith("high-contrast") else 4.5
    for ground in GROUNDS:
        for text in TEXTS:
            ratio = contrast(getattr(palette, text), getattr(palette, ground))
            assert ratio >= needed, f"{text} on {ground}: {ratio:.2f}"


@pytest.mark.parametrize("name", [name for name in SHIPPED if name.startswith("monochrome")])
def test_monochrome_has_no_hue(name: str) -> None:
    for colour in (*TEXTS, *GROUNDS):
        value = getattr(SHIPPED[name], colour)
        assert value[1:3] == value[3:5] == value[5:7]


def test_dark_palettes_are_darker_than_their_text() -> None:
    for palette in SHIPPED.values():
        text, ground = (contrast(colour, "#000000") for colour in _pair(palette))
        assert (text > ground) is palette.dark


def _pair(palette: Palette) -> tuple[str, str]:
    return palette.foreground, palette.background


def test_contrast_is_the_wcag_ratio() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_everything_wrong_is_in_one_report_with_lines(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('dark = "yes"\nbackground = "black"\ncolour = 1\nforeground = "#ffffff"\n')
    problem = load_palette(path)
    assert isinstance(problem, ThemeProblem)
    report = str(problem)
    assert "line 1: dark must be true or false" in report
    assert "line 2: background is not a colour" in report
    assert "line 3: unknown key 'colour'" in report
    assert "the colour 'error' is missing" in report
    assert report.count(str(path)) == len(problem.problems)


@pytest.mark.parametrize("content", [b"\xff", b"name = ", b"[[[", b"variables = 1\ndark = true"])
def test_any_bytes_are_a_problem_and_never_a_crash(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.toml"
    path.write_bytes(content)
    assert isinstance(load_palette(path), ThemeProblem)


def test_a_user_theme_hides_the_shipped_one_and_a_bad_one_hides_nothing(tmp_path: Path) -> None:
    source = (shipped_themes_dir() / "inspector-dark.toml").read_text()
    mine = source.replace('title = "Inspector dark"', 'title = "Mine"')
    (tmp_path / "own.toml").write_text(mine + '\n[variables]\nborder = "#123456"\n')
    (tmp_path / "bad.toml").write_text("nonsense")
    palettes, problems = load_palettes((shipped_themes_dir(), tmp_path))
    assert palettes["inspector-dark"].title == "Mine"
    assert palettes["inspector-dark"].variables == {"border": "#123456"}
    assert len(palettes) == len(SHIPPED)
    assert len(problems) == 1
