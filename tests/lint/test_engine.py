"""The linter as a whole: the same live and over a recording, silent where another has spoken."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.journal.entries import Direction, Flag, HttpFacts
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.lint.engine import BODY_LIMIT, MEMBERS_JUDGED, Linter, lint
from inspector.protocol.messages import Json, encode_json
from tests.lint.bench import Case, Step, ask, back, bad, event, http, ok, play, say, want

FORM: Json = {"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}}
WEATHER = {
    "cap/logging-undeclared", "log/level", "prog/not-increasing", "stdio/stdout-pollution",
    "tool/name-charset", "tool/output-mismatch",
}  # fmt: skip
SCENES = sorted((Path(__file__).parent.parent / "recordings").glob("*.jsonl"))

_IDS = st.one_of(st.integers(0, 3), st.sampled_from(["1", "2", None, True, 1.5]))
_METHODS = st.sampled_from(
    ["initialize", "ping", "tools/list", "tools/call", "server/discover", "notifications/progress",
     "notifications/cancelled", "notifications/message", "subscriptions/listen", "x/own",
     "notifications/tasks", "sampling/createMessage", "elicitation/create"]
)  # fmt: skip
_LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 2), st.sampled_from(["a", "2026-07-28"])
)
_NAMES = st.sampled_from(
    ["_meta", "tools", "content", "name", "inputSchema", "properties", "type", "resultType",
     "progressToken", "progress", "total", "requestId", "protocolVersion", "capabilities",
     "io.modelcontextprotocol/protocolVersion", "structuredContent", "nextCursor", "messages",
     "requestedSchema", "inputRequests", "taskId", "status", "icons", "src", "uri", "contents"]
)  # fmt: skip
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=4),
    max_leaves=12,
)
_OBJECTS = st.dictionaries(_NAMES, _VALUES, max_size=4)
_MESSAGES = st.one_of(
    st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0"), "method": _METHODS}, optional={"id": _IDS, "params": _OBJECTS}
    ),
    st.fixed_dictionaries({"jsonrpc": st.just("2.0"), "id": _IDS, "result": _OBJECTS}),
    st.fixed_dictionaries({"jsonrpc": st.just("2.0"), "id": _IDS, "error": _OBJECTS}),
)
_ENTRIES = st.lists(
    st.tuples(st.booleans(), _MESSAGES | st.lists(_MESSAGES, max_size=3) | _VALUES), max_size=12
)


@given(_ENTRIES, st.lists(st.integers(1, 4), max_size=12))
def test_feeding_at_once_gives_what_feeding_bit_by_bit_gives(
    entries: list[tuple[bool, Json]], steps: list[int]
) -> None:
    journal = Journal()
    live = Linter(journal)
    connection = journal.begin_connection({"transport": "memory"})
    for index, (sent, message) in enumerate(entries):
        direction = Direction.SENT if sent else Direction.RECEIVED
        journal.frame(direction, encode_json(message), connection=connection)
        live.advance(steps[index] if index < len(steps) else None)
    live.advance()
    assert live.findings == lint(journal)
    journal.close()


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_of_the_sessions_that_the_scenes_play_only_what_is_wrong_is_told(path: Path) -> None:
    """The demo asks for roots and for a model, which 2026-07-28 deprecates; the server of the
    weather is there to have faults."""
    wrong = WEATHER if path.stem == "weather" else {"dep/feature"}
    told = {each.rule for each in lint(load_recording(path))}
    assert told == wrong or (told == set() and path.stem != "weather")


def test_a_message_whose_schema_is_broken_is_judged_no_further(tmp_path: Path) -> None:
    steps = [
        ask(1, "tools/list"),
        ok(1, tools=[{"name": "a b", "inputSchema": {"type": "object"}, "title": 1}]),
    ]
    found = play(Case("schema/invalid", "D", steps, ()), steps, tmp_path / "a.jsonl")
    assert [each.rule for each in found] == ["schema/invalid"]


def test_an_envelope_that_is_broken_is_judged_no_further(tmp_path: Path) -> None:
    steps = [ask(1, "tools/list"), back({"jsonrpc": "2.0", "id": 1, "error": {"code": 1}})]
    found = play(Case("rpc/error-shape", "D", steps, ()), steps, tmp_path / "a.jsonl")
    assert [each.rule for each in found] == ["rpc/error-shape"]


def test_what_a_broken_request_brought_along_is_known_all_the_same(tmp_path: Path) -> None:
    steps = [
        ask(1, "tools/call", {"progressToken": "t"}),
        say("notifications/progress", progressToken="t", progress=1),
    ]
    found = play(Case("schema/invalid", "D", steps, ()), steps, tmp_path / "a.jsonl")
    assert [each.rule for each in found] == ["schema/invalid"]


def test_what_a_request_with_an_id_in_use_brought_along_is_known_all_the_same(
    tmp_path: Path,
) -> None:
    steps = [
        ask(1, "tools/call", name="a"),
        ask(1, "tools/call", {"progressToken": "t"}, name="a"),
        say("notifications/progress", progressToken="t", progress=1),
    ]
    found = play(Case("rpc/id-reuse", "D", steps, ()), steps, tmp_path / "a.jsonl")
    assert [each.rule for each in found] == ["rpc/id-reuse"]


def test_the_capabilities_of_a_long_request_are_known(tmp_path: Path) -> None:
    asked: Json = {"method": "elicitation/create", "params": FORM}
    steps = [
        ask(1, "tools/call", name="a", arguments={"text": "x" * 50_000}),
        ok(1, resultType="input_required", inputRequests={"k": asked}),
    ]
    assert play(Case("none", "E", steps, ()), steps, tmp_path / "a.jsonl") == []


def test_arguments_that_were_too_long_to_be_remembered_are_not_taken_for_none(
    tmp_path: Path,
) -> None:
    schema: Json = {"type": "object", "properties": {"t": {}}, "required": ["t"]}
    tool: Json = {"name": "a", "description": "A.", "inputSchema": schema}
    steps = [
        *(ask("l", "tools/list"), ok("l", tools=[tool])),
        ask(1, "tools/call", name="a", arguments={"t": "x" * 50_000}),
        bad(1, -32602),
    ]
    assert play(Case("none", "D", steps, ()), steps, tmp_path / "a.jsonl") == []


def test_a_token_of_a_request_that_is_too_long_to_be_read_may_have_been_given() -> None:
    journal = Journal()
    connection = journal.begin_connection({"transport": "memory"})
    params: Json = {"name": "a" * BODY_LIMIT, "_meta": {"progressToken": "t"}}
    call: Json = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    journal.frame(Direction.SENT, encode_json(call), connection=connection)
    told: Json = {"progressToken": "t", "progress": 1}
    progress: Json = {"jsonrpc": "2.0", "method": "notifications/progress", "params": told}
    journal.frame(Direction.RECEIVED, encode_json(progress), connection=connection)
    assert lint(journal) == []


def test_a_server_of_former_years_is_not_judged_by_the_probe_that_it_refuses(
    tmp_path: Path,
) -> None:
    steps = [ask(1, "server/discover"), bad(1, -32000, "Bad Request: not initialized")]
    case = Case("none", "E", steps, (), opened=False)
    assert play(case, steps, tmp_path / "a.jsonl") == []


def test_a_session_id_on_the_refusal_of_a_probe_tells_nothing_of_the_modern_era(
    tmp_path: Path,
) -> None:
    held = (("Mcp-Session-Id", "abc"),)
    steps = [ask(1, "server/discover"), http(400, response=held), bad(1, -32600)]
    case = Case("none", "E", steps, (), opened=False, transport="http")
    assert play(case, steps, tmp_path / "a.jsonl") == []


def test_a_server_of_former_years_that_dies_of_a_probe_owes_no_answer_to_it(tmp_path: Path) -> None:
    """It is started again (2026-07-28 basic/versioning)."""
    probe: Json = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}}
    steps: list[Step] = [lambda talk: talk.sent(probe, Flag.PROBE), event("exited", exitCode=1)]
    case = Case("none", "A", steps, (), opened=False, transport="stdio")
    found = play(case, steps, tmp_path / "a.jsonl")
    assert "rpc/request-unanswered" not in {each.rule for each in found}


def test_the_metadata_of_a_login_are_not_taken_for_a_stream_of_messages() -> None:
    journal = Journal()
    connection = journal.begin_connection({"aside": "login"})
    url = "http://a.example/.well-known/oauth-protected-resource/mcp"
    headers = (("Content-Type", "application/json"),)
    body = b'{"resource":"http://a.example/mcp","authorization_servers":["https://as.example"]}'
    journal.http(HttpFacts("GET", url, (), 200, "", headers, body=body), connection=connection)
    assert lint(journal) == []


def test_what_a_resumed_stream_brings_again_is_judged_once(tmp_path: Path) -> None:
    stream = http(200, "text/event-stream")
    again = http(200, "text/event-stream", method="GET", request=(("Last-Event-ID", "1"),))
    steps = [ask(1, "ping"), stream, want(7, "ping"), again, want(7, "ping"), ok(1), ok(1)]
    case = Case("none", "D", steps, (), transport="http")
    assert play(case, steps, tmp_path / "a.jsonl") == []


def test_what_the_linter_had_to_forget_is_no_fault_of_the_peer() -> None:
    journal = Journal()
    connection = journal.begin_connection({"transport": "memory"})
    for number in range(20_000):
        sent = (
            b'{"jsonrpc":"2.0","id":%d,"method":"tools/call",'
            b'"params":{"name":"a","_meta":{"progressToken":%d}}}'
        )
        journal.frame(Direction.SENT, sent % (number, number), connection=connection)
    for message in (
        b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}',
        b'{"jsonrpc":"2.0","id":1,"result":{"content":[]}}',
    ):
        journal.frame(Direction.RECEIVED, message, connection=connection)
    withdrawn = b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}'
    journal.frame(Direction.SENT, withdrawn, connection=connection)
    assert lint(journal) == []


def test_what_was_too_long_to_be_kept_is_not_judged() -> None:
    journal = Journal()
    connection = journal.begin_connection({"transport": "stdio"})
    journal.frame(Direction.RECEIVED, b'{"jsonrpc', connection=connection, flags=Flag.OVERSIZED)
    assert lint(journal) == []


def test_a_message_that_is_very_long_costs_no_more_than_its_envelope() -> None:
    journal = Journal()
    connection = journal.begin_connection({"transport": "memory"})
    tools = [{"name": "a b"}] * (BODY_LIMIT // 10)
    journal.frame(
        Direction.SENT, b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}', connection=connection
    )
    journal.frame(
        Direction.RECEIVED,
        encode_json({"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}}),
        connection=connection,
    )
    journal.frame(
        Direction.RECEIVED, b'{"jsonrpc":"2.0","id":1,"result":{}}', connection=connection
    )
    assert [each.rule for each in lint(journal)] == ["rpc/response-duplicate"]


def test_of_a_batch_no_more_than_a_bounded_number_of_members_is_judged() -> None:
    journal = Journal()
    connection = journal.begin_connection({"transport": "memory"})
    member: Json = {"jsonrpc": "1.0", "method": "notifications/progress"}
    journal.frame(
        Direction.RECEIVED, encode_json([member] * (2 * MEMBERS_JUDGED)), connection=connection
    )
    assert len(lint(journal)) <= 3 * MEMBERS_JUDGED


def test_the_revision_that_a_connection_came_to_speak_is_told() -> None:
    journal = Journal()
    linter = Linter(journal)
    connection = journal.begin_connection({"transport": "memory"})
    assert linter.revision_of(connection) is None
    linter.advance()
    assert linter.revision_of(connection) is None
