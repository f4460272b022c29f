"""What a reader is to the fuzzer: real samples of what it reads, and the one error it documents."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.mutation import WORDS, changed, torn

Read = Callable[[bytes, Path], object]


@dataclass(frozen=True)
class Reader:
    """`read` is given bytes, and a file that holds them. What it may raise is `error`, or one of
    them; () for nothing at all. Samples are values of JSON, or bytes."""

    name: str
    samples: tuple[Any, ...]
    read: Read
    error: type[Exception] | tuple[type[Exception], ...] = ()
    words: Sequence[str] = WORDS

    def example(self, random: Random) -> bytes:
        """Something like a sample."""
        sample = random.choice(self.samples)
        if isinstance(sample, bytes):
            return random.choice((sample, torn(sample, random), torn(sample, random)))
        text = changed(sample, random, self.words)
        for _ in range(random.choice((0, 0, 1, 3))):
            try:
                text = changed(json.loads(text, parse_int=float), random, self.words)
            except (ValueError, RecursionError):
                break
        found = text.encode("utf-8", "surrogatepass")
        return torn(found, random) if random.random() < 0.15 else found

    def fed(self, content: bytes, folder: Path) -> Exception | None:
        """Reads `content`; the error that is not documented, None where all is well."""
        path = folder / "fed"
        path.write_bytes(content)
        try:
            self.read(content, path)
        except self.error:
            return None
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            return error
        return None


def text(content: bytes) -> str:
    """The bytes as a text, whatever they are; lone surrogates stay."""
    try:
        return content.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return content.decode("utf-8", "surrogateescape")
