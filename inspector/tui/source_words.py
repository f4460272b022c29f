"""How a recording stands that is looked at, in a word or two for the header, and what is wrong with
it, once, in a sentence.
"""

from typing import TYPE_CHECKING

from rich.text import Text

from inspector.render.safe import one_line

if TYPE_CHECKING:
    from inspector.recording_source import RecordingSource


def source_words(source: "RecordingSource", *, narrow: bool) -> Text:
    """How far it was read, whether it grows, whether something of it could not be read."""
    text = Text(end="")
    if source.reading:
        text.append(f"◌ opening {source.progress:.0%}", "mcp.warn")
    elif source.following:
        text.append("● following", "mcp.ok")
    else:
        text.append("○ recording", "mcp.dim")
    if source.problem:
        text.append("  ! damaged" if not narrow else "  !", "mcp.error")
    return text


class Remarks:
    """What is to be said of a recording, each once."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def new(self, source: "RecordingSource") -> list[tuple[str, bool]]:
        """What was not said yet, and whether it is an error."""
        found: list[tuple[str, bool]] = []
        if source.not_kept and "kept" not in self._said:
            self._said.add("kept")
            why = one_line(source.not_kept, 200)
            found.append((f"Marks and notes are gone when this is closed: {why}", False))
        if (why := source.reader.problem) and why not in self._said:
            self._said.add(why)
            found.append((f"{one_line(source.label, 60)}: {why}", True))
        return found
