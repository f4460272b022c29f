"""Finding the answers to certain requests among many entries, without a look at the others."""

from collections.abc import Iterator

from inspector.journal.entries import Direction, Kind
from inspector.journal.journal import Journal


def answers_to(journal: Journal, *methods: str) -> Iterator[int]:
    """The results that the server gave to these, in the order of their requests."""
    named = {number for number, name in enumerate(journal.methods) if name in methods}
    if not named:
        return
    kinds, directions, method_ids = journal.kinds, journal.directions, journal.method_ids
    for number in range(1, len(journal) + 1):
        if method_ids[number] not in named or kinds[number] != Kind.REQUEST:
            continue
        if directions[number] != Direction.SENT:
            continue
        answer = journal.row(number).partner
        if answer is not None and kinds[answer] == Kind.RESULT:
            yield answer
