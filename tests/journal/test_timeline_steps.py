"""Which entries change the books, and which cost nothing."""

import pytest

from inspector.journal.entries import Direction
from inspector.journal.timeline_steps import CONNECTIONS_KEPT, Ledgers, Steps
from inspector.journal.timeline_values import Phase
from tests.journal.conversation import Conversation, notification, request, result
from tests.journal.told import asked, modern, shaken, told


def test_a_flood_of_other_messages_costs_one_look_each() -> None:
    talk = shaken(tools={})
    ledgers: Ledgers = {}
    steps = Steps(talk.journal)
    steps.run(ledgers, 1, len(talk.journal))
    before, first = steps.cost, len(talk.journal) + 1
    talk.sent(request(1))
    for number in range(100):
        talk.received(notification("notifications/message", level="info", data="x" * 5000))
        talk.received(notification("notifications/progress", progressToken=1, progress=number))
        talk.journal.stderr(b"x" * 5000, connection=talk.connection)
    talk.received(result(1, content=["x" * 5000]))
    steps.run(ledgers, first, len(talk.journal))
    entries = len(talk.journal) - first + 1
    read = 4 + talk.journal.row(len(talk.journal)).size // 256  # the result of the call, at most
    assert entries <= steps.cost - before <= entries + read


def test_an_open_request_is_closed_by_its_outcome_and_by_its_cancellation() -> None:
    talk = shaken()
    first, second = talk.sent(request(1)), talk.sent(request(2))
    assert [one.number for one in told(talk).open] == [first, second]
    talk.received(result(1))
    assert [one.number for one in told(talk).open] == [second]
    talk.received(notification("notifications/cancelled", requestId=2))
    assert [one.number for one in told(talk).open] == [second]  # it is not the server's to cancel
    talk.sent(notification("notifications/cancelled", requestId=2))
    assert told(talk).open == ()


def test_open_requests_have_both_directions() -> None:
    talk = shaken()
    talk.sent(request(1))
    asks = talk.received(request(1, "sampling/createMessage"))
    seen = told(talk)
    assert [one.direction for one in seen.open] == [Direction.SENT, Direction.RECEIVED]
    assert [one.entry for one in seen.asks] == [asks]
    assert seen.open[0].since == talk.now


def test_an_outcome_that_comes_late_has_no_effect() -> None:
    talk = shaken(logging={})
    talk.sent(request(1, "logging/setLevel", level="debug"))
    talk.sent(notification("notifications/cancelled", requestId=1))
    talk.received(result(1))
    assert told(talk).log_level is None
    talk.received(result(1))
    assert told(talk).log_level is None


def test_progress_counts_for_the_open_request_only() -> None:
    talk = shaken()
    talk.sent(request(1, _meta={"progressToken": "p"}))
    report = notification("notifications/progress", progressToken="p", progress=1)
    talk.received(report)
    latest = talk.received(report)
    (one,) = told(talk).open
    assert one.progress is not None
    assert (one.progress.entry, one.progress.count) == (latest, 2)
    talk.received(result(1))
    talk.received(report)
    assert told(talk).open == ()


@pytest.mark.parametrize(
    ("event", "phase"),
    [("exited", Phase.FAILED), ("session-expired", Phase.FAILED), ("noise", Phase.READY)],
)
def test_events_end_a_connection(event: str, phase: Phase) -> None:
    talk = shaken()
    talk.sent(request(1))
    talk.journal.event(event, {}, connection=talk.connection)
    seen = told(talk)
    assert seen.phase is phase
    assert bool(seen.open) is (phase is Phase.READY)
    assert bool(seen.error) is (phase is Phase.FAILED)


def test_a_process_that_we_asked_to_end_has_not_failed() -> None:
    talk = shaken()
    talk.journal.event("stdin-closed", {}, connection=talk.connection)
    assert told(talk).phase is Phase.CLOSING
    talk.journal.event("exited", {}, connection=talk.connection)
    seen = told(talk)
    assert (seen.phase, seen.error) == (Phase.CLOSED, "")


def test_closing_a_stream_withdraws_the_request_that_it_was_for() -> None:
    talk = modern()
    talk.sent(asked(1, "tools/call"))
    other = talk.sent(asked(2, "tools/call"))
    talk.journal.event("stream-closed", {"about": 1}, connection=talk.connection)
    assert [one.number for one in told(talk).open] == [other]


def test_the_transport_is_the_one_that_was_fallen_back_to() -> None:
    talk = Conversation()
    assert told(talk).transport == "memory"
    talk.journal.event("fallback-taken", {}, connection=talk.connection)
    assert told(talk).transport == "sse"


def test_members_of_a_batch_do_what_they_would_do_alone() -> None:
    talk = shaken("2025-03-26", tools={}, logging={})
    first = talk.sent(request(1, "tools/list"))
    talk.sent(request(2, "logging/setLevel", level="error"))
    both = talk.received(
        [
            result(2),
            notification("notifications/tools/list_changed"),
            result(1, tools=[{"name": "a"}]),
        ]
    )
    seen = told(talk)
    assert seen.open == ()
    assert seen.log_level == "error"
    assert (seen.lists["tools"].state, first < both) == ("stale", True)


def test_a_batch_of_requests_is_open_until_all_are_answered() -> None:
    talk = shaken("2025-03-26")
    batch = talk.sent([request(1), request(2)])
    talk.received(result(1))
    assert [one.number for one in told(talk).open] == [batch]
    talk.received(result(2))
    assert told(talk).open == ()


def test_a_batch_may_answer_a_batch() -> None:
    talk = shaken("2025-03-26")
    talk.sent([request(1), request(2)])
    alone = talk.sent(request(3))
    talk.received([result(2), result(3), result(1)])
    assert told(talk).open == ()
    assert told(talk, alone).open != ()


def test_a_new_connection_ends_the_one_before_and_many_are_forgotten() -> None:
    talk = shaken()
    talk.sent(request(1))
    ledgers: Ledgers = {}
    for _ in range(CONNECTIONS_KEPT):
        talk.journal.begin_connection({})
    Steps(talk.journal).run(ledgers, 1, len(talk.journal))
    assert len(ledgers) == CONNECTIONS_KEPT
    assert talk.connection not in ledgers
    phases = [ledger.phase for ledger in ledgers.values()]
    assert phases == [Phase.CLOSED] * (CONNECTIONS_KEPT - 1) + [Phase.CONNECTING]


def test_entries_of_no_connection_change_nothing() -> None:
    talk = Conversation()
    before = told(talk)
    talk.journal.event("oauth-not-stored", {}, connection=0)
    talk.journal.note(1, "look")
    assert told(talk) == before
