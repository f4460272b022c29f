"""Texts with gaps in them (URI templates, masks): whether another text is one of them, filled in.

Decides it by looking for one fixed part after the other, which takes as long as the text is; an
expression with `.*` for each gap takes longer than anybody waits. Pure.
"""

from collections.abc import Sequence


def fills(parts: Sequence[str], text: str) -> bool:
    """Whether `text` is `parts` one after the other with anything between them."""
    if len(parts) < 2:
        return text == "".join(parts)
    first, *inner, last = parts
    if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
        return False
    at, end = len(first), len(text) - len(last)
    for part in inner:
        at = text.find(part, at, end)
        if at < 0:
            return False
        at += len(part)
    return True
