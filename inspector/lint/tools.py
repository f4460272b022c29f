"""Rules of tools (`server/tools`): their names, schemas and hints, and what calls return."""

import re
from dataclasses import dataclass, field
from typing import Final

from inspector.lint.look import Look
from inspector.lint.rule import Rule, pointer, quoted, rule
from inspector.lint.schemas import Matcher, facts_of, mismatch, problem_of
from inspector.lint.state import MODERN
from inspector.protocol.codes import INVALID_PARAMS
from inspector.protocol.header_params import header_params
from inspector.protocol.messages import Json, JsonObject, MessageKind

_PAGE: Final = "server/tools"
TOOLS_KEPT: Final = 10_000
_NAME: Final = re.compile(r"[A-Za-z0-9_.\-]*")
_SECRET: Final = re.compile(r"pass(?:word|phrase)|secret|token|api[-_]?key|credential", re.I)

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "tool/name-charset", "A tool's name has other characters than it should", _PAGE, warn="DE"
    ),
    rule("tool/name-length", "A tool's name is too short or too long", _PAGE, warn="DE"),
    rule("tool/name-duplicate", "Two tools have one name", _PAGE, warn="ABCDE"),
    rule("tool/no-description", "A tool has no description", _PAGE, info="ABCDE"),
    rule("tool/input-schema-invalid", "A tool's schema is not valid", _PAGE, error="ABCDE"),
    rule("tool/input-schema-empty", "A tool's input schema says nothing", _PAGE, info="ABCDE"),
    rule("tool/schema-dialect", "A schema's dialect is not widely known", "basic", warn="DE"),
    rule("tool/network-ref", "A schema refers to the network", "basic", warn="ABCDE"),
    rule("tool/output-mismatch", "Structured content breaks the output schema", _PAGE, error="CDE"),
    rule("tool/structured-missing", "Structured content is missing", _PAGE, error="CDE"),
    rule(
        "tool/structured-without-text",
        "Structured content is not repeated as text",
        _PAGE,
        warn="CDE",
    ),
    rule("tool/structured-not-object", "Structured content is no object", _PAGE, error="CD"),
    rule(
        "tool/annotations-contradictory", "A tool's hints contradict each other", _PAGE, warn="BCDE"
    ),
    rule("tool/x-mcp-header-empty", "A header mark is empty", _PAGE, error="E"),
    rule("tool/x-mcp-header-token", "A header mark can be no header's name", _PAGE, error="E"),
    rule("tool/x-mcp-header-duplicate", "Two header marks are alike", _PAGE, error="E"),
    rule("tool/x-mcp-header-type", "A header mark is on what no header carries", _PAGE, error="E"),
    rule(
        "tool/x-mcp-header-unreachable",
        "A header mark is where no argument is",
        _PAGE,
        error="E",
    ),
    rule("tool/x-mcp-header-secret", "A header mark stands on something secret", _PAGE, info="E"),
    rule("tool/unknown-as-result", "An unknown tool is told as a result", _PAGE, info="ABCDE"),
    rule(
        "tool/validation-as-protocol-error",
        "Wrong arguments are told as a protocol error",
        _PAGE,
        warn="DE",
    ),
    rule("tool/order-unstable", "Tools are listed in another order", _PAGE, warn="E"),
)


@dataclass(slots=True)
class _Tool:
    """A tool as it was listed, and what its results are measured by."""

    said: JsonObject
    output: Matcher | None = None


@dataclass(slots=True)
class _Kept:
    tools: dict[str, "_Tool"] = field(default_factory=dict)
    listing: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    following: object = None
    before: list[str] = field(default_factory=list)
    whole: bool = False


def shape(look: Look) -> None:
    """What the schema of a message would say less well."""
    if look.answers("tools/list"):
        for index, tool in _tools(look):
            for name in ("inputSchema", "outputSchema"):
                held = tool.get(name)
                if not isinstance(held, dict):
                    continue
                place = pointer("result", "tools", index, name)
                if held.get("type") != "object" and (
                    name == "inputSchema" or look.revision < MODERN
                ):
                    look.report(
                        "tool/input-schema-invalid",
                        f"The {name} of {_named(tool)} must be of type object at its root.",
                        place + "/type",
                    )
                elif why := problem_of(held):
                    look.report(
                        "tool/input-schema-invalid",
                        f"The {name} of {_named(tool)} must be a valid JSON Schema ({why}).",
                        place,
                    )
    elif look.answers("tools/call"):
        structured = look.result.get("structuredContent")
        if "structuredContent" in look.result and not isinstance(structured, dict):
            look.report(
                "tool/structured-not-object",
                "structuredContent must be an object.",
                "/result/structuredContent",
            )


