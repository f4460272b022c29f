"""A value that was read as JSON text again, for showing it.

Never raises, whatever a server sent: lone surrogates become escapes, whole numbers of any size stay
whole, and what JSON has no spelling for (`1e400` reads as infinity) is shown as Python spells it.
What goes out on the wire is encoded by `inspector.protocol.messages`, which refuses such values.
"""

import json

import msgspec

from inspector.protocol.messages import Json


def shown_json(value: Json, *, indent: int = 0) -> bytes:
    """`value` as JSON text, on one line or indented by so many spaces."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        return ascii(type(value)).encode()
    encoded = text.encode("utf-8", "backslashreplace")  # which is how JSON spells surrogates too
    if not indent:
        return encoded
    try:
        return msgspec.json.format(encoded, indent=indent)
    except (msgspec.DecodeError, RecursionError):
        return encoded
