"""Faults of servers of 2026-07-28, each with the findings that it must bring: what a script of
`tests.servers.scripted_stdio` says where it is not honest.

`wanted` has by rule the severity: E, W or I. A fault is a tool (or what its method asks for) of its
own, so that one session can commit many; those of a whole session are in `STANDING`.
"""

from typing import Final

from inspector.protocol.messages import Json, JsonObject
from tests.servers.planted_handshake import (
    DIALECT,
    SCHEMA,
    SERVER,
    STRING,
    TEXT,
    Fault,
    Standing,
    error,
    note,
    progress,
    want,
)
from tests.servers.planted_handshake import FAULTS as HANDSHAKE

REVISION: Final = "2026-07-28"
PREFIX: Final = "io.modelcontextprotocol/"
META: Final[JsonObject] = {PREFIX + "serverInfo": SERVER}
KEPT: Final[JsonObject] = {"ttlMs": 0, "cacheScope": "private"}
ALL: Final[JsonObject] = {
    "tools": {}, "resources": {"subscribe": True}, "prompts": {}, "logging": {}, "completions": {},
    "extensions": {PREFIX + "tasks": {}},
}  # fmt: skip
TIMES: Final[JsonObject] = {
    "createdAt": "2026-01-01T00:00:00Z", "lastUpdatedAt": "2026-01-01T00:00:00Z",
}  # fmt: skip


def result(**members: Json) -> Json:
    """The answer, of no type."""
    return {"jsonrpc": "2.0", "id": "$id", "result": {"_meta": META, **members}}


def complete(**members: Json) -> Json:
    """The answer."""
    return result(resultType="complete", **members)


def kept(**members: Json) -> Json:
    """An answer that may be kept."""
    return complete(**KEPT, **members)


def asking(**members: Json) -> Json:
    """The answer, a question."""
    return result(resultType="input_required", **members)


def requests(method: str, **params: Json) -> JsonObject:
    """A question inside an answer."""
    return {"inputRequests": {"who": {"method": method, "params": dict(params)}}}


def form(message: str = "Who?", **properties: Json) -> Json:
    """A question by form."""
    schema: JsonObject = {"type": "object", "properties": dict(properties)}
    return asking(**requests("elicitation/create", message=message, requestedSchema=schema))


def task(name: str, status: str, **members: Json) -> JsonObject:
    """A task as it is told of."""
    return {"taskId": name, "status": status, "ttlMs": 1000, "pollIntervalMs": 10, **members}


def told(method: str, **params: Json) -> Json:
    """A notification of the subscription."""
    return note(method, _meta={PREFIX + "subscriptionId": "$id"}, **params)


ACK: Final = told("subscriptions/acknowledged", notifications={"toolsListChanged": True})
DONE: Final = complete(content=[TEXT])
LISTEN: Final = "subscriptions/listen"
DISCOVERED: Final = kept(supportedVersions=[REVISION], capabilities=ALL)

