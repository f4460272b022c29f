"""What a connection exercised, counted as it comes; questions inside results too, once each."""

from inspector.journal.entries import Direction
from inspector.journal.method_counts import READ_SLICE, MethodCounts, uses
from inspector.protocol.messages import Sendable
from inspector.protocol.versions import Revision
from tests.journal.conversation import Conversation, notification, request, result

ROOTS: Sendable = {"a": {"method": "roots/list"}, "b": {"method": "elicitation/create"}}


def counted(talk: Conversation, *, inside: bool = False) -> dict[tuple[Direction, str], int]:
    counts = MethodCounts(talk.journal)
    while counts.behind:
        counts.catch_up(talk.connection, inside=inside)
    return counts.by_method()


def test_only_requests_and_notifications_of_the_connection_count() -> None:
    talk = Conversation()
    talk.sent(request(1, "ping"))
    talk.connection = talk.journal.begin_connection({})
    talk.sent(request(1, "tools/call"))
    talk.received(result(1))
    talk.received(notification("notifications/message"))
    assert counted(talk) == {
        (Direction.SENT, "tools/call"): 1,
        (Direction.RECEIVED, "notifications/message"): 1,
    }


def test_questions_inside_a_result_count_where_they_are_looked_for() -> None:
    talk = Conversation()
    talk.sent(request(1))
    talk.received(result(1, resultType="input_required", inputRequests=ROOTS))
    assert (Direction.RECEIVED, "roots/list") not in counted(talk)
    found = counted(talk, inside=True)
    assert found[Direction.RECEIVED, "roots/list"] == 1
    assert found[Direction.RECEIVED, "elicitation/create"] == 1


def test_what_a_task_waits_for_counts_once_however_often_it_is_polled() -> None:
    talk = Conversation()
    for number in range(5):
        talk.sent(request(number, "tasks/get"))
        talk.received(result(number, taskId="t", status="input_required", inputRequests=ROOTS))
    assert counted(talk, inside=True)[Direction.RECEIVED, "roots/list"] == 1


def test_a_slice_that_reads_is_a_short_one() -> None:
    talk = Conversation()
    for _ in range(READ_SLICE + 10):
        talk.sent(request(1, "ping"))
    counts = MethodCounts(talk.journal)
    counts.catch_up(talk.connection, inside=True)
    assert counts.behind
    counts.catch_up(talk.connection, inside=True)
    assert not counts.behind


def test_a_capability_is_used_by_the_methods_that_need_it() -> None:
    counts = {(Direction.SENT, "tools/call"): 2, (Direction.SENT, "prompts/get"): 1}
    revision = Revision.V2025_11_25
    assert list(uses("server", ("tools",), revision, counts)) == [("tools/call", 2)]
    assert list(uses("client", ("tools",), revision, counts)) == []
