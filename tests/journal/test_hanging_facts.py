"""What the last entries say: which connection, what is open, what is odd, and how much is read."""

from inspector.journal.entries import Direction, Flag, HttpFacts
from inspector.journal.hanging_facts import WINDOW, current_connection, exchange_of, look
from tests.journal.conversation import Conversation, notification, request, result


def test_the_latest_connection_is_looked_at_and_not_one_beside_it() -> None:
    talk = Conversation()
    first = talk.connection
    second = talk.journal.begin_connection({"transport": "stdio"})
    began = len(talk.journal)
    talk.journal.begin_connection({"transport": "stdio", "aside": "matrix"})
    assert current_connection(talk.journal) == (second, began)
    assert first != second
    assert look(talk.journal).transport == "stdio"


def test_a_connection_that_began_long_ago_is_found() -> None:
    talk = Conversation()
    for _ in range(300):
        talk.received(notification("notifications/message", level="info", data="x"))
    assert current_connection(talk.journal) == (talk.connection, 1)


def test_open_requests_are_told_by_who_has_to_answer() -> None:
    talk = Conversation()
    ours = talk.sent(request(1))
    theirs = talk.received(request("a", "roots/list"))
    talk.sent(request(2, "subscriptions/listen"))
    answered = talk.sent(request(3, "ping"))
    talk.received(result(3))
    seen = look(talk.journal)
    assert (seen.ours, seen.theirs) == ([ours], [theirs])
    assert seen.answer == answered + 1


def test_of_many_open_requests_the_oldest_are_told_and_the_others_counted() -> None:
    talk = Conversation()
    numbers = [talk.sent(request(one)) for one in range(80)]
    seen = look(talk.journal)
    assert seen.ours == numbers[:50]
    assert seen.more_open == 30


def test_no_more_than_the_window_is_looked_at() -> None:
    talk = Conversation()
    early = talk.received(result(77))
    for _ in range(WINDOW + 10):
        talk.received(notification("notifications/message", level="info", data="x"))
    seen = look(talk.journal)
    assert early not in seen.orphans
    late = talk.received(result(78))
    assert look(talk.journal).orphans == [late]


def test_evidence_stands_in_the_order_in_which_it_came() -> None:
    talk = Conversation()
    talk.sent(request(7))
    stray = talk.frame(Direction.RECEIVED, b"hello", flags=Flag.STRAY)
    mistyped = talk.received(result("7"))
    orphans = [talk.received(result(90)), talk.received(result(91))]
    seen = look(talk.journal)
    assert (seen.stray, seen.mistyped, seen.orphans) == ([stray], [mistyped], orphans)
    assert seen.received == orphans[-1]


def test_the_exchange_that_carried_a_request_is_found() -> None:
    talk = Conversation()
    asked = talk.sent(request(1))
    assert exchange_of(talk.journal, asked) is None
    facts = HttpFacts("POST", "http://127.0.0.1/mcp", status=202)
    number = talk.journal.http(facts, connection=talk.connection, frame=asked)
    found = exchange_of(talk.journal, asked)
    assert found is not None
    assert (found[0], found[1].status) == (number, 202)
