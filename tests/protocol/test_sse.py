"""Server-sent events out of a byte stream, however it is cut into chunks."""

import itertools
import tracemalloc
from contextlib import suppress

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.errors import PeerViolation
from inspector.protocol.sse import REST_KEPT, SseEvent, SseParser
from tests.scaled import scaled

ENDS = st.sampled_from([b"\n", b"\r", b"\r\n"])
LINES = st.sampled_from(
    [
        b"data: {}",
        b"data:x",
        b"data",
        b"data:  two spaces",
        b"event: message",
        b"id: 7",
        b"id",
        b"id: a\0b",
        b"retry: 500",
        b"retry: 5s",
        b": comment",
        b"unknown: x",
        b"data: \xff\xc3\xa9",
        b"",
        b"",
    ]
)


@st.composite
def streams(draw: st.DrawFn) -> bytes:
    """Lines of an event stream with any line ends, perhaps behind a byte order mark."""
    lines = draw(st.lists(st.tuples(LINES, ENDS), max_size=30))
    start = draw(st.sampled_from([b"", b"\xef\xbb\xbf", b"\xef\xbb"]))
    return start + b"".join(line + end for line, end in lines)


def cut(raw: bytes, places: list[int]) -> list[bytes]:
    borders = [0, *sorted(min(place, len(raw)) for place in places), len(raw)]
    return [raw[start:end] for start, end in itertools.pairwise(borders)]


@given(streams(), st.lists(st.integers(0, 300)))
def test_any_chunking_gives_the_same_events(raw: bytes, places: list[int]) -> None:
    whole, parts = SseParser(), SseParser()
    expected = whole.feed(raw)
    assert [event for chunk in cut(raw, places) for event in parts.feed(chunk)] == expected
    assert parts.comments == whole.comments
    assert parts.last_event_id == whole.last_event_id


@given(st.binary(), st.lists(st.integers(0, 100)))
def test_any_bytes_in_any_chunks_give_the_same_events(raw: bytes, places: list[int]) -> None:
    parts = SseParser()
    assert [event for chunk in cut(raw, places) for event in parts.feed(chunk)] == SseParser().feed(
        raw
    )


def test_an_event_is_read_field_by_field() -> None:
    raw = b"event: endpoint\ndata: one\ndata:two\ndata:  three\nid: 4\nretry: 250\n\n"
    (event,) = SseParser().feed(raw)
    assert event == SseEvent("endpoint", b"one\ntwo\n three", "4", 250)


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_every_line_end_ends_a_line(end: bytes) -> None:
    events = SseParser().feed(end.join([b"data: a", b"data: b", b"", b"data: c", b"", b""]))
    assert [event.data for event in events] == [b"a\nb", b"c"]


def test_a_lone_carriage_return_delivers_without_waiting_for_a_newline() -> None:
    parser = SseParser()
    assert [event.data for event in parser.feed(b"data: a\r\r")] == [b"a"]
    assert [event.data for event in parser.feed(b"\ndata: b\r\n\r")] == [b"b"]
    assert parser.feed(b"\n") == []


def test_a_byte_order_mark_is_skipped_at_the_start_only() -> None:
    parser = SseParser()
    chunks = (b"\xef", b"\xbb", b"\xbfdata: a\n\n", b"\xef\xbb\xbfdata: b\n\n")
    assert [event.data for chunk in chunks for event in parser.feed(chunk)] == [b"a"]


def test_a_priming_event_sets_the_id_and_carries_nothing() -> None:
    parser = SseParser()
    events = parser.feed(b"id: abc\ndata:\n\nretry: 10\n\nid: def\n\n")
    assert [(event.id, event.data, event.retry) for event in events] == [
        ("abc", b"", None),
        (None, b"", 10),
        ("def", b"", None),
    ]
    assert parser.last_event_id == "def"


def test_an_id_with_nul_and_a_retry_that_is_no_number_are_ignored() -> None:
    parser = SseParser()
    events = parser.feed(b"id: 1\ndata: a\n\nid: 2\0\nretry: -5\nretry: 1.5\ndata: b\n\n")
    assert [(event.id, event.retry) for event in events] == [("1", None), (None, None)]
    assert parser.last_event_id == "1"
    parser.feed(b"retry: " + b"9" * 5000 + b"\nid\ndata: c\n\n")
    assert parser.last_event_id == ""


def test_comments_are_counted_and_are_no_events() -> None:
    parser = SseParser(cap=50)
    for _ in range(100):
        assert parser.feed(b": keep-alive\n") == []
    assert parser.feed(b":\n\n") == []
    assert parser.comments == 101


def test_what_the_end_of_the_stream_cuts_off_is_no_event() -> None:
    parser = SseParser()
    assert parser.feed(b"data: a\n\ndata: b\nda") == [SseEvent("message", b"a", None, None)]
    assert parser.rest() == b"data: b\nda"
    assert parser.unfinished == 10


def test_an_event_over_the_cap_is_refused_after_those_before_it() -> None:
    parser = SseParser(cap=100)
    assert [event.data for event in parser.feed(b"data: a\n\ndata: " + b"x" * 200)] == [b"a"]
    with pytest.raises(PeerViolation):
        parser.feed(b"more")
    with pytest.raises(PeerViolation):
        SseParser(cap=100).feed(b"data: x\n" * 20)


@pytest.mark.parametrize("piece", [b"data\n", b"data: x", b"x\n", b"\r"])
def test_an_event_takes_no_more_memory_than_its_bytes(piece: bytes) -> None:
    """Neither one that never ends, nor one of a million lines; and who waits sees how much came."""
    cap = 600_000
    parser = SseParser(cap)
    chunk = b"data: first\n" + piece * (6_000 // len(piece))
    tracemalloc.start()
    try:
        with suppress(PeerViolation):
            for _ in range(cap // len(chunk) + 2):
                parser.feed(chunk)
        assert tracemalloc.get_traced_memory()[1] < 3 * cap
    finally:
        tracemalloc.stop()
    assert parser.unfinished >= len(parser.rest())
    assert parser.rest() == (b"" if piece == b"\r" else (chunk * 50)[:REST_KEPT])


def test_a_large_event_in_many_chunks_comes_out_whole() -> None:
    parser = SseParser()
    parser.feed(b"data: ")
    for _ in range(20_000):
        assert parser.feed(b"0123456789") == []
    (event,) = parser.feed(b"\n\n")
    assert event.data == b"0123456789" * 20_000


@settings(max_examples=scaled(300))
@given(st.lists(st.tuples(LINES, ENDS), max_size=30), st.lists(st.integers(0, 200), max_size=6))
def test_another_implementation_reads_the_same_events(
    lines: list[tuple[bytes, bytes]], places: list[int]
) -> None:
    """httpx2 (httpx-sse), which the official SDK reads with. Its own ending of a stream that breaks
    off behind a carriage return is left out."""
    raw = b"".join(line + end for line, end in lines).rstrip(b"\r\n") + b"\n"
    response = httpx2.Response(
        200,
        headers={"Content-Type": "text/event-stream; charset=utf-8"},
        content=raw,
        request=httpx2.Request("GET", "http://server.test"),
    )
    theirs = [(e.event, e.data, e.id, e.retry) for e in httpx2.EventSource(response)]
    parser = SseParser()
    ours = []
    last_id = ""
    for event in (event for chunk in cut(raw, places) for event in parser.feed(chunk)):
        last_id = last_id if event.id is None else event.id
        ours.append((event.event, event.data.decode("utf-8", "replace"), last_id, event.retry))
    assert ours == theirs
