"""A text that nobody may see by accident: tokens, codes, verifiers, client secrets.

Decides only how a secret is held, compared and (not) printed; masking it inside recorded traffic is
the journal's business.
"""

import hmac
from typing import Final

_SHOWN: Final = "Secret(hidden)"


class Secret:
    """A secret text. Its `repr` and `str` never show it; `reveal()` is the one way to it."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The text itself, for the request that carries it and for nothing else."""
        return self._text

    def matches(self, other: str) -> bool:
        """Whether `other` is the same text, in time that does not tell where they differ."""
        return hmac.compare_digest(_bytes(self._text), _bytes(other))

    def __eq__(self, other: object) -> bool:
        return self.matches(other._text) if isinstance(other, Secret) else NotImplemented

    def __hash__(self) -> int:
        return hash((Secret, self._text))

    def __bool__(self) -> bool:
        return bool(self._text)

    def __repr__(self) -> str:
        return _SHOWN

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(_SHOWN, spec)

    def __reduce__(self) -> str:
        raise TypeError("a secret is not pickled")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
