import re

import pytest

from inspector.journal import query_raw
from inspector.journal.query_nodes import PERHAPS, YES
from inspector.journal.query_raw import chunks, locate, name_at, needle_of, piece_of
from tests.journal.conversation import Conversation, error, notification, request, result


def _talk() -> Conversation:
    talk = Conversation()
    for number in range(200):
        talk.sent(request(number, name=f"tool-{number}", text="x" * (number % 7) * 50))
    return talk


@pytest.mark.parametrize("size", [1, 300, 5_000, 1 << 20])
def test_whatever_the_size_of_a_chunk_each_body_is_in_one(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_raw, "CHUNK", size)
    journal, seen = _talk().journal, list[int]()
    for chunk in chunks(journal, 5, 150):
        for number in range(chunk.first, chunk.stop):
            at = journal.columns.offsets[number] - chunk.begin
            body = journal.body(number)
            assert chunk.text[at : at + len(body)] == body
            seen.append(number)
    assert seen == list(range(5, 150))


def test_a_long_body_is_read_in_pieces_that_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query_raw, "PIECE", 1000)
    monkeypatch.setattr(query_raw, "OVERLAP", 100)
    monkeypatch.setattr(query_raw, "CHUNK", 500)
    talk = Conversation()
    lengths = {}
    for before in range(0, 3000, 37):
        number = talk.sent(b'{"method":"x","a":"' + b"." * before + b'needle","b":"' + b"," * 900)
        lengths[number] = before
    hits = locate(talk.journal, 1, len(talk.journal) + 1, (b"needle",))
    assert [at + 1 for at, hit in enumerate(hits) if hit] == list(lengths)
    longest = max(len(chunk.text) for chunk in chunks(talk.journal, 1, len(talk.journal) + 1))
    assert longest <= 1100


def test_what_stands_between_bodies_is_not_found() -> None:
    talk = Conversation()
    talk.sent(b'{"method":"x"}')
    talk.journal.stderr(b"crc", connection=1)
    talk.sent(b'{"method":"y"}')
    hits = locate(talk.journal, 1, 5, (b"crc", b'conn":', b'"kind"'))
    assert list(hits) == [0, 0, YES, 0]


def test_bytes_that_are_stored_in_another_form_are_perhaps_found() -> None:
    talk = Conversation()
    talk.received(b"some\nneedle")
    talk.received(b"\xff binary")
    talk.received(b"some\nother")
    talk.received(b'{"method":"needle"}')
    assert list(locate(talk.journal, 2, 6, (b"needle",))) == [PERHAPS, PERHAPS, 0, YES]
    assert list(locate(talk.journal, 2, 6, (b"needle",), decoded=True)) == [PERHAPS] * 4


def test_letters_that_json_escapes_are_perhaps_found() -> None:
    talk = Conversation()
    talk.sent(b'{"method":"\\u006eeedle"}')
    talk.sent(b'{"method":"\\u00e4"}')
    talk.sent('{"method":"ſ"}'.encode())
    talk.sent(b'{"method":"NEEDLE"}')
    found = locate(talk.journal, 2, 6, (b"needle",), fold=True, decoded=True)
    assert list(found) == [PERHAPS, 0, PERHAPS, PERHAPS]
    assert list(locate(talk.journal, 2, 6, (b"needle",), fold=True)) == [0, 0, 0, YES]


def test_expressions_are_found_too() -> None:
    talk = Conversation()
    talk.sent(request(7))
    talk.sent(request(70))
    assert list(locate(talk.journal, 2, 4, (re.compile(rb'"id":7[^0-9]'),))) == [YES, 0]


def test_names_are_those_of_the_journal() -> None:
    talk = Conversation()
    talk.sent(request(1, name="add"))
    talk.received(result(1))
    talk.sent([request(2, name="x")])
    talk.received([error(2)])
    talk.received(result(99))
    talk.received(notification("notifications/progress", progress=1, total=2))
    talk.journal.stderr(b"line \xff", connection=1)
    talk.journal.note(2, "a note")
    for number in range(1, len(talk.journal) + 1):
        assert name_at(talk.journal, number) == talk.journal.name(number)


def test_the_longest_part_that_json_writes_in_one_way_is_looked_for() -> None:
    assert piece_of('say "Hello/World!"') == "Hello"
    assert needle_of("Ä") == b""
    assert needle_of("file:///Etc/hosts-1") == b"hosts-1"
