"""HTTP archives: what HAR 1.2 wants of them, over HTTP and over stdio."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.journal.entries import Direction, HttpFacts
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from tests.export.canary import exported, recording
from tests.journal.conversation import Conversation, request, result

RECORDINGS = sorted((Path(__file__).parents[1] / "recordings").glob("*.jsonl"))
WANTED = {
    "": {"startedDateTime", "time", "request", "response", "cache", "timings"},
    "request": {
        *("method", "url", "httpVersion", "cookies", "headers", "queryString"),
        *("headersSize", "bodySize"),
    },
    "response": {
        *("status", "statusText", "httpVersion", "cookies", "headers", "content"),
        *("redirectURL", "headersSize", "bodySize"),
    },
    "timings": {"send", "wait", "receive"},
}


def _entries(journal: Journal, *rules: str) -> list[dict[str, Any]]:
    log = json.loads(exported(journal, "har", *rules))["log"]
    assert log["version"] == "1.2"
    assert set(log["creator"]) == {"name", "version"}
    for entry in log["entries"]:
        for part, names in WANTED.items():
            assert names <= set(entry[part] if part else entry), entry
        assert min(entry["timings"][name] for name in WANTED["timings"]) >= 0
        times = [entry["timings"][name] for name in WANTED["timings"]]
        assert entry["time"] == pytest.approx(sum(times), abs=0.01)
        assert {"size", "mimeType"} <= set(entry["response"]["content"])
        for pair in entry["request"]["headers"] + entry["response"]["headers"]:
            assert set(pair) == {"name", "value"}
    found: list[dict[str, Any]] = log["entries"]
    return found


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_recordings_of_real_servers_become_valid_archives(path: Path) -> None:
    assert len(_entries(load_recording(path))) >= 10


def _http(kind: str, *answers: bytes) -> Journal:
    journal = Journal()
    number = journal.begin_connection({})
    raw = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    sent = journal.frame(Direction.SENT, raw, connection=number)
    facts = HttpFacts(
        "POST",
        "http://h/mcp?a=1&b=%20",
        (("Content-Type", "application/json"),),
        200,
        "OK",
        (("Content-Type", kind),),
    )
    http = journal.http(facts, connection=number, frame=sent)
    for answer in answers:
        journal.frame(Direction.RECEIVED, answer, connection=number, http=http)
    return journal


def test_a_json_answer_is_the_content_of_its_exchange() -> None:
    answer = b'{"jsonrpc":"2.0","id":1,"result":{}}'
    (entry,) = _entries(_http("application/json", answer))
    assert entry["request"]["postData"]["text"] == '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    assert entry["request"]["queryString"] == [
        {"name": "a", "value": "1"},
        {"name": "b", "value": " "},
    ]
    assert entry["response"]["content"]["text"] == answer.decode()
    assert "_eventSourceMessages" not in entry


def test_messages_of_a_stream_stand_with_their_times() -> None:
    progress = b'{"jsonrpc":"2.0","method":"notifications/progress","params":{}}'
    answer = b'{"jsonrpc":"2.0","id":1,"result":{}}'
    (entry,) = _entries(_http("text/event-stream; charset=utf-8", progress, answer))
    data = [message["data"] for message in entry["_eventSourceMessages"]]
    assert data == [progress.decode(), answer.decode()]
    text = entry["response"]["content"]["text"]
    assert text == f"data: {data[0]}\n\ndata: {data[1]}\n\n"


def test_bytes_that_are_no_text_are_base64() -> None:
    (entry,) = _entries(_http("application/json", b"\xff\xfe"))
    assert entry["response"]["content"]["encoding"] == "base64"


def test_over_stdio_a_request_and_its_answer_are_one_entry() -> None:
    talk = Conversation()
    talk.sent(request(1, "tools/call", name="a/b c"))
    talk.pass_time(0.25)
    talk.received(result(1, content=[]))
    talk.sent(request(2, "ping"))
    answered, waiting = _entries(talk.journal)
    assert answered["request"]["url"] == "stdio://server/tools%2Fcall/a%2Fb%20c"
    assert (answered["response"]["status"], answered["time"]) == (200, 250.0)
    assert answered["_transport"] == "stdio"
    assert waiting["response"]["status"] == 0


def test_no_message_is_told_twice_and_none_is_missing() -> None:
    journal = recording()
    written = exported(journal, "har").decode()
    entries = _entries(journal)
    assert [entry["_entry"] for entry in entries] == [3, 6, 9, 11, 12]
    assert written.count("no canary-4711") == 1
