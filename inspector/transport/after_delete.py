"""What helps where a server fails at the first request of a session, and has served before.

Servers on the Python SDK 1.8 and 1.9 break when a session is ended by DELETE as it should be
(2025-03-26 basic/transports): the task group of the whole server goes with it, and from then on it
answers 500. Decides from the journal whether that is how it went here.
"""

import json
from typing import Final

from inspector.journal.entries import Kind
from inspector.journal.journal import Journal
from inspector.protocol.messages import Json

BROKEN: Final = (
    "servers on the Python SDK 1.8 and 1.9 break when a session ends; restart the server"
)
LOOKED_AT: Final = 200
"""Entries before the failure in which the end of the session before may stand."""


def hint_for_failed_opening(journal: Journal, connection: int, url: str) -> str:
    """What helps against HTTP 500 in answer to the first request of a connection."""
    if number := delete_before(journal, connection, url):
        return f"it broke after our DELETE ended the session before (entry {number}): {BROKEN}"
    return f"if it has worked before: {BROKEN}"


def delete_before(journal: Journal, connection: int, url: str) -> int:
    """The DELETE by which we ended the latest session with that URL; 0 where there was none."""
    last = len(journal)
    for number in range(last, max(0, last - LOOKED_AT), -1):
        row = journal.row(number)
        if row.kind is Kind.HTTP and row.method == "DELETE" and row.connection < connection:
            facts: Json = json.loads(journal.body(number))
            asked = facts.get("url") if isinstance(facts, dict) else None
            return number if str(asked).rstrip("/") == url.rstrip("/") else 0
    return 0
