"""A session that uses everything that a server of other people offers, for the linter to judge."""

import asyncio
from collections.abc import Mapping
from typing import Final

from inspector.config.targets import Target
from inspector.journal.journal import Journal
from inspector.protocol.messages import Json, JsonObject
from inspector.session.asks import AskKind, Policy
from inspector.session.catalog import ListKind
from inspector.session.options import Options
from inspector.session.session import Session
from inspector.workbench import Workbench

SECONDS: Final = 90.0
CALL_SECONDS: Final = 4.0
LISTS: Final[tuple[ListKind, ...]] = ("tools", "resources", "resourceTemplates", "prompts")
ANSWERS: Final[dict[AskKind, JsonObject]] = {
    "elicitation": {"action": "accept", "content": {"name": "Ada"}},
    "elicitation-url": {"action": "decline"},
    "sampling": {
        "role": "assistant",
        "content": {"type": "text", "text": "Forty-two."},
        "model": "small-1",
        "stopReason": "endTurn",
    },
    "roots": {"roots": [{"uri": "file:///srv/project", "name": "project"}]},
}
_SAMPLES: Final[dict[str, Json]] = {
    "string": "1", "integer": 1, "number": 1, "boolean": True, "array": [], "object": {},
}  # fmt: skip


async def used(target: Target, protocol: str) -> Journal:
    """The journal of a session in which all was listed, called, read and got once."""
    policies: Mapping[AskKind, Policy] = {
        kind: Policy("answer", answer) for kind, answer in ANSWERS.items()
    }
    options = Options(protocol=protocol, no_record=True, policies=policies, timeout=CALL_SECONDS)
    async with asyncio.timeout(SECONDS), Workbench(target, options=options) as bench:
        state = await bench.connect()
        if state.error is not None:
            raise state.error
        await _use(bench.session)
    return bench.journal


async def _use(session: Session) -> None:
    for kind in LISTS:
        await session.catalog.refresh(kind)
    for item in _items(session, "tools"):
        call = await session.call_tool(str(item["name"]), _arguments(item.get("inputSchema")))
        await call.wait()
    for item in _items(session, "resources"):
        await (await session.read_resource(str(item["uri"]))).wait()
    await (await session.read_resource("memo://nowhere")).wait()
    for item in _items(session, "prompts"):
        listed = item.get("arguments")
        named = listed if isinstance(listed, list) else []
        given = {str(each["name"]): "1" for each in named if isinstance(each, dict)}
        await (await session.get_prompt(str(item["name"]), given)).wait()
    await (await session.call_tool("there-is-no-such-tool", {})).wait()


def _items(session: Session, kind: ListKind) -> list[JsonObject]:
    return [item for item in session.catalog[kind].items if isinstance(item, dict)]


def _arguments(schema: Json) -> JsonObject:
    """Something for each argument that is required."""
    if not isinstance(schema, dict):
        return {}
    properties, required = schema.get("properties"), schema.get("required")
    found: JsonObject = {}
    for name in required if isinstance(required, list) else []:
        held = properties.get(str(name)) if isinstance(properties, dict) else None
        kind = held.get("type") if isinstance(held, dict) else None
        choices = held.get("enum") if isinstance(held, dict) else None
        found[str(name)] = (
            choices[0] if isinstance(choices, list) and choices else _SAMPLES.get(str(kind), "1")
        )
    return found
