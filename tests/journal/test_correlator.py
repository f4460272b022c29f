from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from inspector.journal import correlator
from inspector.journal.entries import Direction, Flag, HttpFacts, Kind
from tests.journal.conversation import Conversation, error, notification, request, result


def test_a_request_and_its_result_are_partners_and_have_a_latency() -> None:
    talk = Conversation()
    asked = talk.sent(request(7))
    assert talk.flags(asked) == Flag.PENDING
    talk.pass_time(0.25)
    answered = talk.received(result(7))
    rows = talk.journal.row(asked), talk.journal.row(answered)
    assert (rows[0].partner, rows[1].partner) == (answered, asked)
    assert rows[1].latency == 0.25
    assert rows[0].latency is None
    assert rows[1].method == "tools/call"
    assert rows[0].flags == rows[1].flags == Flag(0)


def test_an_error_reply_is_an_error() -> None:
    talk = Conversation()
    talk.sent(request(1))
    assert talk.flags(talk.received(error(1))) == Flag.IS_ERROR


def test_a_tool_result_that_says_so_is_an_error_and_other_isErrors_are_not() -> None:  # noqa: N802
    talk = Conversation()
    for number in range(3):
        talk.sent(request(number))
    assert talk.flags(talk.received(result(0, isError=True))) == Flag.IS_ERROR
    assert not talk.flags(talk.received(result(1, isError=False)))
    nested = talk.received(result(2, structuredContent={"isError": True}))
    assert not talk.flags(nested)


def test_a_big_tool_result_is_an_error_too() -> None:
    talk = Conversation()
    talk.sent(request(1))
    assert talk.flags(talk.received(result(1, content="x" * 200_000, isError=True)))


def test_an_answer_to_nothing_is_an_orphan() -> None:
    talk = Conversation()
    assert talk.flags(talk.received(result(9))) == Flag.ORPHAN
    assert talk.flags(talk.received(error(None))) == Flag.ORPHAN | Flag.IS_ERROR


def test_a_second_answer_is_a_duplicate_and_the_first_stays_the_partner() -> None:
    talk = Conversation()
    asked = talk.sent(request(1))
    first, second = talk.received(result(1)), talk.received(result(1))
    assert talk.flags(second) == Flag.DUPLICATE
    assert talk.journal.row(asked).partner == first
    assert talk.journal.row(second).partner == asked


def test_an_id_of_the_wrong_type_is_told_and_leaves_the_request_waiting() -> None:
    talk = Conversation()
    asked = talk.sent(request(7))
    answered = talk.received(result("7"))
    assert talk.flags(answered) == Flag.ID_TYPE_MISMATCH
    assert talk.journal.row(answered).partner == asked
    assert talk.exchanges.pending() == (asked,)
    talk.received(result(7))
    assert talk.exchanges.pending() == ()


def test_string_ids_and_number_ids_are_different_requests() -> None:
    talk = Conversation()
    number, text = talk.sent(request(1)), talk.sent(request("1"))
    talk.received(result("1"))
    assert talk.exchanges.pending() == (number,)
    assert not talk.flags(text)


def test_requests_of_both_sides_with_the_same_id_are_kept_apart() -> None:
    talk = Conversation()
    ours, theirs = talk.sent(request(1)), talk.received(request(1, "roots/list"))
    our_answer, their_answer = talk.sent(result(1)), talk.received(result(1))
    assert talk.journal.row(theirs).partner == our_answer
    assert talk.journal.row(ours).partner == their_answer
    assert not talk.flags(theirs)


def test_a_reused_id_is_told_and_the_newest_request_is_answered_first() -> None:
    talk = Conversation()
    first, second = talk.sent(request(1)), talk.sent(request(1))
    assert talk.flags(second) == Flag.ID_REUSED | Flag.PENDING
    answers = talk.received(result(1)), talk.received(result(1))
    assert talk.journal.row(second).partner == answers[0]
    assert talk.journal.row(first).partner == answers[1]
    assert talk.flags(talk.sent(request(1))) == Flag.ID_REUSED | Flag.PENDING


def test_an_answer_after_the_timeout_is_late() -> None:
    talk = Conversation()
    asked = talk.sent(request(1))
    talk.journal.flag(asked, Flag.TIMED_OUT)
    assert talk.exchanges.pending() == ()
    answered = talk.received(result(1))
    assert talk.flags(answered) == Flag.LATE
    assert talk.journal.row(asked).partner == answered


def test_a_cancelled_request_waits_no_longer_and_its_answer_is_late() -> None:
    talk = Conversation()
    asked = talk.sent(request(1))
    withdrawn = talk.sent(notification("notifications/cancelled", requestId=1))
    assert talk.flags(asked) == Flag.CANCELLED
    assert talk.journal.row(withdrawn).partner == asked
    assert talk.flags(talk.received(result(1))) == Flag.LATE


def test_a_server_that_ends_a_subscription_of_ours_cancels_it() -> None:
    talk = Conversation()
    asked = talk.sent(request(5, "subscriptions/listen"))
    talk.received(notification("notifications/cancelled", requestId=5))
    assert talk.flags(asked) == Flag.CANCELLED


