"""Rules of tasks: 2025-11-25 `basic/utilities/tasks`, and the extension of 2026-07-28."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from inspector.journal.recent import Recent
from inspector.lint.look import Look
from inspector.lint.rule import Rule, quoted, rule
from inspector.lint.state import CROSSING, MODERN, declares
from inspector.protocol.messages import JsonObject, MessageKind
from inspector.protocol.versions import TASKS_EXTENSION, Revision

_PAGE: Final = "basic/utilities/tasks"
_EXTENSION: Final = "extensions/tasks"
_TERMINAL: Final = frozenset({"completed", "failed", "cancelled"})
_RELATED: Final = "io.modelcontextprotocol/related-task"
_D: Final = Revision.V2025_11_25

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "task/illegal-transition",
        "A task leaves a state that is final",
        _PAGE,
        error="DE",
        modern_page=_EXTENSION,
    ),
    rule(
        "task/missing-timestamps",
        "A task lacks its times",
        _PAGE,
        error="DE",
        modern_page=_EXTENSION,
    ),
    rule("task/related-missing", "A result of a task does not name it", _PAGE, error="D"),
    rule("task/unsolicited", "A task is made that nobody allowed", _EXTENSION, error="E"),
    rule(
        "task/input-key-reuse",
        "A task asks again by a key that was answered",
        _EXTENSION,
        error="E",
    ),
    rule(
        "task/failed-for-is-error",
        "A task failed for a result that is an error",
        _EXTENSION,
        error="E",
    ),
)


@dataclass(slots=True)
class _Task:
    status: str = ""
    number: int = 0
    at: float = 0.0
    by: int | None = None
    """When it was told of last, and by which exchange."""
    answered: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Kept:
    tasks: Recent[str, _Task] = field(default_factory=Recent)


def _told(look: Look) -> Iterator[tuple[str, JsonObject]]:
    """The tasks that a message describes, with their places."""
    if look.kind is MessageKind.NOTIFICATION:
        if look.method in ("notifications/tasks/status", "notifications/tasks"):
            yield "/params", look.params
    elif look.answers("tasks/get", "tasks/cancel"):
        if look.revision is not MODERN or look.method == "tasks/get":
            yield "/result", look.result
    elif look.answers("tools/call"):
        made = look.result.get("task")
        if isinstance(made, dict) and look.revision is _D:
            yield "/result/task", made
        elif look.result.get("resultType") == "task":
            yield "/result", look.result


def shape(look: Look) -> None:
    """The times of a task, before the schema speaks."""
    if look.revision < _D:
        return
    for place, task in _told(look):
        for name in ("createdAt", "lastUpdatedAt"):
            if not isinstance(task.get(name), str):
                look.report(
                    "task/missing-timestamps", f"A task must have {name}.", f"{place}/{name}"
                )
    if look.answers("tasks/get") and look.revision is MODERN:
        result = look.result.get("result")
        failed = look.result.get("status") == "failed"
        if failed and isinstance(result, dict) and result.get("isError") is True:
            look.report(
                "task/failed-for-is-error",
                "A tool result with isError must be told by the status completed, not failed.",
                "/result/status",
            )


def check(look: Look) -> None:
    """Judges one message and remembers tasks."""
    if look.revision < _D:
        return
    kept = look.state.held(_Kept)
    if look.kind is MessageKind.REQUEST and look.method == "tasks/update":
        _answered(look, kept)
    if look.answers("tasks/result") and look.from_server:
        meta = look.result.get("_meta")
        if not (isinstance(meta, dict) and _RELATED in meta):
            look.report(
                "task/related-missing",
                f"The result of a task must name it in _meta {_RELATED}.",
                "/result/_meta",
                look.asked.number if look.asked else 0,
            )
    if look.answers("tools/call") and look.result.get("resultType") == "task":
        _made(look)
    for place, task in _told(look):
        _follow(look, kept, place, task)


def _made(look: Look) -> None:
    declared = look.state.capabilities(look.asked)
    if look.revision is MODERN and not declares(declared, "extensions", TASKS_EXTENSION):
        look.report(
            "task/unsolicited",
            f"The server makes a task, but the request did not declare {TASKS_EXTENSION}.",
            "/result/resultType",
            look.asked.number if look.asked else 0,
        )


def _answered(look: Look, kept: _Kept) -> None:
    known = kept.tasks.get(str(look.params.get("taskId")))
    responses = look.params.get("inputResponses")
    if known is not None and isinstance(responses, dict):
        known.answered.update(list(responses)[:100])


def _follow(look: Look, kept: _Kept, place: str, task: JsonObject) -> None:
    name, status = task.get("taskId"), task.get("status")
    if not isinstance(name, str) or not isinstance(status, str):
        return
    known = kept.tasks.get(name)
    if known is None:
        known = _Task()
        kept.tasks.put(name, known)
    if look.carrier != known.by and look.at - known.at < CROSSING and known.status in _TERMINAL:
        return  # what comes on two streams may overtake
    if known.status in _TERMINAL and status != known.status:
        look.report(
            "task/illegal-transition",
            f"The task {quoted(name)} is {status} after it was {known.status}, which must be its"
            " last state.",
            f"{place}/status",
            known.number,
        )
    asked = task.get("inputRequests")
    # What is asked again may be from before the answer where the status did not change since.
    if isinstance(asked, dict) and status == "input_required" and known.status != status:
        again = sorted(known.answered.intersection(asked))
        if again and look.revision is MODERN:
            look.report(
                "task/input-key-reuse",
                f"The task asks again by the key {quoted(again[0])}, which was answered; a key must"
                " be used once.",
                f"{place}/inputRequests",
                known.number,
            )
    known.status, known.number = status, look.number
    known.at, known.by = look.at, look.carrier
