"""A real server breaks one rule, a session with it is judged while it happens, and that rule is
told and no other. At least one rule of each area stands here."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.errors import InspectorError
from inspector.protocol.messages import Json, JsonObject
from inspector.session.asks import Policy
from inspector.session.options import Options
from inspector.session.session import Session
from inspector.workbench import Workbench
from tests.servers.rude_http import rude_http

SCRIPTED = Path(__file__).parent.parent / "servers" / "scripted_stdio.py"
SECONDS = 30.0
D, E = "2025-11-25", "2026-07-28"
PREFIX = "io.modelcontextprotocol/"
SERVER: JsonObject = {"name": "scripted", "version": "1"}
ALL: JsonObject = {"tools": {}, "resources": {"subscribe": True}, "prompts": {}, "logging": {}}
SCHEMA: JsonObject = {"type": "object", "properties": {}, "additionalProperties": False}
ADD: JsonObject = {"name": "add", "description": "Adds.", "inputSchema": SCHEMA}
TEXT: JsonObject = {"type": "text", "text": "ok"}
DONE: JsonObject = {"content": [TEXT]}
TIMES: JsonObject = {"createdAt": "2026-01-01T00:00:00Z", "lastUpdatedAt": "2026-01-01T00:00:00Z"}
META: JsonObject = {PREFIX + "serverInfo": SERVER}

Use = Callable[[Session], Awaitable[object]]


def result(**members: Json) -> Json:
    return {"jsonrpc": "2.0", "id": "$id", "result": dict(members)}


def complete(**members: Json) -> Json:
    return result(resultType="complete", _meta=META, **members)


def error(code: int, message: str = "no") -> Json:
    return {"jsonrpc": "2.0", "id": "$id", "error": {"code": code, "message": message}}


def note(name: str, **params: Json) -> Json:
    return {"jsonrpc": "2.0", "method": f"notifications/{name}", "params": dict(params)}


def question(identifier: Json, method: str, **params: Json) -> Json:
    return {"jsonrpc": "2.0", "id": identifier, "method": method, "params": dict(params)}


HONEST: JsonObject = {
    "initialize": [result(protocolVersion="$version", capabilities=ALL, serverInfo=SERVER)],
    "tools/list": [result(tools=[ADD])],
    "resources/list": [result(resources=[{"uri": "memo://a", "name": "a"}])],
    "resources/templates/list": [result(resourceTemplates=[])],
    "prompts/list": [result(prompts=[{"name": "p"}])],
    "tools/call": [result(**DONE)],
    "prompts/get": [result(messages=[])],
    "resources/read": [result(contents=[{"uri": "memo://a", "text": "a"}])],
}
KEPT: JsonObject = {"ttlMs": 0, "cacheScope": "private"}
MODERN: JsonObject = {
    "server/discover": [complete(supportedVersions=[E], capabilities=ALL, **KEPT)],
    "tools/list": [complete(tools=[ADD], **KEPT)],
    "tools/call": [complete(**DONE)],
}
MARKED: JsonObject = {
    **SCHEMA, "properties": {"a": {"type": "string", "x-mcp-header": "a b"}},
}  # fmt: skip
TASKS: JsonObject = {**ALL, "extensions": {PREFIX + "tasks": {}}}
FORM: JsonObject = {"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}}
ASKS: JsonObject = {"type": "object", "properties": {"a": {"type": "object", "properties": {}}}}
OUT: JsonObject = {**SCHEMA, "properties": {"n": {"type": "integer"}}}


async def call(session: Session) -> None:
    await session.catalog.refresh("tools")
    for tool in session.catalog["tools"].items:
        name = tool["name"] if isinstance(tool, dict) else ""
        await (await session.call_tool(str(name), {})).wait()


async def resources(session: Session) -> None:
    await session.catalog.refresh("resources")
    await (await session.read_resource("memo://a")).wait()


async def prompt(session: Session) -> None:
    await session.catalog.refresh("prompts")
    await (await session.get_prompt("p", {})).wait()


async def listed_with_a_cursor(session: Session) -> None:
    await (await session.request("tools/list", {"cursor": "of-nobody"})).wait()


@dataclass(frozen=True)
class Plant:
    """A rule, and what the server says where it differs from the honest one."""

    rule: str
    script: Mapping[str, Json]
    protocol: str = D
    use: Use = call
    also: frozenset[str] = field(default_factory=frozenset)

    def __str__(self) -> str:
        return f"{self.rule}-{self.protocol}"


PLANTS = (
    Plant("rpc/bad-version", {"tools/call": [{"jsonrpc": "1.0", "id": "$id", "result": DONE}]}),
    Plant("rpc/response-duplicate", {"tools/call": [result(**DONE), result(**DONE)]}),
    Plant("rpc/request-unanswered", {"tools/call": []}),
    Plant("schema/invalid", {"tools/call": [result(content="no")]}),
    Plant("life/request-before-init", {
        "initialize": [question("q", "roots/list"), *HONEST["initialize"]],  # type: ignore[misc]
    }),
    Plant("cap/logging-undeclared", {
        "initialize": [result(protocolVersion=D, capabilities={"tools": {}}, serverInfo=SERVER)],
        "tools/call": [note("message", level="info", data=1), result(**DONE)],
    }),
    Plant("stdio/stdout-pollution", {"tools/call": ["Server listening", result(**DONE)]}),
    Plant("tool/output-mismatch", {
        "tools/list": [result(tools=[{**ADD, "outputSchema": OUT}])],
        "tools/call": [result(**DONE, structuredContent={"n": "one"})],
    }),
    Plant("content/base64", {
        "tools/call": [result(content=[{"type": "image", "data": "?", "mimeType": "image/png"}])],
    }),
    Plant("res/uri-invalid", {
        "resources/list": [result(resources=[{"uri": "no uri", "name": "a"}])],
    }, use=resources),
    Plant("prompt/role", {
        "prompts/get": [result(messages=[{"role": "system", "content": TEXT}])],
    }, use=prompt),
    Plant("page/null-cursor", {"tools/list": [result(tools=[ADD], nextCursor=None)]}),
    Plant("page/bad-cursor-code", {"tools/list": [error(-32603)]}, use=listed_with_a_cursor),
    Plant("log/level", {
        "tools/call": [note("message", level="loud", data=1), result(**DONE)],
    }),
    Plant("prog/unknown-token", {
        "tools/call": [note("progress", progressToken="x", progress=1), result(**DONE)],
    }),
    Plant("elic/schema-nested", {
        "tools/call": [
            question("q", "elicitation/create", message="?", requestedSchema=ASKS), result(**DONE),
        ],
    }),
    Plant("samp/context-undeclared", {
        "tools/call": [
            question("q", "sampling/createMessage", messages=[], maxTokens=1,
                     includeContext="allServers"),
            result(**DONE),
        ],
    }),
    Plant("icon/scheme", {
        "tools/list": [result(tools=[{**ADD, "icons": [{"src": "http://a.example/i.png"}]}])],
    }),
    Plant("tool/x-mcp-header-token", {
        "tools/list": [complete(tools=[{**ADD, "inputSchema": MARKED}], **KEPT)],
    }, E),
    Plant("result/type-missing", {"tools/call": [result(**DONE, _meta=META)]}, E),
    Plant("mrtr/empty", {"tools/call": [result(resultType="input_required", _meta=META)]}, E),
    Plant("cache/missing", {"tools/list": [complete(tools=[ADD], ttlMs=0)]}, E),
    Plant("rpc/server-request-modern", {
        "tools/call": [question("q", "elicitation/create", **FORM), complete(**DONE)],
    }, E),
    Plant("log/unsolicited", {
        "tools/call": [note("message", level="info", data=1), complete(**DONE)],
    }, E, also=frozenset({"dep/feature"})),
    Plant("sub/id-missing", {
        "tools/call": [
            note("subscriptions/acknowledged", notifications={}), complete(**DONE),
        ],
    }, E),
    Plant("stdio/untagged-subscription", {
        "tools/call": [note("tools/list_changed"), complete(**DONE)],
    }, E),
    Plant("task/missing-timestamps", {
        "server/discover": [complete(supportedVersions=[E], capabilities=TASKS, **KEPT)],
        "tools/call": [result(
            resultType="task", _meta=META, taskId="t", status="working", ttlMs=1000,
            createdAt="2026-01-01T00:00:00Z",
        )],
        "tasks/get": [complete(taskId="t", status="completed", ttlMs=1000, result=DONE, **TIMES)],
    }, E),
)  # fmt: skip


async def judged(target: Target, use: Use, protocol: str) -> set[str]:
    """The rules that a session with the server broke, told while it happened."""
    answers: JsonObject = {"action": "decline"}
    policies = {"elicitation": Policy("answer", answers), "roots": Policy("answer", {"roots": []})}
    options = Options(protocol=protocol, no_record=True, policies=policies, timeout=2.0)  # type: ignore[arg-type]
    async with asyncio.timeout(SECONDS), Workbench(target, options=options) as bench:
        judge = bench.begin_judging()
        state = await bench.connect()
        if state.error is None:
            with suppress(InspectorError):
                await use(bench.session)
    return {finding.rule for finding in judge.finish()}


def _scripted(script: Mapping[str, Json]) -> Target:
    return Target(command=(sys.executable, "-S", str(SCRIPTED), json.dumps(dict(script))))


@pytest.mark.parametrize("plant", PLANTS, ids=str)
async def test_the_rule_that_a_process_breaks_is_told_and_no_other(plant: Plant) -> None:
    honest = HONEST if plant.protocol == D else MODERN
    found = await judged(_scripted({**honest, **plant.script}), plant.use, plant.protocol)
    assert found == {plant.rule} | plant.also


@pytest.mark.parametrize(
    ("script", "use", "protocol"),
    [(HONEST, call, D), (HONEST, resources, D), (HONEST, prompt, D), (MODERN, call, E)],
    ids=["call", "resources", "prompt", "modern"],
)
async def test_of_an_honest_process_nothing_is_told(
    script: JsonObject, use: Use, protocol: str
) -> None:
    assert await judged(_scripted(script), use, protocol) == set()


WEB: tuple[tuple[str, str, set[str]], ...] = (
    ("honest", D, set()),
    ("stream", D, set()),
    ("close-then-resume", D, set()),
    ("several-lines", D, {"http/multi-json"}),
    ("close-without-id", "2025-06-18", {"http/stream-ended-early"}),
    ("html-200", D, {"http/content-type"}),
    ("accepted", D, {"http/request-202"}),
    ("session-unknown", D, {"http/session-unknown-not-404"}),
    ("wrong-id", D, {"rpc/response-unknown-id"}),
    ("batch", D, {"rpc/batch"}),
)
ALWAYS = {"tool/no-description", "tool/input-schema-empty", "cap/logging-undeclared"}
"""What the rude server over HTTP breaks in each of its modes."""


@pytest.mark.parametrize(("mode", "protocol", "rules"), WEB, ids=[one[0] for one in WEB])
async def test_the_rule_that_a_server_breaks_over_http_is_told_and_no_other(
    mode: str, protocol: str, rules: set[str]
) -> None:
    async with rude_http(mode) as peer:
        assert await judged(Target(url=peer.url), call, protocol) - ALWAYS == rules


async def test_an_endpoint_of_another_origin_is_told() -> None:
    async with rude_http("sse-elsewhere") as peer:
        found = await judged(Target(url=peer.url, transport="sse"), call, D)
    assert found == {"sse/endpoint-cross-origin"}
