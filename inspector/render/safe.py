"""The one door through which text of a server reaches a terminal.

Decides which characters are dangerous or invisible and how they are shown: as visible tokens (`␛`,
`⟨9B⟩`, `⟨202E⟩`), never stripped, so that `plain(visible(text)) == text`. Also cuts text to a
width without breaking a character, judges names that may deceive, and makes JSON output harmless
for terminals. Where and in which colours text is drawn is decided by the callers.
"""

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, get_character_cell_size

from inspector.render.marks import MARKS, PERHAPS_MARKS
from inspector.render.unassigned import BELOW_ASTRAL, UNASSIGNED

if TYPE_CHECKING:
    from rich.text import Text

TOKEN_STYLE: Final = "mcp.token"
"""The ink of tokens; every theme draws it reversed, so it holds without colours too."""

MARKS_PER_BASE: Final = 8
"""Combining marks drawn on one character; further ones are shown as tokens."""

_EMOJI_BASE: Final = (
    r"0-9#*\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u27bf"
    r"\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_TONES: Final = r"\U0001f3fb-\U0001f3ff"
_TONE_BASE: Final = (
    r"\u261d\u26f9\u270a-\u270d\U0001f385-\U0001f3fa\U0001f400-\U0001f6ff\U0001f90c-\U0001faff"
)
_CONTROLS: Final = r"\x00-\x1f\x7f-\x9f"
_INVISIBLE: Final = (
    r"\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    r"\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef\ufe00-\ufe0d\ufeff"
    r"\uffa0\ufff0-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001343f\U00016fe4"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_SURROGATES: Final = r"\ud800-\udfff"
_DANGEROUS: Final = (
    # Nearly every character is done with this one class.
    rf"(?=[{_CONTROLS}{_INVISIBLE}{_SURROGATES}\ufe0e\ufe0f{BELOW_ASTRAL}{PERHAPS_MARKS}])(?:"
    rf"[{_CONTROLS}{_INVISIBLE}{_SURROGATES}{UNASSIGNED}]"
    rf"|(?<![{_EMOJI_BASE}])[\ufe0e\ufe0f]"
    rf"|(?<![{_TONE_BASE}])[{_TONES}]"
    rf"|[{PERHAPS_MARKS}](?<=[{MARKS}]{{{MARKS_PER_BASE + 1}}}))"
)

DANGEROUS: Final = re.compile(_DANGEROUS)
"""Each match is one character that must not reach a terminal as it is (newline and tab too)."""

_BASELESS: Final = (
    # The class comes first: it is looked up in no time, and nearly never matches.
    rf"[{PERHAPS_MARKS}](?<=[{MARKS}])"
    rf"(?<![^{_CONTROLS} \"\u00a0\u1680\u2000-\u200a\u202f\u205f\u2500-\u259f\u3000"
    rf"{_INVISIBLE}{_SURROGATES}].)"
)
BASELESS: Final = re.compile(_BASELESS)
"""Each match is a mark with nothing before it that it belongs to: it would be drawn on what stands
to its left, be it a border, a gap or the end of the line above."""

# Text that already looks like a token is itself made a token, which is what makes it reversible.
_LOOKALIKE: Final = r"[\u2400-\u2421]|\u27e8(?=[0-9A-F]{2,6}\u27e9)"
_ALL: Final = rf"{_DANGEROUS}|{_BASELESS}|{_LOOKALIKE}"
_ALL_BUT_LINES: Final = (
    rf"(?![\t\n])[{_CONTROLS}]|(?![\t\n])(?:{_DANGEROUS})|{_BASELESS}|{_LOOKALIKE}"
)
# One character class decides most texts at a tenth of the cost of the whole pattern.
_REST: Final = (
    rf"{_INVISIBLE}{_SURROGATES}\ufe0e\ufe0f\u2400-\u2421\u27e8{BELOW_ASTRAL}"
    r"\U00010000-\U0010ffff"
)
_SUSPECT: Final = rf"[{_CONTROLS}{_REST}]"
_SUSPECT_BUT_LINES: Final = rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_REST}]"
_MANY_MARKS: Final = re.compile(rf"[{PERHAPS_MARKS}]{{{MARKS_PER_BASE + 1}}}")
_ASCII: Final = re.compile(r"[\x00-\x1f\x7f]")
_ASCII_BUT_LINES: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_TOKEN: Final = re.compile(r"[\u2400-\u2421]|\u27e8[0-9A-F]{2,6}\u27e9")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """When it is first needed: the big classes take milliseconds, which first paint need not."""
    return re.compile(pattern)


def _token(match: re.Match[str]) -> str:
    return token(match[0])


def token(character: str) -> str:
    """The visible token of one character: a control picture, or its code point in `⟨⟩`."""
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨{code:02X}⟩"


