"""Shapes of tasks: the core ones of 2025-11-25 and those of the `io.modelcontextprotocol/tasks`
extension of 2026-07-28 (SEP-2663), which the official schema of the core does not have."""

from typing import Final

from inspector.protocol.shapes_base import (
    INT,
    NUM,
    OBJ,
    STR,
    Basic,
    Choice,
    Const,
    D,
    E,
    ListOf,
    Ref,
    alias,
    may,
    need,
    notification,
    record,
    request,
)
from inspector.protocol.shapes_core import NOTIFICATION_META, REQUEST_META

_STATUS: Final = Choice(("working", "input_required", "completed", "failed", "cancelled"))

_CORE: Final = (
    alias("TaskStatus", _STATUS, since=D, until=D),
    record("TaskMetadata", may("ttl", INT), since=D, until=D),
    record("RelatedTaskMetadata", need("taskId", STR), since=D, until=D),
    record(
        "TaskAugmentedRequestParams",
        may("task", Ref("TaskMetadata")),
        *REQUEST_META,
        since=D,
        until=D,
    ),
    record(
        "Task",
        need("taskId", STR),
        need("status", Ref("TaskStatus")),
        need("createdAt", STR),
        need("lastUpdatedAt", STR),
        # Always there, null for "kept for ever".
        need("ttl", Basic(("integer", "null"))),
        may("pollInterval", INT),
        may("statusMessage", STR),
        since=D,
        until=D,
    ),
    record("CreateTaskResult", need("task", Ref("Task")), bases=("Result",), since=D, until=D),
    record("TaskIdParams", need("taskId", STR), since=D, until=D, named_since=None),
    request("GetTask", "tasks/get", "TaskIdParams", since=D, until=D),
    record("GetTaskResult", bases=("Result", "Task"), since=D, until=D),
    request("GetTaskPayload", "tasks/result", "TaskIdParams", since=D, until=D),
    record("GetTaskPayloadResult", bases=("Result",), since=D, until=D),
    request("CancelTask", "tasks/cancel", "TaskIdParams", since=D, until=D),
    record("CancelTaskResult", bases=("Result", "Task"), since=D, until=D),
    request(
        "ListTasks",
        "tasks/list",
        "PaginatedRequestParams",
        params_required="modern",
        since=D,
        until=D,
    ),
    record(
        "ListTasksResult",
        need("tasks", ListOf(Ref("Task"))),
        bases=("PaginatedResult",),
        since=D,
        until=D,
    ),
    record(
        "TaskStatusNotificationParams",
        bases=("NotificationParams", "Task"),
        since=D,
        until=D,
    ),
    notification(
        "TaskStatus",
        "notifications/tasks/status",
        "TaskStatusNotificationParams",
        since=D,
        until=D,
    ),
)

_EXTENSION_TASK: Final = (
    need("taskId", STR),
    need("status", _STATUS),
    need("createdAt", STR),
    need("lastUpdatedAt", STR),
    need("ttlMs", Basic(("number", "null"))),
    may("pollIntervalMs", NUM),
    may("statusMessage", STR),
)
_EXTENSION_OUTCOME: Final = (
    may("inputRequests", Ref("InputRequests")),
    may("result", OBJ),
    may("error", Ref("Error")),
)

_EXTENSION: Final = (
    record(
        "TaskCreatedResult",
        *_EXTENSION_TASK,
        need("resultType", Const("task")),
        may("_meta", Ref("ResultMetaObject")),
        since=E,
        named_since=None,
    ),
    record("ExtensionTaskIdParams", need("taskId", STR), *REQUEST_META, since=E, named_since=None),
    record(
        "ExtensionGetTaskResult",
        *_EXTENSION_TASK,
        *_EXTENSION_OUTCOME,
        bases=("Result",),
        since=E,
        named_since=None,
    ),
    record(
        "ExtensionUpdateTaskParams",
        need("taskId", STR),
        need("inputResponses", Ref("InputResponses")),
        *REQUEST_META,
        since=E,
        named_since=None,
    ),
    record(
        "ExtensionTaskNotificationParams",
        *_EXTENSION_TASK,
        *_EXTENSION_OUTCOME,
        NOTIFICATION_META,
        since=E,
        named_since=None,
    ),
    request("ExtensionGetTask", "tasks/get", "ExtensionTaskIdParams", since=E, named_since=None),
    request(
        "ExtensionCancelTask", "tasks/cancel", "ExtensionTaskIdParams", since=E, named_since=None
    ),
    request(
        "ExtensionUpdateTask",
        "tasks/update",
        "ExtensionUpdateTaskParams",
        since=E,
        named_since=None,
    ),
    notification(
        "ExtensionTask",
        "notifications/tasks",
        "ExtensionTaskNotificationParams",
        since=E,
        named_since=None,
    ),
)

TYPES: Final = (*_CORE, *_EXTENSION)
