"""What is to be left out of an export: the rules that a user gives, read and checked.

    key=password            members, headers, parameters and options of that name (* and ? fit)
    path=$.params.token     where that path of the filter language leads
    value=TEXT              the text, however it is spelt
    value-env=VAR           the same, from an environment variable: no shell history knows it
    regex=PATTERN           what the expression matches

How a rule is carried out is decided by the other modules of this room. Pure.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from inspector.errors import UsageError
from inspector.journal.query_nodes import FilterError
from inspector.journal.query_parse import Parser
from inspector.journal.query_path import Path

SHORTEST_VALUE: Final = 3
"""Shorter values stand everywhere: to replace them would wreck everything and hide nothing."""
KINDS: Final = ("key", "path", "value", "value-env", "regex")

Steps = tuple[str | int | None, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules of one export. `labels` are the rules as they may be printed, values left out."""

    keys: tuple[str, ...] = ()
    paths: tuple[tuple[Steps, str], ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    patterns: tuple[tuple[re.Pattern[str], str], ...] = ()

    @property
    def any(self) -> bool:
        """Whether there is a rule."""
        return bool(self.keys or self.paths or self.values or self.patterns)

    @property
    def learning(self) -> bool:
        """Whether values have to be found before they can be replaced wherever else they are."""
        return bool(self.keys or self.paths or self.patterns)

    @property
    def labels(self) -> tuple[str, ...]:
        """The rules by the names under which they are counted."""
        return (
            *(f"key={key}" for key in self.keys),
            *(label for _, label in self.paths),
            *(label for _, label in self.values),
            *(label for _, label in self.patterns),
        )


def parse_rules(texts: Iterable[str], environ: Mapping[str, str]) -> Rules:
    """The rules in texts like `key=password`. UsageError says what is wrong with one."""
    keys: list[str] = []
    paths: list[tuple[Steps, str]] = []
    values: list[tuple[str, str]] = []
    patterns: list[tuple[re.Pattern[str], str]] = []
    for text in texts:
        kind, equals, said = text.partition("=")
        if not equals or kind not in KINDS:
            raise _unknown(kind, equals)
        if not said:
            raise UsageError(f"--redact {kind}= wants something behind it")
        match kind:
            case "key":
                keys.append(said)
            case "path":
                paths.append((_steps(said), text))
            case "value":
                values.append((_value(said, "value"), f"value #{len(values) + 1}"))
            case "value-env":
                values.append((_value(_variable(said, environ), text), text))
            case _:
                patterns.append((_pattern(said), f"regex #{len(patterns) + 1}"))
    return Rules(tuple(keys), tuple(paths), tuple(values), tuple(patterns))


def _unknown(kind: str, equals: str) -> UsageError:
    close = get_close_matches(kind, KINDS, 1)
    if close and equals:
        return UsageError(
            f"--redact knows no {kind!r}; did you mean {close[0]}=?", hint=", ".join(KINDS)
        )
    return UsageError(
        "--redact wants key=NAME, path=PATH, value=TEXT, value-env=VAR or regex=PATTERN",
        hint="what stands there is not repeated here: it may be the secret",
    )


def _steps(text: str) -> Steps:
    try:
        node = Parser(text).parse()
    except FilterError as error:
        raise UsageError(f"--redact path: {error.message}") from None
    if not isinstance(node, Path) or node.operator:
        raise UsageError(f"--redact path: {text!r} is no path", hint="as in $.params.arguments.key")
    if any(isinstance(step, int) and step < 0 for step in node.steps):
        raise UsageError("--redact path: items are counted from the beginning, or all with [*]")
    return node.steps


def _value(text: str, what: str) -> str:
    if len(text.strip()) < SHORTEST_VALUE:
        raise UsageError(
            f"--redact {what}: shorter than {SHORTEST_VALUE} characters, it stands everywhere",
            hint="name the member that holds it with key= or path=",
        )
    return text


def _variable(name: str, environ: Mapping[str, str]) -> str:
    value = environ.get(name)
    if value is None:
        raise UsageError(f"--redact value-env: there is no environment variable {name}")
    return value.strip()


def _pattern(text: str) -> re.Pattern[str]:
    try:
        pattern = re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise UsageError(f"--redact regex: {error}") from None
    if pattern.match("") is not None:
        raise UsageError("--redact regex: it matches even where nothing stands")
    return pattern
