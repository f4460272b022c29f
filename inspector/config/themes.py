"""Colour themes as files: one TOML file, one `Palette`.

A palette has the fields of Textual's Theme, so that the interface passes them on; nothing here
knows Textual. A file that is wrong yields one report of everything wrong with it and never keeps
another theme from loading.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from inspector.config.paths import shipped_themes_dir, user_themes_dir
from inspector.config.report import read_toml, where

DEFAULT_THEME = "inspector-dark"

COLOURS = (
    *("background", "surface", "panel", "foreground", "primary", "secondary", "accent"),
    *("success", "warning", "error"),
)
"""The colours that every palette must name."""

_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
_VARIABLE = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True, slots=True)
class Palette:
    """One theme; colours are `#rrggbb`. `variables` are further names for the style sheet."""

    name: str
    title: str
    dark: bool
    background: str
    surface: str
    panel: str
    foreground: str
    primary: str
    secondary: str
    accent: str
    success: str
    warning: str
    error: str
    description: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ThemeProblem:
    """A theme file that cannot be used, with everything that is wrong with it."""

    path: Path
    problems: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(f"{self.path}: {problem}" for problem in self.problems)


def load_palette(path: Path) -> Palette | ThemeProblem:
    """The palette in one file, or everything that is wrong with it. Never raises."""
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        return ThemeProblem(path, (f"cannot be read: {error.strerror}",))
    except UnicodeDecodeError as error:
        return ThemeProblem(path, (f"byte {error.start} is not UTF-8",))
    document = read_toml(text)
    if isinstance(document, str):
        return ThemeProblem(path, (document,))
    problems = _problems(document, text)
    if problems:
        return ThemeProblem(path, tuple(problems))
    colours = {key: str(document[key]) for key in COLOURS}
    name = str(document.get("name", path.stem))
    return Palette(
        name=name,
        title=str(document.get("title", name)),
        description=str(document.get("description", "")),
        dark=bool(document["dark"]),
        variables=dict(document.get("variables", {})),
        **colours,
    )


def load_palettes(
    directories: tuple[Path, ...] | None = None,
) -> tuple[dict[str, Palette], tuple[ThemeProblem, ...]]:
    """All palettes by name, the default first, and the files that could not be used.

    Without `directories` the shipped ones are read, then the user's, which win.
    """
    directories = directories or (shipped_themes_dir(), user_themes_dir())
    found: dict[str, Palette] = {}
    problems: list[ThemeProblem] = []
    for directory in directories:
        for path in sorted(directory.glob("*.toml")) if directory.is_dir() else ():
            match load_palette(path):
                case Palette() as palette:
                    found[palette.name] = palette
                case ThemeProblem() as problem:
                    problems.append(problem)
    ordered = sorted(found, key=lambda name: (name != DEFAULT_THEME, name))
    return {name: found[name] for name in ordered}, tuple(problems)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two `#rrggbb` colours, 1 to 21, as WCAG 2.2 defines it."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    def linear(channel: int) -> float:
        part = channel / 255
        return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)

    red, green, blue = (linear(int(colour[n : n + 2], 16)) for n in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _problems(document: dict[str, object], text: str) -> list[str]:
    problems: list[str] = []
    known = {item.name for item in fields(Palette)}
    for key in document:
        if key not in known:
            problems.append(f"{where(text, key)}unknown key {key!r}")
    for key in ("name", "title", "description"):
        if key in document and not isinstance(document[key], str):
            problems.append(f"{where(text, key)}{key} is not a text")
    name = document.get("name")
    if isinstance(name, str) and not _NAME.fullmatch(name):
        problems.append(f"{where(text, 'name')}name may hold a-z, 0-9 and - only")
    if not isinstance(document.get("dark"), bool):
        problems.append(f"{where(text, 'dark')}dark must be true or false")
    for key in COLOURS:
        if key not in document:
            problems.append(f"the colour {key!r} is missing")
        elif not _is_colour(document[key]):
            problems.append(f"{where(text, key)}{key} is not a colour like '#1b2a3c'")
    variables = document.get("variables", {})
    if not isinstance(variables, dict):
        return [*problems, f"{where(text, 'variables')}variables is not a table"]
    for key, value in variables.items():
        if not _VARIABLE.fullmatch(key) or not isinstance(value, str):
            problems.append(f"{where(text, key)}variables.{key} is not a name with a text")
    return problems


def _is_colour(value: object) -> bool:
    return isinstance(value, str) and _HEX.fullmatch(value) is not None
