"""Alt with a letter or a digit, as terminals without the kitty protocol send it: ESC and the sign.

Textual reads ESC and a digit as the sign that Option types on a Mac's keyboard (`¡` for 1), which
would end up in the field that has the focus, and gives Alt with a letter the letter as its text.
Alt+Enter stays what Textual makes of it there: it is sent like Escape and Enter typed fast, and
nothing is to be sent to a server by mistake.
"""

from string import ascii_lowercase, digits
from types import SimpleNamespace
from typing import Any, Final, cast

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS

_READ_AS_WORD_MOVES: Final = "bf"


def use_alt_keys() -> None:
    """From now on ESC and a letter or digit is that key with Alt."""
    known = cast("dict[str, Any]", ANSI_SEQUENCES_KEYS)
    for sign in ascii_lowercase + digits:
        if sign not in _READ_AS_WORD_MOVES:
            known[f"\x1b{sign}"] = (SimpleNamespace(value=f"alt+{sign}"),)
