"""Faults of servers of the handshake era, each with the findings that it must bring: what a script
of `tests.servers.scripted_stdio` says where it is not honest.

A fault is a tool, a resource or a prompt of its own, so that one session can commit many. `wanted`
has by rule the severity in 2024-11-05, 2025-03-26, 2025-06-18 and 2025-11-25: E, W, I, or - for a
revision in which it is no fault.
"""

from dataclasses import dataclass, field
from typing import Final

from inspector.protocol.messages import Json, JsonObject

TEXT: Final[JsonObject] = {"type": "text", "text": "ok"}
SCHEMA: Final[JsonObject] = {
    "type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": False,
}  # fmt: skip
NUMBER: Final[JsonObject] = {
    "type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"],
}  # fmt: skip
ALL: Final[JsonObject] = {
    "tools": {}, "resources": {"subscribe": True}, "prompts": {}, "logging": {}, "completions": {},
}  # fmt: skip
SERVER: Final[JsonObject] = {"name": "planted", "version": "1"}


def result(**members: Json) -> Json:
    """The answer."""
    return {"jsonrpc": "2.0", "id": "$id", "result": dict(members)}


def error(code: Json, message: Json = "no", **data: Json) -> Json:
    """The answer, an error."""
    told: JsonObject = {"code": code, "message": message}
    return {"jsonrpc": "2.0", "id": "$id", "error": {**told, "data": data} if data else told}


def note(method: str, **params: Json) -> Json:
    """A notification."""
    return {"jsonrpc": "2.0", "method": f"notifications/{method}", "params": dict(params)}


def want(identifier: Json, method: str, **params: Json) -> Json:
    """A request of the server."""
    return {"jsonrpc": "2.0", "id": identifier, "method": method, "params": dict(params)}


def log(level: str, data: Json = "x") -> Json:
    """A log message."""
    return note("message", level=level, data=data)


def progress(value: Json, token: Json = "$token", **more: Json) -> Json:
    """A report of progress."""
    return note("progress", progressToken=token, progress=value, **more)


def form(message: str = "Who?", **properties: Json) -> Json:
    """A question by form."""
    schema: JsonObject = {"type": "object", "properties": dict(properties)}
    return want("$new", "elicitation/create", message=message, requestedSchema=schema)


def url(address: str) -> Json:
    """A question by URL."""
    params: JsonObject = {"mode": "url", "message": "Go", "url": address, "elicitationId": "e"}
    return want("$new", "elicitation/create", **params)


def sample(*messages: Json, **more: Json) -> Json:
    """A question to the model."""
    return want("$new", "sampling/createMessage", messages=[*messages], maxTokens=9, **more)


def said(role: str, *content: Json) -> Json:
    """A message for the model."""
    return {"role": role, "content": content[0] if len(content) == 1 else [*content]}


DONE: Final = result(content=[TEXT])
USE: Final[JsonObject] = {"type": "tool_use", "id": "t", "name": "x", "input": {}}
USED: Final[JsonObject] = {"type": "tool_result", "toolUseId": "t", "content": [TEXT]}
LATER: Final = {"schema/future-field": "II--"}
"""What 2025-06-18 brought."""
STRING: Final[JsonObject] = {"type": "string"}


@dataclass(frozen=True)
class Fault:
    """`replies` is what is said instead. `tool` changes the tool that commits it."""

    name: str
    wanted: dict[str, str]
    replies: list[Json]
    method: str = "tools/call"
    tool: JsonObject = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name

    @property
    def output(self) -> bool:
        """Whether the tool has an output schema, which there is since 2025-06-18."""
        return "outputSchema" in self.tool


def _structured(name: str, wanted: dict[str, str], **members: Json) -> Fault:
    return Fault(name, wanted, [result(**members)], tool={"outputSchema": NUMBER})


def _content(name: str, wanted: dict[str, str], block: Json) -> Fault:
    return Fault(name, wanted, [result(content=[TEXT, block])])


