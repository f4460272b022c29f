"""JSON text and values without loss: number tokens keep their spelling, anything can be written.

Decides how a value is spelt as text and how typed text is read (strictly: no NaN, no trailing
comma). What a text means for a field is decided by `inspector.forms.values`.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

import msgspec

from inspector.protocol.messages import Json, RawJson, Sendable

NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)")
TOO_DEEP: Final = "nested too deep"
_STRING: Final = r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+"'
_TOKEN: Final = re.compile(
    rf"[ \t\r\n]*(?:(?P<open>[\[{{])|(?P<close>[\]}}])|(?P<comma>,)|(?P<key>{_STRING}[ \t\r\n]*:)"
    rf"|(?P<scalar>{_STRING}|{NUMBER.pattern}|true|false|null))[ \t\r\n]*"
)


class JsonTextError(ValueError):
    """The text is not JSON; `line` and `column` begin at 1."""

    def __init__(self, reason: str, line: int, column: int) -> None:
        place = f"line {line}, column {column}" if line > 1 else f"column {column}"
        super().__init__(f"not JSON: {reason} ({place})")
        self.reason, self.line, self.column = reason, line, column


def parse(text: str) -> Sendable:
    """The value in `text`, with every number as its own token; raises JsonTextError.

    An object with a key twice, which a dict cannot hold, stays `RawJson`.
    """
    try:
        value: Sendable = json.loads(
            text,
            parse_int=_token,
            parse_float=_token,
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        raise JsonTextError(error.msg, error.lineno, error.colno) from None
    except RecursionError:
        raise JsonTextError(TOO_DEEP, 1, 1) from None
    except _NoConstantError as error:
        raise JsonTextError(
            f"{error} is no JSON number", 1, max(text.find(str(error)), 0) + 1
        ) from None
    return value


@lru_cache(maxsize=16)
def check(text: str) -> str:
    """Why `text` is not JSON, "" when it is. Asked again at each key: the last answers are kept."""
    try:
        parse(text)
    except JsonTextError as error:
        deep = error.reason == TOO_DEEP and _is_deep_json(text)
        return "" if deep else str(error)
    return ""


def _is_deep_json(text: str) -> bool:
    """Whether text that is nested too deep to be parsed is JSON all the same."""
    closers: list[str] = []
    expected, end = "value", 0
    while token := _TOKEN.match(text, end):
        end = token.end()
        kind, what = token.lastgroup, token.group().strip()
        if kind == "close":
            fits = expected == "next" or what == expected
            if not fits or not closers or closers.pop() != what:
                return False
            expected = "next" if closers else "end"
        elif kind == "comma":
            if expected != "next" or not closers:
                return False
            expected = "key" if closers[-1] == "}" else "value"
        elif expected in ("key", "}"):
            if kind != "key":
                return False
            expected = "value"
        elif expected in ("value", "]"):
            if kind == "open":
                expected = "}" if what == "{" else "]"
                closers.append(expected)
            elif kind == "scalar":
                expected = "next" if closers else "end"
            else:
                return False
        else:
            return False
    return expected == "end" and end == len(text)


class _NoConstantError(Exception):
    pass


def _refuse_constant(name: str) -> Sendable:
    raise _NoConstantError(name)


def _token(text: str) -> RawJson:
    return RawJson(text.encode())


def _object(pairs: list[tuple[str, Sendable]]) -> Sendable:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    return RawJson(_write_object(iter(pairs)).encode())


def opened(value: Sendable) -> Sendable:
    """`value` itself, or what its text holds when it is `RawJson`; raises JsonTextError."""
    if isinstance(value, RawJson):
        text = bytes(value).decode("utf-8", "replace")
        return value if NUMBER.fullmatch(text) else _opened_text(value, text)
    return value


def _opened_text(value: RawJson, text: str) -> Sendable:
    read = parse(text)
    return value if isinstance(read, RawJson) and not NUMBER.fullmatch(text.strip()) else read


def token_of(value: Sendable) -> str:
    """The number token of a number, "" for anything else."""
    if isinstance(value, RawJson):
        text = bytes(value).decode("utf-8", "replace").strip()
        return text if NUMBER.fullmatch(text) else ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    return dump(value)


def number(token: str) -> Sendable:
    """The number that `token` spells: an int where that loses nothing, the token otherwise."""
    if INTEGER.fullmatch(token) and len(token) < 18 and token != "-0":
        return int(token)
    return RawJson(token.encode())


def plain(value: Sendable) -> Json:
    """`value` as ordinary Python JSON; numbers lose their spelling. Raises JsonTextError."""
    try:
        read: Json = json.loads(dump(value), parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise JsonTextError(error.msg, error.lineno, error.colno) from None
    except (RecursionError, _NoConstantError, ValueError):
        raise JsonTextError("cannot be read", 1, 1) from None
    return read


def text_value(text: str) -> Sendable:
    """`text` as a JSON string that can be encoded, lone surrogates included."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return RawJson(json.dumps(text).encode())
    return text


