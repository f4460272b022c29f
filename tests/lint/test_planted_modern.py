"""The corpus of planted faults of 2026-07-28 over stdio: each is told by its rule, and by nothing
else. One process commits all that do not disturb each other."""

from pathlib import Path
from typing import Final

import pytest

from inspector.protocol.messages import Json, JsonObject
from inspector.session.options import Advertise
from tests.lint.planting import Walk, by_answer, of_the_command, scripted, walk, wanted_in
from tests.servers.planted_handshake import SCHEMA, Fault, Standing
from tests.servers.planted_modern import (
    DISCOVERED,
    DONE,
    ENDED,
    FAULTS,
    LISTEN,
    OTHERWISE,
    REVISION,
    SHARED,
    STANDING,
    TOOLS,
    complete,
    kept,
    modernized,
)

CALL: Final[tuple[tuple[str, JsonObject], ...]] = (("tools/call", {"name": "x"}),)
SOME: Final = Advertise(elicitation_url=False)


def tool(name: str, **changed: Json) -> JsonObject:
    return {"name": name, "description": "Does.", "inputSchema": SCHEMA, **changed}


HONEST: Final[JsonObject] = {
    "server/discover": [DISCOVERED],
    "tools/list": [kept(tools=[tool("honest")])],
    "tools/call": [DONE],
    "tasks/cancel": [complete()],
    "resources/list": [kept(resources=[{"uri": "memo://a", "name": "a"}])],
    "resources/templates/list": [kept(resourceTemplates=[])],
    "resources/read": [kept(contents=[{"uri": "memo://a", "text": "a"}])],
    "prompts/list": [kept(prompts=[])],
}


def planted() -> JsonObject:
    """A server with all the faults."""
    script: JsonObject = {**HONEST, **ENDED}
    for fault in FAULTS:
        script[f"{fault.method} {fault.name}"] = fault.replies
    script["completion/complete"] = script["completion/complete completion-asks"]
    script["tools/call loops again"] = script["tools/call loops"]
    called = [fault for fault in FAULTS if fault.method == "tools/call"]
    tools: list[Json] = [tool(fault.name, **fault.tool) for fault in called]
    script["tools/list"] = [kept(tools=tools, nextCursor="0")]
    for index, (changed, _) in enumerate(TOOLS):
        page: JsonObject = {"tools": [{**tool(f"x{index}"), **changed}]}
        following: JsonObject = {} if index + 1 == len(TOOLS) else {"nextCursor": str(index + 1)}
        script[f"tools/list {index}"] = [kept(**page, **following)]
    return script


def params_of(fault: Fault) -> JsonObject:
    """What is asked for, so that the fault is committed."""
    match fault.method:
        case "tools/call":
            given: JsonObject = {"n": "x" if fault.name == "wrong-arguments" else 1}
            return {"name": fault.name, "arguments": given}
        case "resources/read":
            return {"uri": fault.name}
        case "completion/complete":
            prompt: JsonObject = {"type": "ref/prompt", "name": "p"}
            return {"ref": prompt, "argument": {"name": "who", "value": ""}}
        case "tasks/get":
            return {"taskId": fault.name}
        case "prompts/get":
            return {"name": fault.name}
        case _:
            uris: list[Json] = [fault.name]
            return {"notifications": {"toolsListChanged": True, "resourceSubscriptions": uris}}


async def commits(walk: Walk) -> None:
    """Commits everything, one fault after the other."""
    for kind in ("tools", "resources", "resourceTemplates", "prompts"):
        await walk.session.catalog.refresh(kind)
    for fault in FAULTS:
        ends = fault.name in ("loops", "task", "timeless", "cancelled", "failed")
        await walk.step(fault.name, fault.method, params_of(fault), "honest", ends=ends)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Walk:
    path = tmp_path_factory.mktemp("planted") / "E.jsonl"
    return walk(scripted(planted()), REVISION, path, commits, advertise=SOME)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_fault_brings_its_findings_and_no_other(session: Walk, fault: Fault) -> None:
    assert session.told(fault.name) == wanted_in(fault.wanted, "E", "E")


def test_each_page_brings_the_findings_of_its_tool(session: Walk) -> None:
    first, *told = by_answer(session.findings, session.journal, "tools/list")
    assert first == set()
    assert told[: len(TOOLS)] == [wanted_in(wanted, "E", "E") for _, wanted in TOOLS]


def test_the_command_tells_the_same_of_the_recording(session: Walk) -> None:
    found = [(each.rule, each.severity.value, each.entries[0]) for each in session.findings]
    assert len(found) > 40
    assert sorted(of_the_command(session.path)) == sorted(found)


def shared() -> JsonObject:
    """A server with the faults that are of all revisions."""
    script: JsonObject = {**HONEST}
    for fault in SHARED:
        script[f"{fault.method} {fault.name}"] = [modernized(each) for each in fault.replies]
    script["completion/complete"] = script["completion/complete too-many"]
    called = [fault for fault in SHARED if fault.method == "tools/call"]
    script["tools/list"] = [kept(tools=[tool(fault.name, **fault.tool) for fault in called])]
    prompt: JsonObject = {"name": "needs", "arguments": [{"name": "who", "required": True}]}
    script["prompts/list"] = [kept(prompts=[prompt, {"name": "role"}])]
    return script


async def commits_shared(walk: Walk) -> None:
    """Commits those, one after the other."""
    for kind in ("tools", "resources", "resourceTemplates", "prompts"):
        await walk.session.catalog.refresh(kind)
    for fault in SHARED:
        await walk.step(fault.name, fault.method, params_of(fault), "honest")


@pytest.fixture(scope="module")
def shared_session(tmp_path_factory: pytest.TempPathFactory) -> Walk:
    path = tmp_path_factory.mktemp("planted") / "shared.jsonl"
    return walk(scripted(shared()), REVISION, path, commits_shared)


@pytest.mark.parametrize("fault", SHARED, ids=str)
def test_a_fault_of_all_revisions_brings_its_findings_and_no_other(
    shared_session: Walk, fault: Fault
) -> None:
    wanted = wanted_in(fault.wanted, "D", "ABCD")
    if fault.name in OTHERWISE:
        wanted = wanted_in(OTHERWISE[fault.name], "E", "E")
    assert shared_session.told(fault.name) == wanted
    assert shared_session.elsewhere() == set()


@pytest.mark.parametrize("fault", STANDING, ids=str)
def test_a_fault_of_a_whole_session_brings_its_findings_and_no_other(
    fault: Standing, tmp_path: Path
) -> None:
    async def asks(walk: Walk) -> None:
        for number, (method, params) in enumerate(fault.asks or CALL):
            await walk.step(str(number), method, params, "honest", open_=method == LISTEN)

    script = {**HONEST, **fault.script}
    found = walk(scripted(script), REVISION, tmp_path / "a.jsonl", asks)
    told = {(each.rule, each.severity.value) for each in found.findings}
    assert told == wanted_in(fault.wanted, "E", "E")
