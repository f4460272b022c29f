"""Masks secrets at the border of the journal, before file and columns see them.

Knows three ways to tell a secret: by value (whatever was learned, also as it looks inside JSON,
inside a URL, inside base64, in hexadecimal and under escapes upon escapes), by the name of the
header, query parameter or JSON member that carries it, and by the shape of a JSON web token. What
we send under such a name is learned where it looks like a secret, so that an answer which repeats
it is masked too. A mask shows four hex digits of a keyed hash, so that two masked values can be
told apart or found equal without giving anything away. Which other values are secrets is said by
whoever holds them. Pure.
"""

import base64
import hashlib
import json
import os
import re
from typing import Final
from urllib.parse import quote, quote_plus, unquote_plus

from inspector.journal.spellings import pattern, readings
from inspector.protocol.headers import SENSITIVE_HEADERS, is_sensitive
from inspector.protocol.web_tokens import without_web_tokens

_WORDS: Final = (
    rb"(?:token|secret|password|passwd|passphrase|credentials?"
    rb"|(?:api|private|access|secret)[_-]?key)"
)
_NO_SECRET: Final = rb"(?!(?:progress|page|next_?page|next|continuation|sync|cursor)[_-]?token)"
_MEMBER: Final = re.compile(
    rb'(?i)((?<!\\)"' + _NO_SECRET + rb"[\w.-]{0,40}" + _WORDS + rb'"\s{0,8}:\s{0,8}")'
    rb'((?:[^"\\]|\\.)+)'
)
"""A JSON member with a telling name and its text."""
_INNER_MEMBER: Final = re.compile(
    rb"(?i)((?:(?<!\\)\\++\"|')"
    + _NO_SECRET
    + rb"[\w.-]{0,40}"
    + _WORDS
    + rb"(?:\\+\"|')\s{0,8}:\s{0,8}(?:\\+\"|'))([^\"'\\]+)"
)
"""The same in JSON, or what Python prints, inside a text."""
_LINK: Final = re.compile(
    rb"(?i)([?&;](?:code|[\w.-]{0,40}(?:token|secret|api_?key))=)([^&#\"'\\\s<>]{6,})"
)
_RANDOM: Final = re.compile(r"(?=.*[A-Za-z])(?=.*[0-9])\S{8,}", re.DOTALL)
"""A text that no message holds by chance, as it may hold `string` or a date."""
NAMES_UP_TO: Final = 1024 * 1024
"""Bytes up to which the names of members are looked at: it takes a second for every 30 MB."""
LEARNED_MOST: Final = 200
"""So many values are learned from messages; each one costs time at every message."""

_ESCAPE: Final = re.compile(rb"\\u|%[0-9A-Fa-f]{2}|&(?:#|amp|lt|gt|quot|apos)")
_ASCII_ESCAPE: Final = re.compile(rb"\\u00[2-7]|%[2-7][0-9A-Fa-f]|&(?:#|amp|lt|gt|quot|apos)")
"""What a character of ASCII can be spelt by."""
_STRING: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_WHOLE: Final = b'"[masked]"'
"""Stands for a text in which a secret could not be told from what is around it."""

LONG_SPELT: Final = 200
"""Longer secrets have no pattern of their letters in every spelling."""

LONG: Final = 1024
"""Longer looks are searched for one by one: a pattern of them takes minutes to compile where a
server sends a token of a megabyte."""

Headers = tuple[tuple[str, str], ...]

SHORTEST_SECRET: Final = 6
"""Shorter values are not masked by value: they would wreck frames and hide nothing."""

SECRET_HEADERS: Final = SENSITIVE_HEADERS
_SECRET_PARAMETERS: Final = re.compile(
    r"(?i)([?&#](?:[\w.-]{0,40}(?:token|secret|passwo?r?d|api[_-]?key|credential|signature)"
    r"[\w.-]{0,40}|key|code|sig|auth|jwt|session|session_?id)=)([^&#]+)"
)
_USER_INFO: Final = re.compile(r"(?<=://)[^/@?#]+(?=@)")
_LETTER_J, _LETTER_K, _LETTER_W, _EQUALS = b"Jkw="
_HIDDEN: Final = re.compile(r"\[masked(?: [0-9a-f]{4}\])?")
"""A mask, or what an expression takes for one: what is masked stays as it is."""
_SCHEME: Final = re.compile(r"^(Bearer|Basic|Digest|DPoP|Token)\s+", re.IGNORECASE)


