"""Reading a recording in slices, whatever became of it on the way."""

import gc
import gzip
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.errors import RecordingError
from inspector.journal import reading
from inspector.journal.entries import Direction, Flag, HttpFacts, Kind, SseFacts
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.journal.reading import RecordingReader
from inspector.journal.recording import RecordingFile
from inspector.journal.stored_lines import Quick
from tests.journal.conversation import Conversation, error, notification, recorded, request, result

RECORDINGS = Path(__file__).parents[1] / "recordings"


def _everything(path: Path, rounds: int = 1) -> Conversation:
    """A recording of everything that can be in one."""
    talk = Conversation(file=RecordingFile.create(path))
    for at in range(rounds):
        asked = talk.sent(request(f"{at}-1", name="add", _meta={"progressToken": at}))
        carrier = talk.journal.http(
            HttpFacts("POST", "http://x", status=200), connection=talk.connection, frame=asked
        )
        talk.received(notification("notifications/progress", progressToken=at), http=carrier)
        talk.pass_time(0.7)
        talk.journal.frame(
            Direction.RECEIVED, b'{"jsonrpc":"2.0","id":"%d-1","result":{"isError":true}}' % at,
            connection=talk.connection, event=SseFacts(id=str(at), retry=10), stream="GET 1",
        )  # fmt: skip
        talk.received(result(f"{at}-1"))
        talk.received(b"junk \xff")
        talk.received('{"text": "☃", "method": 7}'.encode())
        talk.received(b'[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","method":"x"}]')
        talk.received(b'{\n"multi": "line"}')
        talk.journal.stderr(b"hello", connection=talk.connection)
        slow = talk.sent(request(at))
        talk.journal.flag(slow, Flag.TIMED_OUT | Flag.MARKED)
        talk.journal.flag(slow, Flag.MARKED, False)
        talk.journal.note(slow, "slow")
        talk.received(error(at))
        if at % 3 == 2:
            talk.connection = talk.journal.begin_connection({})
    talk.journal.close()
    return talk


def _facts(journal: Journal) -> list[object]:
    columns = journal.columns
    every = range(1, len(journal) + 1)
    return [
        journal.dropped_bytes, journal.sent, journal.received, journal.connections,
        *((journal.row(number), journal.body(number), columns.offsets[number],
           columns.links.causes(number), columns.stored_as(number)) for number in every),
    ]  # fmt: skip


def _read(path: Path, step: int) -> Journal:
    reader = RecordingReader.open(path)
    while reader.step(step):
        pass
    reader.settle()
    return reader.journal


@pytest.mark.parametrize("step", [1, 7, 100, 4096, 10**7])
def test_any_slices_have_the_same_result(tmp_path: Path, step: int) -> None:
    _everything(tmp_path / "r", 7)
    assert _facts(_read(tmp_path / "r", step)) == _facts(load_recording(tmp_path / "r"))


