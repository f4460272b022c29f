"""Questions the server puts to a person, and the policies that may answer for them.

Only values: `inspector.session.inbox` decides what happens to them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from inspector.session.roots import Root as Root

if TYPE_CHECKING:
    from inspector.protocol.messages import Json, JsonObject, RequestId

AskKind = Literal["sampling", "elicitation", "elicitation-url", "roots", "round"]
AskState = Literal["open", "answered", "declined", "cancelled", "withdrawn", "automatic"]
CauseFrom = Literal["task", "stream", "only-call", "error", "result", "unknown"]
PolicyMode = Literal["ask", "decline", "cancel", "accept-defaults", "answer"]

RELATED_TASK: Final = "io.modelcontextprotocol/related-task"
"""The `_meta` key that ties a message to a task (2025-11-25 basic/utilities/tasks)."""

ASK_KINDS: Final[tuple[AskKind, ...]] = (
    "sampling",
    "elicitation",
    "elicitation-url",
    "roots",
    "round",
)
"""All but the last are questions of the server. "round" is ours: whether a call that was asked
back may send its next request, and with what (2026-07-28 basic/patterns/mrtr)."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to a person.

    `request_id` is the id of the server's request, None where there is none: the URL
    elicitations of a -32042 error, which are owed no answer, and the input requests in a result,
    which are answered by asking again (`key` is theirs). `cause` is the number of the call that
    led to it, and `cause_from` how that is known: by the task it names, by the HTTP stream it came
    on, by the error or the result that carried it, because only one call was running, or not at
    all. `answer` is what was sent as result or error. `note` says in words why it ended as it did.
    `completed` is set when the server reports the end of a URL elicitation. `round` counts how
    often the call was asked back (0: not in a result); those of one round share their `entry`.
    `raw` is the exact text of `params` where this is what we would send.
    """

    number: int
    kind: AskKind
    method: str
    params: "JsonObject"
    request_id: "RequestId | None"
    entry: int
    cause: int | None
    opened: float
    state: AskState = "open"
    answer: "Json" = None
    cause_from: CauseFrom = "unknown"
    closed: float | None = None
    note: str = ""
    completed: bool = False
    key: str = ""
    round: int = 0
    raw: bytes = b""

    @property
    def is_open(self) -> bool:
        """Whether somebody still has to decide."""
        return self.state == "open"

    @property
    def owed(self) -> bool:
        """Whether the server waits for an answer."""
        return self.request_id is not None or self.cause_from == "result"

    @property
    def elicitation_id(self) -> str:
        """The id that ties a URL elicitation to its completion ("" where there is none)."""
        value = self.params.get("elicitationId")
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Policy:
    """What to do with asks of one kind. `answer` belongs to the mode "answer" (None: for roots,
    the configured ones; a round goes on by itself)."""

    mode: PolicyMode = "ask"
    answer: "JsonObject | None" = None


INTERACTIVE: Final[Mapping[AskKind, Policy]] = {
    "sampling": Policy("ask"),
    "elicitation": Policy("ask"),
    "elicitation-url": Policy("ask"),
    "roots": Policy("answer"),
    "round": Policy("answer"),
}
"""The policies where a person looks on."""

HEADLESS: Final[Mapping[AskKind, Policy]] = {
    "sampling": Policy("decline"),
    "elicitation": Policy("decline"),
    "elicitation-url": Policy("decline"),
    "roots": Policy("answer"),
    "round": Policy("answer"),
}
"""The policies where nobody does."""
