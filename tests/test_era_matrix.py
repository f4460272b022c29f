"""One call under every revision, against real servers and against rude ones."""

import asyncio
import json
import os
from collections.abc import Callable, Iterator, Mapping

import pytest

from inspector.config.targets import Target
from inspector.era_compare import Run, gist, said
from inspector.era_matrix import EraMatrix, Wanted, same_for_all
from inspector.errors import UsageError
from inspector.journal.entries import Flag
from inspector.journal.journal import Journal
from inspector.protocol.messages import Json, JsonObject
from inspector.protocol.versions import HANDSHAKE_REVISIONS, REVISIONS, Revision
from inspector.session.asks import HEADLESS, INTERACTIVE, AskKind, Policy
from inspector.session.state import Phase
from inspector.transport.base import Closed, Transport
from inspector.transport.memory import MemoryTransport
from inspector.workbench import Options, Workbench
from tests.servers import real

OLD, MIDDLE, NEWER, MODERN = (
    Revision.V2024_11_05,
    Revision.V2025_06_18,
    Revision.V2025_11_25,
    Revision.V2026_07_28,
)
BEFORE_FORMS = REVISIONS[:2]
WITH_FORMS = REVISIONS[2:4]
QUIET = Options(no_record=True, protocol="2025-11-25")
ACCEPTING: Mapping[AskKind, Policy] = {
    "sampling": Policy("accept-defaults"),
    "elicitation": Policy("accept-defaults"),
    "elicitation-url": Policy("decline"),
    "roots": Policy("answer"),
}
ADD = Wanted("tools/call", "add", {"a": 2, "b": 3})
ERASE = Wanted("tools/call", "erase", {"path": "x"})


async def compared(target: Target, wanted: Wanted) -> EraMatrix:
    """The runs on a real server, and that none of its processes is left."""
    async with Workbench(target, options=QUIET) as bench:
        matrix = EraMatrix(bench, wanted, policies=ACCEPTING)
        async with asyncio.timeout(110):
            await matrix.run()
        assert bench.session.state.phase is Phase.IDLE
        for pid in spawned(bench.journal):
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)
        return matrix


def events(journal: Journal, name: str) -> list[JsonObject]:
    found = [n for n in range(1, len(journal) + 1) if journal.row(n).method == name]
    facts: list[JsonObject] = [json.loads(journal.body(number)) for number in found]
    return facts


def spawned(journal: Journal) -> list[int]:
    return [pid for one in events(journal, "spawned") if isinstance(pid := one["pid"], int)]


def words(matrix: EraMatrix) -> list[str]:
    return [said(run) for run in matrix.runs]


# -- servers that other people wrote --


async def test_fastmcp_elicits_in_one_era_and_fails_in_the_other() -> None:
    matrix = await compared(real.asking_server("fastmcp"), ERASE)
    assert words(matrix) == ["isError", "isError", "result", "result", "isError"]
    assert all(run.accepted and run.listed for run in matrix.runs)
    assert matrix.comparison.groups == ((MODERN,), WITH_FORMS, BEFORE_FORMS)
    for revision in WITH_FORMS:
        (asked,) = matrix.find(revision).asked
        assert (asked.method, asked.how) == ("elicitation/create", "request")
        assert asked.answer == {"action": "accept", "content": {"agreed": True}}
        pointers = {one.pointer for one in matrix.comparison.differing[revision]}
        assert pointers >= {"/result/isError", "/asked"}
    assert "unavailable on 2026-07-28" in gist(matrix.find(MODERN))
    assert matrix.find(MODERN).asked == ()


async def test_the_sdk_elicits_in_one_era_and_fails_in_the_other() -> None:
    matrix = await compared(real.asking_server("mcp"), ERASE)
    assert words(matrix)[2:4] == ["result", "result"]
    assert matrix.comparison.groups == ((MODERN,), WITH_FORMS, BEFORE_FORMS)
    assert [said(matrix.find(one)) for one in (OLD, MODERN)] == ["error -32601", "error -32600"]


