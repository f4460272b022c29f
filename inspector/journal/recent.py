"""A bounded table that forgets the oldest, for what the correlator remembers. Pure."""

from typing import Final, Generic, TypeVar

KEPT: Final = 8_192
"""At least so much is remembered, at most twice as much."""

K = TypeVar("K")
T = TypeVar("T")


class Recent(Generic[K, T]):
    """A table that forgets the oldest: two generations, the elder dropped when the younger is
    full. Constant time, and bounded."""

    __slots__ = ("_elder", "_kept", "_younger")

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._younger: dict[K, T] = {}
        self._elder: dict[K, T] = {}

    def put(self, key: K, value: T) -> None:
        """Remembers a value."""
        self._younger[key] = value
        if len(self._younger) >= self._kept:
            self._elder, self._younger = self._younger, {}

    def get(self, key: K) -> T | None:
        """The value, if it is still remembered."""
        found = self._younger.get(key)
        return found if found is not None else self._elder.get(key)

    def __bool__(self) -> bool:
        return bool(self._younger or self._elder)