def dump(value: Sendable, indent: int = 0) -> str:
    """`value` as JSON text; whatever cannot be seen on a screen is spelt as an escape.

    `RawJson` that is no JSON stands in the text as it is, so that nothing typed is ever lost.
    """
    try:
        encoded = msgspec.json.encode(value)
    except (UnicodeEncodeError, OverflowError, TypeError, RecursionError, ValueError):
        encoded = _write(value).encode()
    if indent:
        try:
            encoded = msgspec.json.format(encoded, indent=indent)
        except (msgspec.DecodeError, RecursionError):
            return escape_unseen(encoded.decode("utf-8", "replace"), keep=True)
        return escape_unseen(encoded.decode("utf-8", "replace"), keep=True)
    return escape_unseen(encoded.decode("utf-8", "replace"), keep=False)


def escape_unseen(text: str, *, keep: bool = True) -> str:
    """JSON text with every invisible character inside its strings as a `\\u` escape.

    `keep` leaves line feeds between the tokens.
    """
    if text.isprintable():
        return text
    return "\n".join(_seen_line(line) for line in text.split("\n")) if keep else _seen_line(text)


def _seen_line(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    if char in "\n\r\t":
        return " "  # these stand between tokens only: inside a string they are escapes already
    return "\\u007f" if char == "\x7f" else json.dumps(char)[1:-1]


def seen(text: str) -> bool:
    """Whether every character of `text` shows on one line of a screen."""
    return text.isprintable()


def seen_lines(text: str) -> bool:
    """The same for a text of several lines."""
    return text.isprintable() or text.replace("\n", "").isprintable()


def _write(value: Sendable) -> str:
    """The slow way, for what msgspec refuses: lone surrogates, deep nesting."""
    out: list[str] = []
    stack: list[str | Iterator[str | _Part]] = [iter((_Part(value),))]
    while stack:
        top = stack[-1]
        if isinstance(top, str):
            out.append(top)
            stack.pop()
            continue
        piece = next(top, None)
        if piece is None:
            stack.pop()
        elif isinstance(piece, str):
            out.append(piece)
        else:
            stack.append(_pieces(piece.value))
    return "".join(out)


class _Part:
    __slots__ = ("value",)

    def __init__(self, value: Sendable) -> None:
        self.value = value


def _pieces(value: Sendable) -> Iterator[str | _Part]:
    if isinstance(value, RawJson):
        yield bytes(value).decode("utf-8", "replace")
    elif isinstance(value, Mapping):
        yield "{"
        for index, (key, item) in enumerate(value.items()):
            yield ("," if index else "") + json.dumps(key) + ":"
            yield _Part(item)
        yield "}"
    elif isinstance(value, list | tuple):
        yield "["
        for index, item in enumerate(value):
            if index:
                yield ","
            yield _Part(item)
        yield "]"
    elif isinstance(value, float):
        yield msgspec.json.encode(value).decode()  # NaN becomes null
    else:
        yield json.dumps(value)


def _write_object(pairs: Iterator[tuple[str, Sendable]]) -> str:
    return "{" + ",".join(f"{json.dumps(key)}:{_write(item)}" for key, item in pairs) + "}"


def same(one: Sendable, other: Sendable) -> bool:
    """Whether two values are the same JSON, number spelling included, key order not."""
    try:
        one, other = opened(one), opened(other)
    except JsonTextError:
        return dump(one) == dump(other)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return compact(dump(one)) == compact(dump(other))


@lru_cache(maxsize=16)
def compact(text: str) -> str:
    """JSON text without the white space between its tokens; what is no JSON stays as it is."""
    try:
        return msgspec.json.format(text, indent=-1)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return text
