"""One message as the areas look at it, and the way in which they report.

Decides which revision a message is judged by and which findings come of a report; a rule that does
not hold in that revision reports nothing. Which rules there are is decided by the areas.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from inspector.journal.entries import Direction, Flag
from inspector.lint.rule import Finding, Rule
from inspector.lint.state import Asked, Connection
from inspector.protocol.messages import Envelope, JsonObject, MessageKind
from inspector.protocol.versions import Revision


@dataclass(slots=True)
class Look:
    """A message with what is known around it. `place` is a JSON pointer to the message where it
    is a member of a batch; `asked` the request that it answers; `carrier` the HTTP exchange that
    brought it; `at` is when, in seconds of a clock that only goes on; `sound` says that it is what
    its revision's schema wants, `whole` that it was read, and not its envelope alone."""

    rules: Mapping[str, Rule]
    state: Connection
    number: int
    direction: Direction
    flags: Flag
    raw: bytes
    envelope: Envelope
    value: JsonObject
    revision: Revision
    at: float
    place: str = ""
    asked: Asked | None = None
    carrier: int | None = None
    sound: bool = True
    whole: bool = True
    claimed: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def kind(self) -> MessageKind:
        """What the message is."""
        return self.envelope.kind

    @property
    def method(self) -> str:
        """Its method, or that of the request which it answers."""
        return self.asked.method if self.asked is not None else self.envelope.method

    @property
    def from_server(self) -> bool:
        """Whether the server sent it."""
        return self.direction is Direction.RECEIVED

    @property
    def params(self) -> JsonObject:
        """Its params; empty where it has none."""
        return _object(self.value.get("params"))

    @property
    def result(self) -> JsonObject:
        """Its result; empty where it has none."""
        return _object(self.value.get("result"))

    @property
    def error(self) -> JsonObject:
        """Its error; empty where it has none."""
        return _object(self.value.get("error"))

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
