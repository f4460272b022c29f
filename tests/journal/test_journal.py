import gc
import threading

import pytest

from inspector.journal.entries import Direction, Flag, HttpFacts, Kind
from inspector.journal.facts import decode_facts, http_facts, stderr_line
from inspector.journal.journal import Journal
from tests.journal.conversation import Conversation, notification, request, result

LOG = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}'


@pytest.mark.parametrize(
    "raw", [LOG, b"", b"\xff\x00", b'print "\xc3\xa4"', b'{\n"id":1,"result":{}}', b"[1e400, 1.10]"]
)
def test_bytes_come_back_as_they_crossed_the_wire(raw: bytes) -> None:
    talk = Conversation()
    number = talk.received(raw)
    assert talk.journal.body(number) == raw
    assert talk.journal.entry(number).body == raw
    assert talk.journal.row(number).size == len(raw)
    assert talk.journal.body(number, 3) == raw[:3]
    talk.journal.tick()
    assert talk.journal.body(number) == raw


def test_numbers_count_from_one_and_the_connection_is_the_first_entry() -> None:
    talk = Conversation()
    row = talk.journal.row(1)
    assert (row.kind, row.method, row.connection) == (Kind.EVENT, "connection", 1)
    assert decode_facts(talk.journal.body(1)) == {
        "event": "connection",
        "transport": "memory",
        "connection": 1,
    }
    assert len(talk.journal) == 1
    assert talk.sent(LOG) == 2


def test_each_kind_of_entry_keeps_what_it_was_told() -> None:
    talk = Conversation()
    journal = talk.journal
    asked = talk.sent(request(1))
    facts = HttpFacts("POST", "http://localhost/mcp", status=202, reason="Accepted")
    http = journal.http(facts, connection=1, frame=asked)
    line = journal.stderr(b"hello \xff", connection=1)
    note = journal.note(asked, "why?")
    assert http_facts(journal.body(http)) == facts
    assert stderr_line(journal.body(line)) == b"hello \xff"
    assert (journal.row(http).partner, journal.row(http).status) == (asked, 202)
    assert (journal.row(asked).http, journal.row(asked).status) == (http, 202)
    assert journal.row(note).partner == asked
    assert decode_facts(journal.body(note))["text"] == "why?"
    kinds = [journal.row(number).kind for number in (http, line, note)]
    assert kinds == [Kind.HTTP, Kind.STDERR, Kind.NOTE]
    directions = [journal.row(number).direction for number in (http, line, note)]
    assert directions == [Direction.SENT, Direction.RECEIVED, Direction.LOCAL]


def test_masked_headers_make_a_masked_entry() -> None:
    talk = Conversation()
    facts = HttpFacts("GET", "http://x", (("Authorization", "Bearer t"),))
    assert Flag.MASKED in talk.flags(talk.journal.http(facts, connection=1))


def test_frames_are_counted_by_direction() -> None:
    talk = Conversation()
    talk.sent(request(1))
    talk.received(result(1))
    talk.received(b"junk")
    talk.journal.stderr(b"x", connection=1)
    assert (talk.journal.sent, talk.journal.received) == (1, 2)


def test_both_clocks_are_the_injected_ones() -> None:
    talk = Conversation()
    talk.now, talk.wall = 5.5, 1_700_000_000.25
    row = talk.journal.row(talk.sent(LOG))
    assert (row.monotonic, row.wall) == (5.5, 1_700_000_000.25)


def test_subscribers_are_told_in_order_even_when_one_appends() -> None:
    talk = Conversation()
    told: list[tuple[str, int]] = []

    def first(number: int) -> None:
        told.append(("first", number))
        if number == 2:
            talk.journal.event("reaction", {}, connection=1)

    talk.journal.subscribe(first)
    leave = talk.journal.subscribe(lambda number: told.append(("second", number)))
    talk.sent(LOG)
    assert told == [("first", 2), ("second", 2), ("first", 3), ("second", 3)]
    leave()
    talk.sent(LOG)
    assert told[4:] == [("first", 4)]


def test_a_subscriber_is_told_only_of_what_comes_after_it() -> None:
    talk = Conversation()
    told: list[int] = []
    talk.sent(LOG)
    leave = talk.journal.subscribe(told.append)
    talk.sent(LOG)
    leave()
    talk.sent(LOG)
    talk.journal.subscribe(told.append)
    talk.sent(LOG)
    assert told == [3, 5]


