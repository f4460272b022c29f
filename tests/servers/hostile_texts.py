"""Texts that a hostile server may send. Each holds a nonce, drawn anew for every run, where only a
terminal, or a reader of markup, that obeys the text would swallow it. Sequences that take numbers
only hold a number of the run: `number_of` its nonce."""

import os
import secrets
import zlib
from typing import Final

LETTERS: Final = "GHJKLQVWXYZ"
"""No control sequence ends in one of these and goes on; no base64 or hexadecimal word by chance."""


def fresh_nonce() -> str:
    """Letters that stand in nothing else that is written."""
    return "q" + "".join(secrets.choice(LETTERS) for _ in range(7)) + "7"


NONCE: Final = os.environ.setdefault("HOSTILE_NONCE", fresh_nonce())
"""The nonce of this run, the same in all its processes that inherit the environment; a server that
does not is given it."""


def number_of(nonce: str) -> int:
    """Seven digits that go with the nonce: no colour, place or mode of an interface."""
    return 1_000_000 + zlib.crc32(nonce.encode()) % 8_999_999


def texts(nonce: str) -> dict[str, str]:
    """Every hostile text by its name, with that nonce inside."""
    return {**_sequences(nonce), **_more_sequences(nonce), **_signs(nonce), **_markup(nonce)}


def _sequences(nonce: str) -> dict[str, str]:
    """What terminals obey: the usual."""
    number = number_of(nonce)
    return {
        "csi": f"a\x1b[2J\x1b[{nonce}m",
        "cursor": f"\x1b[9;{number}H{nonce}",
        "mode": f"\x1b[?1049;{number}l{nonce}\x1b[?25h",
        "colours": f"\x1b[8;{number}m{nonce}",
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
    }


def _more_sequences(nonce: str) -> dict[str, str]:
    """What only some terminals obey, C1, and single characters."""
    number, hidden = number_of(nonce), nonce.encode().hex()
    return {
        "palette": f"\x1b]4;1;{nonce}\x07",
        "folder": f"\x1b]7;file://{nonce}/etc\x1b\\",
        "notification": f"\x1b]9;{nonce}\x07\x1b]777;notify;{nonce};x\x07\x1b]99;;{nonce}\x1b\\",
        "default colours": f"\x1b]10;{nonce}\x07\x1b]11;?\x07\x1b]12;{nonce}\x1b\\",
        "pointer": f"\x1b]22;{nonce}\x07",
        "font": f"\x1b]50;{nonce}\x07",
        "clipboard asked for": f"\x1b]52;{nonce};?\x07",
        "prompt marks": f"\x1b]133;C;{nonce}\x07\x1b]633;E;{nonce}\x1b\\",
        "OSC that never ends": f"\x1b]0;{nonce}",
        "status asked for": f"\x1bP$q{nonce}\x1b\\\x1bP+q{hidden}\x1b\\",
        "sixel": f"\x1bP0;1;{number}q#0;2;0;0;0~{nonce}\x1b\\",
        "kitty picture": f"\x1b_Gf=100,a=T,i={number};{nonce}AAAA\x1b\\",
        "ReGIS": f"\x1bP0pP[{number},{nonce}]\x1b\\",
        "macro": f"\x1bP1;1;1!z{nonce}\x1b\\",
        "saved cursor": f"\x1b7{nonce}\x1b8\x1b[s\x1b[u\x1b#8",
        "character sets": f"\x1b(0{nonce}\x0e\x1b)A\x0f\x1b*B\x1bn\x1b%G",
        "single bytes": f"\x05{nonce}\x08\x08\x08\x07\x0b\x0c\x7f",
        "overtyping": f"good{nonce}\rbad\b\b\bworse",
        "pasting": f"\x1b[200;{number}~{nonce}\x1b[201~",
        "mouse and focus": f"\x1b[<0;{number};1M\x1b[M   \x1b[I\x1b[O{nonce}",
        "typed keys": f"\x1b[27;5;{number}~\x1b[{number}u\x1bOP\x11{nonce}",
        "window": f"\x1b[8;{number};1t\x1b[21t\x1b[>{number}q{nonce}",
        "scrolling": f"\x1b[{number};3r\x1b[{number}S\x1b[{number}L\x1bD\x1bM\x1bE{nonce}",
        "tabs": f"\x1bH\x1b[3g\x1b[{number}I{nonce}\t\t|",
        "repeat": f"x\x1b[{number}b{nonce}",
        "media copy": f"\x1b[5i{nonce}\x1b[4i\x1b[?{number}i",
        "sequence in a sequence": f"\x1b[\x1b]0;{nonce}\x07m\x1b\x1b[{number}m",
        "cancelled": f"\x1b]0;\x18{nonce}\x1b[{number}\x1am",
        "parted": f"\x1b\u200b[{number}m\x1b\u034f]0;{nonce}\x07",
        "C1 CSI": f"\x9b2J{nonce}",
        "C1 OSC": f"\x9d0;{nonce}\x9c",
        "C1 DCS": f"\x90q{nonce}\x9c",
        "all of C1": "".join(map(chr, range(0x80, 0xA0))) + nonce,
        "all of C0": "".join(map(chr, range(0x20))) + nonce + "\x7f",
        "C1 strings": f"\x9eq{nonce}\x9c\x9fG{nonce}\x9c\x98{nonce}\x9c",
        "C1 CSI with a number": f"\x9b{number}m{nonce}\x9b?1049;{number}l",
    }


