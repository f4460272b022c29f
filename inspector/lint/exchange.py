"""One HTTP exchange as the areas look at it, and the way in which they report.

Decides which addresses are the server's own endpoint, and by which revision an exchange is judged.
What is wrong with one is decided by the areas.
"""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from inspector.journal.entries import HttpFacts, Row
from inspector.lint.look import finding
from inspector.lint.rule import Finding, Rule
from inspector.lint.state import Connection
from inspector.protocol.headers import media_type
from inspector.protocol.messages import JsonObject

WELL_KNOWN: Final = "/.well-known/"


class Exchange:
    """An HTTP entry with what is known around it. `asked` and `answered` are its headers by
    lower-case names, `media` the media type of the answer, `status` 0 where no answer came."""

    __slots__ = (
        "answered", "asked", "facts", "found", "is_endpoint", "media", "path", "row", "rules",
        "state", "status",
    )  # fmt: skip

    def __init__(
        self, rules: Mapping[str, Rule], state: Connection, row: Row, facts: HttpFacts
    ) -> None:
        self.rules = rules
        self.state = state
        self.row = row
        self.facts = facts
        self.status = facts.status or 0
        self.asked = _folded(facts.request_headers)
        self.answered = _folded(facts.response_headers)
        self.media = media_type(self.answered.get("content-type", ""))
        self.path = path_of(facts.url)
        self.found: list[Finding | None] = []
        self.is_endpoint = self._is_endpoint()
        """Whether it went to the server's own address, and not to that of metadata or tokens."""

    def _is_endpoint(self) -> bool:
        state = self.state
        if self.path is None or WELL_KNOWN in self.path:
            return False
        if not state.url:
            return True
        home = path_of(state.url)
        same = home is not None and self.path.rstrip("/") == home.rstrip("/")
        return same and _place(self.facts.url) == _place(state.url)

    def report(self, rule_id: str, message: str, pointer: str = "") -> None:
        """One finding about this exchange."""
        entries = (self.row.number, self.row.partner or 0)
        revision = self.state.revision
        self.found.append(finding(self.rules, rule_id, revision, message, entries, pointer))

    def once(self, rule_id: str, message: str, pointer: str = "") -> None:
        """Only the first of these in a connection is told."""
        if self.state.first(rule_id):
            self.report(rule_id, f"{message} (told once a connection).", pointer)


def exchange_in(facts: JsonObject, row: Row) -> int:
    """The HTTP entry that an event is about; 0 for none, since a recording may say anything."""
    number = facts.get("http")
    return number if isinstance(number, int) and 0 < number < row.number else 0


def path_of(url: str) -> str | None:
    """The path of an address, None where it is none."""
    try:
        return urlsplit(url).path
    except ValueError:
        return None


def _place(url: str) -> str:
    return urlsplit(url).netloc


def _folded(headers: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers}
