"""Shapes of what servers offer: tools, resources, prompts, completion, logging, subscriptions."""

from typing import Final

from inspector.protocol.shapes_base import (
    ANY,
    BOOL,
    ID,
    INT,
    OBJ,
    STR,
    URI,
    URI_TEMPLATE,
    B,
    C,
    Choice,
    Const,
    D,
    E,
    Gated,
    ListOf,
    MapOf,
    Ref,
    alias,
    any_of,
    inline,
    may,
    need,
    notification,
    record,
    request,
    response,
)
from inspector.protocol.shapes_core import CACHE, META, NOTIFICATION_META, PREFIX, REQUEST_META

_CONTENT_BLOCK: Final = any_of(
    Ref("TextContent"),
    Ref("ImageContent"),
    Gated(Ref("AudioContent"), since=B),
    Gated(Ref("ResourceLink"), since=C),
    Ref("EmbeddedResource"),
)
_ICONS: Final = may("icons", ListOf(Ref("Icon")), since=D)
_TITLE: Final = may("title", STR, since=C)
_DIALECT: Final = may("$schema", STR, since=D)
_SCHEMA_MEMBERS: Final = (
    may("properties", MapOf(OBJ), until=D),
    may("required", ListOf(STR), until=D),
)
_RETRY: Final = (
    may("inputResponses", Ref("InputResponses"), since=E),
    may("requestState", STR, since=E),
)

_TOOLS: Final = (
    record(
        "Tool",
        need("name", STR),
        _TITLE,
        may("description", STR),
        need("inputSchema", inline(need("type", Const("object")), _DIALECT, *_SCHEMA_MEMBERS)),
        may(
            "outputSchema",
            inline(need("type", Const("object"), until=D), _DIALECT, *_SCHEMA_MEMBERS),
            since=C,
        ),
        may("annotations", Ref("ToolAnnotations"), since=B),
        may("execution", Ref("ToolExecution"), since=D, until=D),
        _ICONS,
        META,
    ),
    record(
        "ToolAnnotations",
        may("title", STR),
        may("readOnlyHint", BOOL),
        may("destructiveHint", BOOL),
        may("idempotentHint", BOOL),
        may("openWorldHint", BOOL),
        since=B,
    ),
    record(
        "ToolExecution",
        may("taskSupport", Choice(("forbidden", "optional", "required"))),
        since=D,
        until=D,
    ),
    request("ListTools", "tools/list", "PaginatedRequestParams", params_required="modern"),
    record(
        "ListToolsResult",
        need("tools", ListOf(Ref("Tool"))),
        *CACHE,
        bases=("PaginatedResult",),
    ),
    response("ListToolsResult"),
    record(
        "CallToolRequestParams",
        need("name", STR),
        may("arguments", OBJ),
        may("task", Ref("TaskMetadata"), since=D, until=D),
        *_RETRY,
        *REQUEST_META,
        named_since=D,
    ),
    request("CallTool", "tools/call", "CallToolRequestParams"),
    record(
        "CallToolResult",
        need("content", ListOf(_CONTENT_BLOCK)),
        may("structuredContent", OBJ, since=C, until=D),
        may("structuredContent", ANY, since=E),
        may("isError", BOOL),
        bases=("Result",),
    ),
    response("CallToolResult", input_required=True),
    notification("ToolListChanged", "notifications/tools/list_changed"),
)

_RESOURCES: Final = (
    record(
        "Resource",
        need("uri", URI),
        need("name", STR),
        _TITLE,
        may("description", STR),
        may("mimeType", STR),
        may("size", INT),
        may("annotations", Ref("Annotations")),
        _ICONS,
        META,
    ),
    record(
        "ResourceTemplate",
        need("uriTemplate", URI_TEMPLATE),
        need("name", STR),
        _TITLE,
        may("description", STR),
        may("mimeType", STR),
        may("annotations", Ref("Annotations")),
        _ICONS,
        META,
    ),
    request("ListResources", "resources/list", "PaginatedRequestParams", params_required="modern"),
    record(
        "ListResourcesResult",
        need("resources", ListOf(Ref("Resource"))),
        *CACHE,
        bases=("PaginatedResult",),
    ),
    response("ListResourcesResult"),
    request(
        "ListResourceTemplates",
        "resources/templates/list",
        "PaginatedRequestParams",
        params_required="modern",
    ),
    record(
        "ListResourceTemplatesResult",
        need("resourceTemplates", ListOf(Ref("ResourceTemplate"))),
        *CACHE,
        bases=("PaginatedResult",),
    ),
    response("ListResourceTemplatesResult"),
    record("ResourceRequestParams", need("uri", URI), *REQUEST_META, since=D),
    record("ReadResourceRequestParams", need("uri", URI), *_RETRY, *REQUEST_META, named_since=D),
    request("ReadResource", "resources/read", "ReadResourceRequestParams"),
    record(
        "ReadResourceResult",
        need("contents", ListOf(any_of(Ref("TextResourceContents"), Ref("BlobResourceContents")))),
        *CACHE,
        bases=("Result",),
    ),
    response("ReadResourceResult", input_required=True),
    record("SubscribeRequestParams", need("uri", URI), *REQUEST_META, until=D, named_since=D),
    request("Subscribe", "resources/subscribe", "SubscribeRequestParams", until=D),
    record("UnsubscribeRequestParams", need("uri", URI), *REQUEST_META, until=D, named_since=D),
    request("Unsubscribe", "resources/unsubscribe", "UnsubscribeRequestParams", until=D),
    notification("ResourceListChanged", "notifications/resources/list_changed"),
    record("ResourceUpdatedNotificationParams", need("uri", URI), NOTIFICATION_META, named_since=D),
    notification(
        "ResourceUpdated", "notifications/resources/updated", "ResourceUpdatedNotificationParams"
    ),
)

