"""One message as the areas look at it, and the way in which they report.

Decides which revision a message is judged by and which findings come of a report; a rule that does
not hold in that revision reports nothing. Which rules there are is decided by the areas.
"""

from collections.abc import Mapping

from inspector.journal.entries import Direction, Row
from inspector.lint.rule import Finding, Rule
from inspector.lint.state import Asked, Connection
from inspector.protocol.messages import Envelope, JsonObject, MessageKind
from inspector.protocol.versions import Revision


class Look:
    """A message with what is known around it. `place` is a JSON pointer to the message where it
    is a member of a batch; `asked` the request that it answers; `carrier` the HTTP exchange that
    brought it; `at` is when, in seconds of a clock that only goes on; `sound` says that it is what
    its revision's schema wants, `whole` that it was read, and not its envelope alone.

    `method` is its method, or that of the request which it answers; `params`, `result` and `error`
    are empty where it has none.
    """

    __slots__ = (
        "asked", "at", "carrier", "claimed", "direction", "envelope", "error", "findings", "flags",
        "from_server", "kind", "method", "number", "params", "place", "raw", "result", "revision",
        "rules", "sound", "state", "value", "whole",
    )  # fmt: skip

    def __init__(
        self,
        rules: Mapping[str, Rule],
        state: Connection,
        row: Row,
        raw: bytes,
        envelope: Envelope,
        value: JsonObject,
        place: str = "",
        *,
        whole: bool = True,
    ) -> None:
        self.rules = rules
        self.state = state
        self.number = row.number
        self.direction = row.direction
        self.from_server = row.direction is Direction.RECEIVED
        self.flags = row.flags
        self.at = row.monotonic
        self.carrier = row.http if self.from_server else None
        self.raw = raw
        self.envelope = envelope
        self.kind = envelope.kind
        self.method = envelope.method
        self.value = value
        self.params = _object(value.get("params"))
        self.result = _object(value.get("result"))
        self.error = _object(value.get("error"))
        self.revision = state.revision
        self.place = place
        self.asked: Asked | None = None
        self.sound = True
        self.whole = whole
        self.claimed: list[str] = []
        self.findings: list[Finding] = []

    def answer_to(self, asked: Asked | None) -> None:
        """Says which request it answers."""
        self.asked = asked
        if asked is not None:
            self.method = asked.method

    def answers(self, *methods: str) -> bool:
        """Whether it is the successful answer to one of these."""
        return (
            self.kind is MessageKind.RESULT
            and self.asked is not None
            and self.asked.method in methods
        )

    def report(
        self,
        rule_id: str,
        message: str,
        pointer: str = "",
        *more: int,
        revision: Revision | None = None,
    ) -> None:
        """One finding, about this message and the entries `more`. The place is claimed: the
        schema's verdict on it is not told as well."""
        self.claimed.append(pointer)
        found = finding(
            self.rules,
            rule_id,
            revision or self.revision,
            message,
            (self.number, *more),
            self.place + pointer,
        )
        if found is not None:
            self.findings.append(found)


def finding(
    rules: Mapping[str, Rule],
    rule_id: str,
    revision: Revision,
    message: str,
    entries: tuple[int, ...],
    pointer: str = "",
) -> Finding | None:
    """A finding, or None where the rule does not hold in `revision`."""
    row = rules[rule_id]
    severity = row.severities.get(revision)
    if severity is None:
        return None
    entries = tuple(dict.fromkeys(each for each in entries if each))
    page = row.page_in(revision)
    return Finding(rule_id, severity, revision, message, entries, pointer, page)


def _object(value: object) -> JsonObject:
    return value if isinstance(value, dict) else {}
