import hashlib
import json
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.errors import RecordingError, UsageError
from inspector.journal.entries import Direction, Flag, HttpFacts, Kind, SseFacts
from inspector.journal.exchanges import Exchanges
from inspector.journal.journal import Journal
from inspector.journal.lines import read_line
from inspector.journal.loading import load_recording
from inspector.journal.recording import RecordingFile
from inspector.journal.reopened import ReopenedJournal
from tests.journal.conversation import Conversation, error, recorded, request, result
from tests.scaled import scaled

FRAMES = 24
FORMAT_1_DIGEST = "dd789fcee5b36c5744fa3dd738cc24a1139c426f2822818aa72c23fc437c2bc3"


def _same(journal: Journal, talk: Conversation, count: int) -> None:
    assert len(journal) == count
    for number in range(1, count + 1):
        assert journal.body(number) == talk.journal.body(number)
        assert journal.row(number).method == talk.journal.row(number).method


def test_a_recording_comes_back_entry_by_entry(tmp_path: Path) -> None:
    path = tmp_path / "r"
    talk = Conversation(file=RecordingFile.create(path))
    asked = talk.sent(request(1, name="add"))
    talk.journal.http(HttpFacts("POST", "http://x", status=200), connection=1, frame=asked)
    talk.pass_time(1.5)
    talk.received(result(1, isError=True))
    talk.received(b"junk \xff")
    talk.received(b'{\n"multi": "line"}')
    talk.journal.stderr(b"hello", connection=1)
    slow = talk.sent(request(2))
    talk.journal.flag(slow, Flag.TIMED_OUT | Flag.MARKED)
    talk.journal.note(slow, "slow")
    talk.received(error(2))
    talk.connection = talk.journal.begin_connection({})
    talk.frame(direction=talk.journal.row(asked).direction, message=b"{}", flags=Flag.RESENT)
    talk.journal.close()
    journal = load_recording(path)
    _same(journal, talk, len(talk.journal))
    for number in range(1, len(journal) + 1):
        live, read = talk.journal.row(number), journal.row(number)
        assert (read.flags, read.partner, read.http, read.status) == (
            live.flags,
            live.partner,
            live.http,
            live.status,
        )
        assert (read.kind, read.direction, read.connection, read.size) == (
            live.kind,
            live.direction,
            live.connection,
            live.size,
        )
        assert read.wall == pytest.approx(live.wall, abs=0.001)
        assert (read.latency or 0) == pytest.approx(live.latency or 0, abs=1e-5)
        assert journal.name(number) == talk.journal.name(number)
    assert (journal.sent, journal.received) == (talk.journal.sent, talk.journal.received)
    assert Exchanges(journal).of(asked) == talk.exchanges.of(asked)
    assert journal.dropped_bytes == 0


def test_a_recording_of_format_1_is_read_as_it_was_written(tmp_path: Path) -> None:
    stored = Path(__file__).with_name("format-1.jsonl")
    content = stored.read_bytes()
    assert hashlib.sha256(content).hexdigest() == FORMAT_1_DIGEST
    journal = load_recording(stored)
    assert journal.dropped_bytes == 0
    assert [Kind(kind).name for kind in journal.kinds[1 : len(journal) + 1]] == [
        *("EVENT", "REQUEST", "HTTP", "NOTIFICATION", "RESULT", "MALFORMED", "MALFORMED"),
        *("STDERR", "REQUEST", "NOTE", "ERROR", "EVENT", "NOTIFICATION"),
    ]
    assert journal.body(6) == b"junk \xff"
    assert journal.body(7) == b'{\n"multi": "line"}'
    assert journal.row(2).flags == Flag.MARKED
    assert journal.row(9).flags == Flag.TIMED_OUT
    assert journal.row(11).flags == Flag.LATE | Flag.IS_ERROR
    assert (journal.row(2).partner, journal.row(4).partner, journal.row(10).partner) == (5, 2, 9)
    assert journal.row(13).http == 3
    assert journal.event_of(13) is None
    assert stored.read_bytes() == content


def test_what_stood_beside_a_message_in_its_event_is_in_the_recording(tmp_path: Path) -> None:
    path = tmp_path / "r"
    talk = Conversation(file=RecordingFile.create(path))
    told = SseFacts(id='7_☃\n"', retry=1500, event="message")
    plain = talk.received(result(1))
    beside = talk.journal.frame(Direction.RECEIVED, b"not {json", connection=1, event=told)
    empty = talk.journal.frame(Direction.RECEIVED, b"{}", connection=1, event=SseFacts())
    forgets = talk.journal.frame(Direction.RECEIVED, b"{}", connection=1, event=SseFacts(id=""))
    talk.journal.close()
    for journal in (talk.journal, load_recording(path)):
        assert journal.dropped_bytes == 0
        assert journal.event_of(plain) is None
        assert journal.event_of(beside) == told
        assert journal.event_of(empty) is None
        assert journal.event_of(forgets) == SseFacts(id="")
        assert journal.body(beside) == b"not {json"
        with pytest.raises(IndexError):
            journal.event_of(9)