def test_a_server_cannot_withdraw_another_request_of_ours() -> None:
    """2025-11-25 basic/utilities/cancellation: only the sender of a request may cancel it."""
    talk = Conversation()
    asked = talk.sent(request(5))
    misuse = talk.received(notification("notifications/cancelled", requestId=5))
    assert talk.flags(asked) == Flag.PENDING
    assert talk.journal.row(misuse).partner == asked
    assert talk.flags(talk.received(result(5))) == Flag(0)


def test_progress_points_at_the_request_with_its_token() -> None:
    talk = Conversation()
    asked = talk.sent(request(1, _meta={"progressToken": "t"}))
    other = talk.sent(request(2, _meta={"progressToken": 1}))
    first = talk.received(notification("notifications/progress", progressToken="t"))
    second = talk.received(notification("notifications/progress", progressToken=1))
    unknown = talk.received(notification("notifications/progress", progressToken="1"))
    partners = [talk.journal.row(number).partner for number in (first, second, unknown)]
    assert partners == [asked, other, None]


def test_a_malformed_answer_settles_its_request() -> None:
    talk = Conversation()
    asked = talk.sent(request(1))
    odd = talk.received(b'{"id":1,"result":1,"error":{}}')
    assert talk.journal.row(odd).kind is Kind.MALFORMED
    assert talk.journal.row(asked).partner == odd
    assert talk.exchanges.pending() == ()


def test_an_error_without_an_id_answers_the_request_that_its_http_exchange_carried() -> None:
    talk = Conversation()
    asked = talk.sent(request(1))
    http = talk.journal.http(HttpFacts("POST", "http://x"), connection=1, frame=asked)
    answered = talk.received(error("server-error"), http=http)
    assert talk.flags(answered) == Flag.IS_ERROR
    assert talk.journal.row(asked).partner == answered


def test_a_batch_waits_until_each_of_its_requests_is_answered() -> None:
    talk = Conversation()
    batch = talk.sent([request(1), request(2), notification("x")])
    assert talk.exchanges.pending() == (batch,)
    first = talk.received(result(1))
    assert talk.exchanges.pending() == (batch,)
    second = talk.received(error(2))
    assert talk.exchanges.pending() == ()
    assert talk.journal.row(batch).partner == first
    assert talk.exchanges.of(second) == (batch, first, second)


def test_a_batch_of_answers_answers_each_request() -> None:
    talk = Conversation()
    asked = talk.sent(request(1)), talk.sent(request(2))
    batch = talk.received([result(2), error(1), result(9)])
    assert [talk.journal.row(number).partner for number in asked] == [batch, batch]
    assert talk.journal.row(batch).kind is Kind.BATCH
    assert Flag.ORPHAN in talk.flags(batch)
    assert talk.exchanges.of(asked[0]) == (asked[0], batch)


def test_a_new_connection_leaves_nobody_waiting_in_the_old_one() -> None:
    talk = Conversation()
    asked = talk.sent(request(1))
    talk.connection = talk.journal.begin_connection({})
    assert not talk.flags(asked)
    again = talk.sent(request(1))
    assert talk.flags(again) == Flag.PENDING
    assert talk.exchanges.pending() == (again,)


def test_a_flood_of_unanswered_requests_is_bounded() -> None:
    talk = Conversation()
    kept, correlator.OPEN_KEPT = correlator.OPEN_KEPT, 100  # type: ignore[misc]
    try:
        numbers = [talk.received(request(number, "ping")) for number in range(500)]
    finally:
        correlator.OPEN_KEPT = kept  # type: ignore[misc]
    waiting = talk.exchanges.pending()
    assert 50 <= len(waiting) <= 100
    assert waiting[-1] == numbers[-1]
    assert all(one < other for one, other in pairwise(waiting))


def test_a_huge_id_is_no_huge_memory_and_still_correlates() -> None:
    talk = Conversation()
    asked = talk.frame(Direction.RECEIVED, request("x" * 100_000, "ping"))
    answered = talk.sent(result("x" * 100_000))
    assert talk.journal.row(asked).partner == answered


IDS = st.sampled_from([1, 2, "1", "2", "a", -1, "-1", ""])


@given(st.lists(st.tuples(st.booleans(), st.booleans(), IDS), max_size=25))
def test_an_outcome_finds_its_request_by_direction_id_and_the_type_of_the_id(
    moves: list[tuple[bool, bool, int | str]],
) -> None:
    """2025-11-25 basic: an id is a string or a number, and each side has ids of its own."""
    talk = Conversation()
    waiting: dict[tuple[bool, str, int | str], list[int]] = {}
    for ours, asks, request_id in moves:
        speak = talk.sent if ours else talk.received
        if asks:
            number = speak(request(request_id))
            waiting.setdefault((ours, type(request_id).__name__, request_id), []).append(number)
            continue
        number = speak(result(request_id))
        open_ones = waiting.get((not ours, type(request_id).__name__, request_id))
        flags = talk.flags(number)
        if open_ones:
            assert talk.journal.row(number).partner == open_ones.pop()
            assert not flags & (Flag.ORPHAN | Flag.DUPLICATE | Flag.ID_TYPE_MISMATCH)
        else:
            assert flags & (Flag.ORPHAN | Flag.DUPLICATE | Flag.ID_TYPE_MISMATCH)
    left = sorted(number for numbers in waiting.values() for number in numbers)
    assert list(talk.exchanges.pending()) == left
