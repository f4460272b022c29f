"""The corpus of planted faults of the handshake era: each is told by its rule, and by nothing else.

One process a revision commits all faults that do not disturb each other; those of a whole session
have one each.
"""

from pathlib import Path
from typing import Final

import pytest

from inspector.journal.entries import Kind
from inspector.protocol.messages import Json, JsonObject
from tests.lint.planting import (
    LETTERED,
    Walk,
    by_answer,
    of_the_command,
    scripted,
    walk,
    wanted_in,
)
from tests.servers.planted_handshake import (
    DONE,
    FAULTS,
    SCHEMA,
    STANDING,
    TOOLS,
    Fault,
    Standing,
    opened,
    result,
)

LETTERS: Final = "ABCD"


def tool(name: str, **changed: Json) -> JsonObject:
    return {"name": name, "description": "Does.", "inputSchema": SCHEMA, **changed}


def honest(letter: str) -> JsonObject:
    """A server without a fault."""
    return {
        "initialize": [opened("$version", *(["completions"] if letter == "A" else []))],
        "tools/list": [result(tools=[tool("honest")])],
        "tools/call": [DONE],
        "resources/list": [result(resources=[{"uri": "memo://a", "name": "a"}])],
        "resources/templates/list": [result(resourceTemplates=[])],
        "resources/read": [result(contents=[{"uri": "memo://a", "text": "a"}])],
        "prompts/list": [result(prompts=[])],
        "completion/complete": [result(completion={"values": []})],
    }


def planted(letter: str) -> JsonObject:
    """A server with all the faults."""
    script = honest(letter)
    tools: list[Json] = []
    for fault in FAULTS:
        script[f"{fault.method} {fault.name}"] = fault.replies
        if fault.method == "tools/call":
            tools.append(tool(fault.name, **(fault.tool if letter in "CD" else {})))
    script["completion/complete"] = next(f.replies for f in FAULTS if f.name == "too-many")
    script["tools/list"] = [result(tools=tools, nextCursor="0")]
    for index, (changed, _) in enumerate(TOOLS):
        listed: list[Json] = [{**tool("x"), **changed}]
        script[f"tools/list {index}"] = [result(tools=listed, nextCursor=str(index + 1))]
    again: list[Json] = [tool("honest")]
    script[f"tools/list {len(TOOLS)}"] = [result(tools=again, nextCursor=str(len(TOOLS) + 1))]
    script[f"tools/list {len(TOOLS) + 1}"] = [result(tools=[tool("last")], nextCursor="0")]
    script["resources/list"] = [
        result(resources=[{"uri": "not a uri", "name": "a"}], nextCursor=None)
    ]
    script["resources/templates/list"] = [
        result(resourceTemplates=[{"uriTemplate": "x://{id", "name": "t"}])
    ]
    prompt: JsonObject = {"name": "needs", "arguments": [{"name": "who", "required": True}]}
    script["prompts/list"] = [result(prompts=[prompt, {"name": "role"}])]
    script["tools/call leaves"] = [None]
    return script


async def commits(walk: Walk) -> None:
    """Commits everything, one fault after the other."""
    session = walk.session
    await session.set_log_level("warning")
    for kind in ("tools", "resources", "resourceTemplates", "prompts"):
        await walk.span(kind, lambda kind=kind: session.catalog.refresh(kind))  # type: ignore[misc]
    for fault in FAULTS:
        params: JsonObject = {"name": fault.name}
        if fault.method == "tools/call":
            params["arguments"] = {"n": "x" if fault.name == "wrong-arguments" else 1}
        elif fault.method == "resources/read":
            params = {"uri": fault.name}
        elif fault.method == "completion/complete":
            prompt: JsonObject = {"type": "ref/prompt", "name": "role"}
            params = {"ref": prompt, "argument": {"name": "who", "value": ""}}
        await walk.step(fault.name, fault.method, params, "honest")
    await walk.step("leaves", "tools/call", {"name": "leaves", "arguments": {}}, "honest")


@pytest.fixture(scope="module", params=LETTERS)
def session(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Walk]:
    letter: str = request.param
    path = tmp_path_factory.mktemp("planted") / f"{letter}.jsonl"
    return letter, walk(scripted(planted(letter)), LETTERED[letter], path, commits)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_fault_brings_its_findings_and_no_other(session: tuple[str, Walk], fault: Fault) -> None:
    letter, walk = session
    assert walk.told(fault.name) == wanted_in(fault.wanted, letter, LETTERS)


def test_each_page_brings_the_findings_of_its_tool(session: tuple[str, Walk]) -> None:
    letter, walk = session
    first, *told = by_answer(walk.findings, walk.journal, "tools/list")
    assert first == set()
    wanted = [wanted_in(each, letter, LETTERS) for _, each in TOOLS]
    wanted += [{("page/duplicate-items", "warn")}, {("page/cursor-loop", "error")}]
    assert told == wanted


def test_lists_bring_their_findings_and_what_lies_between_brings_none(
    session: tuple[str, Walk],
) -> None:
    _, walk = session
    assert walk.told("resources") == {("res/uri-invalid", "error"), ("page/null-cursor", "warn")}
    assert walk.told("resourceTemplates") == {("res/template-syntax", "error")}
    assert walk.told("prompts") == set()
    assert walk.told("leaves") == {("rpc/request-unanswered", "warn")}
    assert walk.elsewhere() == set()


def test_the_command_tells_the_same_of_the_recording(session: tuple[str, Walk]) -> None:
    _, walk = session
    found = [(each.rule, each.severity.value, each.entries[0]) for each in walk.findings]
    assert len(found) > 70
    assert sorted(of_the_command(walk.path)) == sorted(found)


@pytest.mark.parametrize("letter", ["A", "D"])
@pytest.mark.parametrize("fault", STANDING, ids=str)
def test_a_fault_of_a_whole_session_brings_its_findings_and_no_other(
    fault: Standing, letter: str, tmp_path: Path
) -> None:
    async def asks(walk: Walk) -> None:
        wanted = wanted_in(fault.wanted, letter, LETTERS)
        if fault.name == "notification-answered":
            await walk.comes(Kind.MALFORMED)
        for method, params in fault.asks:
            await walk.step(f"{method} {wanted}", method, params, "honest")

    script = {**honest(letter), **fault.script}
    found = walk(scripted(script), LETTERED[letter], tmp_path / "a.jsonl", asks)
    told = {(each.rule, each.severity.value) for each in found.findings}
    assert told == wanted_in(fault.wanted, letter, LETTERS)
