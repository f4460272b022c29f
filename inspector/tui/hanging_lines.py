"""The lines of "Why is it hanging?": a diagnosis as text, long sentences on several lines.

What the reasons are is decided by `inspector.journal.hanging`. Sentences quote what a server sent,
so everything goes through `render.safe`.
"""

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich.text import Text

from inspector.journal.hanging import Diagnosis
from inspector.journal.hanging_case import Reason, Waiting, ago
from inspector.render.safe import one_line, plain, shown_text, visible


@dataclass(frozen=True, slots=True)
class HangingLine:
    """One line; Enter goes to `entry` (0: nowhere). `key` stays while ages change."""

    text: str
    ink: str
    entry: int
    key: tuple[str, ...]
    heading: bool = False
    sign: str = "  "


def hanging_lines(found: Diagnosis, width: int) -> list[HangingLine]:
    """The diagnosis, a section after the other; sentences broken at `width` cells."""
    lines: list[HangingLine] = []
    lines += _sentence("verdict", found.verdict, "mcp.title", width, sign="▶ ")
    if found.waiting:
        lines += _heading("waiting for an answer")
        for wait in found.waiting:
            ink = "mcp.badge" if wait.on_us else ""
            lines += _sentence("waiting", Reason(waiting_words(wait), wait.number), ink, width)
            if wait.progress is not None:
                lines += _sentence("progress", wait.progress, "mcp.dim", width, sign="    ")
        if found.more_waiting:
            lines += _heading(f"and {found.more_waiting:,} more")
    others = [one for one in found.reasons if one is not found.verdict]
    if others:
        lines += _heading("what else speaks of it")
        for one in others:
            ink = "" if one.weight else "mcp.dim"
            lines += _sentence("reason", one, ink, width, sign="! " if one.weight else "· ")
    if found.state:
        lines += _heading("both ends")
        for place, one in enumerate(found.state):
            lines += _sentence(f"state {place}", one, "", width)
    if found.stderr:
        lines += _heading("last lines of stderr")
        for one in found.stderr:
            key = ("stderr", str(one.entry))
            lines.append(HangingLine(one.text, "mcp.dim", one.entry, key))
    return lines


def waiting_words(one: Waiting) -> str:
    """`→ tools/call add #12, id 7: we wait for the server, 14 s`"""
    name = f" {one.name}" if one.name else ""
    arrow, who = ("←", "the server waits for us") if one.on_us else ("→", "we wait for the server")
    return f"{arrow} {one.method}{name} #{one.number}, id {one.id}: {who}, {ago(one.age)}"


def draw_line(line: HangingLine, width: int) -> Text:
    """One line of the list."""
    text = Text(end="", no_wrap=True)
    if line.heading:
        if line.text:
            text.append(f"── {line.text}", "mcp.dim")
        return text
    text.append(line.sign, "mcp.error" if line.sign.strip() in ("▶", "!") else "mcp.dim")
    room = max(1, width - len(line.sign))
    text.append_text(shown_text(one_line(line.text, room), line.ink))
    return text


def diagnosis_text(found: Diagnosis) -> str:
    """The diagnosis for the clipboard."""
    lines = hanging_lines(found, 100)
    words = ("\n" + line.text if line.heading else line.sign + line.text for line in lines)
    return "\n".join(visible(one, keep_newlines=True) for one in words) + "\n"


def _heading(words: str) -> list[HangingLine]:
    return [
        HangingLine("", "", 0, ("gap", words), heading=True),
        HangingLine(words, "mcp.dim", 0, ("heading", words), heading=True),
    ]


def _sentence(
    section: str, reason: Reason, ink: str, width: int, *, sign: str = "  "
) -> Iterator[HangingLine]:
    """A sentence on as many lines as it needs; the sign stands before the first."""
    parts = _wrapped(visible(reason.text), max(20, width - len(sign)))
    for place, part in enumerate(parts):
        key = (section, str(reason.entry), str(place))
        before = " " * len(sign) if place else sign
        yield HangingLine(plain(part), ink, reason.entry, key, sign=before)


def _wrapped(text: str, width: int) -> Iterable[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False) or [""]
