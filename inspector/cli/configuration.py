"""`mcp-inspect config`: where the files are, what is wrong with them, which servers they name.

Prints only; nothing here starts or writes anything.
"""

import click

from inspector.cli.commands import Group
from inspector.cli.output import Output
from inspector.config import paths


@click.group("config", cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
def config() -> None:
    """Our files: where, whether right, which servers."""


@config.command("path")
def path() -> None:
    """Where settings, keymap, themes and recordings are."""
    from inspector.render.safe import visible

    rows = (
        ("settings", paths.settings_file()),
        ("keymap", paths.keymap_file()),
        ("themes", paths.user_themes_dir()),
        ("shipped themes", paths.shipped_themes_dir()),
        ("recordings", paths.recordings_dir()),
        ("recents", paths.recents_file()),
        ("trust", paths.trust_file()),
    )
    out = Output()
    for name, place in rows:
        mark = "" if place.exists() else "  (not there)"
        out.result_text(visible(f"{name:<16}{place}{mark}") + "\n")


@config.command("check")
def check() -> None:
    """What is wrong with settings, keymap and themes.

    Exit code 2 if anything is.
    """
    from inspector.cli.output import USAGE
    from inspector.config.keymaps import KnownBinding, load_keymap
    from inspector.config.settings import load_settings
    from inspector.config.themes import load_palettes
    from inspector.tui.bindings import BINDINGS

    loaded = load_settings()
    palettes, broken = load_palettes()
    known = [
        KnownBinding(binding.id, tuple(binding.keys.split(",")), binding.scope)
        for binding in BINDINGS.values()
    ]
    problems = [*loaded.problems, *load_keymap(known).problems, *map(str, broken)]
    if loaded.settings.theme not in palettes:
        problems.append(f"{paths.settings_file()}: there is no theme {loaded.settings.theme!r}")
    out = Output()
    for problem in problems:
        out.note(problem)
    if not problems:
        out.result_text("nothing is wrong\n")
    click.get_current_context().exit(USAGE if problems else 0)


@config.command("themes")
def themes() -> None:
    """The names of the themes."""
    from inspector.config.themes import load_palettes
    from inspector.render.safe import visible

    palettes, _ = load_palettes()
    out = Output()
    for name, palette in palettes.items():
        out.result_text(visible(f"{name:<22}{palette.description}") + "\n")


@config.command("servers")
def servers() -> None:
    """The servers that config files name.

    Looked at are those of Claude Desktop, Claude Code, Cursor and VS Code, and .mcp.json here.
    """
    from rich.table import Table

    from inspector.config.discovery import discover
    from inspector.render.safe import shown_text, visible

    table = Table.grid(padding=(0, 2))
    for _ in range(4):
        table.add_column(overflow="fold")  # never cut: a path, or what is wrong, is told whole
    for found in discover():
        target = found.target
        what = target.shown if target is not None else found.problem
        ink = "" if target is not None else "mcp.error"
        cells = ((found.name or "(the file)", "mcp.title"), (found.host, ""), (what, ink))
        table.add_row(
            *(shown_text(visible(text), ink, wrap=True) for text, ink in cells),
            shown_text(visible(str(found.source)), "mcp.dim", wrap=True),
        )
    out = Output()
    if table.row_count:
        out.result(table)
    else:
        out.note("no config file names a server")
