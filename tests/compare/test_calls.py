"""Calls are matched by what they ask for, in order, and compared by what they came to."""

from inspector.compare.calls import Compared, Operation, calls_of, compare_calls
from inspector.protocol.messages import Sendable
from tests.compare.talk import Talk, text

ADD = Operation("tools/call", "add")


def compared(left: Talk, right: Talk) -> Compared:
    return compare_calls(calls_of(left.journal), calls_of(right.journal))


def test_the_order_of_arguments_does_not_matter_and_their_values_do() -> None:
    one, two = Talk(), Talk()
    one.call("add", text("3"), a=1, b=2)
    one.call("add", text("9"), a=4, b=5)
    two.ask("tools/call", {"arguments": {"b": 2, "a": 1.0}, "name": "add"}, text("3"))
    found = compared(one, two)
    assert (found.matched, found.changed_count) == (1, 0)
    assert (found.only_left, found.only_right) == ({ADD: 1}, {})


def test_another_kind_of_outcome_is_named() -> None:
    cases: list[tuple[Sendable | None, str]] = [
        (text("3"), "result"),
        (text("no", failed=True), "tool error"),
        ({"code": -32602, "message": "no"}, "error"),
        (None, "no answer"),
    ]
    for before, was in cases:
        for after, now in cases:
            one, two = Talk(), Talk()
            asked = one.call("add", before), two.call("add", after)
            changed = compared(one, two).changed
            assert [(c.before.state, c.after.state) for c in changed] == [(was, now)] * (was != now)
            assert [(c.left, c.right) for c in changed] == [asked] * (was != now)


def test_the_place_where_results_differ_is_named() -> None:
    one, two = Talk(), Talk()
    one.call("add", text("3"), a=1)
    two.call("add", text("4"), a=1)
    (change,) = compared(one, two).changed
    assert change.operation == ADD
    (place,) = change.differences
    assert (place.pointer, place.left, place.right) == ("/result/content/0/text", "3", "4")
    ignoring = compare_calls(
        calls_of(one.journal), calls_of(two.journal), lambda at: at == place.pointer
    )
    assert ignoring.changed_count == 0


def test_what_differs_between_equal_calls_of_one_recording_varies_by_itself() -> None:
    one, two = Talk(), Talk()
    for moment in ("1", "2"):
        one.call("now", text(moment))
        two.call("now", text("9" + moment))
    found = compared(one, two)
    assert (found.matched, found.changed_count, found.varying) == (2, 0, 2)
    two.call("now", text("3", failed=True))
    one.call("now", text("3"))
    assert compared(one, two).changed_count == 1


def test_rounds_of_a_call_are_one_call_whose_outcome_is_the_last() -> None:
    def talk(answer: str) -> Talk:
        talk = Talk()
        meta: Sendable = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
        asking: Sendable = {
            "resultType": "input_required",
            "requestState": "s",
            "inputRequests": {"q": {"method": "roots/list"}},
        }
        call: dict[str, Sendable] = {"name": "add", "arguments": {"a": 1}, "_meta": meta}
        talk.ask("tools/call", call, asking)  # type: ignore[arg-type]
        again = {**call, "requestState": "s", "inputResponses": {"q": {"roots": []}}}
        talk.ask("tools/call", again, text(answer))  # type: ignore[arg-type]
        return talk

    same = compared(talk("1"), talk("1"))
    assert (same.matched, same.changed_count) == (1, 0)
    (change,) = compared(talk("1"), talk("2")).changed
    assert [one.pointer for one in change.differences] == ["/result/content/0/text"]


def test_housekeeping_is_no_call_and_seconds_are_kept_of_results() -> None:
    talk = Talk()
    talk.ask("ping", {}, {})
    talk.call("add", text("3"), took=0.5)
    talk.call("add", text("3", failed=True), took=9.0)
    calls = calls_of(talk.journal)
    assert len(calls) == 2
    assert [round(one, 3) for one in calls.seconds[ADD]] == [0.5]


def test_a_task_says_nothing_that_is_compared_of_itself() -> None:
    def talk(task: str) -> Talk:
        talk = Talk()
        made: Sendable = {"task": {"taskId": task, "status": "working", "createdAt": task}}
        talk.call("add", made)
        return talk

    found = compared(talk("a"), talk("b"))
    assert (found.matched, found.changed_count) == (1, 0)
