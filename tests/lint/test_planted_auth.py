"""The corpus of planted faults of authorization and of HTTP+SSE: each is told by its rule, and by
nothing else. One server with its authorization server commits all of the former."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from inspector.config.targets import Target
from inspector.journal.loading import load_recording
from inspector.lint.engine import lint
from inspector.session.options import Options
from inspector.workbench import Workbench
from tests.auth.e2e.scripted_person import Person
from tests.lint.planting import LETTERED, Told, Walk, played, wanted_in
from tests.servers.auth_server import AuthServer, serving
from tests.servers.auth_toggles import LEFT_OUT, Toggles
from tests.servers.rude_http import Exchange, Message, Peer, event, rude_http

LETTERS: Final = "BCDE"
SCOPED: Final = ('Bearer resource_metadata="{prm}", scope="tools"',)


@dataclass(frozen=True)
class AuthFault:
    """What the servers do that they should not. `wanted` is for the four revisions in turn."""

    name: str
    wanted: Mapping[str, str]
    toggles: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


FAULTS: Final = (
    AuthFault("honest", {}),
    AuthFault("no-scope", {"auth/no-scope-hint": "--WW"},
              {"challenge": ('Bearer resource_metadata="{prm}"',)}),
    AuthFault("no-metadata", {"auth/no-resource-metadata": "-EWW"},
              {"challenge": ('Bearer scope="tools"',)}),
    AuthFault("offline", {"auth/offline-scope": "---W"},
              {"challenge": ('Bearer resource_metadata="{prm}", scope="tools offline_access"',)}),
    AuthFault("no-servers", {"auth/prm-invalid": "-EEE"}, {"prm": {"authorization_servers": []}}),
    AuthFault("no-resource", {"auth/prm-invalid": "-EEE"}, {"prm": {"resource": LEFT_OUT}}),
    AuthFault("other-resource", {"auth/prm-resource-mismatch": "-EEE"},
              {"prm": {"resource": "https://other.example/mcp"}}),
    AuthFault("offline-metadata", {"auth/offline-scope": "---W"},
              {"prm": {"scopes_supported": ["tools", "offline_access"]}}),
    AuthFault("no-pkce", {"auth/no-pkce-metadata": "--EE"},
              {"metadata": {"code_challenge_methods_supported": LEFT_OUT}}),
    AuthFault("other-issuer", {"auth/issuer-mismatch": "---E"},
              {"metadata": {"issuer": "https://other.example"}}),
    AuthFault("no-iss", {"auth/iss-not-advertised": "---W"},
              {"metadata": {"authorization_response_iss_parameter_supported": LEFT_OUT}}),
    AuthFault("open-endpoint", {"auth/http-endpoint": "EEEE"},
              {"metadata": {"revocation_endpoint": "http://auth.example/revoke"}}),
)  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[AuthServer]:
    with serving() as running:
        yield running


@pytest.mark.parametrize("letter", ["C", "E"])
@pytest.mark.parametrize("fault", FAULTS, ids=str)
async def test_a_fault_of_authorization_brings_its_findings_and_no_other(
    server: AuthServer, fault: AuthFault, letter: str, tmp_path: Path
) -> None:
    server.reset(Toggles(**{"challenge": SCOPED, **fault.toggles}))  # type: ignore[arg-type]
    path = tmp_path / "a.jsonl"
    options = Options(record=path, protocol=LETTERED[letter])
    async with Workbench(Target(url=server.url), options=options, person=Person()) as bench:
        await bench.connect()
    told = {(each.rule, each.severity.value) for each in lint(load_recording(path))}
    assert told == wanted_in(fault.wanted, letter, LETTERS)


SSE: Final[Mapping[str, Told]] = {
    "honest": set(),
    "no-endpoint": {("sse/no-endpoint-event", "error")},
    "elsewhere": {("sse/endpoint-cross-origin", "error")},
    "future": {("schema/future-field", "info")},
}
_TOOL: Final[Message] = {
    "name": "a", "description": "Does.",
    "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False},
}  # fmt: skip


@pytest.mark.parametrize("fault", SSE)
async def test_a_fault_over_http_and_sse_brings_its_findings_and_no_other(
    fault: str, tmp_path: Path
) -> None:
    async def respond(peer: Peer, x: Exchange) -> None:
        if x.seen.method == "GET":
            endpoint = "http://evil.example/m" if fault == "elsewhere" else "/messages"
            first = event(_NOTE) if fault == "no-endpoint" else _named(endpoint)
            await x.stream(first)
            peer.sse = x
            if fault == "no-endpoint":
                return
            await x.forever()
        message = x.seen.message
        await x.send(202)
        if "id" in message and peer.sse is not None:
            await peer.sse.write(event(_answer(message, fault), name="message"))

    async def uses(walk: Walk) -> None:
        await walk.session.catalog.refresh("tools")

    async with rude_http(respond=respond) as peer:
        target = Target(url=peer.url, transport="sse")
        found = await played(target, LETTERED["A"], tmp_path / "a.jsonl", uses, connect_timeout=3.0)
    assert {(each.rule, each.severity.value) for each in found.findings} == SSE[fault]


_NOTE: Final[Message] = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}


def _named(endpoint: str) -> bytes:
    return f"event: endpoint\ndata: {endpoint}\n\n".encode()


def _answer(message: Message, fault: str) -> Message:
    result: Message = {}
    if message["method"] == "initialize":
        result = {
            "protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
            "serverInfo": {"name": "planted", "version": "1"},
        }  # fmt: skip
    elif message["method"] == "tools/list":
        result = {"tools": [{**_TOOL, "title": "A"} if fault == "future" else _TOOL]}
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}