def visible(text: str, *, keep_newlines: bool = False) -> str:
    """`text` with every dangerous or invisible character as a token; `plain` undoes it.

    Controls, DEL, C1, bidi controls, zero-width characters, tags, stray variation selectors and
    skin tones, lone surrogates, line and paragraph separators, code points without a character,
    marks above eight on one base and those on none. With `keep_newlines` newline and tab stay as
    they are.
    """
    if text.isascii():
        pattern = _ASCII_BUT_LINES if keep_newlines else _ASCII
        return pattern.sub(_token, text) if pattern.search(text) else text
    if not _may_need_tokens(text, keep_newlines):
        return text
    return _compiled(_ALL_BUT_LINES if keep_newlines else _ALL).sub(_token, text)


def _may_need_tokens(text: str, keep_newlines: bool) -> bool:
    suspect = _compiled(_SUSPECT_BUT_LINES if keep_newlines else _SUSPECT)
    return any(one.search(text) is not None for one in (suspect, _MANY_MARKS, BASELESS))


def plain(shown: str) -> str:
    """The text that `visible` was given."""
    return _TOKEN.sub(_untoken, shown)


def _untoken(match: re.Match[str]) -> str:
    found = match[0]
    if found[0] == "⟨":
        code = int(found[1:-1], 16)
        return chr(code) if code <= 0x10FFFF else found
    return "\x7f" if found == "␡" else chr(ord(found) - 0x2400)


_UNSEEN: Final = rf"{_DANGEROUS}|{_BASELESS}|[\ufe0e\ufe0f{_TONES}]"


def stand_ins(text: str) -> str:
    """`text` with one sign of one cell for each that `visible` makes a token of, and for what only
    changes the sign before it: as many signs as before, for where a place in a text counts."""
    if text.isascii() and _ASCII.search(text) is None:
        return text
    return _compiled(_UNSEEN).sub(_stand_in, text)


def _stand_in(match: re.Match[str]) -> str:
    shown = token(match[0])
    return shown if len(shown) == 1 else "\ufffd"


def token_spans(shown: str) -> list[tuple[int, int]]:
    """Where the tokens stand in what `visible` returned."""
    return [match.span() for match in _TOKEN.finditer(shown)]


def safe_text(text: str, style: str = "", *, keep_newlines: bool = True) -> "Text":
    """Text of a server as a rich `Text`: no markup, tokens in their own style."""
    return shown_text(visible(text, keep_newlines=keep_newlines), style, wrap=keep_newlines)


def shown_text(shown: str, style: str = "", *, wrap: bool = False) -> "Text":
    """What `visible` or `one_line` returned, or a piece of it, as `safe_text` draws it."""
    from rich.text import Text

    safe = Text(shown, no_wrap=not wrap, end="")
    if style:
        # As a span: Textual resolves named styles in spans only, not as the base of a Text.
        safe.stylize(style)
    if not shown.isascii():
        for start, end in token_spans(shown):
            safe.stylize(TOKEN_STYLE, start, end)
    return safe


_CLUSTER: Final = re.compile(
    r"\u27e8[0-9A-F]{2,6}\u27e9|[\U0001f1e6-\U0001f1ff]{2}|.[\U0001f3fb-\U0001f3ff]?", re.DOTALL
)


def clusters(shown: str) -> list[str]:
    """`shown` in pieces that must not be cut: a base with its marks, an emoji, a whole token."""
    pieces: list[str] = []
    for match in _CLUSTER.finditer(shown):
        piece = match[0]
        if pieces and get_character_cell_size(piece[0]) == 0:
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return pieces


def one_line(text: str, width: int) -> str:
    """`text` made visible on one line of at most `width` cells, cut with `…` where it is longer."""
    if width <= 0:
        return ""
    # Every cell holds at most one base with its marks, so this much input always suffices.
    enough = width * (MARKS_PER_BASE + 4) + 16
    shown = visible(text[:enough])
    if len(text) <= enough and cell_len(shown) <= width:
        return shown
    return first_cells(shown, width - 1) + "…"


def first_cells(shown: str, width: int) -> str:
    """As much of the beginning of `shown` as fits into `width` cells, whole clusters only."""
    return "".join(_fitting(clusters(shown), width))


def last_cells(shown: str, width: int) -> str:
    """As much of the end of `shown` as fits into `width` cells, whole clusters only."""
    return "".join(_fitting(clusters(shown)[::-1], width)[::-1])


def _fitting(pieces: list[str], width: int) -> list[str]:
    used = 0
    for count, piece in enumerate(pieces):
        used += cell_len(piece)
        if used > width:
            return pieces[:count]
    return pieces


_UNSTEADY: Final = (
    rf"(?<=[{_TONE_BASE}])(?P<tone>[{_TONES}][\ufe0e\ufe0f]?)"
    r"|(?P<flag>[\U0001f1e6-\U0001f1ff]{1,2}[\ufe0e\ufe0f]?)"
    rf"|(?P<base>[{_EMOJI_BASE}])[\ufe0e\ufe0f](?P<cap>\u20e3?)"
)


