"""What is known of one task, and how a server's description of it is read.

The tasks of 2025-11-25 and those of the extension `io.modelcontextprotocol/tasks` become the same
value; the names of their durations differ (`ttl` and `ttlMs`). Pure.
"""

from dataclasses import dataclass
from typing import Final, Literal

from inspector.protocol.messages import Json, JsonObject

TERMINAL: Final = frozenset({"completed", "failed", "cancelled"})

TaskSupport = Literal["required", "optional", "forbidden"]


@dataclass(frozen=True, slots=True)
class TaskState:
    """What is known of one task, from the last message that described it.

    `ttl` and `poll_interval` are milliseconds as the server says (None: unlimited or not said).
    `call` is the number of our call that it runs for (None for one that `tasks/list` showed),
    `entry` the journal entry of the last description, `polls` how often we asked. `raw` is that
    description, `text` its exact text where it is known.
    """

    id: str
    status: str
    message: str = ""
    created_at: str = ""
    updated_at: str = ""
    ttl: int | None = None
    poll_interval: int | None = None
    call: int | None = None
    method: str = ""
    label: str = ""
    entry: int = 0
    polls: int = 0
    raw: JsonObject | None = None
    text: bytes = b""

    @property
    def over(self) -> bool:
        """Whether the task has reached its end."""
        return self.status in TERMINAL


def read_task(described: Json, entry: int, text: bytes = b"") -> TaskState | None:
    """The task that a message describes; None where it describes none."""
    if not isinstance(described, dict):
        return None
    task_id, status = described.get("taskId"), described.get("status")
    if not isinstance(task_id, str) or not isinstance(status, str):
        return None
    return TaskState(
        id=task_id,
        status=status,
        message=_text(described.get("statusMessage")),
        created_at=_text(described.get("createdAt")),
        updated_at=_text(described.get("lastUpdatedAt")),
        ttl=_whole(described.get("ttlMs", described.get("ttl"))),
        poll_interval=_whole(described.get("pollIntervalMs", described.get("pollInterval"))),
        entry=entry,
        raw=described,
        text=text,
    )


def task_support(tool: Json) -> TaskSupport:
    """What a listed tool says in `execution.taskSupport`; absent or unknown means forbidden."""
    execution = tool.get("execution") if isinstance(tool, dict) else None
    support = execution.get("taskSupport") if isinstance(execution, dict) else None
    if support == "required":
        return "required"
    return "optional" if support == "optional" else "forbidden"


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _whole(value: Json) -> int | None:
    """A number of milliseconds; what is no sensible number counts as not said."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < 10**12 else None