@pytest.mark.parametrize(
    "name", ["own", "demo.jsonl", "demo-modern.jsonl", "everything-http.jsonl"]
)
def test_many_lines_at_once_have_the_result_of_one_by_one(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "own" if name == "own" else RECORDINGS / name
    if name == "own":
        _everything(path, 7)
    at_once = load_recording(path)

    def one_by_one(self: Quick, lines: bytes, offset: int) -> None:
        for line in lines.splitlines(keepends=True):
            self._other(line, offset)
            offset += len(line)

    monkeypatch.setattr(Quick, "take", one_by_one)
    assert _facts(at_once) == _facts(load_recording(path))
    assert len(at_once) > 20


def test_before_the_first_paint_little_is_read_however_long_the_recording_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(tmp_path / "r", 20_000).journal.close()
    read: list[int] = []
    pread = os.pread

    def counted(descriptor: int, length: int, offset: int) -> bytes:
        found = pread(descriptor, length, offset)
        read.append(len(found))
        return found

    monkeypatch.setattr("inspector.journal.reading.os.pread", counted)
    reader = RecordingReader.open(tmp_path / "r")
    assert reader.first(24)
    assert len(reader.journal) == 24
    assert sum(read) <= 1024 * 1024
    for number in range(1, 25):
        reader.journal.entry(number)
    assert sum(read) <= 1024 * 1024
    assert reader.size > 2 * 1024 * 1024


def test_a_cut_at_any_byte_leaves_everything_before_it(tmp_path: Path) -> None:
    talk = _everything(tmp_path / "r")
    content = (tmp_path / "r").read_bytes()
    ends = [at + 1 for at in range(len(content)) if content[at : at + 1] == b"\n"]
    entries = [b'"kind":"flag"' not in line and b'"kind":"unflag"' not in line
               for line in content.splitlines()]  # fmt: skip
    for cut in range(len(content)):
        (tmp_path / "cut").write_bytes(content[:cut])
        journal = load_recording(tmp_path / "cut")
        whole = sum(end <= cut for end in ends)
        assert len(journal) == sum(entries[1:whole])
        assert journal.dropped_bytes == cut - max((end for end in ends if end <= cut), default=0)
        for number in range(1, len(journal) + 1):
            assert journal.body(number) == talk.journal.body(number)


def test_cuts_of_a_long_recording_leave_everything_before_them(tmp_path: Path) -> None:
    talk = _everything(tmp_path / "r", 300)
    content, dice = (tmp_path / "r").read_bytes(), random.Random(7)
    for _ in range(25):
        cut = dice.randrange(len(content))
        (tmp_path / "cut").write_bytes(content[:cut])
        journal = load_recording(tmp_path / "cut")
        kept = content[: content.rfind(b"\n", 0, cut) + 1]
        assert journal.dropped_bytes == cut - len(kept)
        assert len(journal) == kept.count(b"\n") - 1 - kept.count(b'flag","dir":"local"')
        number = len(journal)
        assert journal.body(number) == talk.journal.body(number)


def _zeroed(content: bytes, at: int) -> bytes:
    return content[:at] + bytes(512) + content[at + 512 :]


def _flipped(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :]


def _missing(content: bytes, at: int) -> bytes:
    return content[:at] + content[at + 700 :]


def _twice(content: bytes, at: int) -> bytes:
    start, end = content.rfind(b"\n", 0, at) + 1, content.find(b"\n", at) + 1
    return content[:end] + content[start:end] + content[end:]


def _filled(content: bytes, at: int) -> bytes:
    return content[:at] + b"\n\n \n" + content[at:]


@pytest.mark.parametrize("damage", [_zeroed, _flipped, _missing, _twice, _filled])
def test_damage_leaves_all_entries_around_it_and_their_numbers(
    tmp_path: Path, damage: Callable[[bytes, int], bytes]
) -> None:
    talk = _everything(tmp_path / "r", 30)
    content, dice = (tmp_path / "r").read_bytes(), random.Random(11)
    for _ in range(30):
        at = dice.randrange(content.find(b"\n") + 1, len(content) - 1200)
        (tmp_path / "bad").write_bytes(damage(content, at))
        journal = load_recording(tmp_path / "bad")
        assert len(journal) == len(talk.journal)
        lost = 0
        for number in range(1, len(journal) + 1):
            if journal.row(number).method == reading.LOST:
                lost += 1
            else:
                assert journal.body(number) == talk.journal.body(number)
        assert lost <= 8
        assert damage in (_missing, _twice) or journal.dropped_bytes > 0


def test_a_mailers_line_endings_and_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    talk = _everything(tmp_path / "r", 3)
    content = (tmp_path / "r").read_bytes()
    for mailed in (content.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + content):
        (tmp_path / "mailed").write_bytes(mailed)
        journal = load_recording(tmp_path / "mailed")
        assert journal.dropped_bytes == 0
        assert len(journal) == len(talk.journal)
        for number in range(1, len(journal) + 1):
            assert journal.body(number) == talk.journal.body(number)


def test_a_compressed_recording_is_refused_with_what_to_do(tmp_path: Path) -> None:
    recorded(tmp_path / "r", 4).journal.close()
    path = tmp_path / "r.jsonl.gz"
    path.write_bytes(gzip.compress((tmp_path / "r").read_bytes()))
    with pytest.raises(RecordingError) as raised:
        RecordingReader.open(path)
    assert raised.value.hint == f"zcat {path} | mcp-inspect open -"
    assert raised.value.fault == "you"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(cuts=st.lists(st.integers(0, 6000), max_size=5))
def test_a_recording_that_grows_in_any_pieces_ends_up_the_same(
    tmp_path: Path, cuts: list[int]
) -> None:
    path, growing = tmp_path / "r", tmp_path / "growing"
    if not path.exists():
        _everything(path, 3)
    content = path.read_bytes()
    growing.write_bytes(content[:100])
    reader, at = RecordingReader.open(growing), 100
    for cut in [*sorted(cuts), len(content)]:
        while reader.step():
            pass
        reader.settle()
        with growing.open("ab") as file:
            file.write(content[at : max(at, cut)])
        at = max(at, cut)
    while reader.step():
        pass
    reader.settle()
    assert _facts(reader.journal) == _facts(load_recording(path))


def test_what_is_added_while_a_recording_is_read_comes_after_it(tmp_path: Path) -> None:
    recorded(tmp_path / "live", 5000).journal.close()
    path = Path(shutil.copy(tmp_path / "live", tmp_path / "r"))
    reader = RecordingReader.open(path)
    assert reader.step(100_000)
    reader.journal.flag(3, Flag.MARKED)
    seen = len(reader.journal)
    while reader.step():
        pass
    assert 3 < seen < len(reader.journal) == 5001
    assert Flag.MARKED in reader.journal.row(3).flags
    assert Flag.MARKED in load_recording(path).row(3).flags
    gc.collect()  # that one is closed
    note = reader.journal.note(3, "look")
    assert note == 5002
    assert load_recording(path).row(note).kind is Kind.NOTE


@pytest.mark.parametrize("digits", [17, 18, 400, 5_000])
def test_a_time_of_many_digits_is_damage_and_nothing_else(tmp_path: Path, digits: int) -> None:
    line = (
        b'{"n":2,"at":"2026-01-01T00:00:00.000Z","us":%b,"kind":"result","dir":"in","conn":1,'
        b'"len":35,"raw":{"jsonrpc":"2.0","id":1,"result":0}'
    ) % (b"9" * digits)
    path = tmp_path / "hostile"
    _everything(path)
    head = b"".join(path.read_bytes().splitlines(keepends=True)[:2])
    path.write_bytes(head + b'%b,"crc":"%08x"}\n' % (line, crc32(line)))
    journal = load_recording(path)
    assert len(journal) == (2 if digits == 17 else 1)
    assert bool(journal.dropped_bytes) is (digits != 17)
    assert journal.row(len(journal)).monotonic <= 1e11


def test_entries_of_a_hostile_recording_cannot_point_outside_of_it(tmp_path: Path) -> None:
    head = b'{"n":1,"at":"2026-01-01T00:00:00.000Z","us":0,"kind":"result","dir":"in","conn":1'
    lines = []
    for more in (
        b',"len":99999999999,"raw":{}', b',"len":-5,"raw":{}', b',"len":3,"raw":{}',
        b',"len":2,"raw": {}', b',"http":-1,"len":2,"raw":{}', b',"http":7,"len":2,"raw":{}',
        b',"len":2,"len":5,"raw":{}', b',"raw":{},"len":2,"x":{}', b',"len":1e3,"raw":{}',
    ):  # fmt: skip
        text = head + more
        lines.append(b'%b,"crc":"%08x"}\n' % (text, crc32(text)))
    for line in lines:
        path = tmp_path / "hostile"
        path.write_bytes(b'{"format":2,"program":"mcp-inspect"}\n' + line)
        journal = load_recording(path)
        for number in range(1, len(journal) + 1):
            assert journal.body(number) == b"{}"
            assert journal.row(number).http is None or journal.row(number).http == 7
