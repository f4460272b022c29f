"""Rules about the text of a message that its value does not show: names that stand twice in an
object, and numbers that no decoder holds.

Both are JSON by its grammar, and decoders make different values of it: one keeps the first of two
members and another the last, one refuses a number that another takes for infinite. The source is
RFC 8259, sections 4 and 6, by way of JSON-RPC.
"""

import math
from typing import Final

import msgspec

from inspector.lint.look import Look, finding
from inspector.lint.rule import Rule, quoted, rule
from inspector.protocol.json_pointer import pointer
from inspector.protocol.messages import Json, duplicate_keys

_PAGE: Final = "basic"
_ALL: Final = "ABCDE"

RULES: Final[tuple[Rule, ...]] = (
    rule("rpc/duplicate-names", "An object has two members of one name", _PAGE, warn=_ALL),
    rule("rpc/number-range", "A number is beyond what numbers hold", _PAGE, warn=_ALL),
)
TOLD: Final = 5
"""Places of one message that are told."""


def check(look: Look, raw: bytes, value: Json) -> None:
    """Judges the text `raw`, whose value is `value`."""
    try:
        again = msgspec.json.encode(value)
    except (ValueError, OverflowError, RecursionError):  # half characters, very long integers
        again = b""
    # A quick look that nearly every message passes: it has as many members and nulls as its value.
    if raw.count(b'":') != again.count(b'":'):
        for place in duplicate_keys(raw, TOLD):
            name = quoted(place.rpartition("/")[2])
            message = f"{name} stands twice in its object: decoders differ about which counts."
            _tell(look, "rpc/duplicate-names", message, place)
    if not again or raw.count(b"null") != again.count(b"null"):
        for place in _beyond(value):
            message = "The number is beyond a double: decoders refuse it, or take it for infinite."
            _tell(look, "rpc/number-range", message, place)


def _tell(look: Look, rule_id: str, message: str, place: str) -> None:
    # The place is not claimed: what the value says is judged all the same.
    found = finding(look.rules, rule_id, look.revision, message, (look.number,), look.place + place)
    if found is not None:
        look.findings.append(found)


def _beyond(value: Json) -> list[str]:
    """JSON pointers of infinite numbers, the first `TOLD`."""
    found: list[str] = []
    waiting: list[tuple[tuple[str | int, ...], Json]] = [((), value)]
    while waiting and len(found) < TOLD:
        path, one = waiting.pop()
        if isinstance(one, float) and math.isinf(one):
            found.append(pointer(*path))
        elif isinstance(one, dict):
            waiting.extend(((*path, name), inner) for name, inner in reversed(one.items()))
        elif isinstance(one, list):
            waiting.extend(((*path, index), one[index]) for index in range(len(one) - 1, -1, -1))
    return found
