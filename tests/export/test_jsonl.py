"""Recordings written again: they open as they were."""

import json
from pathlib import Path

import pytest

from inspector.journal.entries import Direction, Flag, HttpFacts, Kind
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.journal.recording import RecordingFile
from inspector.render.safe import DANGEROUS
from tests.export.canary import exported, recording
from tests.journal.conversation import Conversation, notification, request, result
from tests.servers.hostile_texts import TEXTS

RECORDINGS = sorted((Path(__file__).parents[1] / "recordings").glob("*.jsonl"))


def _again(journal: Journal, path: Path, *rules: str, numbers: tuple[int, ...] = ()) -> Journal:
    path.write_bytes(exported(journal, "jsonl", *rules, numbers=numbers))
    again = load_recording(path)
    assert again.dropped_bytes == 0
    return again


def _facts(journal: Journal) -> list[object]:
    rows = [journal.row(number) for number in range(1, len(journal) + 1)]
    return [
        (
            *(row.kind, row.direction, row.connection, row.method, row.partner, row.http),
            *(row.status, row.flags, round(row.wall, 3)),
            journal.body(row.number) or b'{"event":"entry-lost"}',
        )
        for row in rows
    ]


def _tangled(file: RecordingFile | None = None) -> Conversation:
    """Late, orphan and duplicate answers, bytes of every form, marks and notes."""
    talk = Conversation(file=file)
    first = talk.sent(request(1, "tools/call", name="slow"))
    second = talk.sent(request(2, "tools/call", name="slower"))
    talk.journal.flag(first, Flag.TIMED_OUT)
    talk.received(result(1, content=[]))
    talk.received(result(2, content=[]))
    talk.journal.flag(second, Flag.TIMED_OUT)
    talk.received(result(2, content=[]))
    talk.received(result(9, content=[]))
    talk.sent(request(3, "tools/call", name="gone"))
    talk.sent(notification("notifications/cancelled", requestId=3))
    talk.received(b"\xff\xfe")
    talk.received(b'{"jsonrpc":"2.0",\n"method":"a"}')
    talk.received(b"no json")
    talk.sent(request(4, "ping"))
    talk.journal.stderr(b"x\xff", connection=1)
    talk.journal.note(first, "look here ☂")
    talk.journal.flag(first, Flag.MARKED)
    return talk


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_recording_opens_again_as_it_was(path: Path, tmp_path: Path) -> None:
    journal = load_recording(path)
    assert _facts(_again(journal, tmp_path / "again.jsonl")) == _facts(journal)


def test_late_answers_marks_notes_and_odd_bytes_are_what_they_were(tmp_path: Path) -> None:
    talk = _tangled()
    again = _again(talk.journal, tmp_path / "again.jsonl")
    assert _facts(again) == _facts(talk.journal)
    flags = [again.row(number).flags for number in range(1, len(again) + 1)]
    assert sum(bool(flag & Flag.LATE) for flag in flags) == 1
    assert sum(bool(flag & Flag.MARKED) for flag in flags) == 1


def test_times_are_kept_to_the_microsecond_between_entries(tmp_path: Path) -> None:
    talk = Conversation()
    for number in range(50):
        talk.pass_time(0.001237)
        talk.sent(request(number, "ping"))
    again = _again(talk.journal, tmp_path / "again.jsonl")
    for number in range(2, len(again) + 1):
        step = again.row(number).monotonic - again.row(number - 1).monotonic
        before = talk.journal.row(number).monotonic - talk.journal.row(number - 1).monotonic
        assert step == pytest.approx(before, abs=2e-6)


def test_a_part_is_numbered_anew_and_its_relations_follow(tmp_path: Path) -> None:
    journal = Journal()
    number = journal.begin_connection({})
    for request_id in (1, 2):
        raw = b'{"jsonrpc":"2.0","id":%d,"method":"ping"}' % request_id
        sent = journal.frame(Direction.SENT, raw, connection=number)
        http = journal.http(HttpFacts("POST", "http://h/", (), 200), connection=number, frame=sent)
        answer = b'{"jsonrpc":"2.0","id":%d,"result":{}}' % request_id
        journal.frame(Direction.RECEIVED, answer, connection=number, http=http)
    note = journal.note(5, "about the second")
    again = _again(journal, tmp_path / "part.jsonl", numbers=(5, 6, 7, note))
    kinds = [again.row(number).kind for number in range(1, 5)]
    assert kinds == [Kind.REQUEST, Kind.HTTP, Kind.RESULT, Kind.NOTE]
    assert again.row(1).partner == 3
    assert again.row(3).http == 2
    assert again.row(2).partner == 1
    assert again.row(4).partner == 1
    assert json.loads(again.body(4))["about"] == 1


def test_relations_to_what_is_left_out_are_dropped(tmp_path: Path) -> None:
    talk = _tangled()
    again = _again(talk.journal, tmp_path / "part.jsonl", numbers=(4, len(talk.journal)))
    assert again.row(1).flags & Flag.ORPHAN
    assert again.row(2).partner is None


def test_what_was_redacted_opens_and_keeps_its_order(tmp_path: Path) -> None:
    journal = recording()
    again = _again(journal, tmp_path / "clean.jsonl", "key=pin")
    assert [again.row(n).kind for n in range(1, len(again) + 1)] == [
        journal.row(n).kind for n in range(1, len(journal) + 1)
    ]


def test_hostile_texts_come_back_byte_for_byte(tmp_path: Path) -> None:
    talk = Conversation()
    for number, text in enumerate(TEXTS.values()):
        talk.sent(request(number, "tools/call", name=text, arguments={"t": text}))
        talk.received(text.encode("utf-8", "surrogatepass"))
        talk.received(text.encode("utf-8", "replace"))
        talk.received(f'["{text}"]'.encode("utf-8", "replace"))
        talk.journal.stderr(text.encode("utf-8", "surrogatepass"), connection=1)
        talk.journal.event("odd", {text: text}, connection=1)
    assert _facts(_again(talk.journal, tmp_path / "again.jsonl")) == _facts(talk.journal)
    written = (tmp_path / "again.jsonl").read_bytes()
    assert DANGEROUS.search(written.replace(b"\n", b"").decode("utf-8")) is None


def test_a_torn_recording_is_whole_afterwards(tmp_path: Path) -> None:
    raw = RECORDINGS[0].read_bytes().splitlines(keepends=True)
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(b"".join([*raw[:5], raw[5][:40] + b"\n", *raw[6:9], raw[9][:60]]))
    journal = load_recording(torn)
    assert journal.dropped_bytes > 0
    again = _again(journal, tmp_path / "whole.jsonl")
    assert _facts(again) == _facts(journal)