FAULTS: Final = (
    Fault("honest", {}, [DONE]),
    Fault("asks-honestly", {}, [form(name=STRING)]),
    # results
    Fault("untyped", {"result/type-missing": "E"}, [result(content=[TEXT])]),
    Fault("odd-type", {"result/type-unknown": "E"},
          [result(resultType="finished", content=[TEXT])]),
    Fault("trace", {"meta/trace-format": "W"},
          [result(resultType="complete", content=[TEXT],
                  _meta={**META, "traceparent": "00-xyz"})]),
    Fault("reserved-prefix", {"meta/reserved-prefix": "W"},
          [result(resultType="complete", content=[TEXT],
                  _meta={**META, "com.mcp.tools/x": 1, "com.mcp/x": 1})]),
    # errors and requests
    Fault("reserved-code", {"rpc/reserved-code": "E"}, [error(-32050)]),
    Fault("former-code", {"rpc/reserved-code": "E"}, [error(-32042)]),
    Fault("legacy-code", {"rpc/legacy-code": "W"}, [error(-32001)]),
    Fault("capability", {"cap/missing-capability-data": "E"}, [error(-32021)]),
    Fault("version-data", {"life/version-error-data": "W"}, [error(-32022)]),
    Fault("requests", {"rpc/server-request-modern": "E"}, [want("$new", "roots/list"), DONE]),
    Fault("removed", {"schema/removed-method": "E"},
          [note("elicitation/complete", elicitationId="e"), DONE]),
    Fault("cancels", {"cancel/server-misuse": "E"},
          [note("cancelled", requestId="$id"), DONE]),
    # questions
    Fault("asks-nothing", {"mrtr/empty": "E"}, [asking()]),
    Fault("asks-ping", {"mrtr/bad-request-kind": "E"}, [asking(**requests("ping"))]),
    Fault("asks-nested", {"elic/schema-nested": "E"},
          [form(a={"type": "object", "properties": {"x": STRING}})]),
    Fault("asks-secret", {"elic/secret-field": "W"}, [form(api_key=STRING)]),
    Fault("asks-url", {"cap/client-feature-undeclared": "E"},
          [asking(**requests("elicitation/create", mode="url", message="Go",
                             url="https://example.com/x"))]),
    Fault("asks-roots", {"dep/feature": "I"}, [asking(**requests("roots/list"))]),
    Fault("completion-asks", {"mrtr/unsupported-method": "E"}, [form(name=STRING)],
          "completion/complete"),
    Fault("memo://asks", {"cache/on-input-required": "E"},
          [asking(**requests("elicitation/create", message="?", requestedSchema={
              "type": "object", "properties": {}}), **KEPT)], "resources/read"),
    # caching
    Fault("memo://unkept", {"cache/missing": "E"},
          [complete(contents=[{"uri": "memo://a", "text": "a"}])], "resources/read"),
    Fault("memo://negative", {"cache/negative-ttl": "E"},
          [complete(contents=[{"uri": "memo://a", "text": "a"}], ttlMs=-5, cacheScope="public")],
          "resources/read"),
    Fault("memo://empty", {"res/empty-not-found": "E"}, [kept(contents=[])], "resources/read"),
    Fault("memo://missing", {"res/not-found-code": "E"}, [error(-32603, "Not found")],
          "resources/read"),
    # logs and progress
    Fault("logs", {"log/unsolicited": "E", "dep/feature": "I"},
          [note("message", level="info", data="x"), DONE]),
    Fault("progress-back", {"prog/not-increasing": "E"}, [progress(2), progress(1), DONE]),
    # subscriptions
    Fault("memo://honest-listen", {},
          [ACK, told("resources/updated", uri="memo://honest-listen/a")], LISTEN),
    Fault("memo://no-ack", {"sub/no-ack-first": "E"},
          [told("resources/updated", uri="memo://no-ack"), ACK], LISTEN),
    Fault("memo://unwanted", {"sub/not-requested": "E"},
          [ACK, told("prompts/list_changed")], LISTEN),
    Fault("memo://nameless", {"sub/id-missing": "E"},
          [note("subscriptions/acknowledged", notifications={})], LISTEN),
    Fault("untagged", {"stdio/untagged-subscription": "E"},
          [note("resources/updated", uri="memo://a"), DONE]),
    Fault("foreign-tag", {"sub/not-requested": "E"},
          [note("resources/updated", uri="memo://a", _meta={PREFIX + "subscriptionId": "nobody"}),
           DONE]),
    # tasks
    Fault("task", {}, [result(resultType="task", **task("t-task", "working", **TIMES))]),
    Fault("timeless", {"task/missing-timestamps": "E"},
          [result(resultType="task", **task("t-timeless", "working",
                                            createdAt=TIMES["createdAt"]))]),
    Fault("cancelled", {},
          [result(resultType="task", **task("t-revived", "cancelled", **TIMES))]),
    Fault("t-revived", {"task/illegal-transition": "E"},
          [complete(**task("t-revived", "completed", **TIMES), result={"content": [TEXT]})],
          "tasks/get"),
    Fault("failed", {"task/failed-for-is-error": "E"},
          [result(resultType="task", **task("t-failed", "working", **TIMES))]),
    # tools
    Fault("wrong-arguments", {"tool/validation-as-protocol-error": "W"}, [error(-32602, "no")]),
    Fault("output-mismatch", {"tool/output-mismatch": "E"},
          [complete(content=[TEXT], structuredContent=["3"])],
          tool={"outputSchema": {"type": "array", "items": {"type": "integer"}}}),
    Fault("array-output", {}, [complete(content=[TEXT], structuredContent=[3])],
          tool={"outputSchema": {"type": "array", "items": {"type": "integer"}}}),
    Fault("loops", {"mrtr/loop": "W"}, [asking(requestState="on")]),
)  # fmt: skip

ENDED: Final[JsonObject] = {
    "tasks/get t-task": [complete(**task("t-task", "completed", **TIMES),
                                  result={"content": [TEXT]})],
    "tasks/get t-timeless": [complete(**task("t-timeless", "completed", **TIMES),
                                      result={"content": [TEXT]})],
    "tasks/get t-failed": [complete(**task("t-failed", "failed", **TIMES),
                                    result={"content": [TEXT], "isError": True})],
}  # fmt: skip
"""What becomes of the tasks."""


def marked(**properties: Json) -> JsonObject:
    """An input schema with marks of headers."""
    return {"inputSchema": {**SCHEMA, "properties": dict(properties)}}


def mark(name: str, **more: Json) -> JsonObject:
    """An argument that travels as a header."""
    return {"type": "string", "x-mcp-header": name, **more}