class Redactor:
    """Masks what it knows to be secret. Learning replaces its tables at once, so that another
    thread may mask meanwhile."""

    def __init__(self, salt: bytes = b"") -> None:
        """`salt` makes the marks of masked secrets the same in every run (random without one)."""
        self._salt = salt or os.urandom(16)
        self._secrets: tuple[str, ...] = ()
        self._needles: tuple[bytes, ...] = ()
        self._long: tuple[bytes, ...] = ()
        self._pattern: re.Pattern[bytes] | None = None
        self._plain: tuple[tuple[bytes, str], ...] = ()
        """What can be read where escapes are undone, and whose spelling it is."""
        self._escape = _ASCII_ESCAPE
        self._from_messages = 0
        self._ours: frozenset[bytes] = frozenset()

    def learn(self, secret: str, *, from_message: bool = False) -> None:
        """From now on `secret` is masked wherever it occurs; too short ones are ignored. What is
        not from a message is ours: see `without_ours`."""
        secret = secret.strip()
        if len(secret) < SHORTEST_SECRET:
            return
        if not from_message:
            self._ours |= _looks(secret)
        if secret in self._secrets:
            return
        self._secrets = (*self._secrets, secret)
        found = {look: known for known in self._secrets for look in _looks(known)}
        self._escape = _ASCII_ESCAPE if "".join(self._secrets).isascii() else _ESCAPE
        self._plain = tuple((look, known) for look, known in found.items() if len(look) <= LONG)
        ordered = sorted(found, key=len, reverse=True)
        self._long = tuple(needle for needle in ordered if len(needle) > LONG)
        self._needles = tuple(ordered[len(self._long) :])
        if self._needles:
            self._pattern = re.compile(b"|".join(re.escape(needle) for needle in self._needles))

    def learn_url(self, url: str) -> None:
        """The values of secret query parameters, which servers repeat in answers and redirects."""
        for found in _SECRET_PARAMETERS.finditer(url):
            self.learn(found.group(2))
            self.learn(unquote_plus(found.group(2)))

    def sent(self, raw: bytes) -> tuple[bytes, bool]:
        """`text` for what we send: looks at the name of every member, and learns the values."""
        if not _perhaps_telling(raw):
            return self.text(raw)
        for found in _MEMBER.finditer(raw):
            value = _read(found.group(2))
            if self._from_messages < LEARNED_MOST and _RANDOM.fullmatch(value):
                self._from_messages += 1
                self.learn(value, from_message=True)
        masked = self.text(_MEMBER.sub(self._mask_second, raw))[0]
        return masked, masked != raw

    def text(self, raw: bytes) -> tuple[bytes, bool]:
        """`raw` with its secrets masked, and whether there were any."""
        # Every message comes here: what is looked for must be rare where no secret is, and a rare
        # letter of it is looked for first, which is ten times quicker. `find` is quicker than `in`.
        find = raw.find
        named = len(raw) <= NAMES_UP_TO and (
            find(b"ecret") >= 0
            or (_LETTER_K in raw and (find(b"_token") >= 0 or find(b"ccessToken") >= 0))
            or (_LETTER_W in raw and find(b"assword") >= 0)
            or (_EQUALS in raw and (find(b"code=") >= 0 or find(b"oken=") >= 0))
        )
        known = self._pattern is not None or self._long
        if not named and not known and _LETTER_J not in raw:
            return raw, False
        masked = raw
        if named:
            masked = _MEMBER.sub(self._mask_second, masked)
            masked = _INNER_MEMBER.sub(self._mask_second, masked)
            masked = _LINK.sub(self._mask_second, masked)
        for needle in self._long:
            if needle in masked:
                masked = masked.replace(
                    needle, self._hide(needle.decode("utf-8", "replace")).encode()
                )
        if self._pattern is not None and self._seen(raw):
            masked = self._pattern.sub(self._mask, masked)
        escaped = find(b"\\u") >= 0 or find(b"%") >= 0 or find(b"&") >= 0
        if escaped and self._plain and self._escape.search(masked) is not None:
            masked = self._without_escaped(masked, self._plain)
        if _LETTER_J in masked and b"eyJ" in masked:
            masked = without_web_tokens(masked, self._mask)
        return masked, masked is not raw and masked != raw

    def without_ours(self, raw: bytes) -> bytes:
        """`raw` without the secrets that we hold (tokens, passwords of the target): for what is
        shown as it came, in which a server may repeat them."""
        found = [needle for needle in self._ours if needle in raw]
        for needle in sorted(found, key=len, reverse=True):
            raw = raw.replace(needle, self._hide(needle.decode("utf-8", "replace")).encode())
        ours = tuple(item for item in self._plain if item[0] in self._ours)
        return self._without_escaped(raw, ours)

    def _without_escaped(self, raw: bytes, plain: tuple[tuple[bytes, str], ...]) -> bytes:
        """`raw` without the secrets that are read in it once escapes are undone. What cannot be
        taken out letter by letter takes its whole string along, or the whole text."""
        texts = readings(raw)
        if not any(self._seen(text) for text in texts):
            return raw
        known = {secret for look, secret in plain if any(look in text for text in texts)}
        for secret in sorted(known, key=len, reverse=True):
            if len(secret) <= LONG_SPELT:
                raw = pattern(secret).sub(self._hide(secret).encode(), raw)
        looks = tuple(look for look, secret in plain if secret in known)
        if _reads(raw, looks):
            raw = _STRING.sub(lambda found: _kept(found.group(), looks), raw)
        return _kept(raw, looks)

    def headers(self, headers: Headers) -> Headers:
        """The headers, the values of secret ones masked; an authorization scheme stays."""
        return tuple((name, self._header(name, value)) for name, value in headers)

    def url(self, url: str) -> str:
        """The URL without its user information and the values of secret query parameters."""
        url = _USER_INFO.sub(lambda found: self._hide(found.group()), url)
        url = _SECRET_PARAMETERS.sub(lambda f: f.group(1) + self._hide(f.group(2)), url)
        return self.text(url.encode("utf-8", "backslashreplace"))[0].decode("utf-8")

    def _header(self, name: str, value: str) -> str:
        if is_sensitive(name):
            scheme = _SCHEME.match(value)
            kept = scheme.group() if scheme else ""
            return kept + self._hide(value[len(kept) :])
        masked, changed = self.text(value.encode("utf-8", "backslashreplace"))
        return masked.decode("utf-8", "replace") if changed else value

    def _seen(self, raw: bytes) -> bool:
        pattern = self._pattern
        if pattern is None:
            return False
        if len(raw) < 100 * len(self._needles):  # one slow pass beats many quick ones
            return pattern.search(raw) is not None
        return any(needle in raw for needle in self._needles)

    def _mask(self, found: re.Match[bytes]) -> bytes:
        return self._hide(found.group().decode("utf-8", "replace")).encode()

    def _mask_second(self, found: re.Match[bytes]) -> bytes:
        return found.group(1) + self._hide(found.group(2).decode("utf-8", "replace")).encode()

    def _hide(self, secret: str) -> str:
        if _HIDDEN.fullmatch(secret):
            return secret
        digest = hashlib.blake2b(secret.encode("utf-8", "replace"), key=self._salt, digest_size=2)
        return f"[masked {digest.hexdigest()}]"


