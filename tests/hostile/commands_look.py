"""Judges what a headless command wrote: nothing but seen text, and nothing lost.

Stricter than the oracle of the interface, which it asks: a pipe gets no sequence at all, a terminal
colours only. Besides, tabs may stand in text, and what makes an emoji of its base behind that.
"""

import json
import re
from typing import Final

from inspector.render.safe import json_safe, visible
from tests.hostile.commands_runs import Shown
from tests.hostile.oracle import foreign, pieces
from tests.servers.hostile_texts import NONCE

LINE: Final = b"\r\x1b[K"
"""By this the line at the bottom of a terminal is replaced."""
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
_SELECTED: Final = re.compile(r"(?<=[0-9#*©®\u203c-\u3299\U0001f000-\U0001faff])[\ufe0e\ufe0f]")


def strays(output: bytes, *, tty: bool) -> list[str]:
    """What in the output is no seen text."""
    if tty:
        output = output.replace(LINE, b"")
    found = [
        repr(piece.raw[:40])
        for piece in pieces(output)
        if piece.kind not in ("text", "control") and not (tty and _COLOUR.fullmatch(piece.raw))
    ]
    text = _SELECTED.sub("", output.decode("utf-8", "surrogateescape").replace("\t", ""))
    return found + foreign(text.encode("utf-8", "surrogateescape"))


def looked_at(
    shown: Shown, *, tty: bool = False, as_json: bool = False, framed: bool = False
) -> Shown:
    """The run, after a look at all that it wrote. `framed`: it began to draw the interface, whose
    sequences may be there."""
    where = shown.both[-1500:].decode("utf-8", "replace")
    assert not (foreign(shown.out) if framed else strays(shown.out, tty=tty)), where
    assert not strays(shown.err, tty=tty), where
    assert shown.code != 70, where
    assert b"Traceback" not in shown.both, where
    if as_json:
        assert _SELECTED.search(shown.out.decode()) is None
    return shown


def squeezed(output: bytes) -> str:
    """The text alone, without colours and without the blanks that drawing puts in or leaves out."""
    return "".join(_COLOUR.sub("", output.decode("utf-8", "replace")).split())


def missing(output: bytes, texts: list[str]) -> list[str]:
    """Which of the texts are not there whole, each made visible exactly once, or escaped as JSON
    where it stands in such."""
    shown = squeezed(output)
    return [
        text
        for text in map(str.strip, texts)
        if not any(
            "".join(form.split()) in shown
            for form in (visible(text, keep_newlines=True), visible(text), visible(_escaped(text)))
        )
    ]


def _escaped(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False).encode("utf-8", "backslashreplace")
    return json_safe(quoted).decode()[1:-1]


def quotes(output: bytes) -> bool:
    """Whether anything of a server's is in it at all."""
    return NONCE.lower() in squeezed(output).lower()