def test_a_secret_in_the_id_of_an_event_is_masked(tmp_path: Path) -> None:
    talk = Conversation(file=RecordingFile.create(tmp_path / "r"))
    talk.journal.redactor.learn("s3cret-canary")
    number = talk.journal.frame(
        Direction.RECEIVED, b"{}", connection=1, event=SseFacts(id="s3cret-canary")
    )
    talk.journal.close()
    assert b"s3cret" not in (tmp_path / "r").read_bytes()
    assert talk.journal.event_of(number) is not None


def test_a_file_cut_at_any_byte_gives_back_every_whole_line(tmp_path: Path) -> None:
    talk = recorded(tmp_path / "r", FRAMES)
    content = (tmp_path / "r").read_bytes()
    cut_file = tmp_path / "cut"
    for cut in range(len(content)):
        cut_file.write_bytes(content[:cut])
        journal = load_recording(cut_file)
        lines = content[:cut].count(b"\n")
        last = content[:cut].rfind(b"\n") + 1
        assert len(journal) == max(lines - 1, 0)
        assert journal.dropped_bytes == cut - last
        if len(journal):
            assert journal.body(len(journal)) == talk.journal.body(len(journal))


def test_a_damaged_line_in_the_middle_leaves_the_others_their_numbers(tmp_path: Path) -> None:
    talk = recorded(tmp_path / "r", FRAMES)
    content = bytearray((tmp_path / "r").read_bytes())
    lines = bytes(content).split(b"\n")
    at = len(b"\n".join(lines[:20])) + 50
    content[at] ^= 1
    (tmp_path / "bad").write_bytes(content)
    journal = load_recording(tmp_path / "bad")
    assert len(journal) == len(talk.journal)
    assert journal.row(20).method == "entry-lost"
    assert journal.body(20) == b""
    assert journal.dropped_bytes == len(lines[20]) + 1
    assert journal.body(21) == talk.journal.body(21)


def test_lines_that_claim_a_far_number_are_not_believed(tmp_path: Path) -> None:
    recorded(tmp_path / "r", 4)
    other = recorded(tmp_path / "o", 40)
    tail = (tmp_path / "o").read_bytes().split(b"\n")[35]
    with (tmp_path / "r").open("ab") as file:
        file.write(tail + b"\n")
    journal = load_recording(tmp_path / "r")
    assert len(journal) == 5
    assert journal.dropped_bytes == len(tail) + 1
    assert len(other.journal) == 41


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=scaled(200))
@given(data=st.binary(max_size=300), header=st.booleans())
def test_any_bytes_are_a_recording_or_a_recording_error(
    tmp_path: Path, data: bytes, header: bool
) -> None:
    path = tmp_path / "any"
    start = b'{"format":1,"program":"mcp-inspect"}\n' if header else b""
    path.write_bytes(start + data)
    try:
        journal = load_recording(path)
    except RecordingError:
        assert not header
    else:
        assert len(journal) == 0


@pytest.mark.parametrize("seed", range(4))
def test_flipped_bits_never_raise_anything_else(tmp_path: Path, seed: int) -> None:
    recorded(tmp_path / "r", 12)
    content = (tmp_path / "r").read_bytes()
    dice = random.Random(seed)
    path = tmp_path / "flipped"
    for _ in range(150):
        flipped = bytearray(content)
        for _ in range(dice.choice((1, 1, 2, 20))):
            flipped[dice.randrange(len(flipped))] ^= 1 << dice.randrange(8)
        path.write_bytes(flipped)
        try:
            journal = load_recording(path)
        except RecordingError:
            continue
        for number in range(1, len(journal) + 1):
            journal.entry(number)
            journal.name(number)
            Exchanges(journal).of(number)


def test_what_is_no_recording_is_refused_with_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for content, reason in (
        (b"hello\n", "no recording"),
        (b'{"format":99,"program":"mcp-inspect"}\n', "newer"),
    ):
        path.write_bytes(content)
        with pytest.raises(RecordingError) as raised:
            load_recording(path)
        assert reason in raised.value.message + raised.value.hint


def test_what_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (
        tmp_path / "nothing",
        tmp_path,
        tmp_path / "pipe",
        Path("a\0b"),
        Path("/dev/zero"),
    ):
        with pytest.raises(RecordingError):
            load_recording(path)


def _left(tmp_path: Path, entries: int = 4) -> Path:
    """A recording that nobody has open any more."""
    recorded(tmp_path / "live", entries).journal.close()
    return Path(shutil.copy(tmp_path / "live", tmp_path / "r"))