def check(look: Look) -> None:
    """Judges one message and remembers the tools."""
    kept = look.state.held(_Kept)
    if look.answers("tools/list"):
        _listed(look, kept)
    elif look.answers("tools/call"):
        _called(look, kept)
    elif look.kind is MessageKind.ERROR and look.method == "tools/call":
        _refused(look, kept)
    elif look.method == "notifications/tools/list_changed":
        kept.before, kept.whole = [], False


def _tools(look: Look) -> list[tuple[int, JsonObject]]:
    tools = look.result.get("tools")
    listed = tools[:TOOLS_KEPT] if isinstance(tools, list) else []
    return [(index, tool) for index, tool in enumerate(listed) if isinstance(tool, dict)]


def _named(tool: JsonObject) -> str:
    return quoted(tool.get("name"))


def _listed(look: Look, kept: _Kept) -> None:
    if look.asked is None or "cursor" not in look.asked.params:
        kept.listing, kept.names, kept.whole = [], set(), False
    elif look.asked.params["cursor"] != kept.following:
        return  # a cursor that the walk did not give: its page says nothing of the list
    kept.following = look.result.get("nextCursor")
    before = frozenset(kept.names)
    for index, tool in _tools(look):
        place = pointer("result", "tools", index)
        name = tool.get("name")
        if not isinstance(name, str):
            continue
        known = kept.tools.get(name)
        if name in before and known is not None and known.said == tool:
            look.report(
                "page/duplicate-items",
                f"The tool {quoted(name)} was listed on a page before; an item should come once in"
                " a list.",
                place + "/name",
            )
        elif name in kept.names:
            look.report(
                "tool/name-duplicate",
                f"Two tools have the name {quoted(name)}; it should be unique in a server.",
                place + "/name",
            )
        if len(kept.listing) < TOOLS_KEPT:
            kept.listing.append(name)
            kept.names.add(name)
        if known is not None and known.said == tool:
            continue  # it was judged when it was listed before
        if len(kept.tools) < TOOLS_KEPT:
            output = tool.get("outputSchema")
            matcher = Matcher(output) if isinstance(output, dict) else None
            kept.tools[name] = _Tool(tool, matcher)
        _tool(look, place, name, tool)
    if "nextCursor" in look.result:
        return
    moved = kept.before != kept.listing and sorted(kept.before) == sorted(kept.listing)
    if look.revision is MODERN and kept.before and moved:
        look.report(
            "tool/order-unstable",
            "The same tools come in another order than before; it should be the same each time.",
            "/result/tools",
        )
    kept.before, kept.whole = kept.listing, True


def _tool(look: Look, place: str, name: str, tool: JsonObject) -> None:
    if not 1 <= len(name) <= 128:
        look.report(
            "tool/name-length",
            f"The name of a tool should have 1 to 128 characters, {quoted(name)} has {len(name)}.",
            place + "/name",
        )
    elif not _NAME.fullmatch(name):
        look.report(
            "tool/name-charset",
            f"The name {quoted(name)} should have only letters, digits, _, - and . in it.",
            place + "/name",
        )
    if not tool.get("description"):
        look.report(
            "tool/no-description",
            f"The tool {quoted(name)} has no description, which is what a model chooses by.",
            place + "/description",
        )
    _hints(look, place, tool)
    for member in ("inputSchema", "outputSchema"):
        schema = tool.get(member)
        if isinstance(schema, dict):
            _schema(look, place + pointer(member), name, schema)
    schema = tool.get("inputSchema")
    if isinstance(schema, dict):
        if schema.get("type") == "object" and schema.keys() <= {
            "type",
            "$schema",
            "title",
            "description",
        }:
            look.report(
                "tool/input-schema-empty",
                f"The input schema of {quoted(name)} names no argument and forbids none; one"
                " without arguments should say so by additionalProperties false.",
                place + "/inputSchema",
            )
        _headers(look, place + "/inputSchema", name, schema)


