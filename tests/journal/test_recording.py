import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.errors import RecordingError, UsageError
from inspector.journal import recording
from inspector.journal.entries import Clock, Direction
from inspector.journal.facts import decode_facts
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.journal.recording import FLUSH_BYTES, FLUSH_ENTRIES, WINDOW, RecordingFile
from tests.journal.conversation import Conversation, notification

RAW = b'{"jsonrpc":"2.0","method":"notifications/message","params":{}}'


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_umask")
def test_recordings_are_private_whatever_the_umask(tmp_path: Path) -> None:
    directory = tmp_path / "state" / "recordings"
    named, own = RecordingFile.create(tmp_path / "a"), RecordingFile.create_in(directory)
    for file in (named, own):
        assert file.path is not None
        assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def test_a_file_system_without_permissions_can_be_recorded_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(descriptor: int, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("inspector.journal.recording.os.fchmod", refuse)
    file = RecordingFile.create(tmp_path / "r.jsonl")
    assert file.recording
    assert (tmp_path / "r.jsonl").read_bytes().startswith(b'{"format":2')


def test_a_directory_that_others_can_read_is_closed(tmp_path: Path) -> None:
    directory = tmp_path / "state"
    directory.mkdir(mode=0o755)
    RecordingFile.create_in(directory)
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def test_an_existing_file_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    path.write_bytes(b"precious")
    with pytest.raises(UsageError):
        RecordingFile.create(path)
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nothing")
    with pytest.raises(UsageError):
        RecordingFile.create(link)
    assert path.read_bytes() == b"precious"
    assert not (tmp_path / "nothing").exists()


def test_a_place_that_cannot_be_written_is_a_recording_error(tmp_path: Path) -> None:
    with pytest.raises(RecordingError):
        RecordingFile.create(tmp_path / "no" / "such" / "directory")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(RecordingError):
        RecordingFile.create_in(tmp_path / "file")


def test_the_first_line_reaches_the_file_at_once_and_a_burst_by_64_entries(tmp_path: Path) -> None:
    path = tmp_path / "r"
    talk = Conversation(file=RecordingFile.create(path))
    assert path.read_bytes().count(b"\n") == 2
    for sent in range(1, 1000):
        talk.received(RAW)
        assert 2 + sent - path.read_bytes().count(b"\n") < FLUSH_ENTRIES


def test_a_line_after_half_a_second_reaches_the_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "r"
    talk = Conversation(file=RecordingFile.create(path))
    talk.received(RAW)
    assert path.read_bytes().count(b"\n") == 2
    talk.pass_time(0.5)
    talk.received(RAW)
    assert path.read_bytes().count(b"\n") == 4


def test_a_tick_writes_what_waits(tmp_path: Path) -> None:
    path = tmp_path / "r"
    talk = Conversation(file=RecordingFile.create(path))
    talk.received(RAW)
    talk.journal.tick()
    assert path.read_bytes().count(b"\n") == 3


def test_big_messages_do_not_wait(tmp_path: Path) -> None:
    path = tmp_path / "r"
    talk = Conversation(file=RecordingFile.create(path))
    talk.received(notification("x", data="x" * FLUSH_BYTES))
    assert path.stat().st_size > FLUSH_BYTES


def test_kill_9_loses_only_what_waited(tmp_path: Path) -> None:
    path = tmp_path / "r"
    script = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from inspector.journal.entries import Direction\n"
        "from inspector.journal.journal import Journal\n"
        "from inspector.journal.recording import RecordingFile\n"
        "journal = Journal(file=RecordingFile.create(Path(sys.argv[1])))\n"
        "connection = journal.begin_connection({})\n"
        "for _ in range(1000):\n"
        '    journal.frame(Direction.RECEIVED, b\'{"method":"x"}\', connection=connection)\n'
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], timeout=60, check=False)
    assert done.returncode == -9
    journal = load_recording(path)
    assert len(journal) > 1001 - FLUSH_ENTRIES
    assert journal.dropped_bytes == 0


def test_an_unlinked_file_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    file = RecordingFile.unlinked()
    file.append(b"line\n", 0.0)
    assert file.read(0, 5) == b"line\n"
    assert list(tmp_path.iterdir()) == []
    assert not file.recording


def test_without_any_temporary_file_bodies_are_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(recording, "temporary", refuse)
    journal = Journal(clock=Clock(lambda: 0.0, lambda: 0.0))
    number = journal.event("x", {}, connection=1)
    assert b'"x"' in journal.body(number)
    assert "No space left" in journal.file.failure
    assert journal.row(2).method == "recording-failed"


def test_a_full_disk_stops_the_recording_and_nothing_else(tmp_path: Path) -> None:
    file = RecordingFile(os.open("/dev/full", os.O_RDWR), tmp_path / "full")
    talk = Conversation(file=file)
    numbers = [talk.received(notification("x", n=n)) for n in range(500)]
    assert "No space left" in file.failure
    assert not file.recording
    events = [n for n in range(1, len(talk.journal) + 1)
              if talk.journal.row(n).method == "recording-failed"]  # fmt: skip
    assert len(events) == 1
    assert decode_facts(talk.journal.body(events[0]))["message"] == file.failure
    for n, number in enumerate(numbers):
        assert f'"n":{n}}}'.encode() in talk.journal.body(number)


