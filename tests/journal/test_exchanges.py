import pytest

from inspector.journal.entries import HttpFacts
from inspector.journal.exchanges import Leg
from tests.journal.conversation import MODERN, Conversation, notification, request, result


def test_an_exchange_is_request_progress_cancellation_and_outcome() -> None:
    talk = Conversation()
    asked = talk.sent(request(1, _meta={"progressToken": 5}))
    other = talk.sent(request(2))
    progress = talk.received(notification("notifications/progress", progressToken=5))
    cancelled = talk.sent(notification("notifications/cancelled", requestId=1))
    answered = talk.received(result(1))
    late = talk.received(notification("notifications/progress", progressToken=5))
    whole = (asked, progress, cancelled, answered, late)
    assert all(talk.exchanges.of(number) == whole for number in whole)
    assert talk.exchanges.of(other) == (other,)


def test_what_a_response_stream_carries_belongs_to_the_request_that_opened_it() -> None:
    talk = Conversation()
    asked = talk.sent(request(1))
    http = talk.journal.http(HttpFacts("POST", "http://x", status=200), connection=1, frame=asked)
    log = talk.received(notification("notifications/message"), http=http)
    ask = talk.received(request(1, "sampling/createMessage"), http=http)
    answer = talk.sent(result(1))
    post = talk.journal.http(HttpFacts("POST", "http://x", status=202), connection=1, frame=answer)
    outcome = talk.received(result(1), http=http)
    whole = (asked, http, log, ask, answer, post, outcome)
    assert talk.exchanges.of(log) == whole
    assert all(talk.exchanges.of(number) == whole for number in whole)
    assert talk.exchanges.root(answer) == asked
    assert talk.exchanges.root(post) == asked


def test_the_polls_of_a_task_belong_to_the_call_that_made_it() -> None:
    talk = Conversation()
    asked = talk.sent(request(1, name="slow", task={"ttl": 1}))
    made = talk.received(result(1, task={"taskId": "T", "status": "working"}))
    status = talk.received(notification("notifications/tasks/status", taskId="T"))
    poll = talk.sent(request(2, "tasks/get", taskId="T"))
    polled = talk.received(result(2, taskId="T", status="completed"))
    related = {"io.modelcontextprotocol/related-task": {"taskId": "T"}}
    ask = talk.received(request("a", "elicitation/create", _meta=related))
    answer = talk.sent(result("a", action="decline"))
    log = talk.received(notification("notifications/message", _meta=related))
    whole = (asked, made, status, poll, polled, ask, answer, log)
    assert all(talk.exchanges.of(number) == whole for number in whole)


def test_a_retry_with_a_request_state_belongs_to_the_first_try() -> None:
    talk = Conversation()
    asked = talk.sent(request(1, _meta=MODERN))
    needs = talk.received(result(1, resultType="input_required", requestState="S"))
    again = talk.sent(request(2, requestState="S", _meta=MODERN))
    done = talk.received(result(2))
    assert talk.exchanges.of(done) == (asked, needs, again, done)


def test_a_request_tells_which_turn_of_its_call_it_is() -> None:
    talk = Conversation()
    asked = talk.sent(request(1, _meta=MODERN))
    talk.received(result(1, resultType="input_required", requestState="S"))
    second = talk.sent(request(2, requestState="S", _meta=MODERN))
    talk.received(result(2, resultType="task", taskId="T", status="working"))
    poll = talk.sent(request(3, "tasks/get", taskId="T", _meta=MODERN))
    assert talk.exchanges.leg(asked) is None
    assert talk.exchanges.leg(second) == Leg(asked, 2)
    assert talk.exchanges.leg(poll) == Leg(asked, 1)


def test_a_request_that_goes_on_with_one_of_two_names_both() -> None:
    talk = Conversation()
    first, other = talk.sent(request(1, _meta=MODERN)), talk.sent(request(2, _meta=MODERN))
    for number in (1, 2):
        talk.received(result(number, resultType="input_required", requestState="same"))
    again = talk.sent(request(3, requestState="same", _meta=MODERN))
    assert talk.exchanges.leg(again) == Leg(0, 1, (first, other))
    assert talk.exchanges.of(again) == (again,)


def test_a_note_belongs_to_what_it_is_about() -> None:
    talk = Conversation()
    asked = talk.sent(request(1))
    note = talk.journal.note(asked, "look")
    assert talk.exchanges.of(note) == (asked, note)
    done = talk.received(result(1))
    about_that = talk.journal.note(done, "here too")
    about_the_note = talk.journal.note(note, "no")
    whole = (asked, note, done, about_that, about_the_note)
    assert all(talk.exchanges.of(number) == whole for number in whole)
    assert talk.exchanges.cause(about_the_note) == note


def test_an_http_status_is_not_taken_for_an_entry_number() -> None:
    talk = Conversation()
    while len(talk.journal) < 198:
        talk.received(notification("x"))
    asked = talk.sent(request(1))
    http = talk.journal.http(HttpFacts("POST", "http://x", status=200), connection=1, frame=asked)
    other = talk.journal.http(HttpFacts("GET", "http://x", status=http), connection=1)
    assert http == 200
    assert other not in talk.exchanges.of(asked)


def test_entries_that_belong_to_nothing_are_their_own_exchange() -> None:
    talk = Conversation()
    line = talk.journal.stderr(b"x", connection=1)
    assert talk.exchanges.of(line) == (line,)
    assert talk.exchanges.partner(line) is None
    with pytest.raises(IndexError):
        talk.exchanges.of(line + 1)
