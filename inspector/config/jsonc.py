"""JSON with comments and trailing commas, as editors write their config files.

Comments and stray commas become spaces before parsing, so that an error names the place in the
file as it is. Nothing else of JSON5 is understood.
"""

import json
from typing import TypeAlias

Json: TypeAlias = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


class JsoncError(ValueError):
    """The text is no JSON; says line and column, both from 1."""


def loads(text: str) -> Json:
    """The value in `text`. Raises JsoncError."""
    plain = _blank_trailing_commas(_blank_comments(text.removeprefix("\ufeff")))
    try:
        value: Json = json.loads(plain)
    except json.JSONDecodeError as error:
        raise JsoncError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise JsoncError("nested too deep") from None
    except ValueError:  # more digits than Python makes an integer of
        raise JsoncError("a number in it has too many digits") from None
    return value


def _blank_comments(text: str) -> str:
    pieces: list[str] = []
    position = 0
    while position < len(text):
        character = text[position]
        if character == '"':
            end = _string_end(text, position)
            pieces.append(text[position:end])
        elif text.startswith("//", position):
            end = text.find("\n", position)
            end = len(text) if end < 0 else end
            pieces.append(" " * (end - position))
        elif text.startswith("/*", position):
            end = text.find("*/", position + 2)
            end = len(text) if end < 0 else end + 2
            pieces.append("".join(c if c == "\n" else " " for c in text[position:end]))
        else:
            end = position + 1
            pieces.append(character)
        position = end
    return "".join(pieces)


def _blank_trailing_commas(text: str) -> str:
    characters = list(text)
    comma = -1
    position = 0
    while position < len(text):
        character = text[position]
        if character == '"':
            comma = -1
            position = _string_end(text, position)
            continue
        if character == ",":
            comma = position
        elif character in "]}" and comma >= 0:
            characters[comma] = " "
            comma = -1
        elif not character.isspace():
            comma = -1
        position += 1
    return "".join(characters)


def _string_end(text: str, start: int) -> int:
    position = start + 1
    while position < len(text):
        if text[position] == "\\":
            position += 2
        elif text[position] in '"\n':
            return position + 1
        else:
            position += 1
    return len(text)
