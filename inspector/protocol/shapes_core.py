"""Shapes of the base protocol: JSON values, ids, `_meta`, the JSON-RPC envelope, errors, results,
progress and cancellation."""

from typing import Final

from inspector.protocol.shapes_base import (
    ANY,
    COUNT,
    ID,
    INT,
    JSONRPC,
    NUM,
    OBJ,
    STR,
    URI,
    B,
    Basic,
    C,
    Choice,
    Const,
    D,
    E,
    Field,
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
)
from inspector.protocol.versions import Revision

PREFIX: Final = "io.modelcontextprotocol/"

REQUEST_META: Final = (
    may("_meta", Ref("RequestMetaObject"), since=D, until=D),
    need("_meta", Ref("RequestMetaObject"), since=E),
)
"""`_meta` of requests whose params have fields of their own; unchecked before 2025-11-25."""

NOTIFICATION_META: Final = may("_meta", Ref("NotificationMetaObject"), since=D)
"""`_meta` of notifications whose params have fields of their own."""

META: Final = may("_meta", OBJ, since=C)
"""`_meta` of things other than messages."""

CACHE: Final = (
    need("cacheScope", Choice(("private", "public")), since=E),
    need("ttlMs", COUNT, since=E),
)


def _error_type(name: str, code: int) -> Type:
    return record(name, need("code", Const(code)), need("message", STR), may("data", ANY), since=E)


def _error_reply(name: str, code: int, *data: Field, only: Revision = E) -> Type:
    return record(
        name,
        need("jsonrpc", JSONRPC),
        may("id", ID),
        need(
            "error",
            inline(
                need("code", Const(code)),
                need("message", STR),
                need("data", inline(*data)) if data else may("data", ANY),
            ),
        ),
        since=only,
        until=only,
    )


_VALUES: Final = (
    alias("RequestId", Basic(("string", "integer"))),
    alias("ProgressToken", Basic(("string", "integer"))),
    alias("Cursor", STR),
    alias("Role", Choice(("assistant", "user"))),
    # The official schema leaves null and fractions out of JSONValue; so does this table.
    alias(
        "JSONValue",
        any_of(
            Ref("JSONObject"),
            ListOf(Ref("JSONValue")),
            Basic(("string", "integer", "boolean")),
        ),
        since=E,
    ),
    alias("JSONObject", MapOf(Ref("JSONValue")), since=E),
    alias("JSONArray", ListOf(Ref("JSONValue")), since=E),
    record("BaseMetadata", need("name", STR), may("title", STR), since=C),
    record(
        "Icon",
        need("src", URI),
        may("mimeType", STR),
        may("sizes", ListOf(STR)),
        may("theme", Choice(("dark", "light"))),
        since=D,
    ),
    record("Icons", may("icons", ListOf(Ref("Icon"))), since=D),
    record(
        "Implementation",
        need("name", STR),
        need("version", STR),
        may("title", STR, since=C),
        may("description", STR, since=D),
        may("websiteUrl", URI, since=D),
        may("icons", ListOf(Ref("Icon")), since=D),
    ),
)

_META_OBJECTS: Final = (
    alias("MetaObject", OBJ, since=E),
    record(
        "RequestMetaObject",
        may("progressToken", Ref("ProgressToken")),
        need(f"{PREFIX}protocolVersion", STR, since=E),
        need(f"{PREFIX}clientCapabilities", Ref("ClientCapabilities"), since=E),
        may(f"{PREFIX}clientInfo", Ref("Implementation"), since=E),
        may(f"{PREFIX}logLevel", Ref("LoggingLevel"), since=E),
        named_since=E,
    ),
    record("NotificationMetaObject", may(f"{PREFIX}subscriptionId", ID, since=E), named_since=E),
    record(
        "ResultMetaObject",
        may(f"{PREFIX}serverInfo", Ref("Implementation"), since=E),
        named_since=E,
    ),
)

_ANY_REQUEST_PARAMS: Final = inline(may("_meta", Ref("RequestMetaObject")))
_ANY_NOTIFICATION_PARAMS: Final = inline(may("_meta", OBJ))

_METHOD_AND_REQUEST_PARAMS: Final = (
    need("method", STR),
    may("params", _ANY_REQUEST_PARAMS, until=C),
    may("params", OBJ, since=D),
)
_METHOD_AND_NOTIFICATION_PARAMS: Final = (
    need("method", STR),
    may("params", _ANY_NOTIFICATION_PARAMS, until=C),
    may("params", OBJ, since=D),
)

