"""Our own recording, written again: opens like the one it came from, marks and notes included.

Of a selection the entries are numbered anew from 1, because a gap in the numbers means damage to a
reader; relations follow, and those to entries that are left out are dropped. Flags that are found
again from the messages are not written. What a terminal would act on is escaped. Pure.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from inspector.export.source import Source, form_in
from inspector.journal.columns import Form
from inspector.journal.entries import Entry, Flag, Kind
from inspector.journal.facts import decode_facts, encode_facts
from inspector.journal.glance import to_stored
from inspector.journal.lines import LONGEST_TIME, LineWriter, flag_line, header, optional
from inspector.render.safe import json_safe

_WITH_THE_LINE: Final = int(
    Flag.PROBE | Flag.MASKED | Flag.OVERSIZED | Flag.RESENT | Flag.FORCED | Flag.STRAY
)
_GIVEN_UP: Final = int(Flag.TIMED_OUT | Flag.CANCELLED)
_HALF_A_MICROSECOND: Final = 5e-7
"""Times are cut, not rounded, when a line is written."""
_LONGEST: Final = (LONGEST_TIME - 1_000) / 1e6
"""Of a recording that lies about its times, the difference of two may be longer."""


def export(source: Source) -> Iterator[bytes]:
    """The lines, header first."""
    columns = source.journal.columns
    yield header(columns.wall[source.numbers[0]] if len(source) else 0.0)
    anew = None if source.whole else {number: at for at, number in enumerate(source.numbers, 1)}
    began = columns.monotonic[1] if columns.count else 0.0
    writer = LineWriter()
    late: dict[int, list[bytes]] = {}
    """Lines that go out after an entry, by its number."""
    for number in source.each():
        entry = source.entry(number)
        row = entry.row
        more, body = _more(entry, anew)
        form, stored = _harmless(body)
        new = number if anew is None else anew[number]
        since = row.monotonic - began + _HALF_A_MICROSECOND
        since = max(-_LONGEST, min(_LONGEST, since))
        yield writer.line(
            new,
            row.wall + 2 * _HALF_A_MICROSECOND,
            since,
            row.kind,
            row.direction,
            row.connection,
            more + optional(form=form),
            stored,
        )
        yield from late.pop(number, ())
        for flags, after in _flags_later(entry, source):
            line = flag_line(new, row.wall, int(since * 1e6), flags, True)
            if after in (number, 0) or (anew is not None and after not in anew):
                yield line
            else:
                late.setdefault(after, []).append(line)
    for lines in late.values():  # of answers that came while this was written
        yield from lines


def _harmless(body: bytes) -> tuple[Form, bytes]:
    """How a body stands in its line. What holds a character that a terminal would act on stands as
    a string, with escapes: the bytes that are read again are the same, and the line can be shown.
    """
    form = form_in(body)
    stored = to_stored(body, form)
    if json_safe(stored) == stored:
        return form, stored
    return Form.TEXT, json_safe(to_stored(body, Form.TEXT))


def _more(entry: Entry, anew: Mapping[int, int] | None) -> tuple[bytes, bytes]:
    """The members of the line that tell relations, and the body, in which a note tells its own."""
    row, body = entry.row, entry.body

    def now(number: int | None) -> int:
        if not number:
            return 0
        return number if anew is None else anew.get(number, 0)

    http, about = now(row.http), 0
    if row.kind is Kind.HTTP:
        http, about = row.status or 0, now(row.partner)
    elif row.kind is Kind.NOTE:
        about = now(row.partner)
        if anew is not None:
            body = encode_facts({**decode_facts(body), "about": about})
    flags = int(row.flags) & _WITH_THE_LINE
    return optional(http=http, about=about, flags=flags), body


def _flags_later(entry: Entry, source: Source) -> Iterator[tuple[int, int]]:
    """Flags that came after the entry, each with the number of the entry after which it has to be
    told: that a request was given up decides whether its answer was late."""
    flags = int(entry.row.flags)
    if flags & Flag.MARKED:
        yield int(Flag.MARKED), 0
    if entry.row.kind in (Kind.REQUEST, Kind.BATCH) and flags & _GIVEN_UP:
        outcome = entry.row.partner or 0
        late = outcome and source.journal.row(outcome).flags & Flag.LATE
        yield flags & _GIVEN_UP, 0 if late else outcome
