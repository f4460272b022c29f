"""Members of JSON by name or by path, replaced where they stand: all else keeps its spelling.

Also what is no JSON and still has names: JSON inside a string, `password=…` in a line of text, the
parameters of a URL, headers as pairs, options of a command line. Broken JSON is followed as far as
it goes. Which values were replaced is told to whoever wants to find them elsewhere. Pure.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote_plus

from inspector.export.rules import Steps
from inspector.protocol.json_text import read_string

MASK: Final = "[redacted]"
DEEPEST: Final = 4
"""So deep JSON in strings is followed."""

Found = Callable[[str, str], None]
"""Is told the label of the rule and the value, as text."""

_TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[{}\[\],:]|[^\s{}\[\],:"]++', re.DOTALL)
_QUOTE, _COLON, _COMMA, _ARRAY = b'":,['
_OPENING: Final = b"{["
_CLOSING: Final = b"}]"
_PARAMETER: Final = re.compile(r"([?&;#])([^=&#\s?;]{1,200})=([^&#\s\"'<>]+)")


@dataclass(slots=True)
class _Level:
    is_object: bool
    paths: list[int]
    """The path rules that fit so far."""
    key: str | None = None
    index: int = 0
    before: str = ""
    """The string before, in an array."""


@dataclass(slots=True)
class _Change:
    start: int
    label: str
    depth: int


@dataclass(slots=True)
class Members:
    """Rules by name and by path, ready to be carried out; `found` is told each value."""

    keys: Sequence[str]
    paths: Sequence[tuple[Steps, str]]
    found: Found
    _names: re.Pattern[str] | None = field(init=False)
    _assigned: re.Pattern[str] | None = field(init=False)
    _needles: tuple[bytes, ...] = field(init=False)

    def __post_init__(self) -> None:
        globs = "|".join(_glob(key) for key in self.keys)
        self._names = re.compile(rf"-{{0,2}}({globs})", re.IGNORECASE) if globs else None
        self._assigned = (
            re.compile(
                rf"(?i)(?<![\w])({globs})((?:\\*[\"'])?\s{{0,8}}(?:[:=]|=>)\s{{0,8}}|(?<=\w)[ ])"
                r"(\\*\"(?:[^\"\\]|\\(?!\\*\"))*|\\*'(?:[^'\\]|\\(?!\\*'))*|(?:[^\s&\"'\\,;<>(){}\[\]]|[,;<>(){}\[\]](?!\s|$)|&(?![\w.%-]+=))+)"
            )
            if globs
            else None
        )
        literal = [re.split(r"[*?]", key.lower()) for key in self.keys]
        self._needles = tuple(
            max(parts, key=len).encode("utf-8", "surrogatepass") for parts in literal
        )

    def text(self, text: str, depth: int = 0) -> str:
        """A text without the values that stand beside a name in it."""
        if self._names is None or self._assigned is None:
            return text
        if depth < DEEPEST and text.lstrip()[:1] in ("{", "["):
            raw = text.encode("utf-8", "surrogatepass")
            changed = self.json(raw, depth=depth + 1)
            if changed != raw:
                text = changed.decode("utf-8", "surrogatepass")
        if "=" in text or ":" in text or " " in text:
            text = self._assigned.sub(self._hide_assigned, text)
            if "%" in text:
                text = _PARAMETER.sub(self._hide_parameter, text)
        return text

    def json(self, raw: bytes, *, pairs: bool = False, depth: int = 0) -> bytes:
        """JSON without the values of members that the rules name. With `pairs`, of arrays of two
        the first is a name too."""
        if not self._worth_it(raw, depth):
            return raw
        pieces: list[bytes] = []
        done = 0
        change: _Change | None = None
        stack: list[_Level] = []
        for token in _TOKEN.finditer(raw):
            start, first = token.start(), raw[token.start()]
            top = stack[-1] if stack else None
            if first in _CLOSING:
                if stack:
                    stack.pop()
                if change is not None and len(stack) == change.depth:
                    pieces += [raw[done : change.start], self._hidden(raw, change, token.end())]
                    done, change = token.end(), None
                continue
            if first == _COMMA:
                if top is not None:
                    top.key, top.index = None, top.index + 1
                continue
            if first == _COLON:
                continue
            if first == _QUOTE and top is not None and top.is_object and top.key is None:
                top.key = read_string(token.group()) or ""
                continue
            if change is None and (label := self._label(top, len(stack), pairs)):
                change = _Change(start, label, len(stack))
            if first in _OPENING:
                stack.append(_Level(first != _ARRAY, self._going_on(top, len(stack), depth)))
                continue
            text = token.group()
            if change is not None and change.depth == len(stack):
                pieces += [raw[done:start], self._hidden(raw, change, token.end())]
                done, change = token.end(), None
                if top is not None:
                    top.before = ""
            elif change is None and first == _QUOTE:
                if (inner := self._inside(text, depth)) != text:
                    pieces += [raw[done:start], inner]
                    done = token.end()
                if top is not None and not top.is_object:
                    top.before = read_string(text) or ""
        if change is not None:  # the text breaks off inside the value
            pieces += [raw[done : change.start], self._hidden(raw, change, len(raw))]
            done = len(raw)
        return b"".join([*pieces, raw[done:]]) if pieces else raw

    def _worth_it(self, raw: bytes, depth: int) -> bool:
        if self.paths and depth == 0:
            return True
        return self._names is not None and self._named(raw)

    def _named(self, raw: bytes) -> bool:
        """Whether a name of a rule may stand in a text."""
        low = raw.lower()
        return b"\\u" in raw or b"%" in raw or any(needle in low for needle in self._needles)

    def _label(self, top: _Level | None, depth: int, pairs: bool) -> str:
        """The label of the rule by which the value that begins here has to go."""
        if top is None:
            return ""
        if self._names is not None:
            name = top.key if top.is_object else None
            if not top.is_object and top.before:
                option = top.before[:1] == "-"
                name = top.before if option or (pairs and top.index == 1) else None
            if name and (label := self._rule_of(name)):
                return label
        for rule in top.paths:
            steps, label = self.paths[rule]
            if len(steps) == depth and _fits(steps[-1], top):
                return label
        return ""

    def _going_on(self, top: _Level | None, depth: int, inside: int) -> list[int]:
        """The path rules that still fit in the container that begins here."""
        if top is None:
            return list(range(len(self.paths))) if inside == 0 else []
        return [
            rule
            for rule in top.paths
            if len(self.paths[rule][0]) > depth and _fits(self.paths[rule][0][depth - 1], top)
        ]

    def _rule_of(self, name: str) -> str:
        """The label of the rule that names `name`, as a member, a parameter or an option."""
        plain = name.lstrip("-").lower()
        for key in self.keys:
            if re.fullmatch(_glob(key), plain, re.IGNORECASE):
                return f"key={key}"
        return ""

    def _hidden(self, raw: bytes, change: _Change, end: int) -> bytes:
        value = raw[change.start : end]
        self._tell(change.label, value)
        return b'"%b"' % MASK.encode()

    def _tell(self, label: str, value: bytes) -> None:
        """Every text inside a value that went away is one to be found elsewhere."""
        for token in _TOKEN.finditer(value):
            text = token.group()
            if text[0] == _QUOTE:
                read = read_string(text)
                self.found(label, read if read is not None else text[1:].decode("utf-8", "replace"))
            elif text[0] not in b"{}[],:":
                self.found(label, text.decode("utf-8", "replace"))

    def _inside(self, text: bytes, depth: int) -> bytes:
        """A string that may hold names and values in its turn."""
        if self._names is None or not self._named(text):
            return text
        read = read_string(text)
        if read is None:
            return text
        changed = self.text(read, depth)
        return (
            text
            if changed == read
            else json.dumps(changed, ensure_ascii=False).encode("utf-8", "backslashreplace")
        )

    def _hide_assigned(self, found: re.Match[str]) -> str:
        name, between, value = found.group(1), found.group(2), found.group(3)
        if between == " " and found.string[max(found.start() - 1, 0) : found.start()] != "-":
            return found.group()  # two words of a sentence
        quote = re.match(r"\\*[\"']", value)
        bare = value[quote.end() :] if quote is not None else value
        if not bare or MASK.startswith(bare) or bare.startswith("[redacted"):
            return found.group()
        self.found(self._rule_of(name), bare)
        return f"{name}{between}{quote.group() if quote is not None else ''}{MASK}"

    def _hide_parameter(self, found: re.Match[str]) -> str:
        sign, name, value = found.groups()
        label = self._rule_of(unquote_plus(name))
        if not label or value.startswith("[redacted"):
            return found.group()
        self.found(label, unquote_plus(value))
        return f"{sign}{name}={MASK}"


def _fits(step: str | int | None, top: _Level) -> bool:
    if step is None:
        return True
    if top.is_object:
        return str(step) == top.key
    return step == top.index


def _glob(key: str) -> str:
    """A name with `*` and `?` as an expression."""
    return "".join({"*": r"[\w.-]*", "?": r"[\w.-]"}.get(sign, re.escape(sign)) for sign in key)