async def test_a_tool_that_asks_inside_its_result_does_so_in_the_modern_era_only() -> None:
    matrix = await compared(real.modern_server(), Wanted("tools/call", "introduce", {}))
    assert words(matrix) == ["error -32603"] * 4 + ["result"]
    asked = matrix.find(MODERN).asked
    assert [(one.method, one.how) for one in asked] == [
        ("elicitation/create", "input_required"),
        ("sampling/createMessage", "input_required"),
        ("roots/list", "input_required"),
    ]
    assert matrix.comparison.groups == ((MODERN,), HANDSHAKE_REVISIONS)


@pytest.mark.parametrize("package", real.PYTHON_SERVERS)
async def test_a_plain_tool_agrees_under_every_revision_but_for_what_old_ones_lack(
    package: str,
) -> None:
    matrix = await compared(real.asking_server(package), ADD)
    assert words(matrix) == ["result"] * 5
    for run in matrix.runs:
        for one in matrix.comparison.differing[run.revision]:
            assert one.pointer == "/result/structuredContent"
        assert run.seconds is not None
        assert run.entries > 5


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted("prompts/get", "review", {"code": "1"}),
        Wanted("resources/read", "memo://greeting"),
    ],
    ids=lambda wanted: wanted.method,
)
async def test_prompts_and_resources_are_compared_too(wanted: Wanted) -> None:
    matrix = await compared(real.asking_server("mcp"), wanted)
    assert words(matrix) == ["result"] * 5
    assert matrix.comparison.agree, matrix.comparison.differing


async def test_a_server_without_discover_is_not_called_in_the_modern_era() -> None:
    """server-everything answers modern requests without ever saying that it speaks the era."""
    matrix = await compared(real.everything(), Wanted("tools/call", "echo", {"message": "x"}))
    assert words(matrix) == ["result"] * 4 + ["refused"]
    assert "server/discover" in matrix.find(MODERN).why
    assert matrix.comparison.groups == (HANDSHAKE_REVISIONS,)


async def test_over_http_no_connection_is_left_open() -> None:
    port = real.free_port()
    with real.running(real.asking_server("fastmcp", "http", port), port) as origin:
        matrix = await compared(Target(url=f"{origin}/mcp"), ERASE)
        assert words(matrix)[2:4] == ["result", "result"]
        assert said(matrix.find(MODERN)) == "isError"


# -- scripted servers --


class Wires:
    """Transports in memory; `answer` says what a server of one connection answers."""

    def __init__(self, answer: Callable[[str, JsonObject, Revision | None], Json]) -> None:
        self.answer = answer
        self.made: list[MemoryTransport] = []
        self.calls: list[Json] = []

    def __call__(self, target: Target, journal: Journal, connection: int) -> Transport:
        spoken: list[Revision] = []

        def respond(raw: bytes) -> Iterator[bytes]:
            message = json.loads(raw)
            method, params = message["method"], message.get("params") or {}
            if method == "initialize":
                spoken.append(Revision(params["protocolVersion"]))
            if method == "server/discover":
                spoken.append(MODERN)
            if method == "tools/call":
                self.calls.append(params.get("arguments"))
            result = self.answer(method, params, spoken[0] if spoken else None)
            if result == "die":
                wire.end(Closed("the server exited", exit_code=1))
            elif isinstance(result, dict) and "id" in message:
                outcome = {"error": result["error"]} if "error" in result else {"result": result}
                yield json.dumps({"jsonrpc": "2.0", "id": message["id"], **outcome}).encode()

        wire = MemoryTransport(journal, connection, respond)
        self.made.append(wire)
        return wire


