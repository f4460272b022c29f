"""How the lists of a connection are read, told from its entries: pages, cursors, announced changes.

Decides when a list counts as whole, as failed and as stale; what its items are is read when
somebody looks. The same rules as for a live list: a repeated cursor, or too many pages, end it.
Pure.
"""

from dataclasses import replace
from typing import Final

from inspector.journal.entries import Kind
from inspector.journal.timeline_ledger import Ledger, Reading
from inspector.journal.timeline_readings import (
    Page,
    code_of,
    cursor_asked,
    member,
    page_of,
    salvaged_page,
    text,
)
from inspector.journal.timeline_values import ListAt
from inspector.protocol.versions import Era

PAGE_CAP: Final = 1000
CHANGED: Final[dict[str, tuple[str, ...]]] = {
    "notifications/tools/list_changed": ("tools",),
    "notifications/resources/list_changed": ("resources", "resourceTemplates"),
    "notifications/prompts/list_changed": ("prompts",),
}


def page_asked(ledger: Ledger, kind: str, number: int, body: bytes) -> None:
    """A page is asked for: the first one begins a new reading, the one that is due goes on. A
    page that somebody asks for out of turn is nobody's."""
    here, cursor = ledger.lists[kind], cursor_asked(body)
    if cursor is None:
        ledger.lists[kind] = Reading(kind, "loading", here.fresh or here.pages, request=number)
    elif here.state == "loading" and not here.request and here.cursor == hash(cursor):
        ledger.lists[kind] = replace(here, request=number)


def page_answered(
    ledger: Ledger, kind: str, request: int, number: int, outcome: int, body: bytes
) -> None:
    """A page, a refusal, or an answer that cannot be read."""
    here = ledger.lists[kind]
    if here.request != request:
        return
    if outcome == Kind.ERROR:
        error = member(body, "error")
        page = Page(problem=f"the server answered {code_of(error)} {text(error.get('message'))}")
    elif outcome == Kind.RESULT:
        page = page_of(kind, body, modern=ledger.opening.era is Era.MODERN)
    else:
        page = salvaged_page(kind, body)
    if page.problem:
        _put(ledger, replace(_kept(here), state="failed", error=page.problem))
        return
    fresh = (*here.fresh, number)
    error_so_far = here.error
    if outcome != Kind.RESULT:
        error_so_far = error_so_far or f"entry {number} cannot be read whole"
    cursor = None if page.cursor is None else hash(page.cursor)
    if cursor is None:
        _put(ledger, Reading(kind, "ready", fresh, error_so_far, again=here.again))
    elif cursor in here.seen or len(fresh) >= PAGE_CAP:
        what = "a cursor came twice" if cursor in here.seen else f"more than {PAGE_CAP} pages"
        error_so_far = f"reading stopped: {what}"
        _put(ledger, Reading(kind, "ready", fresh, error_so_far, again=here.again))
    else:
        seen = here.seen | {cursor}
        ledger.lists[kind] = replace(
            here, request=0, fresh=fresh, cursor=cursor, seen=seen, error=error_so_far
        )


def page_lost(ledger: Ledger, request: int) -> None:
    """Nobody waits for a page any more."""
    for here in ledger.lists.values():
        if here.request == request:
            _put(ledger, replace(_kept(here), state="failed", error="reading was cut short"))
            return


def changed(ledger: Ledger, method: str) -> None:
    """The server announced a change: what was read is stale, and so is what is being read."""
    for kind in CHANGED[method]:
        here = ledger.lists[kind]
        if here.state == "loading":
            ledger.lists[kind] = replace(here, again=True)
        elif here.state in ("ready", "failed"):
            ledger.lists[kind] = replace(here, state="stale")


def shown(here: Reading) -> ListAt:
    """The list as it is seen: the pages read so far, or those from before until there are some."""
    pages = here.fresh if here.state == "loading" and here.fresh else here.pages
    return ListAt(here.kind, here.state, pages, here.error)


def _kept(here: Reading) -> Reading:
    return Reading(here.kind, pages=here.fresh or here.pages, again=here.again)


def _put(ledger: Ledger, reading: Reading) -> None:
    """A reading has ended; a change announced meanwhile makes it stale at once."""
    if reading.again:
        reading = replace(reading, state="stale", again=False)
    ledger.lists[reading.kind] = reading
