"""MCP servers named in the config files of other programs: Claude Desktop, Claude Code, Cursor,
VS Code, and `.mcp.json` of a project.

Reading starts nothing. Every entry is a `Found`: with a target, or with the problem that kept it
from being one, so that a bad entry never hides a good one, nor a bad file another file.
"""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from inspector.config.entries import read_entry
from inspector.config.jsonc import Json, JsoncError, loads
from inspector.config.targets import Target
from inspector.config.trust import trust_key
from inspector.errors import UsageError

MAX_FILE = 16 * 1024 * 1024
"""Bytes of a config file that are read; a larger one is a problem. Claude Code's grows large."""


@dataclass(frozen=True, slots=True)
class Found:
    """One entry of a config file, or one unreadable file (`name` is empty then).

    `target` is None exactly where `problem` says why; `notes` tell what was expanded or ignored;
    `project` is the folder the entry is meant for, "" where it is meant for all.
    """

    name: str
    host: str
    source: Path
    target: Target | None = None
    problem: str = ""
    notes: tuple[str, ...] = ()
    project: str = ""


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A place where a host program keeps servers; `folder` is set for files of a project."""

    host: str
    path: Path
    folder: Path | None = None


def config_files(cwd: Path, home: Path, environ: Mapping[str, str]) -> tuple[ConfigFile, ...]:
    """The places looked at, the project's own first; they need not exist."""
    roaming = _roaming(home, environ)
    claude = environ.get("CLAUDE_CONFIG_DIR")
    user_editor = [roaming / editor / "User" / "mcp.json" for editor in ("Code", "Code - Insiders")]
    return (
        ConfigFile("project", cwd / ".mcp.json", cwd),
        ConfigFile("Cursor", cwd / ".cursor" / "mcp.json", cwd),
        ConfigFile("VS Code", cwd / ".vscode" / "mcp.json", cwd),
        ConfigFile("Claude Code", (Path(claude) if claude else home) / ".claude.json"),
        ConfigFile("Claude Desktop", roaming / "Claude" / "claude_desktop_config.json"),
        ConfigFile("Cursor", home / ".cursor" / "mcp.json"),
        *(ConfigFile("VS Code", path) for path in user_editor),
    )


def discover(
    cwd: Path | None = None, home: Path | None = None, environ: Mapping[str, str] | None = None
) -> tuple[Found, ...]:
    """Every server in every config file that exists, in the order of `config_files`."""
    cwd, home = cwd or Path.cwd(), home or Path.home()
    environ = os.environ if environ is None else environ
    found: list[Found] = []
    seen: set[Path] = set()
    for file in config_files(cwd, home, environ):
        try:
            real = file.path.resolve()
            exists = file.path.exists()
        except OSError:
            continue
        if exists and real not in seen:
            seen.add(real)
            found += read_config(file, home, environ)
    return tuple(found)


def read_config(
    file: ConfigFile,
    home: Path | None = None,
    environ: Mapping[str, str] | None = None,
    overrides: Mapping[str, str] | None = None,
) -> tuple[Found, ...]:
    """The entries of one file. Never raises: an unreadable file is one `Found` with a problem.

    `overrides` replaces environment values of the entries, before their variables are expanded.
    """
    home = home or Path.home()
    environ = os.environ if environ is None else environ
    try:
        document = _load(file.path)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return (Found("", file.host, file.path, problem=f"cannot be read: {reason}"),)
    if not isinstance(document, dict):
        return (Found("", file.host, file.path, problem="is not a JSON object"),)
    inputs = document.get("inputs", [])
    found: list[Found] = []

    def read_table(table: Json, folder: Path | None, project: str, key: str) -> None:
        if table is None:
            return
        if not isinstance(table, dict):
            problem = f"{key} is not an object"
            found.append(Found("", file.host, file.path, problem=problem, project=project))
            return
        for name, entry in table.items():
            outcome = read_entry(
                name,
                entry,
                source=file.path,
                folder=folder,
                home=home,
                environ=environ,
                inputs=inputs,
                overrides=overrides or {},
            )
            found.append(
                Found(
                    name,
                    file.host,
                    file.path,
                    outcome.target,
                    outcome.problem,
                    outcome.notes,
                    project,
                )
            )

    for key in ("mcpServers", "servers"):
        read_table(document.get(key), file.folder, "", key)
    nested = document.get("mcp")
    if isinstance(nested, dict):
        read_table(nested.get("servers"), file.folder, "", "mcp.servers")
    _each_project(document.get("projects"), read_table)
    return tuple(found)


