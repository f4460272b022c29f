"""Which type describes a message: by method and revision, and the unions of everything that one
side may send."""

from dataclasses import dataclass
from typing import Final

from inspector.protocol.shapes_base import (
    AnyOf,
    C,
    D,
    E,
    Gated,
    Ref,
    Type,
    alias,
    any_of,
)
from inspector.protocol.versions import Revision


@dataclass(frozen=True, slots=True)
class MessageTypes:
    """The types of one method: of the whole message, and of its result (None: a notification)."""

    message: str
    result: str | None = None


_BY_METHOD: Final = {
    "initialize": MessageTypes("InitializeRequest", "InitializeResult"),
    "ping": MessageTypes("PingRequest", "EmptyResult"),
    "server/discover": MessageTypes("DiscoverRequest", "DiscoverResult"),
    "tools/list": MessageTypes("ListToolsRequest", "ListToolsResult"),
    "tools/call": MessageTypes("CallToolRequest", "CallToolResult"),
    "resources/list": MessageTypes("ListResourcesRequest", "ListResourcesResult"),
    "resources/templates/list": MessageTypes(
        "ListResourceTemplatesRequest", "ListResourceTemplatesResult"
    ),
    "resources/read": MessageTypes("ReadResourceRequest", "ReadResourceResult"),
    "resources/subscribe": MessageTypes("SubscribeRequest", "EmptyResult"),
    "resources/unsubscribe": MessageTypes("UnsubscribeRequest", "EmptyResult"),
    "prompts/list": MessageTypes("ListPromptsRequest", "ListPromptsResult"),
    "prompts/get": MessageTypes("GetPromptRequest", "GetPromptResult"),
    "completion/complete": MessageTypes("CompleteRequest", "CompleteResult"),
    "logging/setLevel": MessageTypes("SetLevelRequest", "EmptyResult"),
    "subscriptions/listen": MessageTypes("SubscriptionsListenRequest", "SubscriptionsListenResult"),
    "sampling/createMessage": MessageTypes("CreateMessageRequest", "CreateMessageResult"),
    "roots/list": MessageTypes("ListRootsRequest", "ListRootsResult"),
    "elicitation/create": MessageTypes("ElicitRequest", "ElicitResult"),
    "tasks/get": MessageTypes("GetTaskRequest", "GetTaskResult"),
    "tasks/result": MessageTypes("GetTaskPayloadRequest", "GetTaskPayloadResult"),
    "tasks/list": MessageTypes("ListTasksRequest", "ListTasksResult"),
    "tasks/cancel": MessageTypes("CancelTaskRequest", "CancelTaskResult"),
    "notifications/initialized": MessageTypes("InitializedNotification"),
    "notifications/cancelled": MessageTypes("CancelledNotification"),
    "notifications/progress": MessageTypes("ProgressNotification"),
    "notifications/message": MessageTypes("LoggingMessageNotification"),
    "notifications/tools/list_changed": MessageTypes("ToolListChangedNotification"),
    "notifications/resources/list_changed": MessageTypes("ResourceListChangedNotification"),
    "notifications/prompts/list_changed": MessageTypes("PromptListChangedNotification"),
    "notifications/resources/updated": MessageTypes("ResourceUpdatedNotification"),
    "notifications/roots/list_changed": MessageTypes("RootsListChangedNotification"),
    "notifications/elicitation/complete": MessageTypes("ElicitationCompleteNotification"),
    "notifications/tasks/status": MessageTypes("TaskStatusNotification"),
    "notifications/subscriptions/acknowledged": MessageTypes(
        "SubscriptionsAcknowledgedNotification"
    ),
}

_EXTENSION: Final = {
    "tasks/get": MessageTypes("ExtensionGetTaskRequest", "ExtensionGetTaskResult"),
    "tasks/cancel": MessageTypes("ExtensionCancelTaskRequest", "EmptyResult"),
    "tasks/update": MessageTypes("ExtensionUpdateTaskRequest", "EmptyResult"),
    "notifications/tasks": MessageTypes("ExtensionTaskNotification"),
}


