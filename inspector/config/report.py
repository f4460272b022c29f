"""Saying where in a TOML file something is wrong; `tomllib` keeps no positions of its own."""

import re
import tomllib
from typing import Any


def where(text: str, key: str, table: str = "") -> str:
    """`line N: ` of the first assignment to `key` (in `[table]`, where given), or nothing."""
    line = line_of(text, key, table)
    return f"line {line}: " if line else ""


def line_of(text: str, key: str, table: str = "") -> int:
    """The line, from 1, that assigns `key` or opens the table of that name; 0 if not found."""
    bare = re.escape(key)
    assigns = re.compile(rf"""\s*(?:"{bare}"|'{bare}'|{bare})\s*[=.]""")
    opens = re.compile(rf"""\s*\[+\s*(?:"{bare}"|'{bare}'|{bare})\s*\]""")
    current = ""
    for number, line in enumerate(text.splitlines(), 1):
        if opens.match(line):
            return number
        if header := re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line):
            current = header[1].strip("\"'")
        elif assigns.match(line) and current == table:
            return number
    return 0


def read_toml(text: str) -> dict[str, Any] | str:
    """The document in `text`, or what is wrong with it, with the place first."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return toml_problem(error)
    except RecursionError:
        return "it is nested too deep"
    except ValueError:  # more digits than Python makes an integer of
        return "a number in it has too many digits"


def toml_problem(error: tomllib.TOMLDecodeError) -> str:
    """The parser's complaint with the place first: `line 3, column 8: …`."""
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error))
    if found is None:
        return str(error)
    place = f"line {found[2]}, column {found[3]}" if found[2] else "end of the file"
    return f"{place}: {found[1]}"
