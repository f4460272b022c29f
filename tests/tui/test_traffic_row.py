"""One line of the traffic list at several widths, for every kind of entry."""

import json

import pytest
from rich.cells import cell_len

from inspector.journal.entries import Direction, Flag, HttpFacts
from inspector.journal.exchanges import Exchanges
from inspector.journal.journal import Journal
from inspector.protocol.messages import Json, JsonObject
from inspector.tui.traffic_row import byte_size, columns_for, draw_row, duration

CALL = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add"}}'
ANSWER = b'{"jsonrpc":"2.0","id":7,"result":{"content":[]}}'
ERROR = b'{"jsonrpc":"2.0","id":8,"error":{"code":-32601,"message":"Method not found"}}'


def a_journal() -> Journal:
    journal = Journal()
    Exchanges(journal)
    connection = journal.begin_connection({"name": "x"})
    journal.frame(Direction.SENT, CALL, connection=connection)
    journal.frame(Direction.RECEIVED, ANSWER, connection=connection)
    journal.frame(Direction.RECEIVED, ERROR, connection=connection)
    journal.frame(Direction.RECEIVED, b"hello \x1b[31m there", connection=connection)
    journal.stderr(b"Traceback \xe2\x80\xae", connection=connection)
    journal.http(HttpFacts("GET", "http://x/mcp", status=405, reason="No"), connection=connection)
    journal.event("exited", {"code": 3}, connection=connection)
    journal.note(2, "look here")
    return journal


def line(number: int, width: int = 120) -> str:
    journal = a_journal()
    return draw_row(journal, journal.row(number), columns_for(width), 10.0).plain


def test_a_request_shows_method_name_id_and_size() -> None:
    words = line(2).split()
    assert words[0] == "2"
    assert "→" in words
    assert {"tools/call", "add", "7"} <= set(words)
    assert f"{len(CALL)} B" in line(2)


def test_a_result_shows_its_request_its_latency_and_ok() -> None:
    text = line(3)
    assert "← tools/call result" in text
    assert text.endswith("ok")
    assert "+" in text


def said(method: str, request_id: int, **params: Json) -> bytes:
    """A request of the modern era."""
    meta: JsonObject = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    params = {**params, "_meta": meta}
    message: JsonObject = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
    return json.dumps(message).encode()


def test_a_request_says_what_it_goes_on_with() -> None:
    journal = Journal()
    connection = journal.begin_connection({"name": "x"})
    asks = b'{"jsonrpc":"2.0","id":%d,"result":{"resultType":"input_required","requestState":"s"}}'
    task = b'{"jsonrpc":"2.0","id":2,"result":{"resultType":"task","taskId":"t","status":"x"}}'

    def sent(raw: bytes) -> str:
        number = journal.frame(Direction.SENT, raw, connection=connection)
        return draw_row(journal, journal.row(number), columns_for(160), 10.0).plain

    def received(raw: bytes) -> None:
        journal.frame(Direction.RECEIVED, raw, connection=connection)

    assert "round" not in sent(said("tools/call", 1, name="a"))
    received(asks % 1)
    assert "round 2 of 2" in sent(said("tools/call", 2, name="a", requestState="s"))
    received(task)
    assert "for 2" in sent(said("tasks/get", 3, taskId="t"))
    for request_id in (4, 5):
        sent(said("tools/call", request_id, name="b"))
        received(asks % request_id)
    assert "goes on with 7 or 9?" in sent(said("tools/call", 6, name="b", requestState="s"))


def test_an_answer_to_nothing_is_called_an_orphan_and_says_its_error() -> None:
    assert "orphan" in line(4)
    assert "-32601" in line(4, 160)


def test_what_is_no_message_is_shown_as_text_made_safe() -> None:
    assert "hello ␛[31m there" in line(5)
    assert "stderr  Traceback ⟨202E⟩" in line(6)
    assert "HTTP GET  405  No http://x/mcp" in line(7)
    assert "exited" in line(8)
    assert "note  look here" in line(9)


def test_a_pending_request_counts_seconds() -> None:
    journal = Journal()
    Exchanges(journal)
    connection = journal.begin_connection({})
    number = journal.frame(Direction.SENT, CALL, connection=connection)
    row = journal.row(number)
    assert row.flags & Flag.PENDING
    shown = draw_row(journal, row, columns_for(120), row.monotonic + 3.2).plain
    assert "pending 3.2 s" in shown


def test_a_request_that_nobody_answered_says_so_and_counts_no_more() -> None:
    journal = Journal()
    Exchanges(journal)
    connection = journal.begin_connection({})
    number = journal.frame(Direction.SENT, CALL, connection=connection)
    journal.flag(number, Flag.PENDING, on=False)
    shown = draw_row(journal, journal.row(number), columns_for(120), 10.0).plain
    assert shown.endswith("unanswered")
    assert "pending" not in shown


@pytest.mark.parametrize("width", [24, 40, 60, 79, 80, 107, 108, 119, 200])
def test_no_line_is_wider_than_its_room(width: int) -> None:
    journal = a_journal()
    for number in range(1, len(journal) + 1):
        drawn = draw_row(journal, journal.row(number), columns_for(width), 1e6).plain
        assert cell_len(drawn) <= width, drawn


def test_durations_and_sizes_are_short() -> None:
    assert [duration(s) for s in (0.0004, 0.012, 3.42, 125)] == [
        "0.4 ms",
        "12 ms",
        "3.4 s",
        "2 m 05 s",
    ]
    assert [byte_size(n) for n in (0, 999, 4200, 13_000_000)] == ["0 B", "999 B", "4.2 kB", "13 MB"]


def test_a_method_without_a_name_beside_it_is_shown_in_full() -> None:
    journal = Journal()
    Exchanges(journal)
    connection = journal.begin_connection({"name": "x"})
    request = b'{"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}'
    journal.frame(Direction.SENT, request, connection=connection)
    answer = b'{"jsonrpc":"2.0","id":1,"result":{"resourceTemplates":[]}}'
    number = journal.frame(Direction.RECEIVED, answer, connection=connection)
    for width in (79, 119):
        shown = draw_row(journal, journal.row(number), columns_for(width), 10.0).plain
        assert "resources/templates/list result" in shown


def test_a_failed_tool_is_said_to_have_failed_in_80_columns() -> None:
    failed = b'{"jsonrpc":"2.0","id":7,"result":{"content":[],"isError":true}}'
    fresh = Journal()
    Exchanges(fresh)
    connection = fresh.begin_connection({"name": "x"})
    fresh.frame(Direction.SENT, CALL, connection=connection)
    number = fresh.frame(Direction.RECEIVED, failed, connection=connection)
    shown = draw_row(fresh, fresh.row(number), columns_for(79), 10.0).plain
    assert shown.endswith("tool error")
