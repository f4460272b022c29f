"""Tools that some hosts are known to refuse or to change: remarks beside the specification.

A host hands the tools of a server on to a model, whose API has limits of its own. Each rule here is
one such limit that was seen in the wild; its page says where. They are no violations: all of them
are remarks (info), judged only where somebody asks for it, after the fact and apart from the
linter. Decides which tools are looked at, and what is told of names and numbers; schemas are
`inspector.lint.portability_schema`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from inspector.journal.answers import answers_to
from inspector.journal.journal import Journal
from inspector.lint.portability_parts import Remark
from inspector.lint.portability_schema import RULES as SCHEMA_RULES
from inspector.lint.portability_schema import remarks
from inspector.lint.rule import Finding, Rule, Severity, pointer, quoted, rule
from inspector.protocol.json_text import NotJsonError, parse_json
from inspector.protocol.messages import JsonObject
from inspector.protocol.versions import LATEST_HANDSHAKE, Revision

TOOLS_JUDGED: Final = 2000
NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
FIRST: Final = re.compile(r"[a-zA-Z_]")
WITH_SERVER: Final = 60
"""Characters that Cursor allows the names of server and tool together."""
ROOM: Final = 10
"""Of these, how many a server's name may want."""
DESCRIPTION: Final = 1024
MOST_TOOLS: Final = 128
ALL: Final = "ABCDE"

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "host/tool-name",
        "A tool has a name that model APIs refuse",
        "https://github.com/openai/codex/issues/8174",
        info=ALL,
    ),
    rule(
        "host/tool-name-start",
        "A tool's name begins with what Gemini refuses",
        "https://cloud.google.com/vertex-ai/generative-ai/docs/reference/java/latest/"
        "com.google.cloud.vertexai.api.FunctionDeclarationOrBuilder",
        info=ALL,
    ),
    rule(
        "host/tool-name-room",
        "A tool's name leaves no room for that of its server",
        "https://github.com/ComposioHQ/composio/issues/2788",
        info=ALL,
    ),
    rule(
        "host/too-many-tools",
        "There are more tools than some hosts take",
        "https://github.com/microsoft/vscode/issues/258890",
        info=ALL,
    ),
    rule(
        "host/description-length",
        "A tool's description is longer than some hosts take",
        "https://github.com/modelcontextprotocol/servers/issues/799",
        info=ALL,
    ),
    *SCHEMA_RULES,
)
_BY_ID: Final = {row.id: row for row in RULES}


@dataclass(frozen=True, slots=True)
class _Tool:
    entry: int
    place: str
    tool: JsonObject
    revision: Revision


def judge(
    journal: Journal, revision_of: Callable[[int], Revision | None] = lambda _: None
) -> list[Finding]:
    """What hosts are known to make of the tools that were listed. `revision_of` knows what a
    connection speaks."""
    tools = _listed(journal, revision_of)
    found: list[Finding] = []
    for name, one in tools.items():
        for each in (*_names(name), *_described(one.tool), *_schema(one.tool)):
            found.append(_finding(one, each))
    if len(tools) > MOST_TOOLS:
        last = [*tools.values()][-1]
        found.append(
            _finding(
                last,
                Remark(
                    "host/too-many-tools",
                    (),
                    f"The server has {len(tools)} tools; VS Code takes at most {MOST_TOOLS} from"
                    " all servers together.",
                    "let the user choose groups of tools, or split the server",
                ),
            )
        )
    return found


def _listed(journal: Journal, revision_of: Callable[[int], Revision | None]) -> dict[str, _Tool]:
    """The tools by name, each as it was listed last and where that was first."""
    found: dict[str, _Tool] = {}
    for number in answers_to(journal, "tools/list"):
        revision = revision_of(journal.row(number).connection) or LATEST_HANDSHAKE
        for index, tool in enumerate(_tools(journal.body(number))):
            name = tool.get("name")
            if not isinstance(name, str) or len(found) >= TOOLS_JUDGED:
                continue
            if name not in found or found[name].tool != tool:
                found[name] = _Tool(number, pointer("result", "tools", index), tool, revision)
    return found


def _tools(body: bytes) -> list[JsonObject]:
    try:
        match parse_json(body):
            case {"result": {"tools": list() as tools}}:
                return [one if isinstance(one, dict) else {} for one in tools]
    except NotJsonError:
        pass
    return []


def _finding(one: _Tool, remark: Remark) -> Finding:
    row = _BY_ID[remark.rule]
    message = f"{remark.reason} Repair: {remark.repair}."
    place = "" if remark.rule == "host/too-many-tools" else one.place + pointer(*remark.steps)
    return Finding(row.id, Severity.INFO, one.revision, message, (one.entry,), place, row.page)


def _names(name: str) -> Iterator[Remark]:
    steps = ("name",)
    if not NAME.fullmatch(name):
        why = (
            f"has {len(name)} characters"
            if len(name) > 64
            else "has other characters than A-Z, a-z, 0-9, _ and -"
        )
        yield Remark(
            "host/tool-name",
            steps,
            f"The name {quoted(name)} {why}; the APIs of OpenAI and Claude refuse it.",
            f"call it {quoted(_repaired(name))}",
        )
    if name and not FIRST.match(name):
        yield Remark(
            "host/tool-name-start",
            steps,
            f"The name {quoted(name)} begins with {quoted(name[0])}; Gemini wants a letter or an"
            " underscore there.",
            f"call it {quoted(_repaired('_' + name))}",
        )
    left = WITH_SERVER - len(name)
    if left < ROOM:
        yield Remark(
            "host/tool-name-room",
            steps,
            f"The name has {len(name)} characters; Cursor drops a tool whose name and its server's"
            f" have more than {WITH_SERVER} together.",
            f"shorten it to {WITH_SERVER - ROOM} characters",
        )


def _repaired(name: str) -> str:
    return re.sub(r"[^a-zA-Z0-9_-]+", "_", name)[:64].strip("_") or "tool"


def _described(tool: JsonObject) -> Iterator[Remark]:
    description = tool.get("description")
    if isinstance(description, str) and len(description) > DESCRIPTION:
        yield Remark(
            "host/description-length",
            ("description",),
            f"The description has {len(description)} characters; some models of OpenAI refuse more"
            f" than {DESCRIPTION}, and Claude Code cuts it at 2048.",
            "say the essential first, and the rest in the descriptions of arguments",
        )


def _schema(tool: JsonObject) -> Iterator[Remark]:
    schema = tool.get("inputSchema")
    if isinstance(schema, dict):
        for remark in remarks(schema):
            yield Remark(remark.rule, ("inputSchema", *remark.steps), remark.reason, remark.repair)