def test_a_file_that_hits_its_limit_ends_with_a_whole_line(tmp_path: Path) -> None:
    """In a process of its own: the limit on file sizes holds for all files of a process, so the
    temporary file fails as well and bodies go to memory."""
    path = tmp_path / "r"
    script = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from inspector.journal.entries import Direction\n"
        "from inspector.journal.journal import Journal\n"
        "from inspector.journal.recording import RecordingFile\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))\n"
        "journal = Journal(file=RecordingFile.create(Path(sys.argv[1])))\n"
        "connection = journal.begin_connection({})\n"
        'raw = b\'{"method":"%d"}\'\n'
        "numbers = [journal.frame(Direction.RECEIVED, raw % n, connection=connection)\n"
        "           for n in range(1000)]\n"
        "journal.close()\n"
        "assert journal.file.failure\n"
        "assert all(journal.body(number) == raw % n for n, number in enumerate(numbers))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], timeout=60, check=False, capture_output=True
    )
    assert done.stderr == b""
    assert path.stat().st_size <= 20_000
    assert path.read_bytes().endswith(b"\n")
    journal = load_recording(path)
    assert journal.dropped_bytes == 0
    assert 64 < len(journal) < 1000


@pytest.mark.parametrize("fail_at", range(1, 12))
def test_whichever_write_fails_every_body_stays_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fail_at: int
) -> None:
    calls = 0
    write = os.write

    def failing(descriptor: int, data: bytes) -> int:
        nonlocal calls
        calls += 1
        if calls == fail_at:
            write(descriptor, bytes(data)[: len(data) // 2])
            raise OSError(5, "Input/output error")
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", failing)
    path = tmp_path / "r"
    talk = Conversation(file=RecordingFile.create(path))
    numbers = [talk.received(notification("x", n=n)) for n in range(600)]
    talk.journal.close()
    for n, number in enumerate(numbers):
        assert f'"n":{n}}}'.encode() in talk.journal.body(number)
    assert "Input/output error" in talk.journal.file.failure
    monkeypatch.undo()
    content = path.read_bytes()
    assert content == b"" or content.endswith(b"\n")
    if content:
        assert load_recording(path).dropped_bytes == 0


def test_reading_outside_of_the_file_gives_fewer_bytes() -> None:
    file = RecordingFile.unlinked()
    file.append(b"line\n", 0.0)
    assert file.read(3, 100) == b"e\n"
    assert file.read(100, 5) == b""


def test_the_lines_of_a_screen_are_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    file = RecordingFile.unlinked()
    written = [b"%06d %s\n" % (number, b"x" * 200) for number in range(1000)]
    offsets = [file.append(line, float(number)) for number, line in enumerate(written)]
    reads: list[int] = []
    pread = os.pread

    def counting(descriptor: int, length: int, position: int) -> bytes:
        reads.append(length)
        return pread(descriptor, length, position)

    monkeypatch.setattr(os, "pread", counting)
    for start in (0, 960, 500):
        for _ in range(3):
            for number in range(start, start + 40):
                assert file.read(offsets[number], 207) == written[number][:207]
    assert len(reads) <= 9
    assert max(reads) <= WINDOW


@given(
    st.lists(st.binary(min_size=1, max_size=9000), min_size=1, max_size=12),
    st.lists(st.tuples(st.integers(0, 60_000), st.integers(0, 40_000)), max_size=20),
)
def test_what_was_read_before_never_changes_what_is_read(
    pieces: list[bytes], reads: list[tuple[int, int]]
) -> None:
    file, whole = RecordingFile.unlinked(), b""
    for number, piece in enumerate(pieces):
        file.append(piece, float("inf") if number % 3 else 0.0)
        whole += piece
        for offset, length in reads:
            found = file.read(offset, length)
            assert found == whole[offset : offset + length]


def test_memory_of_last_resort_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MEMORY_LIMIT", 10)
    place = recording._Memory()
    assert place.write(b"12345678") == 8
    assert place.write(b"12345678") == 8
    assert place.read(100, 0) == b"1234567812"


def test_frames_of_a_journal_without_a_file_are_in_no_directory() -> None:
    journal = Journal()
    journal.frame(Direction.SENT, RAW, connection=1)
    assert journal.file.path is None


def test_a_temporary_file_has_no_name_even_where_no_name_can_be_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(os, "unlink", refuse)
    descriptor = recording.temporary()
    os.write(descriptor, b"kept")
    assert os.pread(descriptor, 4, 0) == b"kept"
    os.close(descriptor)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("how", ["deleted", "replaced", "folder", "cut", "emptied"])
def test_what_others_do_to_a_recording_stops_it_and_nothing_else(tmp_path: Path, how: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    path = folder / "one.jsonl"
    file = RecordingFile.create(path)
    first = file.append(b"first\n", 10.0)
    match how:
        case "deleted":
            path.unlink()
        case "replaced":
            (tmp_path / "other").write_bytes(b"other")
            (tmp_path / "other").rename(path)
        case "folder":
            shutil.rmtree(folder)
        case "cut":
            os.truncate(path, file.size - 3)
        case "emptied":
            os.truncate(path, 0)
    file.tick(11.0)
    assert not file.recording
    said = "cut the file off" if how in ("cut", "emptied") else "the file was deleted"
    assert said in file.failure
    second = file.append(b"second\n", 12.0)
    file.tick(13.0)
    assert file.read(second, 7) == b"second\n"
    if how == "replaced":
        assert path.read_bytes() == b"other"
        assert file.read(first, 6) == b"first\n"
    if how in ("cut", "emptied"):
        assert b"\0" not in path.read_bytes()
        assert b"second" not in path.read_bytes()


def test_a_recording_that_is_moved_goes_on(tmp_path: Path) -> None:
    file = RecordingFile.create(tmp_path / "one.jsonl")
    (tmp_path / "one.jsonl").rename(tmp_path / "two.jsonl")
    file.append(b"after\n", 10.0)
    file.tick(11.0)
    assert file.recording
    assert (tmp_path / "two.jsonl").read_bytes().endswith(b"after\n")
