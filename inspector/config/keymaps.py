"""The user's key bindings: a TOML table from binding id to keys.

    [keys]
    "app.quit" = "ctrl+q"
    "traffic.follow" = ["f", "F"]
    "traffic.mark" = []            # no key at all

Which ids exist and which keys they have by default is the interface's business; it passes them in.
A wrong line is reported and its default stays, so that a typo never leaves a program without keys.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from inspector.config.paths import keymap_file
from inspector.config.report import read_toml, where

_KEY = re.compile(r"(?:(?:ctrl|alt|shift|super|meta|hyper)\+)*[^\s+,]+|\S")


@dataclass(frozen=True, slots=True)
class KnownBinding:
    """A binding that can be changed: its id, its default keys, and where it is active.

    Two bindings conflict when they share a key and a scope, or one of the scopes is "app".
    """

    id: str
    keys: tuple[str, ...]
    scope: str = "app"


@dataclass(frozen=True, slots=True)
class Keymap:
    """What the user changed, by id, and everything that is wrong with the file.

    `overrides` maps an id to its keys, comma separated, as Textual takes them ("" for none).
    """

    overrides: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


def load_keymap(known: Iterable[KnownBinding], path: Path | None = None) -> Keymap:
    """The keymap of the user; empty where there is no file. Never raises."""
    path = path if path is not None else keymap_file()
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return Keymap()
    except OSError as error:
        return Keymap(problems=(f"{path}: cannot be read: {error.strerror}",))
    except UnicodeDecodeError as error:
        return Keymap(problems=(f"{path}: byte {error.start} is not UTF-8",))
    keymap = read_keymap(text, known)
    return Keymap(keymap.overrides, tuple(f"{path}: {problem}" for problem in keymap.problems))


def read_keymap(text: str, known: Iterable[KnownBinding]) -> Keymap:
    """The keymap written in `text`. Never raises."""
    bindings = {binding.id: binding for binding in known}
    document = read_toml(text)
    if isinstance(document, str):
        return Keymap(problems=(document,))
    problems = [
        f"{where(text, key)}unknown table {key!r}; bindings stand in [keys]"
        for key in document
        if key != "keys"
    ]
    table = document.get("keys", {})
    if not isinstance(table, dict):
        return Keymap(problems=(*problems, "keys is not a table"))
    overrides: dict[str, str] = {}
    for identity, given in _flat(table):
        place = where(text, identity, "keys")
        if identity not in bindings:
            close = get_close_matches(identity, bindings, 1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            problems.append(f"{place}there is no binding {identity!r}{hint}")
            continue
        keys = _keys(given)
        if keys is None:
            problems.append(f"{place}{identity} needs a key like 'ctrl+x' or a list of keys")
        else:
            overrides[identity] = ",".join(keys)
    problems += _conflicts(bindings, overrides)
    return Keymap(overrides, tuple(problems))


def _flat(table: Mapping[str, object], prefix: str = "") -> list[tuple[str, object]]:
    """Unquoted dotted ids arrive as nested tables; they mean the same."""
    found: list[tuple[str, object]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            found += _flat(value, f"{prefix}{key}.")
        else:
            found.append((f"{prefix}{key}", value))
    return found


def _keys(given: object) -> list[str] | None:
    if isinstance(given, str):
        keys = (
            [part.strip() for part in given.split(",") if part.strip()] if given != "," else [","]
        )
    elif isinstance(given, list) and all(isinstance(item, str) for item in given):
        keys = [str(item).strip() for item in given]
    else:
        return None
    named = ["comma" if key == "," else key for key in keys]
    return named if all(_KEY.fullmatch(key) for key in named) else None


def _conflicts(bindings: Mapping[str, KnownBinding], overrides: Mapping[str, str]) -> list[str]:
    """Clashes that the user's own lines cause; those among the defaults are not theirs."""
    problems: list[str] = []
    keys = {
        identity: set(overrides[identity].split(",")) - {""}
        if identity in overrides
        else set(binding.keys)
        for identity, binding in bindings.items()
    }
    for identity in overrides:
        for other, binding in bindings.items():
            if other == identity or (other in overrides and other < identity):
                continue
            scopes = {binding.scope, bindings[identity].scope}
            for key in sorted(keys[identity] & keys[other]):
                if len(scopes) == 1 or "app" in scopes:
                    problems.append(f"{key} is bound to both {identity!r} and {other!r}")
    return problems