def _signs(nonce: str) -> dict[str, str]:
    """What is not seen, or takes other cells than are thought."""
    return {
        "bidi": f"\u202e{nonce}\u202c\u2066x\u2069\u200f",
        "zero width": f"{nonce}\u200b\u200c\u200d\u2060\ufeff\u00ad",
        "tags": nonce + "".join(chr(0xE0000 + ord(letter)) for letter in "ignore all"),
        "variation selectors": f"{nonce}\ufe00\ufe0f\U000e0100",
        "marks": nonce + "\u0301" * 60,
        "marks of many scripts": nonce + "\ua670\u0489\u0301\U0001e8d0\u0ae3" * 20,
        "Hangul vowels": nonce + "\u1161" * 50,
        "format characters": f"\u0600\u06dd\U00013430\U000110bd{nonce}",
        "lone surrogates": f"{nonce}\ud800x\udfff\udc1b[2J",
        "line ends": f"a\r\n{nonce}\x0b\x0c\x85\u2028\u2029\tb",
        "NUL": f"\x00{nonce}\x00",
        "wide": "漢" * 200 + nonce,
        "emoji": f"⚠\ufe0f1\ufe0f\u20e3👍🏽a🏽{nonce}",
        "joined emoji": "👩‍👩‍👧‍👦" * 30 + nonce + "🇩🇪" * 41,
        "spaces": " " * 500 + nonce,
        "many lines": "\n" * 300 + nonce,
        "mark at the beginning": f"\u0301\u0489{nonce}",
        "vowel at the beginning": f"\u1161\u11a8{nonce}\n\u1161\n \u0301",
        "Thai and Tibetan": "ก็็็็็็็็็็็็" + nonce + "ཧཱུྃ" + "\u0f71\u0f74\u0f83" * 15,
        "ligatures": "\ufdfd\ufdfa" * 20 + nonce + "\U00012219\ufdfb\u2e3b\ua9c5\U0001242b",
        "Arabic": f"لُلُصّبُلُلصّبُررً ॣ ॣh ॣ ॣ冗{nonce}",
        "conjuncts": f"ज्ञ\u200cा क्\u200dष స్రవంతి జ్ఞ\u200cా{nonce}",
        "Jamo": "\u1112\u1161\u11ab" * 20 + nonce + "\u1112\u1112\ud7b0\ud7cb\ua960",
        "odd flags": "🇩🇪🇫" + nonce + "🇺🇸🇺 🏴\U000e0067\U000e0062\U000e007f🏴‍☠️",
        "keycaps": f"1\ufe0f\u20e3#\u20e3*\ufe0f9\u20e3{nonce}",
        "tones and hair": f"👩🏽‍🦰🧑🏿‍❤️‍💋‍🧑🏻👍🏽🏽{nonce}",
        "emoji or text": f"☺\ufe0e☺\ufe0f❤\ufe0f⌚\ufe0e©\ufe0f™\ufe0f{nonce}",
        "fullwidth": f"ｆｕｌｌ［{nonce}］ﾊﾝｶｸ\u3000\u3164\uffa0",
        "ambiguous": f"±×§¶ΩЖ①☆■─┃╳…–—“”{nonce}",
        "boxes": f"┃│┗━┛ ● ready 00:00 ✓ ok {nonce} ▎█▔",
        "annotations": f"\ufff9{nonce}\ufffa\ufffb\ufffc\ufffd",
        "nothing is there": f"\ufdd0\ufffe\uffff\U0001fffe\U0010ffff{nonce}\u0378\u05c8\ue000",
        "surrogates in pairs": f"{nonce}\ude00\ud83d \ud83d\ud83d \udc1b\udc9b",
        "shorthand": f"\U0001bca0\U0001bca3\U0001d173{nonce}\U0001d17a\u180e\u061c",
        "other spaces": f"\u00a0\u1680\u2003\u202f\u205f\u2800{nonce}",
        "deprecated": f"\u206a\u206b\u206c\u206d\u206e\u206f{nonce}",
    }


def _markup(nonce: str) -> dict[str, str]:
    """What is read as something else than text by others than terminals."""
    return {
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
        "Markdown": f"# [{nonce}](javascript:x)\n```\n\x1b[2J\n```\n"
        "|a|b|\n|-|-|\n|\x9b|&#27;[2J|\n",
        "token": f"⟨1B⟩␛{nonce}",
        "template": "{" + nonce + "!r:x} %s {0.__class__}",
    }


TEXTS: Final = texts(NONCE)