def test_marks_and_notes_on_a_recording_are_kept_in_it(tmp_path: Path) -> None:
    path = _left(tmp_path)
    before = path.read_bytes()
    journal = load_recording(path)
    told: list[int] = []
    journal.subscribe(told.append)
    note = journal.note(2, "look here")
    journal.flag(2, Flag.MARKED)
    journal.flag(3, Flag.MARKED)
    journal.flag(3, Flag.MARKED, False)
    again = journal.note(3, "and here")
    assert told == [note, again] == [6, 7]
    assert path.read_bytes().startswith(before)
    for each in (journal, load_recording(path)):
        assert each.dropped_bytes == 0
        assert [each.name(note), each.name(again)] == ["look here", "and here"]
        assert each.row(note).kind is Kind.NOTE
        assert each.row(note).partner == 2
        assert Flag.MARKED in each.row(2).flags
        assert Flag.MARKED not in each.row(3).flags
        assert each.row(5).monotonic <= each.row(note).monotonic <= each.row(again).monotonic
    assert all(json.loads(line) for line in path.read_bytes().splitlines())


def test_a_note_on_a_torn_recording_begins_on_a_line_of_its_own(tmp_path: Path) -> None:
    path = _left(tmp_path)
    content = path.read_bytes()
    path.write_bytes(content[:-30])
    journal = load_recording(path)
    torn = journal.dropped_bytes
    journal.flag(2, Flag.MARKED)
    note = journal.note(2, "look here")
    assert note == 5
    again = load_recording(path)
    assert again.name(5) == journal.name(5) == "look here"
    assert Flag.MARKED in again.row(2).flags
    assert again.dropped_bytes == journal.dropped_bytes == torn + 1  # and a newline


@pytest.mark.parametrize("way", ["read-only", "open elsewhere", "another file", "full"])
def test_what_cannot_be_kept_in_a_recording_is_kept_in_memory(
    tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _left(tmp_path)
    journal = load_recording(path)
    assert isinstance(journal, ReopenedJournal)
    if way == "read-only":
        path.chmod(0o400)
    elif way == "open elsewhere":
        other = load_recording(path)
        assert len(other) == len(journal)
    elif way == "another file":
        path.unlink()
        shutil.copy(tmp_path / "live", path)
    else:

        def full(_: int, data: bytes) -> int:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("inspector.journal.reopened.os.write", full)
    before = path.read_bytes()
    assert journal.not_kept == ""
    journal.flag(2, Flag.MARKED)
    assert journal.not_kept != ""
    monkeypatch.undo()
    note = journal.note(2, "look here") if way != "full" else 0
    if note:
        assert journal.name(note) == "look here"
        assert journal.row(note).kind is Kind.NOTE
        assert journal.body(3) == load_recording(tmp_path / "live").body(3)
    assert Flag.MARKED in journal.row(2).flags
    assert path.read_bytes() == before


def test_a_recording_that_grows_takes_no_notes_but_marks(tmp_path: Path) -> None:
    talk = recorded(tmp_path / "r", 4)
    journal = load_recording(tmp_path / "r")
    with pytest.raises(UsageError, match="still being written"):
        journal.note(2, "look here")
    journal.flag(2, Flag.MARKED)
    assert Flag.MARKED in journal.row(2).flags
    assert (tmp_path / "r").stat().st_size == talk.journal.file.size


def test_what_was_added_to_an_old_recording_is_of_its_format(tmp_path: Path) -> None:
    path = tmp_path / "r"
    path.write_bytes(Path(__file__).with_name("format-1.jsonl").read_bytes())
    load_recording(path).note(2, "look here")
    *_, last = path.read_bytes().splitlines(keepends=True)
    assert read_line(last) is not None
    assert load_recording(path).name(14) == "look here"


def test_every_line_of_a_recording_is_json_that_holds_the_message(tmp_path: Path) -> None:
    talk = recorded(tmp_path / "r", 6)
    lines = (tmp_path / "r").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line).get("n") for line in lines] == [None, *range(1, 8)]
    assert talk.journal.body(2).decode() in lines[2]


@pytest.mark.skipif(shutil.which("grep") is None, reason="no grep")
def test_grep_finds_messages_in_a_recording(tmp_path: Path) -> None:
    recorded(tmp_path / "r", 6)
    found = subprocess.run(
        ["grep", "-c", '"name":"tool-4"', str(tmp_path / "r")],
        capture_output=True,
        timeout=30,
        check=True,
    )
    assert found.stdout == b"1\n"


def test_a_connection_beside_another_lets_that_one_go_on_live_and_reopened(
    tmp_path: Path,
) -> None:
    path = tmp_path / "r"
    talk = Conversation(file=RecordingFile.create(path))
    asked = talk.sent(request(1, name="add"))
    talk.journal.begin_connection({"aside": "era matrix, 2025-06-18"})
    waits = talk.journal.row(asked).flags
    answer = talk.received(result(1))
    talk.journal.close()
    assert Flag.PENDING in waits
    for journal in (talk.journal, load_recording(path)):
        assert journal.row(answer).partner == asked
        assert Flag.ORPHAN not in journal.row(answer).flags