TOOLS: Final[tuple[tuple[JsonObject, dict[str, str]], ...]] = (
    (marked(a=mark("Region")), {}),
    (marked(a=mark("")), {"tool/x-mcp-header-empty": "E"}),
    (marked(a=mark("a b")), {"tool/x-mcp-header-token": "E"}),
    (marked(a=mark("A"), b=mark("a")), {"tool/x-mcp-header-duplicate": "E"}),
    (marked(a=mark("A", type="number")), {"tool/x-mcp-header-type": "E"}),
    (marked(a={"type": "array", "items": mark("A")}), {"tool/x-mcp-header-unreachable": "E"}),
    (marked(password=mark("Key")), {"tool/x-mcp-header-secret": "I"}),
    ({"name": "echo me!"}, {"tool/name-charset": "W"}),
    ({"inputSchema": {**SCHEMA, "$schema": DIALECT}}, {"tool/schema-dialect": "W"}),
    ({"icons": [{"src": "http://example.com/i.png"}]}, {"icon/scheme": "E"}),
    ({"outputSchema": {"type": "array"}}, {}),
)
"""Tools that are wrong as they are listed, one a page."""

OTHERWISE: Final[dict[str, dict[str, str]]] = {
    "id-reuse": {"rpc/id-reuse": "E", "rpc/server-request-modern": "E"},
    "later-notification": {"schema/removed-method": "E"},
    "structured-array": {"tool/output-mismatch": "E"},
    "log-level": {"log/level": "E", "dep/feature": "I"},
    "log-below": {"log/unsolicited": "E"},
    "log-secret": {"log/unsolicited": "E", "log/secret-like": "W"},
    "cancel-unknown": {"cancel/server-misuse": "E"},
    "updated": {"stdio/untagged-subscription": "E"},
    "list-changed": {"stdio/untagged-subscription": "E"},
    "memo://missing": {"res/not-found-code": "E", "rpc/legacy-code": "W"},
    "memo://oops": {"res/not-found-code": "E"},
    "memo://gone": {"res/not-found-code": "E", "rpc/reserved-code": "E"},
}
"""What faults that are of all revisions bring in this one, where it is not what 2025-11-25 says."""
SHARED: Final = tuple(
    fault
    for fault in HANDSHAKE
    if not any("elicitation/create" in str(each) or "sampling/" in str(each)
               for each in fault.replies)
)  # fmt: skip
"""The faults that are of all revisions."""


def modernized(reply: Json) -> Json:
    """An answer of former years as this revision has it, with its fault."""
    if isinstance(reply, list):
        return [modernized(each) for each in reply]
    told = reply.get("result") if isinstance(reply, dict) else None
    if not isinstance(reply, dict) or not isinstance(told, dict):
        return reply
    if reply["id"] not in ("$id", "$text-id"):
        return reply
    own = told.get("_meta")
    meta: JsonObject = {**META, **(own if isinstance(own, dict) else {})}
    cached: JsonObject = KEPT if "contents" in told else {}
    return {**reply, "result": {"resultType": "complete", **cached, **told, "_meta": meta}}


_ORDER: Final[list[Json]] = [
    {"name": name, "description": "Does.", "inputSchema": SCHEMA} for name in ("a", "b")
]


def discovered(**changed: Json) -> JsonObject:
    """What a server says of itself, changed."""
    told: JsonObject = {"supportedVersions": [REVISION], "capabilities": ALL, **KEPT, **changed}
    return {"server/discover": [complete(**told)]}


STANDING: Final = (
    Standing("honest", {}, {}),
    Standing("extension-key", {"cap/extension-key": "E"},
             discovered(capabilities={**ALL, "extensions": {"bad": {}}})),
    Standing("nameless", {"life/no-server-info": "W"},
             {"tools/call": [result(resultType="complete", content=[TEXT], _meta={})]}),
    Standing("no-discover", {"life/discover-missing": "E"},
             {"server/discover": [error(-32601, "Method not found")],
              "initialize": [error(-32022, "no", supported=[REVISION], requested="x")]}),
    Standing("scope-varies", {"cache/scope-varies": "E"},
             {"tools/list": [kept(tools=_ORDER[:1], nextCursor="b")],
              "tools/list b": [complete(tools=_ORDER[1:], ttlMs=0, cacheScope="public")]},
             (("tools/list", {}), ("tools/list", {"cursor": "b"}))),
    Standing("order", {"tool/order-unstable": "W"},
             {"tools/list": [kept(tools=_ORDER)], "tools/list #2": [kept(tools=_ORDER[::-1])]},
             (("tools/list", {}), ("tools/list", {}))),
    Standing("abrupt", {"sub/abrupt-end": "I", "rpc/request-unanswered": "W"},
             {LISTEN: [ACK], "tools/call leaves": [DONE, None]},
             ((LISTEN, {"notifications": {"toolsListChanged": True}}),
              ("tools/call", {"name": "leaves"}))),
    Standing("works-undeclared", {"cap/feature-works-undeclared": "W"},
             discovered(capabilities={"tools": {}}), (("prompts/list", {}),)),
)  # fmt: skip
