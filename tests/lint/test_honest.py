"""Nothing on sessions of other people's servers that is not a true violation.

Each rule that may be named stands here with the reason why it is right to name it.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.lint.engine import lint
from inspector.lint.rule import Finding
from inspector.protocol.messages import Json
from tests.lint.honest import used
from tests.servers import real

pytestmark = pytest.mark.peer

HANDSHAKE, OLD, MODERN = "2025-11-25", "2024-11-05", "2026-07-28"

# All of them tell an unknown tool by a result with isError, not by the error -32602.
_TOOL = "tool/unknown-as-result"
# All of them have the code -32602 of 2026-07-28 for a missing resource in former revisions too.
_RESOURCE = "res/not-found-code"
# None leaves out what a former revision did not have yet.
_FUTURE = "schema/future-field"
# A busy machine makes any server too slow for the time that it is given to end.
_SLOW = "stdio/no-exit-on-eof"
# The SDK ends a subscription by an error of the range that is left to former years.
_CODE = "rpc/legacy-code"
TRUE = {
    "mcp": {_TOOL, _RESOURCE, _FUTURE, _CODE},
    "fastmcp": {_TOOL, _RESOURCE, _FUTURE},
    # The SDK sends logs and declares no `logging`; sampling and roots are deprecated.
    "modern": {_TOOL, _RESOURCE, _FUTURE, _CODE, "cap/logging-undeclared", "dep/feature"},
    # Resource links are of 2025-06-18 and come in former revisions too.
    "everything": {_TOOL, _RESOURCE, _FUTURE, "content/unknown-type"},
}
ONLY_IN = {
    _RESOURCE: {HANDSHAKE, OLD},
    _FUTURE: {OLD},
    "content/unknown-type": {OLD},
    "cap/logging-undeclared": {HANDSHAKE, OLD},
    "dep/feature": {MODERN},
    _CODE: {MODERN},
}

STDIO: dict[str, Callable[[], Target]] = {
    "mcp": lambda: real.python_server("mcp"),
    "fastmcp": lambda: real.python_server("fastmcp"),
    "modern": real.modern_server,
    "everything": real.everything,
}
HTTP: dict[str, Callable[[], AbstractContextManager[str]]] = {
    "mcp": lambda: real.python_url("mcp", "http"),
    "fastmcp": lambda: real.python_url("fastmcp", "http"),
    "everything": lambda: real.everything_url("http"),
}
SPOKEN = [
    (name, protocol)
    for name in ("mcp", "fastmcp", "modern", "everything")
    for protocol in (HANDSHAKE, OLD, MODERN)
    if (name, protocol) != ("everything", MODERN)
]


def judged(target: Target, protocol: str) -> list[Finding]:
    journal = asyncio.run(used(target, protocol))
    assert len(journal) > 20
    return lint(journal)


def only_true(name: str, protocol: str, found: list[Finding]) -> None:
    allowed = {rule for rule in TRUE[name] if protocol in ONLY_IN.get(rule, {protocol})}
    wrong = [each for each in found if each.rule not in allowed | {_SLOW}]
    assert wrong == [], Counter(each.rule for each in wrong)
    assert _TOOL in {each.rule for each in found}
    assert {str(each.revision) for each in found} == {protocol}


@pytest.mark.parametrize(("name", "protocol"), SPOKEN)
def test_over_stdio_nothing_is_found_that_is_no_violation(name: str, protocol: str) -> None:
    only_true(name, protocol, judged(STDIO[name](), protocol))


@pytest.mark.parametrize(("name", "protocol"), [each for each in SPOKEN if each[0] in HTTP])
def test_over_http_nothing_is_found_that_is_no_violation(name: str, protocol: str) -> None:
    with HTTP[name]() as url:
        only_true(name, protocol, judged(Target(url=url), protocol))


@pytest.mark.parametrize("protocol", [HANDSHAKE, OLD])
def test_nothing_is_found_of_files_that_is_no_violation(protocol: str, tmp_path: Path) -> None:
    """npm's server-filesystem, of which every answer is true."""
    script = real.node_package("@modelcontextprotocol/server-filesystem") / "dist" / "index.js"
    (tmp_path / "a.txt").write_text("hello\n")
    file = str(tmp_path / "a.txt")
    samples: dict[str, Json] = {
        "path": file, "paths": [file], "source": file, "destination": str(tmp_path / "b.txt"),
    }  # fmt: skip
    target = Target(command=("node", str(script), str(tmp_path)))
    journal = asyncio.run(used(target, protocol, samples))
    # A picture comes as structured content, and not as text beside that.
    of_its_revision = {_FUTURE} if protocol == OLD else {"tool/structured-without-text"}
    assert {each.rule for each in lint(journal)} <= {_TOOL, _SLOW} | of_its_revision


@pytest.mark.parametrize("protocol", [HANDSHAKE, OLD])
def test_nothing_is_found_of_a_memory_that_is_no_violation(protocol: str, tmp_path: Path) -> None:
    """npm's server-memory."""
    script = real.node_package("@modelcontextprotocol/server-memory") / "dist" / "index.js"
    file = {"MEMORY_FILE_PATH": str(tmp_path / "memory.json")}
    journal = asyncio.run(used(Target(command=("node", str(script)), env=file), protocol))
    allowed = {_TOOL, _RESOURCE, _SLOW} | ({_FUTURE} if protocol == OLD else set())
    assert {each.rule for each in lint(journal)} <= allowed


def test_over_http_and_sse_nothing_is_found_that_is_no_violation() -> None:
    with real.everything_url("sse") as url:
        found = judged(Target(url=url, transport="sse"), HANDSHAKE)
    only_true("everything", HANDSHAKE, found)
