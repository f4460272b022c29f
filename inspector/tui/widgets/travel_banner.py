"""The line that says, whatever else is on screen, that this is not now.

Which entry is looked at, when that was, and the way back. It has an ink of its own, in reverse and
bold, so that it stands out without any colour too.
"""

from typing import TYPE_CHECKING

from rich.text import Text

from inspector.render.safe import one_line
from inspector.tui.key_hints import key_name
from inspector.tui.widgets.header import LineWidget

if TYPE_CHECKING:
    from inspector.recording_source import RecordingSource
    from inspector.tui.travel import Traveller

INK = "mcp.travel"


class TravelBanner(LineWidget):
    """Nothing now, a whole line in the past."""

    DEFAULT_CSS = """
    TravelBanner { display: none; }
    TravelBanner.-open { display: block; }
    """

    def update_from(self, travel: "Traveller | None", asking: int = 0) -> None:
        """Reads where we are; `asking` questions wait now."""
        open_now = travel is not None and travel.travelling
        self.set_class(open_now, "-open")
        if travel is not None and open_now:
            keys = key_name(self.app, "main.now"), key_name(self.app, "main.step_back")
            self.show_line(told(travel, self.app.size.width, keys, asking))


def told(travel: "Traveller", width: int, keys: tuple[str, str], asking: int = 0) -> Text:
    """The line; of what has no room the time goes first, and the way back never. `keys` are those
    that return, and that step back."""
    from inspector.tui.traffic_row import clock_text  # not before the first paint

    journal, number = travel.live.journal, travel.number
    end, source = travel.goal is None, travel.source
    what, place = ("now", "now") if source is None else ("its end", "the end")
    name = "AS OF" if source is None else "as of"
    where = f"{name} #{number:,}" + (" (end)" if end else "")
    if source is not None:
        where = f"RECORDING {one_line(name_of(source), max(12, width // 3))} · {where}"
    clock = distance = ""
    if 1 <= number <= len(journal):
        row, latest = journal.row(number), journal.row(len(journal))
        now = journal.clock.monotonic() if source is None else latest.monotonic
        clock = clock_text(row.wall)
        distance = "" if end else f"{ago(now - row.monotonic)} before {what}"
    going = ""
    if not travel.arrived:
        behind = number - travel.position
        going = f"going there, {behind:,} entries to go" if behind > 0 else "going there …"
    waits = f"{asking} waiting to be asked now" if asking else ""
    back = f"{keys[1]} steps back" if end else f"{keys[0]} returns to {place}"
    parts = [where, clock, distance, waits, going, _which(travel), back]
    for left_out in ((), (5,), (2, 5), (1, 5), (1, 2, 5), (1, 2, 4, 5), (1, 2, 3, 4, 5)):
        said = [part for place, part in enumerate(parts) if part and place not in left_out]
        line = " " + " · ".join(said)
        if len(line) <= width:
            break
    text = Text(end="", no_wrap=True)
    text.append(line.ljust(width)[:width], INK)
    return text


def _which(travel: "Traveller") -> str:
    """Which connection is on show, where there were several."""
    here = travel.bench.current if travel.bench is not None else None
    count = travel.live.journal.connections
    return f"connection {here.number} of {count}" if here is not None and count > 1 else ""


def name_of(source: "RecordingSource") -> str:
    """What a recording is called, without its folder."""
    return source.path.name if source.path is not None else source.label


def ago(seconds: float) -> str:
    """A duration in words: `0.4 s`, `12 s`, `4 min 12 s`, `2 h 5 min`, `3 d 4 h`."""
    seconds = max(0.0, seconds)
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 86400:
        return f"{whole // 3600} h {whole // 60 % 60} min"
    return f"{whole // 86400} d {whole // 3600 % 24} h"
