"""No input raises out of the linter, and what it remembers of it is bounded."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.journal.entries import Direction, HttpFacts, Kind, SseFacts
from inspector.journal.facts import decode_facts, http_facts
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.lint.engine import lint
from inspector.protocol.messages import Json, JsonObject, encode_json
from tests.scaled import scaled

SCENES = sorted((Path(__file__).parent.parent / "recordings").glob("*.jsonl"))
PING, PONG = b'{"jsonrpc":"2.0","id":1,"method":"ping"}', b'{"jsonrpc":"2.0","id":1,"result":{}}'
TRANSPORTS = st.sampled_from(["auto", "stdio", "http", "sse", ""])
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
_EVENTS = st.sampled_from(
    ["connection", "spawned", "exited", "stdin-closed", "sigterm", "stream-waits", "stream-ended",
     "stream-cut", "http-broken", "sse-priming", "sse-unknown", "endpoint", "endpoint-missing",
     "endpoint-refused", "session-id-short", "session-id-unusable", "stream-left-open", "x"]
)  # fmt: skip
_FACTS = st.dictionaries(
    st.sampled_from(["http", "about", "id", "retry", "text", "lastEventId", "leader", "uri", "x"]),
    _JSON,
)
_HEADERS = st.lists(
    st.tuples(
        st.sampled_from(["Content-Type", "Mcp-Session-Id", "Origin", "MCP-Protocol-Version",
                         "Last-Event-ID", "WWW-Authenticate", "Authorization", "Content-Length"]),
        st.text(max_size=20),
    ),
    max_size=4,
)  # fmt: skip
_URLS = st.sampled_from(
    ["http://127.0.0.1:1/mcp", "http://[::1", "", "http://a/.well-known/openid-configuration",
     "http://192.0.2.1:1/mcp", "http://a:99999/mcp", "/mcp"]
)  # fmt: skip


def _entry(kind: Kind, body: bytes, journal: Journal, connection: int, way: Direction) -> None:
    if kind.is_frame:
        carrier = len(journal) if len(journal) % 3 == 0 else None
        journal.frame(way, body, connection=connection, http=carrier, event=SseFacts("1", 1))
    elif kind is Kind.HTTP:
        journal.http(http_facts(body), connection=connection, frame=len(journal))
    elif kind is Kind.EVENT:
        facts = decode_facts(body)
        journal.event(str(facts.get("event", "x")), facts, connection=connection)


@given(st.lists(st.tuples(st.booleans(), st.binary(max_size=80)), max_size=20), TRANSPORTS)
def test_no_bytes_raise(lines: list[tuple[bool, bytes]], transport: str) -> None:
    journal = Journal()
    connection = journal.begin_connection({"transport": transport})
    for sent, raw in lines:
        way = Direction.SENT if sent else Direction.RECEIVED
        journal.frame(way, raw, connection=connection)
    assert all(1 <= number <= len(journal) for each in lint(journal) for number in each.entries)
    journal.close()


@given(
    st.lists(
        st.one_of(
            st.tuples(_EVENTS, _FACTS),
            st.builds(
                HttpFacts,
                st.sampled_from(["GET", "POST", "DELETE", "x"]),
                _URLS,
                _HEADERS.map(tuple),
                st.none() | st.sampled_from([200, 202, 401, 403, 404, 405, 500]),
                st.just(""),
                _HEADERS.map(tuple),
                body=st.sampled_from([b"", b"{}", b"[1]", b'{"resource":1,"issuer":2}', b"\xff"]),
            ),
            st.sampled_from(
                [
                    b'{"jsonrpc":"2.0","id":1,"method":"ping"}',
                    b'{"jsonrpc":"2.0","id":1,"result":{}}',
                ]
            ),
        ),
        max_size=12,
    ),
    TRANSPORTS,
    _URLS,
)
def test_nothing_that_a_transport_tells_raises(
    told: list[tuple[str, JsonObject] | HttpFacts | bytes], transport: str, url: str
) -> None:
    journal = Journal()
    connection = journal.begin_connection({"transport": transport, "url": url})
    for index, each in enumerate(told):
        if isinstance(each, HttpFacts):
            journal.http(each, connection=connection, frame=len(journal))
        elif isinstance(each, bytes):
            journal.frame(Direction(index % 2), each, connection=connection, http=len(journal))
        else:
            journal.event(*each, connection=connection)
    lint(journal)
    journal.close()


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
@settings(max_examples=scaled(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_real_conversation_raises_that_was_shuffled_and_cut(
    path: Path, data: st.DataObject
) -> None:
    scene = _scene(path)
    order = data.draw(st.lists(st.integers(0, len(scene) - 1), max_size=60))
    journal = Journal()
    connection = journal.begin_connection({"transport": data.draw(TRANSPORTS)})
    for index in order:
        kind, way, body = scene[index]
        how = data.draw(st.integers(0, 5))
        if how == 0:
            body = body[: data.draw(st.integers(0, len(body)))]
        elif how == 1:
            at = data.draw(st.integers(0, len(body)))
            body = body[:at] + data.draw(st.binary(max_size=4)) + body[at + 1 :]
        elif how == 2:
            way = Direction.SENT if way is Direction.RECEIVED else Direction.RECEIVED
        _entry(kind, body, journal, connection, way)
    lint(journal)
    journal.close()


_SCENES: dict[Path, list[tuple[Kind, Direction, bytes]]] = {}


def _scene(path: Path) -> list[tuple[Kind, Direction, bytes]]:
    if path not in _SCENES:
        journal = load_recording(path)
        entries = [journal.entry(number) for number in range(1, len(journal) + 1)]
        _SCENES[path] = [(each.row.kind, each.row.direction, each.body) for each in entries]
    return _SCENES[path]


def test_a_message_with_a_value_of_each_kind_at_each_place_raises_nothing() -> None:
    values: list[Json] = [None, True, 1.5, 10**30, "x", [], {}, [[]], {"a": []}]
    journal = Journal()
    connection = journal.begin_connection({"transport": "http", "url": "http://a.example/mcp"})
    methods = ("initialize", "tools/list", "tools/call", "resources/read", "prompts/get",
               "server/discover", "tasks/get", "completion/complete", "elicitation/create",
               "sampling/createMessage", "logging/setLevel", "subscriptions/listen")  # fmt: skip
    members = ("content", "tools", "contents", "messages", "task", "capabilities", "_meta",
               "protocolVersion", "inputRequests", "resultType", "completion", "nextCursor",
               "structuredContent", "taskId", "status", "cursor", "name", "uri", "arguments",
               "requestedSchema", "mode", "level", "notifications")  # fmt: skip
    number = 0
    for method in methods:
        for member in members:
            for value in values:
                number += 1
                held: JsonObject = {member: value}
                asked: Json = {"jsonrpc": "2.0", "id": number, "method": method, "params": held}
                told: Json = {"jsonrpc": "2.0", "id": number, "result": held}
                journal.frame(Direction.SENT, encode_json(asked), connection=connection)
                journal.frame(Direction.RECEIVED, encode_json(told), connection=connection)
    assert lint(journal)