def honest(method: str, params: JsonObject, spoken: Revision | None) -> JsonObject:
    """A server of both eras."""
    match method:
        case "initialize":
            return {
                "protocolVersion": params["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "s", "version": "1"},
            }
        case "server/discover":
            return {
                "supportedVersions": [MODERN.value],
                "capabilities": {"tools": {}},
                "resultType": "complete",
            }
        case "tools/list":
            return {"tools": [{"name": "add", "inputSchema": {"type": "object"}}]}
        case "tools/call":
            return {"content": [{"type": "text", "text": "5"}]}
    return {"error": {"code": -32601, "message": "Method not found"}}


def bench_on(wires: Wires, options: Options = QUIET) -> Workbench:
    return Workbench(Target(("server",)), options=options, transport_factory=wires)


async def soon(matrix: EraMatrix) -> None:
    async with asyncio.timeout(60):
        await matrix.run()


async def test_a_server_of_one_revision_is_called_once() -> None:
    def answer(method: str, params: JsonObject, spoken: Revision | None) -> JsonObject:
        result = honest(method, params, spoken)
        if method == "initialize":
            result["protocolVersion"] = MIDDLE.value
        if method == "server/discover":
            return {"error": {"code": -32601, "message": "Method not found"}}
        return result

    wires = Wires(answer)
    async with bench_on(wires) as bench:
        matrix = EraMatrix(bench, ADD, policies=HEADLESS)
        await soon(matrix)
    assert words(matrix) == ["refused", "refused", "result", "refused", "refused"]
    assert wires.calls == [{"a": 2, "b": 3}]
    assert "the server answered 2025-06-18" in matrix.find(OLD).why
    assert matrix.comparison.agree


async def test_a_server_that_dies_under_one_revision_leaves_the_others_alone() -> None:
    def answer(method: str, params: JsonObject, spoken: Revision | None) -> Json:
        if method == "tools/call" and spoken is MIDDLE:
            return "die"
        return "die" if spoken is OLD else honest(method, params, spoken)

    async with bench_on(Wires(answer)) as bench:
        matrix = EraMatrix(bench, ADD, policies=HEADLESS)
        await soon(matrix)
    assert words(matrix) == ["failed", "result", "no answer", "result", "result"]
    assert "exited" in gist(matrix.find(OLD))
    assert matrix.comparison.groups[0] == (Revision.V2025_03_26, NEWER, MODERN)


def hanging(revision: Revision) -> Callable[[str, JsonObject, Revision | None], Json]:
    """Never answers the call under one revision."""

    def answer(method: str, params: JsonObject, spoken: Revision | None) -> Json:
        return (
            None
            if method == "tools/call" and spoken is revision
            else honest(method, params, spoken)
        )

    return answer


async def test_a_hang_under_one_revision_is_bounded_and_the_others_still_run() -> None:
    options = Options(no_record=True, timeout=0.2)
    async with bench_on(Wires(hanging(MIDDLE)), options) as bench:
        matrix = EraMatrix(bench, ADD, policies=HEADLESS)
        await soon(matrix)
    assert words(matrix) == ["result", "result", "timeout", "result", "result"]


def calling(matrix: EraMatrix, revision: Revision) -> Callable[[], bool]:
    """Whether the request of a revision is out."""

    def out() -> bool:
        run: Run = matrix.find(revision)
        return run.state == "calling" and run.entry > 0

    return out


async def test_a_revision_that_hangs_can_be_given_up_and_the_next_goes_on() -> None:
    wires = Wires(hanging(MIDDLE))
    async with bench_on(wires) as bench:
        matrix = EraMatrix(bench, ADD, policies=HEADLESS)
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            group.create_task(matrix.run())
            await bench.changes.until(calling(matrix, MIDDLE))
            await matrix.skip()
    assert words(matrix) == ["result", "result", "stopped", "result", "result"]
    assert matrix.find(MIDDLE).accepted
    sent = [json.loads(one.raw)["method"] for one in wires.made[2].sent]
    assert sent[-1] == "notifications/cancelled", "the server is told that nobody waits"


async def test_to_cancel_stops_what_runs_and_all_that_would_follow() -> None:
    wires = Wires(hanging(MIDDLE))
    async with bench_on(wires) as bench:
        matrix = EraMatrix(bench, ADD, policies=HEADLESS)
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            running = group.create_task(matrix.run())
            await bench.changes.until(calling(matrix, MIDDLE))
            running.cancel()
    assert words(matrix) == ["result", "result", "stopped", "stopped", "stopped"]
    assert matrix.over
    assert len(wires.made) == 3
    assert [wire.facts.state for wire in wires.made] == ["closed"] * 3


async def test_the_live_session_goes_on_beside_it_and_the_journal_has_both() -> None:
    silent = Wires(hanging(NEWER))
    async with bench_on(silent) as bench:
        assert (await bench.connect()).ready
        live = bench.session
        waiting = await live.call_tool("add", {})
        matrix = EraMatrix(bench, ADD, policies=HEADLESS, revisions=[OLD, MODERN])
        await soon(matrix)
        assert bench.session is live
        assert live.state.ready
        assert Flag.PENDING in bench.journal.row(waiting.entry).flags
        silent.made[0].feed(json.dumps({"jsonrpc": "2.0", "id": waiting.id, "result": {}}).encode())
        answer = bench.journal.row(len(bench.journal))
        assert answer.partner == waiting.entry
        assert waiting.done
        tags = [one.get("aside") for one in events(bench.journal, "connection")]
        assert tags == [None, "era matrix, 2024-11-05", "era matrix, 2026-07-28"]
        for run, connection in zip(matrix.runs, (2, 3), strict=True):
            assert run.connection == connection
            assert bench.journal.row(run.entry).connection == connection
            assert bench.journal.row(run.entry).method == "tools/call"
            inside = range(run.first, run.last + 1)
            of_it = [n for n in inside if bench.journal.row(n).connection == connection]
            assert run.entries == len(of_it)


async def test_progress_and_logs_are_counted_and_are_no_difference() -> None:
    def answer(method: str, params: JsonObject, spoken: Revision | None) -> JsonObject:
        if method == "tools/call" and spoken is OLD:
            wire = wires.made[-1]
            for note in (
                b'{"method":"notifications/progress","params":{"progressToken":3,"progress":1}',
                b'{"method":"notifications/message","params":{"level":"info","data":"x"}',
            ):
                wire.feed(note + b',"jsonrpc":"2.0"}')
        return honest(method, params, spoken)

    wires = Wires(answer)
    async with bench_on(wires) as bench:
        matrix = EraMatrix(bench, ADD, policies=HEADLESS, revisions=[OLD, NEWER])
        await soon(matrix)
    old, newer = matrix.runs
    assert (old.progress, old.logs, old.notifications) == (1, 1, 2)
    assert (newer.progress, newer.logs, newer.notifications) == (0, 0, 0)
    assert matrix.comparison.agree


async def test_a_tool_that_is_not_offered_is_not_sent_and_says_why() -> None:
    def answer(method: str, params: JsonObject, spoken: Revision | None) -> JsonObject:
        result = honest(method, params, spoken)
        return {**result, "capabilities": {}} if "capabilities" in result else result

    wires = Wires(answer)
    async with bench_on(wires) as bench:
        matrix = EraMatrix(bench, ADD, policies=HEADLESS, revisions=[OLD])
        await soon(matrix)
    assert words(matrix) == ["not sent"]
    assert "does not declare" in gist(matrix.find(OLD))
    assert wires.calls == []


async def test_every_revision_gets_the_arguments_that_the_first_schema_made() -> None:
    def answer(method: str, params: JsonObject, spoken: Revision | None) -> JsonObject:
        if method == "tools/list":
            return {"tools": [{"name": "add", "inputSchema": {"title": str(spoken)}}]}
        return honest(method, params, spoken)

    wires = Wires(answer)
    wanted = Wanted("tools/call", "add", read=lambda schema: {"read": repr(schema)})
    async with bench_on(wires) as bench:
        await soon(EraMatrix(bench, wanted, policies=HEADLESS, revisions=[OLD, NEWER]))
    assert wires.calls == [{"read": "{'title': '2024-11-05'}"}] * 2


async def test_nobody_is_asked_and_no_run_waits_for_a_person() -> None:
    chosen = same_for_all(INTERACTIVE, "accept-defaults")
    assert {kind: policy.mode for kind, policy in chosen.items()} == {
        "sampling": "accept-defaults",
        "elicitation": "accept-defaults",
        "elicitation-url": "accept-defaults",
        **dict.fromkeys(("roots", "round"), "answer"),
    }
    kept = same_for_all({"sampling": Policy("cancel"), "roots": Policy("ask")}, "decline")
    assert (kept["sampling"].mode, kept["roots"].mode) == ("cancel", "answer")
    async with bench_on(Wires(honest)) as bench:
        matrix = EraMatrix(bench, ADD, policies=INTERACTIVE)
        assert "ask" not in {policy.mode for policy in matrix.policies.values()}


def test_what_cannot_be_compared_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match="cannot be compared"):
        Wanted("tools/list", "x")
