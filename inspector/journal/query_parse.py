"""Reads a filter: text to a tree of nodes, or a `FilterError` that says where it is wrong.

    filter  = any
    any     = all { "|" all }
    all     = part { part }              side by side means AND
    part    = "-" part | "(" any ")" | "/regex/" ["i"] | "$" path [op values] | key op values | word
    values  = value { "|" value }        behind : or = (of paths = or ~), without a space around |

Values and words may stand in double quotes; inside, `\\"` and `\\\\` stand for themselves. A `|`
that a space, a key, a path, an expression or a negation follows is that of `any`. Decides the
grammar only: keys and their meaning are `query_terms`. Pure.
"""

import re
from difflib import get_close_matches
from typing import Final

from inspector.journal.query_nodes import All, AnyOf, Everything, FilterError, Node, Not
from inspector.journal.query_path import Path, Step, path_keys
from inspector.journal.query_regex import Pattern
from inspector.journal.query_terms import TERMS, unknown
from inspector.journal.query_text import Word

DEPTH_LIMIT: Final = 50
LENGTH_LIMIT: Final = 4_000

_TERMS: Final = {term.key: term for term in TERMS}
_KEY: Final = re.compile(r"([A-Za-z]+)(:|>=|<=|>|<|=)")
_PLAIN: Final = re.compile(r"[^\s()|\"]+")
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_REGEX: Final = re.compile(r"/((?:[^/\\]|\\.)+)/(i?)")
_STEP: Final = re.compile(r'\.([^\s.\[\]=<>!~()|"]+)|\[(-?[0-9]+|\*|"(?:[^"\\]|\\.)*")\]|(\.\*)')
_OPERATOR: Final = re.compile(r"!=|>=|<=|=|>|<|~")
_FURTHER: Final = re.compile(r"\|(?![\s()|/$]|-(?![0-9])|\Z)")


class Parser:
    """One pass over one filter. `words` collects what a reader may highlight, `patterns` the
    expressions."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0
        self._denied = False
        self.words: list[str] = []
        self.patterns: list[Pattern] = []

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
        if key is not None:
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
        source = found.group(1)
        try:
            pattern = Pattern(
                source.replace("\\/", "/"), ignore_case=bool(found.group(2)), column=start + 1
            )
        except FilterError as error:
            escaped = source[: error.column - start].count("\\/")
            raise FilterError(error.message, error.column + escaped) from error
        self.patterns.append(pattern)
        return pattern

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
        where, compares, values = tuple(steps), "", [""]
        if operator is not None:
            self._at, compares = operator.end(), operator.group()
            values = [self._value(f"{compares} wants a value")]
            while compares in ("=", "~") and self._goes_on():
                values.append(self._value("a value is missing"))
        elif self._text[self._at : self._at + 1] not in ("", ")", "|") and not (
            self._text[self._at].isspace()
        ):
            raise FilterError("a path goes on with .name or [0], or with = and a value", self._at)
        keys = path_keys(where)
        paths = [Path(where, compares, value, keys) for value in values]
        return paths[0] if len(paths) == 1 else AnyOf(paths)

    def _term(self, key: re.Match[str]) -> Node:
        term, operator = _TERMS[key.group(1).lower()], key.group(2)
        allowed = term.operators.split()
        if operator not in allowed:
            raise FilterError(
                f"{term.key} goes with {' '.join(allowed)}, as in {term.example}", key.start(2)
            )
        self._at = key.end()
        parts: list[Node] = []
        while True:
            start = self._at
            value = self._value(f"{term.key}{operator} wants a value, as in {term.example}")
            if term.key == "text" and not self._denied:
                self.words.append(value)
            parts.append(term.make(operator, value, start))
            if operator not in (":", "=") or not self._goes_on():
                return parts[0] if len(parts) == 1 else AnyOf(parts)

    def _goes_on(self) -> bool:
        """Whether `|` and another value of the same key follow; passes over the `|`."""
        if _FURTHER.match(self._text, self._at) is None:
            return False
        key = _KEY.match(self._text, self._at + 1)
        if key is not None and key.group(1).lower() in _TERMS:
            return False
        self._at += 1
        return True

    def _unknown(self, key: re.Match[str]) -> None:
        """A word with a colon is a word (`file://x`, `Note:`), unless it looks like a key; so is
        a comparison, unless a key was mistyped."""
        word, following = key.group(1), self._text[key.end() : key.end() + 1]
        if following in ("", "/", '"', "|", ")") or following.isspace():
            return
        if key.group(2) == ":":
            wrong = not word[0].isupper()
        else:
            wrong = len(word) > 1 and bool(get_close_matches(word.lower(), _TERMS, 1, 0.7))
        if wrong:
            error = unknown("key", word, _TERMS, self._at)
            raise FilterError(error.message + " (a word with : in it goes in quotes)", self._at)

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
