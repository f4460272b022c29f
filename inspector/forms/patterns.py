"""Which `patternProperties` a key falls under, for patterns that are simple enough to tell.

Decides that without ever trusting a server's regular expression: only anchors, characters, classes
and simple repetition are understood, and no key or pattern that is long. For the rest the answer is
None: it is not known.
"""

import re
from functools import lru_cache
from typing import Final

LENGTH_LIMIT: Final = 200
UNBOUNDED_LIMIT: Final = 2
"""Open repetitions in one pattern: what they cost grows with this power of the key's length."""
_SIMPLE: Final = re.compile(
    r"\^?(?:"
    r"(?:\\[dwsDWS.\-_/$^*+?()\[\]{}|]|\[\^?(?:\\[dwsDWS.\-_/\]\[^]|[^\\\[\]])+\]|[^\\\[\](){}|^$*+?])"
    r"(?:[*+?]|\{[0-9]{1,2}(?:,[0-9]{0,2})?\})?"
    r")*+\$?"
)
_OPEN: Final = re.compile(r"[*+]|,\}")


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    if len(pattern) > LENGTH_LIMIT or not _SIMPLE.fullmatch(pattern):
        return None
    if len(_OPEN.findall(pattern)) > UNBOUNDED_LIMIT:
        return None
    try:
        return re.compile(pattern, re.ASCII)
    except (re.error, OverflowError):
        return None


def key_matches(pattern: str, key: str) -> bool | None:
    """Whether `key` matches `pattern` anywhere, as JSON Schema asks; None where it is not known."""
    compiled = _compiled(pattern)
    if compiled is None or len(key) > LENGTH_LIMIT:
        return None
    return compiled.search(key) is not None