def find_server(
    name: str,
    config: Path | None = None,
    *,
    overrides: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    home: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> Found:
    """The entry called `name`, in the file `config` or in all known files.

    A returned `Found` has a target. Raises UsageError where there is none, where it has a problem,
    or where two files mean different servers by that name.
    """
    cwd, home = cwd or Path.cwd(), home or Path.home()
    environ = os.environ if environ is None else environ
    if config is not None:
        if not config.exists():
            raise UsageError(f"there is no file {config}")
        files: tuple[ConfigFile, ...] = (_named_file(config, config_files(cwd, home, environ)),)
    else:
        files = tuple(f for f in config_files(cwd, home, environ) if f.path.exists())
    entries = [e for file in files for e in read_config(file, home, environ, overrides)]
    if config is None:
        entries = [e for e in entries if not e.project or Path(e.project) == cwd]
    matching = [e for e in entries if e.name == name]
    usable = [(e, e.target) for e in matching if e.target is not None]
    if not usable:
        raise _not_found(name, matching, entries)
    if len({trust_key(target) for _, target in usable}) > 1:
        places = ", ".join(str(entry.source) for entry, _ in usable)
        raise UsageError(
            f"{name!r} means different servers in {places}", hint="choose one with --config FILE"
        )
    return usable[0][0]


def _named_file(path: Path, known: tuple[ConfigFile, ...]) -> ConfigFile:
    """A file that the user named: as the place it is known for, or by where it lies.

    Servers of a project's file start in the project; those of any other file where the user is.
    """
    real = path.resolve()
    for file in known:
        if file.path.resolve() == real:
            return ConfigFile(file.host, path, file.folder)
    parent = path.absolute().parent
    if parent.name in (".vscode", ".cursor"):
        return ConfigFile("config", path, parent.parent)
    return ConfigFile("config", path, parent if path.name == ".mcp.json" else None)


def _not_found(name: str, matching: list[Found], entries: list[Found]) -> UsageError:
    if matching:
        entry = matching[0]
        return UsageError(
            f"the entry {name!r} in {entry.source} cannot be used: {entry.problem}",
            hint="set the variable, or give the value with --env NAME=VALUE",
            fault="config",
        )
    broken = [f"{entry.source} {entry.problem}" for entry in entries if not entry.name]
    known = sorted({entry.name for entry in entries if entry.name})
    hint = f"known are: {', '.join(known)}" if known else "no config file names any server"
    if broken:
        hint += "; " + "; ".join(broken)
    return UsageError(f"no config file has a server called {name!r}", hint=hint, fault="config")


def _each_project(
    projects: Json, read_table: Callable[[Json, Path | None, str, str], None]
) -> None:
    if not isinstance(projects, dict):
        return
    for folder, facts in projects.items():
        if isinstance(facts, dict) and facts.get("mcpServers"):
            key = f"projects.{folder}.mcpServers"
            read_table(facts.get("mcpServers"), Path(folder), folder, key)


def _load(path: Path) -> Json:
    if path.stat().st_size > MAX_FILE:
        raise ValueError(f"larger than {MAX_FILE // 1024 // 1024} MiB")
    try:
        return loads(path.read_bytes().decode("utf-8"))
    except UnicodeDecodeError:
        raise JsoncError("not UTF-8") from None


def _roaming(home: Path, environ: Mapping[str, str]) -> Path:
    """Where desktop programs keep their settings on this system."""
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    given = environ.get("XDG_CONFIG_HOME")
    return Path(given) if given else home / ".config"
