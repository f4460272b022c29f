"""Reads `WWW-Authenticate`: several header lines, several challenges in a line, token68, quoted
strings with escapes (RFC 9110 sections 5.6 and 11.6.1).

Never raises. What does not follow the grammar is left out and named in `faults`, so that no part of
a broken or quoted text is mistaken for a parameter. What a challenge asks of us is decided
elsewhere.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

_TOKEN: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]++")
_SPACE: Final = re.compile(r"[ \t\r\n]*+")
_COMMAS: Final = re.compile(r"[ \t\r\n,]*+")
_QUOTED: Final = re.compile(r'"((?:[^"\\]++|\\.)*+)"', re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_TOKEN68: Final = re.compile(r"[A-Za-z0-9\-._~+/]++=*+(?=[ \t\r\n]*+(?:,|\Z))")
_REST: Final = re.compile(r'(?:[^",]++|"(?:[^"\\]++|\\.)*+(?:"|\Z|\\\Z))*+', re.DOTALL)
"""What is skipped after a fault: up to a comma that stands in no quoted string."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """One challenge: its scheme as sent, its parameters in order with lower-case names."""

    scheme: str
    params: tuple[tuple[str, str], ...] = ()
    token68: str = ""

    def is_scheme(self, name: str) -> bool:
        """Whether the scheme is `name`; case does not count (RFC 9110 section 11.1)."""
        return self.scheme.lower() == name.lower()

    def get(self, name: str) -> str | None:
        """The value of parameter `name`; the first where a sender repeats it against the rule."""
        return next((value for key, value in self.params if key == name.lower()), None)

    @property
    def repeated(self) -> tuple[str, ...]:
        """Names that occur more than once, which RFC 6750 section 3 forbids."""
        counted = Counter(name for name, _ in self.params)
        return tuple(name for name, count in counted.items() if count > 1)


@dataclass(frozen=True, slots=True)
class Challenges:
    """All challenges of one response, and what in its headers could not be read."""

    challenges: tuple[Challenge, ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def bearer(self) -> "BearerChallenge | None":
        """The Bearer challenge: one that names its metadata, else the first."""
        found = [c for c in self.challenges if c.is_scheme("bearer")]
        named = [c for c in found if c.get("resource_metadata")]
        chosen = next(iter(named or found), None)
        return None if chosen is None else bearer(chosen)

    @property
    def resource_metadata(self) -> str | None:
        """Where the metadata is said to be; also a scheme other than Bearer may say it (RFC 9728
        section 5.1)."""
        ordered = sorted(self.challenges, key=lambda c: not c.is_scheme("bearer"))
        named = (c.get("resource_metadata") for c in ordered)
        return next((value for value in named if value), None)


@dataclass(frozen=True, slots=True)
class BearerChallenge:
    """The parameters of a Bearer challenge (RFC 6750 section 3, RFC 9728 section 5.1)."""

    resource_metadata: str | None = None
    scope: str | None = None
    error: str | None = None
    error_description: str | None = None
    error_uri: str | None = None
    realm: str | None = None

    @property
    def scopes(self) -> tuple[str, ...] | None:
        """The scopes asked for; None where the challenge names none."""
        names = tuple((self.scope or "").split(" "))
        return tuple(dict.fromkeys(name for name in names if name)) or None

    @property
    def insufficient_scope(self) -> bool:
        """Whether the token was good and its scopes were not (RFC 6750 section 3.1)."""
        return self.error == "insufficient_scope"


def bearer(challenge: Challenge) -> BearerChallenge:
    """What a Bearer challenge says."""
    return BearerChallenge(
        resource_metadata=challenge.get("resource_metadata"),
        scope=challenge.get("scope"),
        error=challenge.get("error"),
        error_description=challenge.get("error_description"),
        error_uri=challenge.get("error_uri"),
        realm=challenge.get("realm"),
    )


def parse_challenges(values: Iterable[str]) -> Challenges:
    """The challenges in the values of all `WWW-Authenticate` lines of one response, in order."""
    reader = _Reader()
    for value in values:
        reader.read(value)
    return Challenges(tuple(part.done() for part in reader.parts), tuple(reader.faults))


@dataclass(slots=True)
class _Part:
    scheme: str
    token68: str = ""
    params: list[tuple[str, str]] = field(default_factory=list)

    def done(self) -> Challenge:
        return Challenge(self.scheme, tuple(self.params), self.token68)


class _Reader:
    """Reads line after line: lines are one list (RFC 9110 section 5.3), a quote ends with its."""

    def __init__(self) -> None:
        self.parts: list[_Part] = []
        self.faults: list[str] = []

    def read(self, text: str) -> None:
        at = _skip(_COMMAS, text, 0)
        while at < len(text):
            at = self._element(text, at)
            end = _skip(_SPACE, text, at)
            if end < len(text) and text[end] != ",":
                self.faults.append(f"a comma is missing at character {end + 1}")
                end = _skip(_REST, text, end)
            at = _skip(_COMMAS, text, end)

    def _element(self, text: str, at: int) -> int:
        """Reads one scheme with what follows it, or one parameter; says where it ends."""
        name = _TOKEN.match(text, at)
        if name is None:
            self.faults.append(f"neither a scheme nor a parameter begins at character {at + 1}")
            return _skip(_REST, text, at)
        after = _skip(_SPACE, text, name.end())
        if text.startswith("=", after):
            return self._param(text, at, name[0], after + 1)
        part = _Part(name[0])
        self.parts.append(part)
        if after == name.end() or after == len(text) or text[after] == ",":
            return name.end()
        blob = _TOKEN68.match(text, after)
        if blob is not None:
            part.token68 = blob[0]
            return blob.end()
        first = _TOKEN.match(text, after)
        equals = _skip(_SPACE, text, first.end()) if first else after
        if first is None or not text.startswith("=", equals):
            return after
        return self._param(text, after, first[0], equals + 1)

    def _param(self, text: str, at: int, name: str, value_at: int) -> int:
        start = _skip(_SPACE, text, value_at)
        found = _QUOTED.match(text, start) or _TOKEN.match(text, start)
        if found is None:
            self.faults.append(f"the parameter at character {at + 1} has no value, or an open one")
            return _skip(_REST, text, start)
        quoted = text.startswith('"', start)
        value = _ESCAPE.sub(r"\1", found[1]) if quoted else found[0]
        if not self.parts or self.parts[-1].token68:
            self.faults.append(f"the parameter at character {at + 1} belongs to no challenge")
        else:
            self.parts[-1].params.append((name.lower(), value))
        return found.end()


def _skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return at if found is None else found.end()
