"""Palettes as Textual themes, and the inks that follow them."""

from rich.style import Style
from textual.app import App

from inspector.config.themes import contrast, load_palettes
from inspector.tui.themes import INKS, register_palettes, rich_inks, textual_theme


def test_every_shipped_palette_gives_every_ink() -> None:
    palettes, _ = load_palettes()
    assert palettes
    for palette in palettes.values():
        inks = rich_inks(textual_theme(palette)).styles
        assert set(INKS) <= set(inks)


def test_dim_text_stays_readable_in_every_shipped_palette() -> None:
    palettes, _ = load_palettes()
    for palette in palettes.values():
        dim = rich_inks(textual_theme(palette)).styles["mcp.dim"].color
        assert dim is not None
        assert dim.triplet is not None
        assert contrast(dim.triplet.hex, palette.background) >= 4.0, palette.name


def test_error_and_token_differ_without_colour_too() -> None:
    palettes, _ = load_palettes()
    inks = rich_inks(textual_theme(next(iter(palettes.values())))).styles
    assert inks["mcp.error"].bold
    assert inks["mcp.token"] == Style(reverse=True)


def test_registering_gives_the_names_with_the_default_first() -> None:
    app: App[int] = App()
    names, problems = register_palettes(app)
    assert names[0] == "inspector-dark"
    assert problems == ()
    assert set(names) <= set(app.available_themes)
