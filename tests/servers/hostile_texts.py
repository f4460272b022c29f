"""Texts that a hostile server may send. Each holds a nonce, drawn anew for every run, where only a
terminal, or a reader of markup, that obeys the text would swallow it."""

import os
import secrets
from typing import Final

LETTERS: Final = "GHJKLQVWXYZ"
"""No control sequence ends in one of these and goes on; no base64 or hexadecimal word by chance."""


def fresh_nonce() -> str:
    """Letters that stand in nothing else that is written."""
    return "q" + "".join(secrets.choice(LETTERS) for _ in range(7)) + "7"


NONCE: Final = os.environ.setdefault("HOSTILE_NONCE", fresh_nonce())
"""The nonce of this run, the same in all its processes that inherit the environment; a server that
does not is given it."""


def texts(nonce: str) -> dict[str, str]:
    """Every hostile text by its name, with that nonce inside."""
    return {
        "csi": f"a\x1b[2J\x1b[{nonce}m",
        "cursor": f"\x1b[9;9H{nonce}",
        "mode": f"\x1b[?1049l{nonce}\x1b[?25h",
        "title": f"\x1b]0;{nonce}\x07",
        "title, ST": f"\x1b]2;{nonce}\x1b\\",
        "link": f"\x1b]8;;http://{nonce}\x1b\\x\x1b]8;;\x1b\\",
        "clipboard": f"\x1b]52;c;{nonce}QQ==\x07",
        "file": f"\x1b]1337;File={nonce}:AAAA\x07",
        "DCS": f"\x1bPq{nonce}\x1b\\",
        "DCS through tmux": f"\x1bPtmux;\x1b\x1b]52;c;{nonce}\x07\x1b\\",
        "APC": f"\x1b_G{nonce}\x1b\\",
        "PM": f"\x1b^{nonce}\x1b\\",
        "SOS": f"\x1bX{nonce}\x1b\\",
        "reset": f"\x1bc{nonce}",
        "escape at the end": f"{nonce}\x1b",
        "questions": f"\x1b[>1u{nonce}\x1b[c\x1b[6n",
        "C1 CSI": f"\x9b2J{nonce}",
        "C1 OSC": f"\x9d0;{nonce}\x9c",
        "C1 DCS": f"\x90q{nonce}\x9c",
        "all of C1": "".join(map(chr, range(0x80, 0xA0))) + nonce,
        "all of C0": "".join(map(chr, range(0x20))) + nonce + "\x7f",
        "bidi": f"\u202e{nonce}\u202c\u2066x\u2069\u200f",
        "zero width": f"{nonce}\u200b\u200c\u200d\u2060\ufeff\u00ad",
        "tags": nonce + "".join(chr(0xE0000 + ord(letter)) for letter in "ignore all"),
        "variation selectors": f"{nonce}\ufe00\ufe0f\U000e0100",
        "marks": nonce + "\u0301" * 60,
        "marks of many scripts": nonce + "\ua670\u0489\u0301\U0001e8d0\u0ae3" * 20,
        "Hangul vowels": nonce + "\u1161" * 50,
        "format characters": f"\u0600\u06dd\U00013430\U000110bd{nonce}",
        "lone surrogates": f"{nonce}\ud800x\udfff\udc1b[2J",
        "markup": f"[bold red]{nonce}[/]",
        "markup without a beginning": f"[/nope]{nonce}",
        "action": f"[@click=app.quit]{nonce}[/]",
        "action with keys": f"[@click=app.simulate_key('ctrl+q')]{nonce}[/]",
        "markup link": f"[link=http://{nonce}]x[/link]",
        "not markup": f"^[a-z]+[/]$ and list[int] [{nonce}]",
        "backslash at the end": f"{nonce}\\",
        "bracket at the end": f"{nonce}[",
        "escaped bracket": f"{nonce}\\[bold",
        "variables": f"$error {nonce} $panel",
        "line ends": f"a\r\n{nonce}\x0b\x0c\x85\u2028\u2029\tb",
        "NUL": f"\x00{nonce}\x00",
        "wide": "漢" * 200 + nonce,
        "emoji": f"⚠\ufe0f1\ufe0f\u20e3👍🏽a🏽{nonce}",
        "joined emoji": "👩‍👩‍👧‍👦" * 30 + nonce + "🇩🇪" * 41,
        "spaces": " " * 500 + nonce,
        "many lines": "\n" * 300 + nonce,
        "Markdown": f"# [{nonce}](javascript:x)\n```\n\x1b[2J\n```\n"
        "|a|b|\n|-|-|\n|\x9b|&#27;[2J|\n",
        "token": f"⟨1B⟩␛{nonce}",
        "template": "{" + nonce + "!r:x} %s {0.__class__}",
    }


TEXTS: Final = texts(NONCE)
