"""The state of one logical event stream."""

import json

import pytest

from inspector.protocol.sse import SseEvent
from inspector.transport.http_stream import (
    BARREN_LIMIT,
    EventStream,
    Verdict,
    answers,
    split_messages,
)

NOTE = b'{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
DONE = b'{"jsonrpc":"2.0","id":1,"result":{}}'


def event(
    data: bytes = NOTE, event_id: str | None = None, retry: int | None = None, name: str = "message"
) -> SseEvent:
    return SseEvent(event=name, data=data, id=event_id, retry=retry)


def test_a_stream_with_an_event_id_resumes_until_it_is_answered() -> None:
    stream = EventStream(1, "POST")
    stream.leg_begins()
    assert stream.take(event(b"", "a", 500)) is Verdict.PRIMING
    stream.leg_ended()
    assert stream.can_resume
    assert stream.wait == 0.5
    assert stream.last_event_id == "a"
    stream.leg_begins()
    assert stream.take(event(DONE, "b")) is Verdict.MESSAGE
    stream.note_message(DONE)
    assert stream.answered


def test_an_answered_stream_is_not_resumed() -> None:
    stream = EventStream(1, "POST")
    stream.take(event(DONE, "a"))
    stream.note_message(DONE)
    assert not stream.can_resume


def test_ids_seen_before_a_resumption_are_replays_and_ids_within_one_connection_are_not() -> None:
    stream = EventStream(1, "POST")
    stream.leg_begins()
    assert stream.take(event(event_id="a")) is Verdict.MESSAGE
    assert stream.take(event(event_id="a")) is Verdict.MESSAGE
    stream.leg_begins()
    assert stream.take(event(event_id="a")) is Verdict.REPLAYED
    assert stream.take(event(event_id="b")) is Verdict.MESSAGE


def test_an_id_that_comes_again_with_other_data_is_no_replay() -> None:
    """2025-11-25 basic/transports: ids are unique in a session; where a server counts anew on each
    connection, its answer must not be lost as a repetition."""
    stream = EventStream(1, "POST")
    stream.leg_begins()
    assert stream.take(event(b"a", event_id="0")) is Verdict.MESSAGE
    assert stream.take(event(b"", event_id="1")) is Verdict.PRIMING
    stream.leg_ended()
    stream.leg_begins()
    assert stream.take(event(b"a", event_id="0")) is Verdict.REPLAYED
    assert stream.take(event(b"b", event_id="0")) is Verdict.MESSAGE
    assert stream.take(event(b"c", event_id="1")) is Verdict.MESSAGE


def test_a_stream_without_an_event_id_cannot_be_resumed() -> None:
    stream = EventStream(1, "POST")
    stream.take(event())
    assert not stream.can_resume


def test_an_event_of_another_name_carries_no_message() -> None:
    assert EventStream(1, "POST").take(event(name="ping")) is Verdict.UNKNOWN


def test_an_empty_id_forgets_where_to_resume() -> None:
    stream = EventStream(1, "POST")
    stream.take(event(event_id="a"))
    stream.take(event(event_id=""))
    assert not stream.can_resume


def test_connections_that_bring_nothing_wait_longer_and_end() -> None:
    stream = EventStream(None, "GET", retry=1.0)
    waits = []
    while stream.can_resume:
        stream.leg_begins()
        stream.leg_ended()
        waits.append(stream.wait)
    assert len(waits) == BARREN_LIMIT + 1
    assert waits[:4] == [1.0, 2.0, 4.0, 8.0]


def test_a_quiet_stream_that_a_proxy_closes_now_and_then_is_opened_again_for_ever() -> None:
    """2025-11-25 basic/transports: the server may close a stream, the client polls."""
    stream = EventStream(None, "GET", retry=1.0)
    for _ in range(5 * BARREN_LIMIT):
        stream.leg_begins()
        stream.leg_ended(60.0)
        assert stream.can_resume
        assert stream.wait == 1.0


def test_a_request_that_nobody_waits_for_is_not_resumed() -> None:
    stream = EventStream(1, "POST")
    stream.take(event(event_id="a"))
    stream.abandoned = True
    assert not stream.can_resume


def test_an_absurd_retry_is_bounded() -> None:
    stream = EventStream(None, "GET")
    stream.take(event(retry=10**12))
    assert stream.wait == 300.0


def test_a_server_that_wants_to_be_asked_at_once_and_for_ever_is_not_hammered() -> None:
    stream = EventStream(None, "GET")
    asked = []
    for number in range(200):
        stream.leg_begins()
        stream.take(event(DONE, str(number), retry=0))
        stream.leg_ended(0.001)
        assert stream.can_resume
        asked.append(stream.wait)
    assert asked[:10] == [0.0] * 10
    assert asked[20:90] == [0.1] * 70
    assert asked[110:] == [1.0] * 90
    stream.leg_ended(60.0)
    assert stream.wait == 0.0


@pytest.mark.parametrize("event_id", ["a\x1bb", "a\x7f", "a\tb", "x" * 5000])
def test_an_event_id_that_no_header_can_carry_is_no_place_to_resume_from(event_id: str) -> None:
    stream = EventStream(1, "POST")
    stream.take(event(event_id="good"))
    stream.take(event(event_id=event_id))
    assert not stream.can_resume
    assert "no header can carry" in stream.remark


def test_only_the_response_to_the_very_request_answers_it() -> None:
    assert answers(DONE, 1)
    assert not answers(DONE, "1")
    assert not answers(DONE, 2)
    assert not answers(b'{"jsonrpc":"2.0","id":1,"method":"ping"}', 1)
    assert answers(b"[" + NOTE + b"," + DONE + b"]", 1)
    assert not answers(b"[" + NOTE + b"]", 1)
    assert answers(b'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}', 7)
    assert not answers(b"junk", 1)


def test_a_body_of_several_lines_is_split_only_when_each_is_a_message() -> None:
    pretty = json.dumps(json.loads(DONE), indent=2).encode()
    assert split_messages(DONE + b"\n" + NOTE + b"\n") == [DONE, NOTE]
    assert split_messages(pretty) == [pretty]
    assert split_messages(DONE + b"\njunk") == [DONE + b"\njunk"]