def _kept(text: bytes, looks: tuple[bytes, ...]) -> bytes:
    """The text, or what stands for it where one of the looks can be read in it."""
    return _WHOLE if _reads(text, looks) else text


def _reads(raw: bytes, looks: tuple[bytes, ...]) -> bool:
    """Whether one of the looks is in `raw`, or is once escapes are undone."""
    return any(look in text for text in (raw, *readings(raw)) for look in looks)


def _perhaps_telling(raw: bytes) -> bool:
    """False where no member can have a name of `_MEMBER`: it says so in a hundredth of the time.
    The progress token, which every call of ours brings along, is none of them."""
    low = raw.lower().replace(b'"progresstoken"', b"")
    find = low.find
    return (
        find(b"pass") >= 0
        or find(b"cre") >= 0  # secret, credential
        or (_LETTER_K in low and (find(b"token") >= 0 or find(b"key") >= 0))
    )


def _read(inside: bytes) -> str:
    """The text of a JSON string, given what stands between its quotes."""
    try:
        return str(json.loads(b'"' + inside + b'"'))
    except ValueError:
        return inside.decode("utf-8", "replace")


def _looks(secret: str) -> set[bytes]:
    """How a secret can look on the wire. Of base64 only the part that does not depend on what
    stands before and after it."""
    raw = secret.encode("utf-8", "backslashreplace")
    looks = {
        raw,
        json.dumps(secret)[1:-1].encode(),
        json.dumps(secret, ensure_ascii=False)[1:-1].encode("utf-8", "backslashreplace"),
        json.dumps(secret)[1:-1].replace("/", "\\/").encode(),
        quote(raw, safe="").encode(),
        quote(raw).encode(),
        quote_plus(raw).encode(),
        raw.hex().encode(),
        raw.hex().upper().encode(),
        raw.replace(b"\\", b""),  # as it is where backslashes are left out
    }
    for shift in range(3):
        padded = b"\0" * shift + raw
        first = 4 if shift else 0  # the first group holds what stands before
        last = len(padded) // 3 * 4  # the last group holds what stands after
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            looks.add(encode(padded)[first:last])
    return {look for look in looks if len(look) >= SHORTEST_SECRET}
