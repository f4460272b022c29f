"""The places that the connect screen lists: servers of config files, recents, the demo.

Reads files, starts nothing. A place that cannot be opened stands in the list with the reason, so
that a bad entry is found where it is looked for.
"""

import importlib.util
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from inspector.config.discovery import Found, discover, find_server
from inspector.config.recents import Recent, Recents
from inspector.config.targets import Target
from inspector.config.trust import TrustStore, needs_trust
from inspector.errors import InspectorError, UsageError


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading in the list."""

    title: str


@dataclass(frozen=True, slots=True)
class Place:
    """One server that can be chosen.

    `where` says whose entry it is, `problem` why it cannot be opened, `missing` what has to be
    given anew because it was not kept, `trusted` whether the user agreed to it before, `notes` what
    was expanded in the entry.
    """

    name: str
    what: str
    where: str = ""
    target: Target | None = None
    problem: str = ""
    missing: tuple[str, ...] = ()
    trusted: bool = True
    recent: Recent | None = None
    notes: tuple[str, ...] = ()


Line = Heading | Place


def demo_place() -> Place:
    """The built-in demo server."""
    words = "a server that shows every feature, to try things out"
    if importlib.util.find_spec("mcp") is None:
        hint = "needs the official SDK: pip install 'mcp-inspect[demo]'"
        return Place("demo", words, problem=hint)
    program = (sys.executable, "-m", "inspector.demo")
    return Place("demo", words, target=Target(program, transport="stdio", name="demo"))


def places(
    cwd: Path | None = None, home: Path | None = None, recents: Recents | None = None
) -> list[Line]:
    """Everything to choose from, with headings."""
    trust = TrustStore()
    lines: list[Line] = []
    known = (recents or Recents()).load()
    if known:
        lines.append(Heading("Recent"))
        lines += [_from_recent(recent, trust) for recent in known[:8]]
    lines += _by_file(discover(cwd, home), trust)
    lines += [Heading("Built in"), demo_place()]
    return lines


def _by_file(found: Iterable[Found], trust: TrustStore) -> list[Line]:
    lines: list[Line] = []
    heading = ""
    for entry in found:
        title = f"{entry.host} · {entry.source}"
        if title != heading:
            heading = title
            lines.append(Heading(title))
        lines.append(_from_found(entry, trust))
    return lines


def _from_found(entry: Found, trust: TrustStore) -> Place:
    target = entry.target
    return Place(
        name=entry.name or "(the file)",
        what=target.shown if target is not None else "",
        where=entry.project,
        target=target,
        problem=entry.problem,
        trusted=target is None or not needs_trust(target) or trust.is_trusted(target),
        notes=entry.notes,
    )


def _from_recent(recent: Recent, trust: TrustStore) -> Place:
    target, problem, missing = recent.target, "", recent.missing
    notes: tuple[str, ...] = ()
    if target.source is not None:
        # Entries of config files are read again: what stands there now is what would be started.
        try:
            found = find_server(target.name, target.source)
        except InspectorError as error:
            problem = error.message
        else:
            target, missing, notes = found.target or target, (), found.notes
    return Place(
        name=target.name,
        what=target.shown,
        target=None if problem else target,
        problem=problem,
        missing=missing,
        trusted=not needs_trust(target) or trust.is_trusted(target),
        recent=recent,
        notes=notes,
    )


def openable(place: Place) -> Target:
    """The target of a place. Raises UsageError, with the reason, where it cannot be opened."""
    if place.target is None:
        raise UsageError(
            f"{place.name}: {place.problem}", hint="mend the entry in its file", fault="config"
        )
    if place.missing:
        raise UsageError(
            f"not kept, so not known any more: {', '.join(place.missing)}",
            hint="start it from the command line, or from its config file",
        )
    return place.target