_FIRST_FLAG: Final = "\U0001f1e6"
"""Flags and skin tones begin here; below, only the selectors are unsteady."""


def steady(shown: str) -> str:
    """`shown` with what terminals disagree about replaced by what takes the same cells in all.

    Emoji presentation becomes the plain character and a space, a flag the letters of its country;
    text presentation and a skin tone go. Not reversible: for the last moment before drawing only.
    """
    if shown.isascii():
        return shown
    if "\ufe0f" not in shown and "\ufe0e" not in shown and max(shown) < _FIRST_FLAG:
        return shown
    return _compiled(_UNSTEADY).sub(_steadied, shown)


def _steadied(match: re.Match[str]) -> str:
    if flag := match["flag"]:
        signs = flag.rstrip("\ufe0e\ufe0f")
        letters = "".join(chr(ord(letter) - 0x1F1E6 + 0x41) for letter in signs)
        return letters.ljust(cell_len(flag))
    if match["tone"]:
        return ""
    base = match["base"] + match["cap"]
    return base + " " * (cell_len(match[0]) - cell_len(base))


_CALM_NAME: Final = re.compile(r"[A-Za-z0-9_.\-/: ]*")
_UNUSUAL_SPACE: Final = re.compile(r"[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]")
_LATIN_LETTERS: Final = frozenset("ßæøœłđþðÆØŒŁĐÞÐ")
_CJK: Final = ("CJK ", "HIRAGANA ", "KATAKANA", "HANGUL ", "BOPOMOFO ")


LONGEST_NAME: Final = 10_000
"""Characters of a name that are looked at; a longer one is strange by that alone."""


def suspicious(name: str) -> list[str]:
    """Why a name may deceive whoever reads it; empty for an innocent one."""
    reasons: list[str] = []
    if len(name) > LONGEST_NAME:
        reasons.append(f"is {len(name):,} characters long")
        name = name[:LONGEST_NAME]
    if name != name.strip() or "  " in name:
        reasons.append("begins, ends or is padded with spaces")
    if _CALM_NAME.fullmatch(name):
        return reasons
    if DANGEROUS.search(name) or BASELESS.search(name):
        reasons.append("has control or invisible characters")
    if _UNUSUAL_SPACE.search(name):
        reasons.append("has spaces that are no plain spaces")
    if any(unicodedata.combining(character) for character in name):
        reasons.append("has combining marks")
    scripts = {script for character in name if (script := _script(character))}
    strange = sorted(scripts - {"LATIN", "CJK"})
    if strange:
        reasons.append(f"has characters that can pass for others ({', '.join(strange)})")
    if len(scripts) > 1:
        reasons.append("mixes scripts")
    return reasons


def suspicious_title(title: str) -> list[str]:
    """The same for a title, which is written for people: accents and other scripts are at home
    there, but not two of them in one word."""
    if len(title) > LONGEST_NAME:
        return [f"is {len(title):,} characters long", *suspicious_title(title[:LONGEST_NAME])]
    reasons = suspicious("".join(sign for sign in title if not sign.isalnum() and sign != " "))
    for word in title.split():
        scripts = {_script(sign) for sign in word if sign.isalpha()} - {"", "CJK"}
        if "LATIN" in scripts and len(scripts) > 1:
            strange = ", ".join(sorted(scripts - {"LATIN"}))
            return [*reasons, f"mixes scripts in one word ({strange})"]
    return reasons


def _script(character: str) -> str:
    """The script of a letter or symbol as its Unicode name begins; "" for what says nothing."""
    if character.isascii():
        return "LATIN" if character.isalpha() else ""
    if _UNUSUAL_SPACE.match(character) or DANGEROUS.match(character):
        return ""
    if unicodedata.combining(character):
        return ""
    name = unicodedata.name(character, "UNNAMED")
    if name.startswith(_CJK):
        return "CJK"
    base = unicodedata.normalize("NFD", character)[0]
    if (base.isascii() and base.isalpha()) or character in _LATIN_LETTERS:
        return "LATIN"
    script = name.split(" ")[0]
    return "LATIN VARIANT" if script == "LATIN" else script


_JSON_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)


def json_safe(raw: bytes) -> bytes:
    """JSON text as it stands, with dangerous characters inside strings as `\\u` escapes.

    Token-exact otherwise: numbers, key order, duplicate keys and escapes keep their spelling.
    Bytes that are no UTF-8 become escapes of lone surrogates (0xDC80 + byte - 0x80).
    """
    text = raw.decode("utf-8", "surrogateescape")
    if text.isascii():
        if _ASCII.search(text) is None:
            return raw
    elif not _may_need_tokens(text, keep_newlines=False):
        return raw
    return _JSON_STRING.sub(_escape_string, text).encode("utf-8", "backslashreplace")


def _escape_string(match: re.Match[str]) -> str:
    return _compiled(rf"{_DANGEROUS}|{_BASELESS}").sub(_escape, match[0])


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code > 0xFFFF:
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return f"\\u{code:04x}"
