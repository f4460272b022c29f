"""The table of formats: their names, the suffixes that they are guessed by, and who writes them.

A format's module is loaded when it is asked for. Pure.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Final

from inspector.errors import UsageError
from inspector.export.source import Source

Writer = Callable[[Source], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class Format:
    """One format: `about` says in a line what it is for, `suffix` ends the name of its files."""

    name: str
    suffix: str
    about: str
    module: str

    def write(self, source: Source) -> Iterator[bytes]:
        """The export in pieces."""
        writer: Writer = import_module(f"inspector.export.{self.module}").export
        return writer(source)


FORMATS: Final = (
    Format("jsonl", ".jsonl", "a recording that opens again", "jsonl"),
    Format("json", ".json", "one document for programs", "json_document"),
    Format("har", ".har", "HTTP archive, for browsers", "har"),
    Format("html", ".html", "one page to read in a browser", "html"),
    Format("markdown", ".md", "a report for an issue", "markdown"),
    Format("mermaid", ".mmd", "a sequence diagram", "mermaid"),
    Format("curl", ".sh", "a script that sends it again", "shell_script"),
    Format("pytest", ".py", "tests that replay the calls", "pytest_file"),
)
NAMES: Final = tuple(one.name for one in FORMATS)
_ALIASES: Final = {".htm": "html", ".markdown": "markdown", ".mermaid": "mermaid"}


def format_named(name: str) -> Format:
    """The format of that name. UsageError names the nearest where there is none."""
    for one in FORMATS:
        if one.name == name.lower():
            return one
    close = get_close_matches(name.lower(), NAMES, 1)
    meant = f"; did you mean {close[0]!r}?" if close else ""
    raise UsageError(f"there is no format {name!r}{meant}", hint=f"there are {', '.join(NAMES)}")


def format_of(file_name: str) -> Format | None:
    """The format that a file's name tells; None where it tells none."""
    low = file_name.lower()
    for alias, name in _ALIASES.items():
        if low.endswith(alias):
            return format_named(name)
    return next((one for one in FORMATS if low.endswith(one.suffix)), None)
