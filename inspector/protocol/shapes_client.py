"""Shapes of what clients offer: roots, sampling, elicitation, and the modern era's way of asking
for them inside a result (2026-07-28 multi round-trip requests)."""

from typing import Final

from inspector.protocol.shapes_base import (
    BOOL,
    INT,
    NUM,
    OBJ,
    SHARE,
    STR,
    URI,
    Basic,
    C,
    Choice,
    Const,
    D,
    E,
    Gated,
    ListOf,
    MapOf,
    Ref,
    Type,
    alias,
    any_of,
    inline,
    may,
    need,
    notification,
    record,
    refs,
    request,
)
from inspector.protocol.shapes_content import SAMPLING_CONTENT
from inspector.protocol.shapes_core import META

_INPUT_META: Final = (
    may("_meta", Ref("RequestMetaObject"), since=D, until=D),
    may("task", Ref("TaskMetadata"), since=D, until=D),
)
"""Members of requests to the client that the modern era does not have: there they are no
messages of their own."""

_ROOTS: Final = (
    record("Root", need("uri", URI), may("name", STR), META),
    record(
        "ListRootsRequestParams",
        may("_meta", Ref("RequestMetaObject"), until=D),
        may("_meta", OBJ, since=E),
        named_since=None,
    ),
    request(
        "ListRoots", "roots/list", "ListRootsRequestParams", params_required="never", embedded=True
    ),
    record("ListRootsResult", need("roots", ListOf(Ref("Root"))), may("_meta", OBJ, until=D)),
    notification("RootsListChanged", "notifications/roots/list_changed", until=D),
)

_SAMPLING: Final = (
    record("ModelHint", may("name", STR)),
    record(
        "ModelPreferences",
        may("hints", ListOf(Ref("ModelHint"))),
        may("costPriority", SHARE),
        may("speedPriority", SHARE),
        may("intelligencePriority", SHARE),
    ),
    record("ToolChoice", may("mode", Choice(("auto", "none", "required"))), since=D),
    record(
        "SamplingMessage",
        need("role", Ref("Role")),
        need("content", SAMPLING_CONTENT),
        may("_meta", OBJ, since=D),
    ),
    record(
        "CreateMessageRequestParams",
        need("messages", ListOf(Ref("SamplingMessage"))),
        need("maxTokens", INT),
        may("systemPrompt", STR),
        may("includeContext", Choice(("none", "thisServer", "allServers"))),
        may("temperature", NUM),
        may("stopSequences", ListOf(STR)),
        may("modelPreferences", Ref("ModelPreferences")),
        may("metadata", OBJ, until=D),
        may("metadata", Ref("JSONObject"), since=E),
        may("tools", ListOf(Ref("Tool")), since=D),
        may("toolChoice", Ref("ToolChoice"), since=D),
        *_INPUT_META,
        named_since=D,
    ),
    request("CreateMessage", "sampling/createMessage", "CreateMessageRequestParams", embedded=True),
    record(
        "CreateMessageResult",
        need("role", Ref("Role")),
        need("content", SAMPLING_CONTENT),
        need("model", STR),
        may("stopReason", STR),
        may("_meta", OBJ),
    ),
)

_ABOUT: Final = (may("title", STR), may("description", STR))
_OPTIONS: Final = ListOf(inline(need("const", STR), need("title", STR)))
_ENUM: Final = (need("type", Const("string")), need("enum", ListOf(STR)), *_ABOUT)
_ONE_STRING: Final = may("default", STR, since=D)
_MANY_STRINGS: Final = (
    need("type", Const("array")),
    may("minItems", INT),
    may("maxItems", INT),
    may("default", ListOf(STR)),
    *_ABOUT,
)
_LEGACY_ENUM: Final = (*_ENUM, may("enumNames", ListOf(STR)), _ONE_STRING)
_ENUM_KINDS: Final = (
    "UntitledSingleSelectEnumSchema",
    "TitledSingleSelectEnumSchema",
    "UntitledMultiSelectEnumSchema",
    "TitledMultiSelectEnumSchema",
    "LegacyTitledEnumSchema",
)

