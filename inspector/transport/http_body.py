"""Response bodies within bounds: content decoding that cannot be made to explode, and caps.

Decides how many decoded bytes exist at once; what they say is left to the transports. We ask for
`identity`, since compression delays server-sent events; servers that compress all the same are
read, and counted after decoding.
"""

import zlib
from collections.abc import Iterator
from typing import Final

from inspector.errors import PeerViolation, excerpt

BODY_CAP: Final = 64 * 1024 * 1024
"""Largest decoded body or SSE event, in bytes."""
ERROR_CAP: Final = 256 * 1024
"""How much of a body that is no message is read and kept, in bytes."""
STEP: Final = 1024 * 1024
"""Decoded bytes handed on at once."""

_ANY_ZLIB: Final = 47
"""zlib's word for "gzip or zlib, see by the header"."""


class UndecodableBody(PeerViolation):
    """The body is not what its Content-Encoding says, or that is none we read."""


class Decoder:
    """Undoes one Content-Encoding, at most `STEP` bytes at a time."""

    def __init__(self, encoding: str) -> None:
        names = [name.strip().lower() for name in encoding.split(",") if name.strip()]
        names = [name for name in names if name != "identity"]
        self._encoding = encoding
        self._known = names in ([], ["gzip"], ["x-gzip"], ["deflate"])
        self._names = names
        self._zlib = zlib.decompressobj(_ANY_ZLIB) if names else None
        self._begun = False

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """The decoded pieces of `chunk`. Raises UndecodableBody where it cannot be decoded."""
        if not self._known:
            raise UndecodableBody(
                f"the body has Content-Encoding {excerpt(self._encoding)}, which was not asked for",
                hint="we accept identity, and read gzip and deflate",
            )
        if self._zlib is None:
            yield chunk
            return
        if self._names == ["deflate"] and not self._begun and chunk[:1] and chunk[0] & 15 != 8:
            self._zlib = zlib.decompressobj(-zlib.MAX_WBITS)  # raw deflate, as some servers do
        self._begun = True
        waiting = chunk
        while waiting:
            try:
                piece = self._zlib.decompress(waiting, STEP)
            except zlib.error as error:
                raise UndecodableBody(f"the {self._names[0]} body is broken: {error}") from None
            if piece:
                yield piece
            if self._zlib.eof and self._zlib.unused_data:  # a further gzip member
                waiting = self._zlib.unused_data
                self._zlib = zlib.decompressobj(_ANY_ZLIB)
            else:
                waiting = self._zlib.unconsumed_tail


class Collected:
    """A body being collected, up to a cap."""

    def __init__(self, cap: int = BODY_CAP) -> None:
        self._cap = cap
        self._bytes = bytearray()

    def __len__(self) -> int:
        return len(self._bytes)

    def add(self, piece: bytes) -> None:
        """Raises PeerViolation beyond the cap; what came before it is kept."""
        if len(self._bytes) + len(piece) > self._cap:
            raise PeerViolation(
                f"the body is larger than {self._cap} bytes (counted after decoding)",
                hint="the rest of it was not read",
            )
        self._bytes += piece

    def bytes(self, limit: int | None = None) -> bytes:
        """What was collected, or its beginning."""
        return bytes(memoryview(self._bytes)[:limit])
