"""A session that uses everything that a server of other people offers, for the linter to judge."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Final

from inspector.config.targets import Target
from inspector.errors import InspectorError
from inspector.journal.journal import Journal
from inspector.protocol.messages import Json, JsonObject
from inspector.protocol.versions import Era
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


async def used(
    target: Target, protocol: str, samples: Mapping[str, Json] = MappingProxyType({})
) -> Journal:
    """The journal of a session in which all was listed, called, read and got once."""
    policies: Mapping[AskKind, Policy] = {
        kind: Policy("answer", answer) for kind, answer in ANSWERS.items()
    }
    options = Options(protocol=protocol, no_record=True, policies=policies, timeout=CALL_SECONDS)
    async with asyncio.timeout(SECONDS), Workbench(target, options=options) as bench:
        state = await bench.connect()
        if state.error is not None:
            raise state.error
        await _use(bench.session, samples)
    return bench.journal


async def _use(session: Session, samples: Mapping[str, Json]) -> None:
    for kind in LISTS:
        await session.catalog.refresh(kind)
    for item in _items(session, "tools"):
        call = await session.call_tool(
            str(item["name"]), _arguments(item.get("inputSchema"), samples)
        )
        await call.wait()
    for item in _items(session, "resources"):
        await (await session.read_resource(str(item["uri"]))).wait()
    with suppress(InspectorError):  # a server without resources
        await (await session.read_resource("memo://nowhere")).wait()
    for item in _items(session, "prompts"):
        listed = item.get("arguments")
        named = listed if isinstance(listed, list) else []
        given = {str(each["name"]): "1" for each in named if isinstance(each, dict)}
        await (await session.get_prompt(str(item["name"]), given)).wait()
    await (await session.call_tool("there-is-no-such-tool", {})).wait()
    for use in (_watched, _completed, _logged, _pinged):
        with suppress(InspectorError):  # what the server did not declare, or this era has not
            await use(session)


async def _watched(session: Session) -> None:
    for item in _items(session, "resources")[:1]:
        watching = await session.subscribe(str(item["uri"]))
        if session.era is Era.HANDSHAKE:  # in the modern era it is a stream, without an answer
            await watching.wait()
        await (await session.read_resource(str(item["uri"]))).wait()
        ending = await session.unsubscribe(str(item["uri"]))
        if session.era is Era.HANDSHAKE:
            await ending.wait()


async def _completed(session: Session) -> None:
    for item in _items(session, "prompts"):
        listed = item.get("arguments")
        for each in (listed if isinstance(listed, list) else [])[:1]:
            if isinstance(each, dict):
                reference = {"type": "ref/prompt", "name": item["name"]}
                argument = {"name": each["name"], "value": "a"}
                asked = {"ref": reference, "argument": argument}
                await (await session.request("completion/complete", asked)).wait()


async def _logged(session: Session) -> None:
    asked = await session.set_log_level("debug")
    if asked is not None:
        await asked.wait()
    for item in _items(session, "tools")[:1]:
        arguments = _arguments(item.get("inputSchema"), {})
        await (await session.call_tool(str(item["name"]), arguments)).wait()


async def _pinged(session: Session) -> None:
    await session.ping()


def _items(session: Session, kind: ListKind) -> list[JsonObject]:
    return [item for item in session.catalog[kind].items if isinstance(item, dict)]


def _arguments(schema: Json, samples: Mapping[str, Json]) -> JsonObject:
    """Something for each argument that is required; `samples` are values by name."""
    if not isinstance(schema, dict):
        return {}
    properties, required = schema.get("properties"), schema.get("required")
    found: JsonObject = {}
    for name in required if isinstance(required, list) else []:
        held = properties.get(str(name)) if isinstance(properties, dict) else None
        kind = held.get("type") if isinstance(held, dict) else None
        choices = held.get("enum") if isinstance(held, dict) else None
        found[str(name)] = samples.get(str(name)) or (
            choices[0] if isinstance(choices, list) and choices else _SAMPLES.get(str(kind), "1")
        )
    return found
