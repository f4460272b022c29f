"""The capability table: what each side may declare, who did, since when, and what was used of it.

Derived from the negotiated capabilities, the method table and the counts of the journal;
what was declared that no revision knows stands there too. Pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from inspector.journal.entries import Direction
from inspector.journal.method_counts import uses
from inspector.protocol.deprecated import is_deprecated
from inspector.protocol.messages import JsonObject, encode_json
from inspector.protocol.methods import METHODS, Side
from inspector.protocol.versions import Era, Revision
from inspector.session.state import capability_at

_A, _B, _C, _D, _E = tuple(Revision)
_EXTENSIONS: Final = frozenset(
    extension for row in METHODS.values() for extension in row.extensions.values()
)

Path = tuple[str, ...]

KNOWN: Final[Mapping[Side, Mapping[Path, Revision]]] = {
    "server": {
        ("tools",): _A,
        ("tools", "listChanged"): _A,
        ("resources",): _A,
        ("resources", "subscribe"): _A,
        ("resources", "listChanged"): _A,
        ("prompts",): _A,
        ("prompts", "listChanged"): _A,
        ("completions",): _B,
        ("logging",): _A,
        ("tasks",): _D,
        ("tasks", "list"): _D,
        ("tasks", "cancel"): _D,
        ("tasks", "requests", "tools", "call"): _D,
        ("experimental",): _A,
        ("extensions",): _E,
    },
    "client": {
        ("roots",): _A,
        ("roots", "listChanged"): _A,
        ("sampling",): _A,
        ("sampling", "tools"): _D,
        ("sampling", "context"): _D,
        ("elicitation",): _C,
        ("elicitation", "form"): _D,
        ("elicitation", "url"): _D,
        ("experimental",): _A,
        ("extensions",): _E,
    },
}
"""Every capability with the revision that brought it."""

GONE: Final[Mapping[Side, frozenset[Path]]] = {
    "server": frozenset(path for path in KNOWN["server"] if path[0] == "tasks"),
    "client": frozenset({("roots", "listChanged")}),
}
"""What 2026-07-28 has no longer; tasks are an extension there."""
HOLDERS: Final = {"experimental": _A, "extensions": _E}
"""Capabilities that hold others, whose names and settings are anybody's own."""
SETTINGS_LIMIT: Final = 400
DECLARED_CAP: Final = 300
"""How many declared paths get a row; a server may declare thousands of experiments."""


@dataclass(frozen=True, slots=True)
class CapabilityRow:
    """One capability of one side. `since` is None where no revision knows it; `uses` counts the
    messages of this connection that needed it, by method. `settings` is JSON text, of an extension
    that has any; `deprecated` tells that the negotiated revision deprecates it."""

    side: Side
    path: Path
    declared: bool
    since: Revision | None
    uses: tuple[tuple[str, int], ...]
    settings: str = ""
    deprecated: bool = False

    @property
    def held(self) -> bool:
        """Whether it is an extension, or an experiment: its name is anybody's own."""
        return len(self.path) > 1 and self.path[0] in HOLDERS

    @property
    def name(self) -> str:
        """The path with dots; an extension by its identifier."""
        return self.path[1] if self.held else ".".join(self.path)

    @property
    def spoken(self) -> bool:
        """Whether any method that we know needs it, so that a use would be counted."""
        return not self.held or self.path[1] in _EXTENSIONS


def capability_rows(
    side: Side,
    declared: JsonObject,
    revision: Revision | None,
    counts: Mapping[tuple[Direction, str], int],
) -> list[CapabilityRow]:
    """The rows of one side: what the revision knows, then what was declared beyond it; what a
    capability holds stands below it."""
    known, modern = KNOWN[side], revision is not None and revision.era is Era.MODERN
    shown = [
        path
        for path, since in known.items()
        if (revision is None or since <= revision) and not (modern and path in GONE[side])
    ]
    for path in declared_paths(declared)[:DECLARED_CAP]:
        if path not in shown and _is_leaf(path, known):
            shown.insert(_place(path, shown), path)
    return [
        CapabilityRow(
            side,
            path,
            capability_at(declared, path),
            known.get(path) or (HOLDERS.get(path[0]) if len(path) > 1 else None),
            tuple(uses(side, path, revision, counts)),
            _settings(declared, path),
            is_deprecated(side, path[0], revision),
        )
        for path in shown
    ]


def without_row(declared: JsonObject) -> int:
    """How many declared paths are too many for rows of their own."""
    return max(0, len(declared_paths(declared)) - DECLARED_CAP)


def _place(path: Path, shown: Sequence[Path]) -> int:
    """Behind the last one of the same holder, else at the end."""
    if path[0] not in HOLDERS:
        return len(shown)
    same = [place for place, other in enumerate(shown) if other[0] == path[0]]
    return same[-1] + 1 if same else len(shown)


def _settings(declared: JsonObject, path: Path) -> str:
    """What an extension says of itself, as JSON."""
    if len(path) < 2 or path[0] not in HOLDERS:
        return ""
    held = declared.get(path[0])
    value = held.get(path[1]) if isinstance(held, dict) else None
    if value in ({}, True):
        return ""
    return encode_json(value)[:SETTINGS_LIMIT].decode("utf-8", "replace")


def declared_paths(declared: JsonObject) -> list[Path]:
    """The paths of one or two members that are declared, in their order."""
    paths: list[Path] = []
    for name, inner in declared.items():
        if capability_at(declared, (name,)):
            paths.append((name,))
            if isinstance(inner, dict):
                paths += [(name, key) for key in inner if capability_at(declared, (name, key))]
    return paths


def _is_leaf(path: Path, known: Mapping[Path, Revision]) -> bool:
    """Whether nothing longer of `known` says the same already (tasks.requests)."""
    return not any(other[: len(path)] == path and other != path for other in known) or (
        len(path) == 1
    )