FAULTS: Final = (
    Fault("honest", {}, [DONE]),
    # the envelope
    Fault("bad-version", {"rpc/bad-version": "EEEE"},
          [{"jsonrpc": "1.0", "id": "$id", "result": {"content": [TEXT]}}]),
    Fault("id-null", {"rpc/id-null": "EEEE"}, [want(None, "ping"), DONE]),
    Fault("id-float", {"rpc/id-type": "EEEE"}, [want(1.5, "ping"), DONE]),
    Fault("id-object", {"rpc/id-type": "EEEE"}, [want({"a": 1}, "ping"), DONE]),
    Fault("id-reuse", {"rpc/id-reuse": "EEEE"},
          [want("again", "ping"), want("again", "ping"), DONE]),
    Fault("unknown-id", {"rpc/response-unknown-id": "EEEE"},
          [{"jsonrpc": "2.0", "id": 987654, "result": {}}, DONE]),
    Fault("duplicate", {"rpc/response-duplicate": "EEEE"}, [DONE, DONE]),
    Fault("id-mismatch", {"rpc/id-type-mismatch": "EEEE"},
          [{"jsonrpc": "2.0", "id": "$text-id", "result": {"content": [TEXT]}}]),
    Fault("result-and-error", {"rpc/result-and-error": "EEEE"},
          [{"jsonrpc": "2.0", "id": "$id", "result": {"content": []},
            "error": {"code": 1, "message": "x"}}]),
    Fault("neither", {"rpc/neither": "EEEE"}, [{"jsonrpc": "2.0", "id": "$id"}]),
    Fault("error-code-text", {"rpc/error-shape": "EEEE"}, [error("E_BAD")]),
    Fault("error-code-float", {"rpc/error-shape": "EEEE"}, [error(1.5)]),
    Fault("error-message", {"rpc/error-shape": "EEEE"}, [error(1, None)]),
    Fault("error-id", {"rpc/error-id-missing": "IIII"},
          [{"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}}, DONE]),
    Fault("batch", {"rpc/batch": "E-EE"},
          [[{"jsonrpc": "2.0", "id": "$id", "result": {"content": [TEXT]}}]]),
    Fault("not-json", {"rpc/not-json": "EEEE"}, ['{"jsonrpc":"2.0","method":"x",}', DONE]),
    Fault("not-utf8", {"rpc/not-json": "EEEE"},
          ['{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"\udcff"}}', DONE]),
    Fault("single-quotes", {"rpc/not-json": "EEEE"}, ["{'jsonrpc': '2.0', 'method': 'x'}", DONE]),
    Fault("params-array", {"rpc/params-not-object": "EEEE"},
          [{"jsonrpc": "2.0", "method": "notifications/message", "params": ["info", 1]}, DONE]),
    # schemas and methods
    Fault("content-text", {"schema/invalid": "EEEE"}, [result(content="three")]),
    Fault("text-without-text", {"schema/invalid": "EEEE"}, [result(content=[{"type": "text"}])]),
    Fault("no-content", {"schema/invalid": "EEEE"}, [result(note="x")]),
    Fault("unknown-method", {"schema/unknown-method": "WWWW"}, [note("whatever"), DONE]),
    Fault("later-notification", {"schema/future-field": "III-"},
          [note("elicitation/complete", elicitationId="e"), DONE]),
    Fault("meta-key", {"meta/key-syntax": "--EE"},
          [result(content=[TEXT], _meta={"bad key!/x": 1})]),
    Fault("meta-reserved", {"meta/reserved-prefix": "---W"},
          [result(content=[TEXT], _meta={"com.modelcontextprotocol/x": 1})]),
    Fault("meta-reserved-label", {"meta/reserved-prefix": "--WW"},
          [result(content=[TEXT], _meta={"com.mcp.tools/x": 1})]),
    # stdio
    Fault("prose", {"stdio/stdout-pollution": "EEEE"}, ["Adding numbers...", DONE]),
    Fault("printed-json", {"stdio/stdout-pollution": "EEEE"}, ['{"level":"info"}', DONE]),
    Fault("several-lines", {"stdio/embedded-newline": "EEEE"},
          ["{", '  "jsonrpc": "2.0",', '  "method": "notifications/x",', '  "params": {', "    },",
           "    {", "  3", "}", DONE]),
    # tools
    _structured("output-mismatch", {"tool/output-mismatch": "--EE", **LATER},
                content=[TEXT], structuredContent={"n": "3"}),
    _structured("structured-missing", {"tool/structured-missing": "--EE"}, content=[TEXT]),
    _structured("structured-only", {"tool/structured-without-text": "--WW", **LATER},
                content=[], structuredContent={"n": 3}),
    _structured("structured-array", {"tool/structured-not-object": "--EE", **LATER},
                content=[TEXT], structuredContent=[3]),
    _structured("structured-failed", {}, content=[TEXT], isError=True),
    Fault("wrong-arguments", {"tool/validation-as-protocol-error": "---W"},
          [error(-32602, "n must be an integer")]),
    _content("base64", {"content/base64": "EEEE"},
             {"type": "image", "data": "%%%", "mimeType": "image/png"}),
    _content("mime", {"content/mime-missing": "EEEE"}, {"type": "image", "data": "AAAA"}),
    _content("video", {"content/unknown-type": "EEEE"},
             {"type": "video", "data": "AAAA", "mimeType": "video/mp4"}),
    _content("audio", {"content/unknown-type": "E---"},
             {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}),
    _content("link", {"content/unknown-type": "EE--"},
             {"type": "resource_link", "uri": "memo://a", "name": "a"}),
    _content("audience", {"content/audience-priority": "EEEE"},
             {**TEXT, "annotations": {"audience": ["robot"]}}),
    _content("priority", {"content/audience-priority": "EEEE"},
             {**TEXT, "annotations": {"priority": 7}}),
    # logs, progress, cancellation
    Fault("log-level", {"log/level": "EEEE"}, [log("loud"), DONE]),
    Fault("log-below", {"log/below-level": "WWWW"}, [log("debug"), DONE]),
    Fault("log-secret", {"log/secret-like": "WWWW"},
          [log("error", "api_key=sk-live-abcdef0123456789abcdef0123456789"), DONE]),
    Fault("progress-back", {"prog/not-increasing": "EEEE"},
          [progress(2, total=3), progress(1, total=3), DONE]),
    Fault("progress-over", {"prog/over-total": "IIII"}, [progress(5, total=3), DONE]),
    Fault("progress-token", {"prog/unknown-token": "EEEE"}, [progress(1, "nobody"), DONE]),
    Fault("progress-late", {"prog/after-completion": "EEEE"}, [progress(1), DONE, progress(2)]),
    Fault("cancel-unknown", {"cancel/unknown-request": "WWWW"},
          [note("cancelled", requestId=424242), DONE]),
    Fault("updated", {"res/updated-unsubscribed": "WWWW"},
          [note("resources/updated", uri="memo://never"), DONE]),
    Fault("list-changed", {"cap/list-changed-undeclared": "WWWW"},
          [note("prompts/list_changed"), DONE]),
    # questions
    Fault("asks-honestly", LATER,
          [form(name=STRING), DONE]),
    Fault("nested", {"elic/schema-nested": "--EE", **LATER},
          [form(a={"type": "object", "properties": {"x": STRING}}), DONE]),
    Fault("secret", {"elic/secret-field": "--WW", **LATER}, [form(password=STRING), DONE]),
    Fault("link-in-form", {"elic/link-in-form": "---W", **LATER},
          [form("Go to https://evil.example/login", a=STRING), DONE]),
    Fault("url-http", {"elic/url-http": "---W", **LATER, "schema/invalid": "--E-"},
          [url("http://example.com/x"), DONE]),
    Fault("url-userinfo", {"elic/url-userinfo": "---W", **LATER, "schema/invalid": "--E-"},
          [url("https://u:p@example.com/"), DONE]),
    Fault("context", {"samp/context-undeclared": "---W"},
          [sample(said("user", TEXT), includeContext="allServers"), DONE]),
    Fault("mixed", {"samp/tool-result-mixed": "---E", "schema/invalid": "EEE-",
                    "content/unknown-type": "EEE-"},
          [sample(said("assistant", USE), said("user", USED, TEXT)), DONE]),
    Fault("unbalanced", {"samp/tool-use-unbalanced": "---E", "content/unknown-type": "EEE-"},
          [sample(said("assistant", USE), said("user", TEXT)), DONE]),
    # resources, prompts, completion
    Fault("memo://text-and-blob", {"res/text-and-blob": "EEEE"},
          [result(contents=[{"uri": "memo://a", "text": "a", "blob": "AAAA"}])], "resources/read"),
    Fault("memo://missing", {"res/not-found-code": "WWWW"}, [error(-32000, "no such")],
          "resources/read"),
    Fault("memo://oops", {"res/not-found-code": "WWWW"}, [error(-32603, "Oops")],
          "resources/read"),
    Fault("memo://gone", {}, [error(-32002, "Resource not found")], "resources/read"),
    Fault("role", {"prompt/role": "EEEE"},
          [result(messages=[{"role": "system", "content": TEXT}])], "prompts/get"),
    Fault("needs", {"prompt/missing-arg-code": "WWWW"}, [error(-32603, "who is missing")],
          "prompts/get"),
    Fault("too-many", {"comp/too-many": "EEEE"},
          [result(completion={"values": [str(each) for each in range(150)]})],
          "completion/complete"),
)  # fmt: skip

DIALECT: Final = "http://example.com/my-dialect"
TOOLS: Final[tuple[tuple[JsonObject, dict[str, str]], ...]] = (
    ({"name": "echo me!"}, {"tool/name-charset": "---W"}),
    ({"name": "x" * 140}, {"tool/name-length": "---W"}),
    ({"name": "twice"}, {}),
    ({"name": "twice", "title": "other"}, {"tool/name-duplicate": "WWWW",
                                           "schema/future-field": "II--"}),
    ({"name": "bare", "description": ""}, {"tool/no-description": "IIII"}),
    ({"name": "wrong", "inputSchema": {**SCHEMA, "properties": {"s": {"type": "strin"}}}},
     {"tool/input-schema-invalid": "EEEE"}),
    ({"name": "rootless", "inputSchema": {"type": "string"}},
     {"tool/input-schema-invalid": "EEEE"}),
    ({"name": "empty", "inputSchema": {"type": "object"}}, {"tool/input-schema-empty": "IIII"}),
    ({"name": "dialect", "inputSchema": {**SCHEMA, "$schema": DIALECT}},
     {"tool/schema-dialect": "---W"}),
    ({"name": "network", "inputSchema": {
        **SCHEMA, "properties": {"s": {"$ref": "https://example.com/s.json"}}}},
     {"tool/network-ref": "WWWW"}),
    ({"name": "hints", "annotations": {"readOnlyHint": True, "destructiveHint": True}},
     {"tool/annotations-contradictory": "-WWW", "schema/future-field": "I---"}),
    ({"name": "icon", "icons": [{"src": "javascript:alert(1)"}]},
     {"icon/scheme": "---E", "schema/future-field": "III-"}),
    ({"name": "unknown-field", "futureThing": 1}, {}),
)  # fmt: skip
"""Tools that are wrong as they are listed, one a list: one finding of a kind may hide another."""


@dataclass(frozen=True)
class Standing:
    """A fault of a whole session: `script` is where the server is not honest, `asks` what the
    client asks for."""

    name: str
    wanted: dict[str, str]
    script: JsonObject
    asks: tuple[tuple[str, JsonObject], ...] = ()

    def __str__(self) -> str:
        return self.name


def opened(version: Json = "$version", *missing: str) -> Json:
    """The answer to `initialize`."""
    declared: JsonObject = {name: each for name, each in ALL.items() if name not in missing}
    return result(protocolVersion=version, capabilities=declared, serverInfo=SERVER)


_PROMPT: Final[JsonObject] = {"type": "ref/prompt", "name": "p"}
_COMPLETE: Final[JsonObject] = {"ref": _PROMPT, "argument": {"name": "who", "value": ""}}

STANDING: Final = (
    Standing("honest", {}, {}),
    Standing("version-unheard-of", {"life/version-unsupported": "EEEE"},
             {"initialize": [opened("2099-01-01")]}),
    Standing("version-modern", {"life/version-unsupported": "EEEE"},
             {"initialize": [opened("2026-07-28")]}),
    Standing("version-downgrade", {"life/version-downgrade": "-III"},
             {"initialize": [opened("2024-11-05", "completions")]}),
    Standing("asks-too-early", {"life/request-before-init": "WWWW"},
             {"initialize": [want("q", "roots/list"), opened()]}),
    Standing("notification-answered", {"rpc/notification-answered": "EEEE"},
             {"notifications/initialized": [{"jsonrpc": "2.0", "id": None, "result": {}}]}),
    Standing("logs-undeclared", {"cap/logging-undeclared": "EEEE"},
             {"initialize": [opened("$version", "logging")], "tools/call": [log("info"), DONE]},
             (("tools/call", {"name": "x"}),)),
    Standing("completes-undeclared", {"cap/completions-undeclared": "-EEE"},
             {"initialize": [opened("$version", "completions")],
              "completion/complete": [result(completion={"values": []})]},
             (("completion/complete", _COMPLETE),)),
    Standing("works-undeclared", {"cap/feature-works-undeclared": "WWWW"},
             {"initialize": [opened("$version", "prompts")]}, (("prompts/list", {}),)),
    Standing("declared-in-vain", {"cap/declared-not-implemented": "EEEE"},
             {"resources/list": [error(-32601, "Method not found")]}, (("resources/list", {}),)),
    Standing("unknown-tool", {"tool/unknown-as-result": "IIII"},
             {"tools/call nope": [result(content=[TEXT], isError=True)]},
             (("tools/list", {}), ("tools/call", {"name": "nope"}))),
)  # fmt: skip
