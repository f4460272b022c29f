"""From palettes to what Textual and rich draw with.

A palette (`inspector.config.themes`) becomes a Textual theme, and the current theme becomes the
named inks in which rich `Text` is written ("mcp.ok", "mcp.error", ...). So rooms that know no
Textual can write text whose colours follow the theme.
"""

from typing import Final

from rich.style import Style
from rich.theme import Theme as RichTheme
from textual.app import App
from textual.color import Color
from textual.theme import Theme

from inspector.config.themes import Palette, load_palettes

INKS: Final = (
    "mcp.ok",
    "mcp.error",
    "mcp.warn",
    "mcp.dim",
    "mcp.faint",
    "mcp.accent",
    "mcp.primary",
    "mcp.title",
    "mcp.sent",
    "mcp.received",
    "mcp.key",
    "mcp.string",
    "mcp.number",
    "mcp.literal",
    "mcp.punct",
    "mcp.token",
    "mcp.link",
    "mcp.code",
    "mcp.match",
    "mcp.cursor",
    "mcp.cursor-blurred",
    "mcp.bar",
    "mcp.thumb",
    "mcp.tab",
    "mcp.badge",
    "mcp.travel",
)
"""Every name that a rich `Text` may use as a style."""

DIM: Final = 0.66
FAINT: Final = 0.45
"""How far the foreground stands out from the background in dim and faint text, 0 to 1."""


def textual_theme(palette: Palette) -> Theme:
    """The palette as Textual takes it."""
    return Theme(
        name=palette.name,
        primary=palette.primary,
        secondary=palette.secondary,
        accent=palette.accent,
        foreground=palette.foreground,
        background=palette.background,
        surface=palette.surface,
        panel=palette.panel,
        success=palette.success,
        warning=palette.warning,
        error=palette.error,
        dark=palette.dark,
        variables=dict(palette.variables),
    )


def rich_inks(theme: Theme) -> RichTheme:
    """The inks of a theme. Weight, underline and reverse say the same without any colour."""
    colours = theme.to_color_system().generate()

    def colour(name: str) -> Color:
        return Color(*Color.parse(colours[name]).rgb)

    ground, text = colour("background"), colour("foreground")
    dim, faint = ground.blend(text, DIM), ground.blend(text, FAINT)
    cursor, blurred = ground.blend(colour("primary"), 0.28), ground.blend(text, 0.09)
    styles = {
        "mcp.ok": _ink(colour("text-success")),
        "mcp.error": _ink(colour("text-error"), bold=True),
        "mcp.warn": _ink(colour("text-warning")),
        "mcp.dim": _ink(dim),
        "mcp.faint": _ink(faint),
        "mcp.accent": _ink(colour("text-accent")),
        "mcp.primary": _ink(colour("text-primary")),
        "mcp.title": _ink(text, bold=True),
        "mcp.sent": _ink(colour("text-primary")),
        "mcp.received": _ink(colour("text-secondary")),
        "mcp.key": _ink(colour("text-primary")),
        "mcp.string": _ink(colour("text-success")),
        "mcp.number": _ink(colour("text-accent")),
        "mcp.literal": _ink(colour("text-warning")),
        "mcp.punct": _ink(dim),
        "mcp.token": Style(reverse=True),
        "mcp.link": _ink(colour("text-accent"), underline=True),
        "mcp.code": _ink(colour("text-secondary")),
        "mcp.match": _ink(colour("text-warning"), bold=True, reverse=True),
        "mcp.cursor": Style(bgcolor=cursor.rich_color),
        "mcp.cursor-blurred": Style(bgcolor=blurred.rich_color),
        "mcp.bar": _ink(ground.blend(text, 0.14)),
        "mcp.thumb": _ink(ground.blend(text, 0.5)),
        "mcp.tab": Style(color=ground.rich_color, bgcolor=colour("primary").rich_color, bold=True),
        "mcp.badge": _ink(colour("text-warning"), bold=True),
        "mcp.travel": _ink(colour("text-warning"), bold=True, reverse=True),
    }
    return RichTheme(styles, inherit=False)


def register_palettes(app: App[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give `app` every palette there is; their names, the default first, and what was wrong."""
    palettes, problems = load_palettes()
    for palette in palettes.values():
        app.register_theme(textual_theme(palette))
    return tuple(palettes), tuple(str(problem) for problem in problems)


def _ink(
    colour: Color,
    *,
    bold: bool | None = None,
    underline: bool | None = None,
    reverse: bool | None = None,
) -> Style:
    return Style(color=colour.rich_color, bold=bold, underline=underline, reverse=reverse)
