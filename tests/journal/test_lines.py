import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.journal.columns import Form
from inspector.journal.entries import Direction, Flag, Kind, SseFacts
from inspector.journal.lines import (
    FORMAT,
    HEAD_LENGTH,
    LineWriter,
    event_in,
    event_json,
    flag_line,
    header,
    header_format,
    optional,
    read_line,
)

RAW = b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"n":1.10}}'


def _line(more: bytes = b"", stored: bytes = RAW) -> bytes:
    return LineWriter().line(
        7, 1_800_000_000.5, 0.0015, Kind.REQUEST, Direction.SENT, 2, more, stored
    )


def test_a_line_is_json_with_the_raw_message_verbatim_inside() -> None:
    line = _line()
    assert RAW in line
    assert line.endswith(b'"}\n')
    assert line.count(b"\n") == 1
    fields = json.loads(line)
    assert fields["at"] == "2027-01-15T08:00:00.500Z"
    assert (fields["n"], fields["kind"], fields["dir"], fields["conn"]) == (7, "request", "out", 2)
    assert fields["raw"] == json.loads(RAW)


def test_a_line_comes_back_as_it_was() -> None:
    more = optional(http=3, about=4, flags=Flag.MASKED | Flag.PROBE, stream="GET", form=Form.TEXT)
    line = _line(more, b'"x"')
    read = read_line(line)
    assert read is not None
    assert (read.number, read.kind, read.direction, read.connection) == (7, 0, 0, 2)
    assert (read.monotonic, read.wall) == (0.0015, 1_800_000_000.5)
    assert (read.http, read.about, read.flags) == (3, 4, Flag.MASKED | Flag.PROBE)
    assert read.form is Form.TEXT
    assert read.change is None
    assert line[read.start : read.start + read.length] == b'"x"'
    assert json.loads(line)["flags"] == "probe masked"


def test_flags_set_later_have_lines_of_their_own() -> None:
    for on in (True, False):
        line = flag_line(9, 1_800_000_000.0, 5, Flag.MARKED, on)
        json.loads(line)
        read = read_line(line)
        assert read is not None
        assert (read.number, read.change, read.flags) == (9, on, Flag.MARKED)


@pytest.mark.parametrize("stream", ['a"b\\', "\x1b[31m", "é" * 300, "POST 3"])
def test_a_stream_name_cannot_break_the_line(stream: str) -> None:
    line = _line(optional(stream=stream))
    json.loads(line)
    assert read_line(line) is not None


@given(st.integers(0, len(_line()) - 1), st.integers(1, 255))
def test_a_line_with_one_wrong_byte_is_refused(at: int, change: int) -> None:
    line = bytearray(_line())
    line[at] ^= change
    assert read_line(bytes(line)) is None


@given(st.binary(max_size=200))
def test_any_bytes_are_a_line_or_none(line: bytes) -> None:
    assert read_line(line) is None
    header_format(line)


def test_every_beginning_of_a_header_is_a_torn_header() -> None:
    whole = header(1_800_000_000.0)
    json.loads(whole)
    assert header_format(whole) == FORMAT == 2
    for cut in range(len(whole)):
        assert header_format(whole[:cut]) == 0
    assert header_format(b"something else\n") is None
    assert header_format(b'{"format":\n') is None


@pytest.mark.parametrize("wall", [0.0, -5.0, 1e18, 253402300800.0, 1.9999999])
def test_any_clock_makes_a_readable_line(wall: float) -> None:
    line = LineWriter().line(1, wall, -3e-6, Kind.EVENT, Direction.LOCAL, 0, b"", b"{}")
    assert read_line(line) is not None


_TEXT = st.text(max_size=2000)


@given(
    facts=st.builds(
        SseFacts,
        id=st.none() | _TEXT,
        retry=st.none() | st.integers(0, 10**15 - 1),
        event=_TEXT,
    )
)
def test_what_stands_beside_a_message_in_its_event_comes_back(facts: SseFacts) -> None:
    inside = event_json(facts)
    line = _line(optional(event=inside, form=Form.TEXT))
    json.loads(line)
    read = read_line(line)
    assert read is not None
    assert read.start <= HEAD_LENGTH
    found = event_in(b"whatever\n" + line[: read.start])
    if facts == SseFacts():
        assert found is None
    else:
        assert found is not None
        assert found.retry == facts.retry
        for kept, told in ((found.id, facts.id), (found.event, facts.event)):
            assert kept == told or (kept[:400] == told[:400] and kept.endswith("…"))  # type: ignore[index, union-attr]


def test_a_line_without_an_event_tells_of_none() -> None:
    read = read_line(_line())
    assert read is not None
    assert event_in(_line()[: read.start]) is None
    assert event_in(b',"event":{"id":7},"raw":') is None