_ENVELOPE: Final = (
    record("Request", *_METHOD_AND_REQUEST_PARAMS),
    record("Notification", *_METHOD_AND_NOTIFICATION_PARAMS),
    record("JSONRPCRequest", need("jsonrpc", JSONRPC), need("id", ID), *_METHOD_AND_REQUEST_PARAMS),
    record("JSONRPCNotification", need("jsonrpc", JSONRPC), *_METHOD_AND_NOTIFICATION_PARAMS),
    record(
        "JSONRPCResponse",
        need("jsonrpc", JSONRPC),
        need("id", ID),
        need("result", Ref("Result")),
        until=C,
    ),
    record(
        "JSONRPCResultResponse",
        need("jsonrpc", JSONRPC),
        need("id", ID),
        need("result", Ref("Result")),
        since=D,
    ),
    alias("JSONRPCResponse", refs("JSONRPCResultResponse", "JSONRPCErrorResponse"), since=D),
    record(
        "JSONRPCError",
        need("jsonrpc", JSONRPC),
        need("id", ID),
        need("error", Ref("Error")),
        until=C,
    ),
    record(
        "JSONRPCErrorResponse",
        need("jsonrpc", JSONRPC),
        may("id", ID),
        need("error", Ref("Error")),
        since=D,
    ),
    record("Error", need("code", INT), need("message", STR), may("data", ANY), named_since=D),
    alias(
        "JSONRPCBatchRequest",
        ListOf(refs("JSONRPCRequest", "JSONRPCNotification")),
        since=B,
        until=B,
    ),
    alias(
        "JSONRPCBatchResponse", ListOf(refs("JSONRPCResponse", "JSONRPCError")), since=B, until=B
    ),
    alias(
        "JSONRPCMessage",
        any_of(
            Ref("JSONRPCRequest"),
            Ref("JSONRPCNotification"),
            Gated(Ref("JSONRPCResponse"), until=C),
            Gated(Ref("JSONRPCError"), until=C),
            Gated(Ref("JSONRPCBatchRequest"), since=B, until=B),
            Gated(Ref("JSONRPCBatchResponse"), since=B, until=B),
            Gated(Ref("JSONRPCResultResponse"), since=D),
            Gated(Ref("JSONRPCErrorResponse"), since=D),
        ),
    ),
)

_ERRORS: Final = (
    _error_type("ParseError", -32700),
    _error_type("InvalidRequestError", -32600),
    _error_type("MethodNotFoundError", -32601),
    _error_type("InvalidParamsError", -32602),
    _error_type("InternalError", -32603),
    _error_reply("HeaderMismatchError", -32020),
    _error_reply(
        "MissingRequiredClientCapabilityError",
        -32021,
        need("requiredCapabilities", Ref("ClientCapabilities")),
    ),
    _error_reply(
        "UnsupportedProtocolVersionError",
        -32022,
        need("requested", STR),
        need("supported", ListOf(STR)),
    ),
    _error_reply(
        "URLElicitationRequiredError",
        -32042,
        need("elicitations", ListOf(Ref("ElicitRequestURLParams"))),
        only=D,
    ),
)

_PARAMS_AND_RESULTS: Final = (
    record(
        "RequestParams",
        may("_meta", Ref("RequestMetaObject"), until=D),
        need("_meta", Ref("RequestMetaObject"), since=E),
        named_since=D,
    ),
    record("NotificationParams", may("_meta", Ref("NotificationMetaObject")), named_since=D),
    record("Result", may("_meta", Ref("ResultMetaObject")), need("resultType", STR, since=E)),
    alias("EmptyResult", Ref("Result")),
    alias("ResultType", STR, since=E),
    record("CacheableResult", *CACHE, bases=("Result",), since=E),
    record("PaginatedRequestParams", *REQUEST_META, may("cursor", STR), named_since=D),
    record(
        "PaginatedRequest",
        need("jsonrpc", JSONRPC, since=D),
        need("id", ID, since=D),
        need("method", STR),
        may("params", Ref("PaginatedRequestParams"), until=D),
        need("params", Ref("PaginatedRequestParams"), since=E),
    ),
    record("PaginatedResult", may("nextCursor", STR), bases=("Result",)),
)


_UTILITIES: Final = (
    record(
        "CancelledNotificationParams",
        # Only the task-aware revision lets it be absent.
        need("requestId", ID, until=C),
        may("requestId", ID, since=D, until=D),
        need("requestId", ID, since=E),
        may("reason", STR),
        NOTIFICATION_META,
        named_since=D,
    ),
    notification("Cancelled", "notifications/cancelled", "CancelledNotificationParams"),
    record(
        "ProgressNotificationParams",
        need("progressToken", Ref("ProgressToken")),
        need("progress", NUM),
        may("total", NUM),
        may("message", STR, since=B),
        NOTIFICATION_META,
        named_since=D,
    ),
    notification("Progress", "notifications/progress", "ProgressNotificationParams"),
)

TYPES: Final = (
    *_VALUES,
    *_META_OBJECTS,
    *_ENVELOPE,
    *_ERRORS,
    *_PARAMS_AND_RESULTS,
    *_UTILITIES,
)