_PROMPTS: Final = (
    record(
        "Prompt",
        need("name", STR),
        _TITLE,
        may("description", STR),
        may("arguments", ListOf(Ref("PromptArgument"))),
        _ICONS,
        META,
    ),
    record(
        "PromptArgument",
        need("name", STR),
        _TITLE,
        may("description", STR),
        may("required", BOOL),
    ),
    record("PromptMessage", need("role", Ref("Role")), need("content", _CONTENT_BLOCK)),
    request("ListPrompts", "prompts/list", "PaginatedRequestParams", params_required="modern"),
    record(
        "ListPromptsResult",
        need("prompts", ListOf(Ref("Prompt"))),
        *CACHE,
        bases=("PaginatedResult",),
    ),
    response("ListPromptsResult"),
    record(
        "GetPromptRequestParams",
        need("name", STR),
        may("arguments", MapOf(STR)),
        *_RETRY,
        *REQUEST_META,
        named_since=D,
    ),
    request("GetPrompt", "prompts/get", "GetPromptRequestParams"),
    record(
        "GetPromptResult",
        may("description", STR),
        need("messages", ListOf(Ref("PromptMessage"))),
        bases=("Result",),
    ),
    response("GetPromptResult", input_required=True),
    notification("PromptListChanged", "notifications/prompts/list_changed"),
)

_COMPLETION: Final = (
    record("PromptReference", need("type", Const("ref/prompt")), need("name", STR), _TITLE),
    record(
        "ResourceReference",
        need("type", Const("ref/resource")),
        need("uri", URI_TEMPLATE),
        until=B,
    ),
    record(
        "ResourceTemplateReference",
        need("type", Const("ref/resource")),
        need("uri", URI_TEMPLATE),
        since=C,
    ),
    record(
        "CompleteRequestParams",
        need(
            "ref",
            any_of(
                Ref("PromptReference"),
                Gated(Ref("ResourceReference"), until=B),
                Gated(Ref("ResourceTemplateReference"), since=C),
            ),
        ),
        need("argument", inline(need("name", STR), need("value", STR))),
        may("context", inline(may("arguments", MapOf(STR))), since=C),
        *REQUEST_META,
        named_since=D,
    ),
    request("Complete", "completion/complete", "CompleteRequestParams"),
    record(
        "CompleteResult",
        need(
            "completion",
            inline(
                # The limit of 100 is in the prose of all revisions, in the schema of one.
                need("values", ListOf(STR, at_most=100, capped_since=E)),
                may("total", INT),
                may("hasMore", BOOL),
            ),
        ),
        bases=("Result",),
    ),
    response("CompleteResult"),
)

_LOGGING: Final = (
    alias(
        "LoggingLevel",
        Choice(
            (
                "debug",
                "info",
                "notice",
                "warning",
                "error",
                "critical",
                "alert",
                "emergency",
            )
        ),
    ),
    record(
        "SetLevelRequestParams",
        need("level", Ref("LoggingLevel")),
        *REQUEST_META,
        until=D,
        named_since=D,
    ),
    request("SetLevel", "logging/setLevel", "SetLevelRequestParams", until=D),
    record(
        "LoggingMessageNotificationParams",
        need("level", Ref("LoggingLevel")),
        need("data", ANY),
        may("logger", STR),
        NOTIFICATION_META,
        named_since=D,
    ),
    notification("LoggingMessage", "notifications/message", "LoggingMessageNotificationParams"),
)

_SUBSCRIPTIONS: Final = (
    record(
        "SubscriptionFilter",
        may("toolsListChanged", BOOL),
        may("promptsListChanged", BOOL),
        may("resourcesListChanged", BOOL),
        may("resourceSubscriptions", ListOf(STR)),
        since=E,
    ),
    record(
        "SubscriptionsListenRequestParams",
        need("notifications", Ref("SubscriptionFilter")),
        *REQUEST_META,
        since=E,
    ),
    request(
        "SubscriptionsListen",
        "subscriptions/listen",
        "SubscriptionsListenRequestParams",
        since=E,
    ),
    record(
        "SubscriptionsListenResultMetaObject",
        need(f"{PREFIX}subscriptionId", ID),
        bases=("ResultMetaObject",),
        since=E,
    ),
    record(
        "SubscriptionsListenResult",
        need("_meta", Ref("SubscriptionsListenResultMetaObject")),
        need("resultType", STR),
        since=E,
    ),
    response("SubscriptionsListenResult"),
    record(
        "SubscriptionsAcknowledgedNotificationParams",
        need("notifications", Ref("SubscriptionFilter")),
        NOTIFICATION_META,
        since=E,
    ),
    notification(
        "SubscriptionsAcknowledged",
        "notifications/subscriptions/acknowledged",
        "SubscriptionsAcknowledgedNotificationParams",
        since=E,
    ),
)

TYPES: Final = (
    *_TOOLS,
    *_RESOURCES,
    *_PROMPTS,
    *_COMPLETION,
    *_LOGGING,
    *_SUBSCRIPTIONS,
)
