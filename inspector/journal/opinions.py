"""What others think of entries, as the filter language and lists read it.

The journal keeps evidence only; whoever judges it (`inspector.lint.judge`) puts its opinions here,
so that rooms below it can ask for them by entry number. Any thread may ask.
"""

from collections.abc import Collection, Sequence
from typing import Protocol


class Opinions(Protocol):
    """Findings by entry."""

    @property
    def judged(self) -> int:
        """The last entry that was judged; entries beyond it are not known yet."""
        ...

    @property
    def version(self) -> int:
        """Rises with every finding. A finding may concern entries before the one it was made at."""
        ...

    def rules_at(self, number: int) -> Collection[str]:
        """The ids of the rules that an entry breaks, or is part of the breach of."""
        ...

    def entries_since(self, version: int) -> Sequence[int]:
        """The entries that findings made after `version` concern, in no order, with repeats."""
        ...
