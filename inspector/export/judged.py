"""The findings that concern what is exported.

Judges a journal that nobody has judged yet, unless it is too long to do that in passing. Pure.
"""

from collections.abc import Sequence
from typing import Final

from inspector.export.source import Source
from inspector.lint.judge import Judge
from inspector.lint.rule import Finding

JUDGED_UP_TO: Final = 100_000
"""Entries of a recording that is judged on the way."""


def found_in(source: Source) -> Sequence[Finding]:
    """The findings at the chosen entries, in the order in which they were made."""
    journal = source.journal
    judge = journal.opinions
    if isinstance(judge, Judge):  # somebody else's, who goes on with it in another thread
        if judge.behind:
            source.told.append(f"{judge.behind:,} entries are not judged yet")
    else:
        if len(journal) > JUDGED_UP_TO:
            source.told.append(
                f"findings are left out: there are more than {JUDGED_UP_TO:,} entries to judge"
            )
            return ()
        judge = Judge(journal)
        judge.finish()
    return [one for one in judge.findings if any(number in source for number in one.entries)]
