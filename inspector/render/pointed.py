"""Where a JSON pointer (RFC 6901) points in a body that is shown as indented lines.

Decides which line that is; a pointer to what is not there leads to the nearest thing around it that
is. Reads the layout that `inspector.render.jsonlines` makes: two spaces for each level, a member or
an item a line.
"""

import json
import re
from typing import Final

from inspector.protocol.json_pointer import steps_of

LIMIT: Final = 2 * 1024 * 1024
"""Longer bodies are not searched."""
_KEY: Final = re.compile(rb'\s*("(?:[^"\\]|\\.)*"): ')


def line_of(indented: bytes, pointer: str) -> tuple[int, bool]:
    """The line that a pointer leads to, and whether that is the very place (not the nearest one
    around it)."""
    if len(indented) > LIMIT:
        return 0, not pointer
    lines = indented.split(b"\n")
    here = 0
    for depth, step in enumerate(steps_of(pointer), 1):
        found = _child(lines, here, 2 * depth, step)
        if found is None:
            return here, False
        here = found
    return here, True


def _child(lines: list[bytes], here: int, indent: int, step: str) -> int | None:
    opener = lines[here][-1:]
    if opener not in (b"{", b"["):
        return None
    blanks, place = b" " * indent, 0
    for number in range(here + 1, len(lines)):
        line = lines[number]
        if not line.startswith(blanks):
            return None  # the block is closed
        if line[indent : indent + 1] in (b" ", b"}", b"]"):
            continue  # deeper, or the end of an item
        if opener == b"[":
            if str(place) == step:
                return number
            place += 1
        elif (match := _KEY.match(line)) is not None and _is_key(match[1], step):
            return number
    return None


def _is_key(text: bytes, step: str) -> bool:
    try:
        return bool(json.loads(text) == step)
    except ValueError:
        return False
