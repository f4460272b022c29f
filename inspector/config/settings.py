"""The user's settings, from one TOML file; every one has a default and a command line wins.

The file is judged as a whole: one report names everything that is wrong, with its line, and what
is right still counts. Hand-checked against one table, because the settings are needed before first
paint and a validation library is not worth its import there.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from inspector.config.paths import settings_file
from inspector.config.report import read_toml, where
from inspector.config.themes import DEFAULT_THEME

POLICIES = ("ask", "decline", "cancel", "accept-defaults")
"""What can be said about a kind of ask in a file; canned answers are a matter of one session."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user set. Times are in seconds.

    `sampling` and `elicitation` are policies of the terminal interface; headless commands decline
    unless told otherwise on the command line.
    """

    theme: str = DEFAULT_THEME
    timeout: float = 60.0
    protocol: str = "handshake"
    roots: tuple[str, ...] = ()
    record: bool = True
    sampling: str = "ask"
    elicitation: str = "ask"


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """Settings, and everything that is wrong with their file (each with file and line)."""

    settings: Settings = field(default_factory=Settings)
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Key:
    """A key of the file: the field it sets, what it must be, in words and as a check."""

    field: str
    must_be: str
    read: Callable[[object], object | None]


def _text(value: object) -> object | None:
    return value if isinstance(value, str) and value else None


_LONGEST_SECONDS = 1e9


def _seconds(value: object) -> object | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return (
        float(value) if is_number and isinstance(value, int | float) and 0 < value < 1e9 else None
    )


def _flag(value: object) -> object | None:
    return value if isinstance(value, bool) else None


def _uris(value: object) -> object | None:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return None
    return tuple(value)


def _policy(value: object) -> object | None:
    return value if value in POLICIES else None


KEYS: dict[str, dict[str, _Key]] = {
    "appearance": {"theme": _Key("theme", "the name of a theme", _text)},
    "connection": {
        "timeout": _Key("timeout", "a number of seconds above 0", _seconds),
        "protocol": _Key("protocol", "auto, handshake, modern or a revision", _text),
        "roots": _Key("roots", "a list of URIs", _uris),
    },
    "recording": {
        "record": _Key("record", "true or false", _flag),
    },
    "asks": {
        "sampling": _Key("sampling", f"one of {', '.join(POLICIES)}", _policy),
        "elicitation": _Key("elicitation", f"one of {', '.join(POLICIES)}", _policy),
    },
}
"""The tables and keys of the file."""


def load_settings(path: Path | None = None) -> LoadedSettings:
    """The settings of the user; defaults where there is no file. Never raises."""
    path = path if path is not None else settings_file()
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return LoadedSettings()
    except OSError as error:
        return LoadedSettings(problems=(f"{path}: cannot be read: {error.strerror}",))
    except UnicodeDecodeError as error:
        return LoadedSettings(problems=(f"{path}: byte {error.start} is not UTF-8",))
    loaded = read_settings(text)
    problems = tuple(f"{path}: {problem}" for problem in loaded.problems)
    return LoadedSettings(loaded.settings, problems)


def read_settings(text: str) -> LoadedSettings:
    """The settings written in `text`. Never raises."""
    document = read_toml(text)
    if isinstance(document, str):
        return LoadedSettings(problems=(document,))
    settings, problems = Settings(), []
    for table, content in document.items():
        if table not in KEYS:
            problems.append(f"{where(text, table)}unknown table [{table}]{_close(table, KEYS)}")
            continue
        if not isinstance(content, dict):
            problems.append(f"{where(text, table)}{table} is a table: write [{table}]")
            continue
        for key, value in content.items():
            known = KEYS[table].get(key)
            place = where(text, key, table)
            if known is None:
                hint = _close(key, KEYS[table])
                problems.append(f"{place}unknown key {key!r} in [{table}]{hint}")
                continue
            read = known.read(value)
            if read is None:
                problems.append(f"{place}{table}.{key} must be {known.must_be}")
            else:
                settings = _with(settings, known.field, read)
    return LoadedSettings(settings, tuple(problems))


def _with(settings: Settings, name: str, value: object) -> Settings:
    changes: dict[str, object] = {name: value}
    return replace(settings, **changes)  # type: ignore[arg-type]


def _close(word: str, known: dict[str, _Key] | dict[str, dict[str, _Key]]) -> str:
    close = get_close_matches(word, list(known), 1)
    return f"; did you mean {close[0]!r}?" if close else f"; known are {', '.join(known)}"
