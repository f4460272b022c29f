"""Reads a filter: text to a tree of nodes, or a `FilterError` that says where it is wrong.

    filter  = any
    any     = all { "|" all }
    all     = part { part }              side by side means AND
    part    = "-" part | "(" any ")" | "/regex/" ["i"] | "$" path [op value] | key op value | word

Values and words may stand in double quotes; inside, `\\"` and `\\\\` stand for themselves. Decides
the grammar only: keys and their meaning are `query_terms`. Pure.
"""

import re
from typing import Final

from inspector.journal.query_nodes import All, AnyOf, Everything, FilterError, Node, Not
from inspector.journal.query_terms import TERMS
from inspector.journal.query_text import Path, Pattern, Step, Word, path_keys

DEPTH_LIMIT: Final = 50
LENGTH_LIMIT: Final = 4_000

_TERMS: Final = {term.key: term for term in TERMS}
_KEY: Final = re.compile(r"([A-Za-z]+)(:|>=|<=|>|<|=)")
_PLAIN: Final = re.compile(r"[^\s()|\"]+")
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_REGEX: Final = re.compile(r"/((?:[^/\\]|\\.)+)/(i?)")
_STEP: Final = re.compile(r'\.([^\s.\[\]=<>!~()|"]+)|\[(-?[0-9]+|\*|"(?:[^"\\]|\\.)*")\]|(\.\*)')
_OPERATOR: Final = re.compile(r"!=|>=|<=|=|>|<|~")
_REPEATED: Final = re.compile(r"\([^()]*[+*}][^()]*\)\s*[+*{]")


class Parser:
    """One pass over one filter. `words` collects what a reader may highlight."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0
        self._denied = False
        self.words: list[str] = []

    def parse(self) -> Node:
        """The whole filter."""
        if len(self._text) > LENGTH_LIMIT:
            raise FilterError(f"longer than {LENGTH_LIMIT} characters", LENGTH_LIMIT)
        self._skip()
        if self._at == len(self._text):
            return Everything()
        node = self._any()
        if self._at < len(self._text):
            raise FilterError("this ) closes nothing", self._at)
        return node

    def _skip(self) -> None:
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1

    def _peek(self) -> str:
        self._skip()
        return self._text[self._at : self._at + 1]

    def _any(self) -> Node:
        parts = [self._all()]
        while self._peek() == "|":
            self._at += 1
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else AnyOf(parts)

    def _all(self) -> Node:
        parts: list[Node] = []
        while self._peek() not in ("", "|", ")"):
            parts.append(self._part())
        if not parts:
            found = self._peek()
            where = f"before {found}" if found else "at the end"
            raise FilterError(f"something to look for is missing {where}", self._at)
        return parts[0] if len(parts) == 1 else All(parts)

    def _part(self) -> Node:
        self._depth += 1
        if self._depth > DEPTH_LIMIT:
            raise FilterError(f"nested deeper than {DEPTH_LIMIT}", self._at)
        node = self._deeper()
        self._depth -= 1
        return node

    def _deeper(self) -> Node:
        match self._peek():
            case "-":
                return self._not()
            case "(":
                return self._group()
            case "/":
                return self._regex()
            case "$":
                return self._path()
        key = _KEY.match(self._text, self._at)
        if key is not None and key.group(1).lower() in _TERMS:
            return self._term(key)
        if key is not None and key.group(2) == ":" and not key.group(1)[:1].isupper():
            self._unknown(key)
        return self._word()

    def _not(self) -> Node:
        start = self._at
        self._at += 1
        if self._text[self._at : self._at + 1].isspace() or self._peek() in ("", "|", ")"):
            raise FilterError("- wants something right behind it", start)
        self._denied = not self._denied
        node = Not(self._part())
        self._denied = not self._denied
        return node

    def _group(self) -> Node:
        start = self._at
        self._at += 1
        node = self._any()
        if self._peek() != ")":
            raise FilterError("this ( is not closed", start)
        self._at += 1
        return node

    def _regex(self) -> Node:
        start = self._at
        found = _REGEX.match(self._text, start)
        if found is None:
            raise FilterError(
                "this / begins an expression that ends with /; put a path in quotes", start
            )
        self._at = found.end()
        source = found.group(1).replace("\\/", "/")
        if _REPEATED.search(source):
            raise FilterError("a repetition inside a repetition may take forever", start + 1)
        flags = re.IGNORECASE if found.group(2) else re.RegexFlag(0)
        try:
            return Pattern(re.compile(source, flags), re.compile(source.encode(), flags))
        except (re.error, OverflowError, RecursionError) as error:
            at = getattr(error, "pos", 0) or 0
            raise FilterError(f"not a regular expression: {error}", start + 1 + at) from error

    def _path(self) -> Node:
        start = self._at
        self._at += 1
        steps: list[Step] = []
        while (found := _STEP.match(self._text, self._at)) is not None:
            name, item, star = found.groups()
            if star or item == "*" or name == "*":
                steps.append(None)
            elif name is not None:
                steps.append(name)
            elif item.startswith('"'):
                steps.append(_unquote(item[1:-1]))
            elif len(item) > 9:
                raise FilterError("an item's number cannot be that long", self._at)
            else:
                steps.append(int(item))
            self._at = found.end()
        if not steps:
            raise FilterError("a path looks like $.params.name", start)
        operator = _OPERATOR.match(self._text, self._at)
        value = ""
        if operator is not None:
            self._at = operator.end()
            value = self._value(f"{operator.group()} wants a value")
        elif self._text[self._at : self._at + 1] not in ("", ")", "|") and not (
            self._text[self._at].isspace()
        ):
            raise FilterError("a path goes on with .name or [0], or with = and a value", self._at)
        where = tuple(steps)
        return Path(where, operator.group() if operator else "", value, path_keys(where))

    def _term(self, key: re.Match[str]) -> Node:
        term, operator = _TERMS[key.group(1).lower()], key.group(2)
        allowed = term.operators.split()
        if operator not in allowed:
            raise FilterError(
                f"{term.key} goes with {' '.join(allowed)}, as in {term.example}", key.start(2)
            )
        self._at = key.end()
        start = self._at
        value = self._value(f"{term.key}{operator} wants a value, as in {term.example}")
        return term.make(operator, value, start)

    def _unknown(self, key: re.Match[str]) -> None:
        """A word with a colon is a word (`file://x`), unless it looks like a key."""
        following = self._text[key.end() : key.end() + 1]
        if following not in ("", "/", '"') and not following.isspace():
            known = ", ".join(_TERMS)
            raise FilterError(
                f"unknown key {key.group(1)!r}; there are {known}; or put it in quotes",
                self._at,
            )

    def _value(self, missing: str) -> str:
        quoted = _QUOTED.match(self._text, self._at)
        if quoted is not None:
            self._at = quoted.end()
            return _unquote(quoted.group(1))
        plain = _PLAIN.match(self._text, self._at)
        if plain is None:
            if self._text[self._at : self._at + 1] == '"':
                raise FilterError("this quote is not closed", self._at)
            raise FilterError(missing, self._at)
        self._at = plain.end()
        return plain.group()

    def _word(self) -> Node:
        word = self._value("something to look for is missing")
        if not word:
            return Everything()
        if not self._denied:
            self.words.append(word)
        return Word(word)


def _unquote(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