def test_an_entry_is_complete_when_subscribers_hear_of_it() -> None:
    talk = Conversation()
    seen: list[int | None] = []
    talk.journal.subscribe(lambda number: seen.append(talk.journal.row(number).partner))
    asked = talk.sent(request(1))
    talk.received(result(1))
    assert seen == [None, asked]


def test_a_failing_subscriber_is_called_no_more_and_reported() -> None:
    talk = Conversation()
    told: list[int] = []

    def broken(number: int) -> None:
        raise ValueError("oops")

    talk.journal.subscribe(broken)
    talk.journal.subscribe(told.append)
    talk.sent(LOG)
    talk.sent(LOG)
    assert told == [2, 3, 4]
    assert talk.journal.row(3).method == "subscriber-failed"
    assert "oops" in str(decode_facts(talk.journal.body(3)))


def test_flags_are_set_and_cleared_and_counted() -> None:
    talk = Conversation()
    number = talk.sent(LOG)
    talk.journal.flag(number, Flag.MARKED)
    assert talk.flags(number) == Flag.MARKED
    talk.journal.flag(number, Flag.MARKED, on=False)
    assert talk.flags(number) == Flag(0)
    assert talk.journal.changes == 2
    assert len(talk.journal) == number


def test_entries_that_are_not_there_are_refused() -> None:
    talk = Conversation()
    for call in (
        lambda: talk.journal.body(2),
        lambda: talk.journal.body(0),
        lambda: talk.journal.flag(2, Flag.MARKED),
        lambda: talk.journal.note(2, "x"),
    ):
        with pytest.raises(IndexError):
            call()
    assert len(talk.journal) == 1


def test_a_message_in_memory_takes_at_most_48_bytes_and_no_object() -> None:
    journal = Journal()
    connection = journal.begin_connection({})
    for _ in range(2_000):
        journal.frame(Direction.RECEIVED, LOG, connection=connection)
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(20_000):
        journal.frame(Direction.RECEIVED, LOG, connection=connection)
    gc.collect()
    assert len(gc.get_objects()) - before < 50
    assert journal.columns.memory() / len(journal) <= 48


def test_answered_calls_leave_no_objects_behind_either() -> None:
    talk = Conversation()

    def call(count: int) -> int:
        for number in range(count):
            talk.sent(request(number))
            talk.received(result(number))
        gc.collect()
        return len(gc.get_objects())

    before = call(2_000)
    assert call(20_000) - before < 50


def test_appending_reads_nothing_back(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = Conversation()
    monkeypatch.setattr(talk.journal.file, "read", None)
    for number in range(300):
        talk.sent(request(number))
        talk.received(result(number))
    assert len(talk.journal) == 601


def test_rows_and_bodies_can_be_read_while_another_thread_appends() -> None:
    talk = Conversation()
    total, wrong = 5_000, list[str]()
    done = threading.Event()

    def read() -> None:
        while not done.is_set() or len(talk.journal) <= total:
            count = len(talk.journal)
            for number in {1, count, max(1, count - 70), max(1, count // 2)}:
                row = talk.journal.row(number)
                body = talk.journal.body(number)
                if len(body) != row.size or (number > 1 and f'"id":{number},'.encode() not in body):
                    wrong.append(f"{number}: {body!r}")
                    return
            if done.is_set():
                return

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(2, total + 2):
        talk.pass_time(0.001)
        talk.sent(request(number, "ping"))
    done.set()
    reader.join(timeout=30)
    assert not reader.is_alive()
    assert wrong == []


def test_notes_may_come_from_another_thread() -> None:
    talk = Conversation()
    asked = talk.sent(request(1))
    threads = [
        threading.Thread(target=lambda: [talk.journal.note(asked, "x") for _ in range(100)])
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert len(talk.journal) == asked + 200
    assert {talk.journal.name(number) for number in range(asked + 1, asked + 201)} == {"x"}


def test_the_columns_are_there_for_filters() -> None:
    talk = Conversation()
    number = talk.received(notification("notifications/message"))
    journal = talk.journal
    assert journal.kinds[number] == Kind.NOTIFICATION
    assert journal.directions[number] == Direction.RECEIVED
    assert journal.methods[journal.method_ids[number]] == "notifications/message"


def test_what_was_closed_can_still_be_read() -> None:
    talk = Conversation()
    number = talk.sent(LOG)
    talk.journal.close()
    talk.journal.close()
    assert talk.journal.body(number) == LOG


def test_a_connection_number_beyond_the_column_is_clamped() -> None:
    talk = Conversation()
    number = talk.journal.frame(Direction.SENT, LOG, connection=10**9)
    assert talk.journal.row(number).connection == 0xFFFF
