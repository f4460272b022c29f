"""JSON web tokens (RFC 7519) in the middle of other bytes: where they are.

Decides it by their shape, in the time that one look at the bytes takes: an expression alone tries
every `eyJ` of a text that is nothing else, each to the end of it. Pure.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

_BEGIN: Final = b"eyJ"
_TOKEN: Final = re.compile(rb"eyJ[A-Za-z0-9_-]{4,}+\.[A-Za-z0-9_-]{4,}+\.[A-Za-z0-9_-]*+")
_RUN: Final = re.compile(rb"[A-Za-z0-9_-]*+")


def web_tokens(raw: bytes) -> Iterator[re.Match[bytes]]:
    """What looks like one, in order."""
    at = raw.find(_BEGIN)
    while at >= 0:
        found = _TOKEN.match(raw, at)
        run = found or _RUN.match(raw, at)
        if found is not None:
            yield found
        at = raw.find(_BEGIN, run.end() if run is not None else at + 1)


def without_web_tokens(raw: bytes, mask: Callable[[re.Match[bytes]], bytes]) -> bytes:
    """The bytes with a mask for each; the same object where there are none."""
    kept: list[bytes] = []
    end = 0
    for found in web_tokens(raw):
        kept += raw[end : found.start()], mask(found)
        end = found.end()
    return b"".join((*kept, raw[end:])) if kept else raw
