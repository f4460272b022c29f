"""A secret value under all its spellings: as it is, escaped as in JSON (any depth), by percent, as
HTML entities, in hexadecimal, in base64 at any offset.

Replaces each by a mask that tells nothing, not even a length. What cannot be replaced piece by
piece, because spellings were nested in a way that no pattern follows, takes its whole text along:
after `mask` no value can be read out of the text by undoing spellings. Pure.
"""

import base64
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

MASK: Final = b"[redacted]"
WHOLE: Final = b'"[redacted]"'
"""Stands for a text in which a value could not be told from what is around it."""
ROUNDS: Final = 4
"""So often spellings are undone, one inside the other."""
CORE: Final = 4
"""The fewest characters of base64 or hexadecimal that are taken for the value."""

_LETTERS_ESCAPED: Final = re.compile(rb"\\[ux]|%[0-9a-fA-F]{2}|&#")
"""By these a letter or a digit can be spelt."""
_SIGNS_ESCAPED: Final = re.compile(rb"[\\%&+]")
"""By these any other sign can."""
_PLAIN: Final = re.compile(r"[\w.-]*")
_UNESCAPE: Final = re.compile(
    rb"\\+u([dD][89abAB][0-9a-fA-F]{2})\\+u([dD][c-fC-F][0-9a-fA-F]{2})|\\+u([0-9a-fA-F]{4})|\\+x([0-9a-fA-F]{2})|%([0-9a-fA-F]{2})|&#0*([0-9]{1,7});"
    rb"|&#[xX]0*([0-9a-fA-F]{1,6});|\\+([\"'/bfnrt])|(\\+)|&(amp|lt|gt|quot|apos);"
)
_NUMBERED: Final = re.compile(
    rb"(?<!\\)\\++u([dD][89abAB][0-9a-fA-F]{2})\\+u([dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|(?<!\\)\\++u([0-9a-fA-F]{4})"
    rb"|(?<!\\)\\++x([0-9a-fA-F]{2})|%([0-9a-fA-F]{2})|&#0*([0-9]{1,7});|&#[xX]0*([0-9a-fA-F]{1,6});"
    rb"|&(amp|lt|gt|quot|apos);"
)
_SHORT: Final = {b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_NAMED: Final = {b"amp": b"&", b"lt": b"<", b"gt": b">", b"quot": b'"', b"apos": b"'"}
_SHORT_OF: Final = {short: name for name, short in _SHORT.items()}
_NAME_OF: Final = {sign: name for name, sign in _NAMED.items()}
_RUN: Final = rb"[A-Za-z0-9+/_-]*"


class Values:
    """Values to be replaced, each with the label under which it is counted."""

    def __init__(self, values: Iterable[tuple[str, str]] = ()) -> None:
        self._labels: dict[str, str] = {}
        self._raws: dict[bytes, str] = {}
        self._cores: dict[bytes, str] = {}
        self._any: re.Pattern[bytes] | None = None
        self._escapes = _LETTERS_ESCAPED
        self.counts: Counter[str] = Counter()
        for value, label in values:
            self.add(value, label)

    def __len__(self) -> int:
        return len(self._labels)

    def add(self, value: str, label: str) -> None:
        """From now on `value` is replaced; a value that is known stays under its first label."""
        if value in self._labels:
            return
        self._labels[value] = label
        raw = value.encode("utf-8", "surrogatepass")
        self._raws[raw] = value
        if _PLAIN.fullmatch(value) is None:
            self._escapes = _SIGNS_ESCAPED
        for core in _cores(raw):
            self._cores.setdefault(core, value)
        self._any = None

    def mask(self, raw: bytes) -> bytes:
        """`raw` without any of the values; itself where none is in it."""
        if not self._labels:
            return raw
        if self._any is None:
            bare = [_needle(raw) for raw in self._raws]
            every = sorted({*self._raws, *self._cores, *bare}, key=len, reverse=True)
            self._any = re.compile(b"|".join(map(re.escape, every)))
        undone = _undone(raw) if self._escapes.search(raw) is not None else [raw]
        if not any(self._any.search(text) for text in undone):
            return raw
        masked = raw
        for text, value in self._raws.items():
            if any(text in each or _needle(text) in each for each in undone):
                masked, times = pattern(value).subn(MASK, masked)
                self.counts[self._labels[value]] += times
        for core, value in self._cores.items():
            if core in masked:
                run = re.compile(rb"%b%b%b={0,2}" % (_RUN, re.escape(core), _RUN))
                masked, times = run.subn(MASK, masked)
                self.counts[self._labels[value]] += times
        if any(self._any.search(text) for text in _undone(masked.replace(MASK, b" "))):
            self.counts["in a spelling of its own"] += 1
            return WHOLE
        return masked

    def cut(self, text: str) -> str:
        """`text` of ours in which something was cut off with `…`, without a value's beginning."""
        if "…" not in text:
            return text
        for value in self._labels:
            for length in range(len(value) - 1, CORE - 1, -1):
                text = text.replace(value[:length] + "…", "[redacted]…")
        return text


def readings(raw: bytes) -> list[bytes]:
    """What `raw` reads when escapes by number or name are undone, once and again; each time with
    and without its backslashes, which is ten times quicker than to undo each of those."""
    found = _rounds(raw, _NUMBERED)[1:]
    return found + [_bare(text) for text in (raw, *found) if b"\\" in text]


def _rounds(raw: bytes, escape: re.Pattern[bytes]) -> list[bytes]:
    found = [raw]
    for _ in range(ROUNDS):
        following = escape.sub(_unescaped, found[-1])
        if following == found[-1]:
            break
        found.append(following)
    return found


def _undone(raw: bytes) -> list[bytes]:
    """`raw` and what it reads when spellings are undone, once and again."""
    found = _rounds(raw, _UNESCAPE)
    # A backslash before an escape cannot be told from the escape's own: so they are left out, too.
    found += [_bare(text) for text in found if b"\\" in text]
    # A `+` is a space in a query.
    return found + [text.replace(b"+", b" ") for text in found if b"+" in text]


def _bare(text: bytes) -> bytes:
    return text.translate(None, b"\\")


def _needle(raw: bytes) -> bytes:
    """What a value is looked for by where backslashes are left out."""
    bare = _bare(raw)
    return bare if len(bare) >= CORE else raw


def _unescaped(found: re.Match[bytes]) -> bytes:
    groups = found.groups()
    high, low, unicode_, two, percent, decimal, hexadecimal = groups[:7]
    short, slashes = groups[7:9] if len(groups) > 8 else (None, None)
    named = groups[-1]
    if high is not None:
        code = 0x10000 + ((int(high, 16) & 0x3FF) << 10 | int(low, 16) & 0x3FF)
        return chr(code).encode()
    if percent is not None:
        return bytes([int(percent, 16)])
    if short is not None:
        return _SHORT.get(short, short)
    if slashes is not None:
        return b"\\"
    if named is not None:
        return _NAMED[named]
    code = int(decimal) if decimal is not None else int(unicode_ or two or hexadecimal, 16)
    return chr(min(code, 0x10FFFF)).encode("utf-8", "surrogatepass")


def _cores(raw: bytes) -> set[bytes]:
    """Hexadecimal, and of base64 what does not depend on what stands before and after."""
    found = {raw.hex().encode(), raw.hex().upper().encode()}
    for shift in range(3):
        padded = b"\0" * shift + raw
        first, last = (4 if shift else 0), len(padded) // 3 * 4
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            found.add(encode(padded)[first:last])
    return {core for core in found if len(core) >= CORE and core != raw}


@lru_cache(maxsize=512)
def pattern(value: str) -> re.Pattern[bytes]:
    """The value, each of its characters in any spelling."""
    return re.compile(b"".join(_spellings(character) for character in value))


def _spellings(character: str) -> bytes:
    raw = character.encode("utf-8", "surrogatepass")
    code = ord(character)
    found = [re.escape(raw)]
    units = character.encode("utf-16-be", "surrogatepass")
    found.append(
        b"".join(rb"\\+u" + _either(units[at : at + 2].hex()) for at in range(0, len(units), 2))
    )
    found.append(b"".join(b"%(?:25)*" + _either(f"{byte:02x}") for byte in raw))
    found.append(rb"&#0*%d;" % code)
    found.append(rb"&#[xX]0*" + _either(f"{code:x}") + b";")
    if code <= 0xFF:
        found.append(rb"\\+x" + _either(f"{code:02x}"))
    if raw in _SHORT_OF:
        found.append(rb"\\+" + _SHORT_OF[raw])
    if raw in b"\"'/":
        found.append(rb"\\+" + raw)
    if raw == b" ":
        found.append(rb"\+")
    if raw in _NAME_OF:
        found.append(b"&" + _NAME_OF[raw] + b";")
    return b"(?:" + b"|".join(found) + (b")*" if raw == b"\\" else b")")


def _either(digits: str) -> bytes:
    """Hexadecimal digits, small or large."""
    return "".join(
        f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in digits
    ).encode()
