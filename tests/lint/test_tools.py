"""The rules of tools."""

from pathlib import Path

import pytest

from inspector.protocol.messages import Json, JsonObject
from tests.lint.bench import Case, Step, ask, bad, check, ok

ANY: JsonObject = {"type": "object", "properties": {}}
NUMBER: JsonObject = {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}
TEXT: Json = [{"type": "text", "text": "x"}]


def tool(name: Json = "add", **more: Json) -> Json:
    return {"name": name, "description": "Adds.", "inputSchema": ANY, **more}


def listed(*tools: Json, on: str = "D") -> list[Step]:
    more: JsonObject = {"ttlMs": 0, "cacheScope": "public"} if on == "E" else {}
    return [ask("l", "tools/list"), ok("l", tools=list(tools), **more)]


def twice(*tools: Json) -> list[Step]:
    return [ask("m", "tools/list"), ok("m", tools=list(tools), ttlMs=0, cacheScope="public")]


def called(**result: Json) -> list[Step]:
    return [ask(1, "tools/call", name="add"), ok(1, **result)]


OUT = listed(tool(outputSchema=NUMBER))
HEADER: JsonObject = {"type": "string", "x-mcp-header": "Region"}


def marked(name: str, field: Json) -> Json:
    return tool(inputSchema={"type": "object", "properties": {name: field}})


FAULTS: dict[str, JsonObject] = {
    "empty": {"a": {"type": "string", "x-mcp-header": ""}},
    "token": {"a": {"type": "string", "x-mcp-header": "a b"}},
    "duplicate": {"a": HEADER, "b": {"type": "string", "x-mcp-header": "REGION"}},
    "type": {"a": {"type": "number", "x-mcp-header": "A"}},
    "unreachable": {"a": {"type": "array", "items": HEADER}},
}


CASES = (
    Case("tool/name-charset", "D", listed(tool("add it")), listed(tool("add_it"))),
    Case("tool/name-length", "D", listed(tool("a" * 129)), listed(tool("a" * 128))),
    Case("tool/name-duplicate", "D", listed(tool(), tool()), listed(tool(), tool("b"))),
    Case(
        "tool/name-duplicate",
        "D",
        listed(tool(), tool()),
        [
            *listed(tool()),
            ask(2, "tools/list", cursor="no-cursor-of-yours"),
            ok(2, tools=[tool()]),
        ],
        name="-cursor of nobody",
    ),
    Case("tool/no-description", "D", listed({"name": "a", "inputSchema": ANY}), listed(tool())),
    Case(
        "tool/input-schema-invalid",
        "D",
        listed(tool(inputSchema={"type": "string"})),
        listed(tool()),
    ),
    Case(
        "tool/input-schema-invalid",
        "D",
        listed(tool(inputSchema={"type": "object", "properties": {"a": {"type": "text"}}})),
        listed(tool()),
        name="-inside",
    ),
    Case(
        "tool/input-schema-empty",
        "D",
        listed(tool(inputSchema={"type": "object"})),
        listed(tool(inputSchema={"type": "object", "additionalProperties": False})),
    ),
    Case(
        "tool/schema-dialect",
        "D",
        listed(tool(inputSchema={**ANY, "$schema": "https://example.com/own"})),
        listed(tool(inputSchema={**ANY, "$schema": "http://json-schema.org/draft-07/schema#"})),
    ),
    Case(
        "tool/network-ref",
        "D",
        listed(
            tool(
                inputSchema={
                    "type": "object",
                    "properties": {"a": {"$ref": "https://example.com/a"}},
                }
            )
        ),
        listed(
            tool(
                inputSchema={
                    "type": "object",
                    "properties": {"a": {"$ref": "#/$defs/a"}},
                    "$defs": {"a": {}},
                }
            )
        ),
    ),
    Case(
        "tool/output-mismatch",
        "D",
        [*OUT, *called(content=TEXT, structuredContent={"n": "1"})],
        [*OUT, *called(content=TEXT, structuredContent={"n": 1})],
    ),
    Case(
        "tool/structured-missing",
        "D",
        [*OUT, *called(content=TEXT)],
        [*OUT, *called(content=TEXT, isError=True)],
    ),
    Case(
        "tool/structured-without-text",
        "D",
        called(content=[], structuredContent={}),
        called(content=TEXT, structuredContent={}),
    ),
    Case(
        "tool/structured-not-object",
        "D",
        called(content=TEXT, structuredContent=[1]),
        called(content=TEXT, structuredContent={}),
    ),
    Case(
        "tool/structured-not-object",
        "D",
        [*OUT, *called(content=TEXT, structuredContent=[1])],
        [*OUT, *called(content=TEXT, structuredContent={"n": 1})],
        name="-with an output schema",
    ),
    Case(
        "page/duplicate-items",
        "D",
        [
            ask(1, "tools/list"),
            ok(1, tools=[tool()], nextCursor="a"),
            ask(2, "tools/list", cursor="a"),
            ok(2, tools=[tool()]),
        ],
        [
            ask(1, "tools/list"),
            ok(1, tools=[tool()], nextCursor="a"),
            ask(2, "tools/list", cursor="a"),
            ok(2, tools=[tool("b")]),
        ],
        name="-tools",
    ),
    Case(
        "tool/annotations-contradictory",
        "D",
        listed(tool(annotations={"readOnlyHint": True, "destructiveHint": True})),
        listed(tool(annotations={"readOnlyHint": False, "destructiveHint": True})),
    ),
    Case(
        "tool/annotations-contradictory",
        "B",
        listed(tool(annotations={"readOnlyHint": True, "idempotentHint": False})),
        listed(tool(annotations={"readOnlyHint": True, "idempotentHint": True})),
        name="-repeated",
    ),
    *(
        Case(
            f"tool/x-mcp-header-{fault}",
            "E",
            listed(tool(inputSchema={"type": "object", "properties": fields}), on="E"),
            listed(marked("where", HEADER), on="E"),
        )
        for fault, fields in FAULTS.items()
    ),
    Case(
        "tool/x-mcp-header-secret",
        "E",
        listed(marked("password", HEADER), on="E"),
        listed(marked("where", HEADER), on="E"),
    ),
    Case(
        "tool/unknown-as-result",
        "D",
        [*listed(tool("b")), *called(content=TEXT, isError=True)],
        [*listed(tool()), *called(content=TEXT, isError=True)],
    ),
    Case(
        "tool/validation-as-protocol-error",
        "D",
        [
            *listed(tool(inputSchema=NUMBER)),
            ask(1, "tools/call", name="add", arguments={}),
            bad(1, -32602),
        ],
        [
            *listed(tool(inputSchema=NUMBER)),
            ask(1, "tools/call", name="add", arguments={}),
            ok(1, content=TEXT, isError=True),
        ],
    ),
    Case(
        "tool/order-unstable",
        "E",
        [*listed(tool(), tool("b"), on="E"), *twice(tool("b"), tool())],
        [*listed(tool(), tool("b"), on="E"), *twice(tool(), tool("b"))],
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)
