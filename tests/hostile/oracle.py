"""Judges the bytes that reached a terminal: what in them is not ours?

A state machine as of a VT500 takes the output apart into sequences and text, the way a terminal
does: 7-bit, 8-bit and UTF-8 forms of C1, strings that never end, sequences inside sequences. What
is foreign: a sequence that the interface does not use, one that holds the nonce or the number of
this run, a mode that is switched more often than a program does that begins and ends once, a
control character, and one that is not seen.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from tests.servers.hostile_texts import NONCE, number_of

Kind = Literal["text", "csi", "osc", "dcs", "apc", "pm", "sos", "escape", "control"]
MODES: Final = "7|25|1000|1003|1004|1006|1015|1016|1049|2004|2026|2048"
SHAPES: Final = "default|pointer|text|grab|grabbing|ns-resize|ew-resize|not-allowed"
OURS: Final = re.compile(
    r"\x1b\[(?:\d{1,3}(?:;\d{1,3})*)?m|\x1b\[(?:\d{1,4};\d{1,4})?H|\x1b\[2J|\x1b\[[<>][0-9]{0,2}u"
    rf"|\x1b\[\?(?:{MODES})[hl]|\x1b\[\?(?:2026|2048)\$p|\x1b\]22;(?:{SHAPES})\x07"
)
"""Everything that the interface may say to a terminal: colours, places, modes, pointer shapes."""
MOST: Final = {"\x1b[?1049h": 2, "\x1b[?1049l": 1, "\x1b[2J": 1}
"""How often a program says what it says on its way in or out: the frame that is drawn before
Textual is there enters the other screen, and Textual does again."""
STRINGS: Final[dict[str, Kind]] = {"]": "osc", "P": "dcs", "_": "apc", "^": "pm", "X": "sos"}
_C1: Final = {chr(code): chr(code - 0x40) for code in range(0x80, 0xA0)}
_RAW_C1: Final = {chr(0xDC00 + code): chr(code - 0x40) for code in range(0x80, 0xA0)}
"""Bytes that are no UTF-8: a terminal that knows 8-bit controls obeys them."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A sequence as it came, or a run of text."""

    kind: Kind
    raw: str


def pieces(output: bytes) -> Iterator[Piece]:
    """The output as a terminal reads it. What a string or a sequence swallows stands in it; one
    that never ends goes to the end."""
    shown = output.decode("utf-8", "surrogateescape")
    place = start = 0
    while place < len(shown):
        sign = shown[place]
        if sign >= " " and sign not in _C1 and sign not in _RAW_C1 and sign != "\x7f":
            place += 1
            continue
        if place > start:
            yield Piece("text", shown[start:place])
        kind, end = _sequence(shown, place)
        yield Piece(kind, shown[place:end])
        place = start = end
    if place > start:
        yield Piece("text", shown[start:])


def _sequence(shown: str, place: int) -> tuple[Kind, int]:
    """What begins with the control at `place`, and where it ends."""
    sign = shown[place]
    opener = _C1.get(sign) or _RAW_C1.get(sign)
    after = place + 1
    if sign == "\x1b":
        while after < len(shown) and " " <= shown[after] <= "/":
            after += 1  # intermediates: character sets and the like
        if after >= len(shown) or not "0" <= shown[after] <= "~":
            return "escape", after
        if after > place + 1:
            return "escape", after + 1
        opener, after = shown[after], after + 1
    if opener is None:
        return "control", after
    if opener == "[":
        return "csi", _csi_end(shown, after)
    if opener in STRINGS:
        return STRINGS[opener], _string_end(shown, after, bell=opener == "]")
    return ("escape" if sign == "\x1b" else "control"), after


def _csi_end(shown: str, place: int) -> int:
    while place < len(shown):
        sign = shown[place]
        if "@" <= sign <= "~":
            return place + 1
        if sign in "\x18\x1a\x1b":
            return place + (sign != "\x1b")
        place += 1
    return place


def _string_end(shown: str, place: int, *, bell: bool) -> int:
    while place < len(shown):
        sign = shown[place]
        if (bell and sign == "\x07") or sign in "\x9c\udc9c\x18\x1a":
            return place + 1
        if sign == "\x1b":
            return place + 2 if shown[place + 1 : place + 2] == "\\" else place
        place += 1
    return place


def foreign(output: bytes, nonce: str = NONCE) -> list[str]:
    """What in the output is neither text that is seen nor a sequence of ours."""
    found: list[str] = []
    marks = (nonce, str(number_of(nonce)))
    often: Counter[str] = Counter()
    before = ""
    for piece in pieces(output):
        raw = piece.raw
        if piece.kind == "text":
            found += _unseen(raw)
            before = raw[-20:]
        elif piece.kind == "control":
            if raw not in "\r\n":
                found.append(f"{raw!r} after {before!r}")
        elif any(mark in raw for mark in marks):
            found.append(f"the nonce in {piece.kind} {raw[:60]!r}")
        elif OURS.fullmatch(raw) is None:
            found.append(f"{piece.kind} {raw[:60]!r} after {before!r}")
        elif raw in MOST:
            often[raw] += 1
    found += [f"{raw!r} {times} times" for raw, times in often.items() if times > MOST[raw]]
    return found


def _unseen(text: str) -> list[str]:
    found: list[str] = []
    if text.isascii():
        return found
    for place, sign in enumerate(text):
        if sign.isascii():
            continue
        code = ord(sign)
        hidden = unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        selector = 0xFE00 <= code <= 0xFE0F or 0xE0000 <= code <= 0xE0FFF
        if hidden or selector or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:
            found.append(f"U+{code:04X} in {text[max(0, place - 20) : place + 10]!r}")
    return found