def _hints(look: Look, place: str, tool: JsonObject) -> None:
    hints = tool.get("annotations")
    if not isinstance(hints, dict) or hints.get("readOnlyHint") is not True:
        return
    if hints.get("destructiveHint") is True:
        look.report(
            "tool/annotations-contradictory",
            f"{_named(tool)} says that it only reads and that it destroys; destructiveHint means"
            " something only where readOnlyHint is false.",
            place + "/annotations/destructiveHint",
        )
    if hints.get("idempotentHint") is False:
        look.report(
            "tool/annotations-contradictory",
            f"{_named(tool)} says that it only reads and that to repeat it does more; hints about"
            " repetition mean something only where readOnlyHint is false.",
            place + "/annotations/idempotentHint",
        )


def _schema(look: Look, place: str, name: str, schema: JsonObject) -> None:
    known = facts_of(schema)
    if not known.known_dialect:
        look.report(
            "tool/schema-dialect",
            f"The schema of {quoted(name)} is in the dialect {quoted(known.dialect)}, which few"
            " clients know; 2020-12 is the default.",
            place + "/$schema",
        )
    if known.remote:
        look.report(
            "tool/network-ref",
            f"The schema of {quoted(name)} refers to {quoted(known.remote)}, which clients should"
            " not fetch; a schema should be whole in itself.",
            place + pointer(*known.remote_place),
        )


def _headers(look: Look, place: str, name: str, schema: JsonObject) -> None:
    marks = header_params(schema)
    if marks.fault is not None:
        look.report(
            f"tool/x-mcp-header-{marks.fault}",
            f"The tool {quoted(name)} must be rejected by clients: {marks.problem}.",
            place,
        )
    for mark in marks.params:
        if any(_SECRET.search(step) for step in (*mark.path, mark.name)):
            look.report(
                "tool/x-mcp-header-secret",
                f"The argument {quoted('.'.join(mark.path))} looks secret and travels as a header,"
                " where others can read it.",
                place,
            )


def _called(look: Look, kept: _Kept) -> None:
    result, asked = look.result, look.asked
    name = asked.params.get("name") if asked is not None else None
    if asked is None or not isinstance(name, str) or "content" not in result:
        return
    if result.get("isError") is True:
        if kept.whole and name not in kept.tools:
            look.report(
                "tool/unknown-as-result",
                f"There is no tool {quoted(name)}, and the server says so in a result; an unknown"
                " tool is an error -32602.",
                "/result/isError",
                asked.number,
            )
        return
    tool = kept.tools.get(name)
    output = tool.output if tool is not None else None
    if "structuredContent" not in result:
        if output is not None:
            look.report(
                "tool/structured-missing",
                f"The tool {quoted(name)} has an output schema, so its result must have"
                " structuredContent.",
                "/result/structuredContent",
                asked.number,
            )
        return
    structured: Json = result["structuredContent"]
    is_told = look.revision < MODERN and not isinstance(structured, dict)
    if output is not None and not is_told and (wrong := output.mismatch(structured)):
        message, path = wrong
        look.report(
            "tool/output-mismatch",
            f"structuredContent must be as the output schema of {quoted(name)} says: {message}.",
            "/result/structuredContent" + pointer(*path),
            asked.number,
        )
    content = result.get("content")
    texts = content if isinstance(content, list) else []
    if not any(isinstance(each, dict) and each.get("type") == "text" for each in texts):
        look.report(
            "tool/structured-without-text",
            "A result with structuredContent should have it as a text block too, for clients of"
            " former revisions.",
            "/result/content",
            asked.number,
        )


def _refused(look: Look, kept: _Kept) -> None:
    asked, code = look.asked, look.error.get("code")
    if asked is None or not asked.whole or code != INVALID_PARAMS:
        return
    name, arguments = asked.params.get("name"), asked.params.get("arguments", {})
    tool = kept.tools.get(name) if isinstance(name, str) else None
    schema = tool.said.get("inputSchema") if tool is not None else None
    if isinstance(schema, dict) and mismatch(schema, arguments) is not None:
        look.report(
            "tool/validation-as-protocol-error",
            "Arguments that break the input schema should be told as a result with isError, so that"
            " a model can correct itself.",
            "/error/code",
            asked.number,
        )