def types_of(method: str, revision: Revision) -> MessageTypes | None:
    """The types of `method`, or None where no revision has it. Whether `revision` has it is for
    the caller to see: the types may not exist there."""
    if revision is E and method in _EXTENSION:
        return _EXTENSION[method]
    return _BY_METHOD.get(method)


def _union(*names: str, **gated: tuple[Revision, Revision]) -> AnyOf:
    options: list[Ref | Gated] = [Ref(name) for name in names]
    options += [Gated(Ref(name), since, until) for name, (since, until) in gated.items()]
    return any_of(*options)


_CLIENT_NOTIFICATION: Final = (
    alias(
        "ClientNotification",
        _union(
            "CancelledNotification",
            "InitializedNotification",
            "ProgressNotification",
            "RootsListChangedNotification",
            TaskStatusNotification=(D, D),
        ),
        until=D,
    ),
    alias("ClientNotification", Ref("CancelledNotification"), since=E),
)

_HANDSHAKE: Final = (Revision.V2024_11_05, D)

TYPES: Final[tuple[Type, ...]] = (
    *_CLIENT_NOTIFICATION,
    alias(
        "ClientRequest",
        _union(
            "ListResourcesRequest",
            "ListResourceTemplatesRequest",
            "ReadResourceRequest",
            "ListPromptsRequest",
            "GetPromptRequest",
            "ListToolsRequest",
            "CallToolRequest",
            "CompleteRequest",
            InitializeRequest=_HANDSHAKE,
            PingRequest=_HANDSHAKE,
            SubscribeRequest=_HANDSHAKE,
            UnsubscribeRequest=_HANDSHAKE,
            SetLevelRequest=_HANDSHAKE,
            GetTaskRequest=(D, D),
            GetTaskPayloadRequest=(D, D),
            CancelTaskRequest=(D, D),
            ListTasksRequest=(D, D),
            DiscoverRequest=(E, E),
            SubscriptionsListenRequest=(E, E),
        ),
    ),
    alias(
        "ClientResult",
        _union(
            "Result",
            CreateMessageResult=_HANDSHAKE,
            ListRootsResult=_HANDSHAKE,
            ElicitResult=(C, D),
            GetTaskResult=(D, D),
            GetTaskPayloadResult=(D, D),
            CancelTaskResult=(D, D),
            ListTasksResult=(D, D),
        ),
    ),
    alias(
        "ServerNotification",
        _union(
            "CancelledNotification",
            "ProgressNotification",
            "ResourceListChangedNotification",
            "ResourceUpdatedNotification",
            "PromptListChangedNotification",
            "ToolListChangedNotification",
            "LoggingMessageNotification",
            TaskStatusNotification=(D, D),
            ElicitationCompleteNotification=(D, D),
            SubscriptionsAcknowledgedNotification=(E, E),
        ),
    ),
    alias(
        "ServerRequest",
        _union(
            "PingRequest",
            "CreateMessageRequest",
            "ListRootsRequest",
            ElicitRequest=(C, D),
            GetTaskRequest=(D, D),
            GetTaskPayloadRequest=(D, D),
            CancelTaskRequest=(D, D),
            ListTasksRequest=(D, D),
        ),
        until=D,
    ),
    alias(
        "ServerResult",
        _union(
            "Result",
            "ListResourcesResult",
            "ListResourceTemplatesResult",
            "ReadResourceResult",
            "ListPromptsResult",
            "GetPromptResult",
            "ListToolsResult",
            "CallToolResult",
            "CompleteResult",
            InitializeResult=_HANDSHAKE,
            GetTaskResult=(D, D),
            GetTaskPayloadResult=(D, D),
            CancelTaskResult=(D, D),
            ListTasksResult=(D, D),
            InputRequiredResult=(E, E),
            DiscoverResult=(E, E),
            SubscriptionsListenResult=(E, E),
        ),
    ),
)
