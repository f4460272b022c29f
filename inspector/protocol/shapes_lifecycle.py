"""Shapes of how a connection begins, in both eras, and of what peers declare about themselves."""

from typing import Final

from inspector.protocol.shapes_base import (
    BOOL,
    OBJ,
    STR,
    B,
    Basic,
    C,
    D,
    E,
    Field,
    ListOf,
    MapOf,
    Ref,
    inline,
    may,
    need,
    notification,
    record,
    request,
    response,
)
from inspector.protocol.shapes_core import CACHE, REQUEST_META
from inspector.protocol.versions import Revision

_LIST_CHANGED: Final = inline(may("listChanged", BOOL))
_NOTHING_ELSE: Final = Basic(("object",))


def _switch(name: str, since: Revision) -> tuple[Field, Field]:
    """A capability that is an object without known members; the modern era wants it to hold
    nothing but JSON values as its schema defines them."""
    return may(name, OBJ, since, D), may(name, Ref("JSONObject"), since=E)


def _task_requests(*groups: tuple[str, str]) -> Field:
    requests = (may(group, inline(may(name, OBJ))) for group, name in groups)
    return may(
        "tasks",
        inline(may("list", OBJ), may("cancel", OBJ), may("requests", inline(*requests))),
        since=D,
        until=D,
    )


_EXPERIMENTAL: Final = (
    may("experimental", MapOf(OBJ), until=D),
    may("experimental", MapOf(Ref("JSONObject")), since=E),
    may("extensions", MapOf(Ref("JSONObject")), since=E),
)

TYPES: Final = (
    record(
        "ClientCapabilities",
        may("roots", _LIST_CHANGED, until=D),
        may("roots", _NOTHING_ELSE, since=E),
        may("sampling", OBJ, until=C),
        may("sampling", inline(may("context", OBJ), may("tools", OBJ)), since=D, until=D),
        may(
            "sampling",
            inline(may("context", Ref("JSONObject")), may("tools", Ref("JSONObject"))),
            since=E,
        ),
        may("elicitation", OBJ, since=C, until=C),
        may("elicitation", inline(may("form", OBJ), may("url", OBJ)), since=D, until=D),
        may(
            "elicitation",
            inline(may("form", Ref("JSONObject")), may("url", Ref("JSONObject"))),
            since=E,
        ),
        _task_requests(("sampling", "createMessage"), ("elicitation", "create")),
        *_EXPERIMENTAL,
    ),
    record(
        "ServerCapabilities",
        may("tools", _LIST_CHANGED),
        may("prompts", _LIST_CHANGED),
        may("resources", inline(may("listChanged", BOOL), may("subscribe", BOOL))),
        *_switch("logging", Revision.V2024_11_05),
        *_switch("completions", B),
        _task_requests(("tools", "call")),
        *_EXPERIMENTAL,
    ),
    record(
        "InitializeRequestParams",
        need("protocolVersion", STR),
        need("capabilities", Ref("ClientCapabilities")),
        need("clientInfo", Ref("Implementation")),
        *REQUEST_META,
        until=D,
        named_since=D,
    ),
    request("Initialize", "initialize", "InitializeRequestParams", until=D),
    record(
        "InitializeResult",
        need("protocolVersion", STR),
        need("capabilities", Ref("ServerCapabilities")),
        need("serverInfo", Ref("Implementation")),
        may("instructions", STR),
        bases=("Result",),
        until=D,
    ),
    notification("Initialized", "notifications/initialized", until=D),
    request("Ping", "ping", "RequestParams", params_required="never", until=D),
    request("Discover", "server/discover", "RequestParams", since=E),
    record(
        "DiscoverResult",
        need("supportedVersions", ListOf(STR)),
        need("capabilities", Ref("ServerCapabilities")),
        may("instructions", STR),
        *CACHE,
        bases=("Result",),
        since=E,
    ),
    response("DiscoverResult"),
)
