"""The user at a pseudo-terminal, as tests of commands know it: `tests.hostile.terminal`."""

from tests.hostile.terminal import Terminal, terminal

__all__ = ["Terminal", "terminal"]