_FORM_SCHEMAS: Final[tuple[Type, ...]] = (
    record(
        "StringSchema",
        need("type", Const("string")),
        may("minLength", INT),
        may("maxLength", INT),
        may("format", Choice(("email", "uri", "date", "date-time"))),
        _ONE_STRING,
        *_ABOUT,
        since=C,
    ),
    record(
        "NumberSchema",
        need("type", Choice(("number", "integer"))),
        may("minimum", NUM),
        may("maximum", NUM),
        may("default", NUM, since=D),
        *_ABOUT,
        since=C,
    ),
    record(
        "BooleanSchema",
        need("type", Const("boolean")),
        may("default", BOOL),
        *_ABOUT,
        since=C,
    ),
    record("EnumSchema", *_LEGACY_ENUM, since=C, until=C),
    alias("EnumSchema", refs(*_ENUM_KINDS), since=D),
    record("LegacyTitledEnumSchema", *_LEGACY_ENUM, since=D),
    record("UntitledSingleSelectEnumSchema", *_ENUM, _ONE_STRING, since=D),
    record(
        "TitledSingleSelectEnumSchema",
        need("type", Const("string")),
        need("oneOf", _OPTIONS),
        _ONE_STRING,
        *_ABOUT,
        since=D,
    ),
    record(
        "UntitledMultiSelectEnumSchema",
        need("items", inline(need("type", Const("string")), need("enum", ListOf(STR)))),
        *_MANY_STRINGS,
        since=D,
    ),
    record(
        "TitledMultiSelectEnumSchema",
        need("items", inline(need("anyOf", _OPTIONS))),
        *_MANY_STRINGS,
        since=D,
    ),
    alias("SingleSelectEnumSchema", refs(*_ENUM_KINDS[0:2]), since=D),
    alias("MultiSelectEnumSchema", refs(*_ENUM_KINDS[2:4]), since=D),
    alias(
        "PrimitiveSchemaDefinition",
        any_of(
            Ref("StringSchema"),
            Ref("NumberSchema"),
            Ref("BooleanSchema"),
            Ref("EnumSchema"),
        ),
        since=C,
    ),
)

_ELICITATION: Final = (
    record(
        "ElicitRequestFormParams",
        may("mode", Const("form"), since=D),
        need("message", STR),
        need(
            "requestedSchema",
            inline(
                need("type", Const("object")),
                need("properties", MapOf(Ref("PrimitiveSchemaDefinition"))),
                may("required", ListOf(STR)),
                may("$schema", STR, since=D),
            ),
        ),
        *_INPUT_META,
        since=C,
        named_since=D,
    ),
    record(
        "ElicitRequestURLParams",
        need("mode", Const("url")),
        need("message", STR),
        need("url", URI),
        need("elicitationId", STR, until=D),
        *_INPUT_META,
        since=D,
    ),
    Type(
        "ElicitRequestParams",
        any_of(
            Ref("ElicitRequestFormParams"),
            Gated(Ref("ElicitRequestURLParams"), since=D),
        ),
        since=C,
        named_since=D,
    ),
    request("Elicit", "elicitation/create", "ElicitRequestParams", since=C, embedded=True),
    record(
        "ElicitResult",
        need("action", Choice(("accept", "decline", "cancel"))),
        may(
            "content",
            MapOf(
                any_of(
                    # The official schema says integer where its prose says number.
                    Basic(("string", "integer", "boolean")),
                    Gated(ListOf(STR), since=D),
                )
            ),
        ),
        may("_meta", OBJ, until=D),
        since=C,
    ),
    record(
        "ElicitationCompleteNotificationParams",
        need("elicitationId", STR),
        since=D,
        until=D,
        named_since=None,
    ),
    notification(
        "ElicitationComplete",
        "notifications/elicitation/complete",
        "ElicitationCompleteNotificationParams",
        since=D,
        until=D,
    ),
)

_MULTI_ROUND_TRIP: Final = (
    alias(
        "InputRequest",
        refs("CreateMessageRequest", "ListRootsRequest", "ElicitRequest"),
        since=E,
    ),
    alias("InputRequests", MapOf(Ref("InputRequest")), since=E),
    alias(
        "InputResponse",
        refs("CreateMessageResult", "ListRootsResult", "ElicitResult"),
        since=E,
    ),
    alias("InputResponses", MapOf(Ref("InputResponse")), since=E),
    record(
        "InputRequiredResult",
        may("inputRequests", Ref("InputRequests")),
        may("requestState", STR),
        bases=("Result",),
        since=E,
    ),
    record(
        "InputResponseRequestParams",
        may("inputResponses", Ref("InputResponses")),
        may("requestState", STR),
        bases=("RequestParams",),
        since=E,
    ),
)

TYPES: Final = (
    *_ROOTS,
    *_SAMPLING,
    *_FORM_SCHEMAS,
    *_ELICITATION,
    *_MULTI_ROUND_TRIP,
)
