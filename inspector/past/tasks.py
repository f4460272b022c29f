"""Tasks as they stood: what a message says of one, and the states that screens show.

The description is read from the entry that gave it last; how often a task was asked for is counted
in the journal.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from inspector.journal.columns import Columns, positions
from inspector.journal.journal import Journal
from inspector.journal.timeline_readings import asks_or_goes_on, described, obj, parsed
from inspector.journal.timeline_values import TaskAt
from inspector.protocol.messages import Json, raw_items, raw_members
from inspector.session.task_state import TaskState, read_task

SEARCHED: Final = 1_000_000
"""So many entries after a call are searched for announcements of its task."""
ANNOUNCED: Final = ("notifications/tasks", "notifications/tasks/status")


def task_in(journal: Journal, answer: int) -> str | None:
    """The id of the task that an answer makes; None where it makes none."""
    body = journal.body(answer)
    if asks_or_goes_on(body) != "task":
        return None
    result = obj(obj(parsed(body)).get("result"))
    found = described(result.get("task")) or described(result)
    return None if found is None else found.id


def description_in(journal: Journal, entry: int, task: str) -> TaskState | None:
    """What entry `entry` says of the task with the id `task`, None where it says nothing."""
    for value, raw in _places(journal.body(entry)):
        found = read_task(value, entry, raw)
        if found is not None and found.id == task:
            return found
    return None


def later_requests(columns: Columns, request: int, number: int, method: str) -> list[int]:
    """The requests of `method` up to entry `number` that go on with `request`, oldest first."""
    method_id = columns.known.get(method, -1)
    return [
        one
        for one in columns.links.children(request)
        if request < one <= number and columns.method_ids[one] == method_id
    ]


def last_words(journal: Journal, request: int, task: str, number: int) -> TaskState | None:
    """The first description up to entry `number` with which the task of a call has ended: with its
    result or error in it, or cancelled. None where there is none."""
    columns = journal.columns
    asked = later_requests(columns, request, number, "tasks/get")
    asked += later_requests(columns, request, number, "tasks/cancel")
    entries = {columns.partners[one] for one in asked}
    entries.add(columns.partners[request])
    entries.update(announcements(columns, request, number))
    for entry in sorted(entry for entry in entries if request < entry <= number):
        found = description_in(journal, entry, task)
        if found is not None and _said_all(found):
            return found
    return None


def announcements(columns: Columns, request: int, number: int) -> list[int]:
    """The notifications up to entry `number` that tell how the task of a call stands."""
    names = {
        columns.known.get(name, -1)
        for name in ("notifications/tasks", "notifications/tasks/status")
    }
    stop = min(number, request + SEARCHED) + 1
    found = [*columns.links.children(request)]
    found += positions(columns.partners, request, request + 1, stop)
    return [one for one in found if one < stop and columns.method_ids[one] in names]


def past_tasks(journal: Journal, tasks: Sequence[TaskAt], number: int) -> tuple[TaskState, ...]:
    """The tasks as screens show them. The call of one has the number of its request."""
    columns = journal.columns
    return tuple(_past_task(journal, columns, task, number) for task in tasks)


def _past_task(journal: Journal, columns: Columns, task: TaskAt, number: int) -> TaskState:
    found = description_in(journal, task.entry, task.id)
    fields = found or TaskState(task.id, task.status, task.message, entry=task.entry)
    made = bool(task.request)
    polls = later_requests(columns, task.request, number, "tasks/get") if made else ()
    return TaskState(
        id=task.id,
        status=task.status,
        message=task.message,
        created_at=fields.created_at,
        updated_at=fields.updated_at,
        ttl=fields.ttl,
        poll_interval=fields.poll_interval,
        call=task.request if made else None,
        method=journal.row(task.request).method if made else "",
        label=journal.name(task.request) if made else "",
        entry=task.entry,
        polls=sum(request < columns.partners[request] <= number for request in polls),
        raw=fields.raw,
        text=fields.text,
    )


def _said_all(task: TaskState) -> bool:
    said = task.raw or {}
    return task.status == "cancelled" or (task.over and bool({"result", "error"} & said.keys()))


def _places(body: bytes) -> Iterator[tuple[Json, bytes]]:
    """Where in a message a task may be described."""
    members = raw_members(body)
    result = raw_members(members.get("result", b""))
    for raw in (members.get("params"), members.get("result"), result.get("task")):
        if raw is not None:
            yield parsed(raw), raw
    for raw in raw_items(result.get("tasks", b"")):
        yield parsed(raw), raw
