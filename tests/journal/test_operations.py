"""Requests that belong to one call are linked from the messages alone, and never wrongly."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.journal import operations
from inspector.journal.loading import load_recording
from inspector.journal.probes import call_mark, question_of
from inspector.journal.recording import RecordingFile
from inspector.protocol.messages import Sendable
from tests.journal.conversation import MODERN, Conversation, error, request, result

FORM: Sendable = {"method": "elicitation/create", "params": {}}


def asks(request_id: int, *keys: str, state: str | None = None) -> Sendable:
    """An answer that asks back."""
    members: dict[str, Sendable] = {"resultType": "input_required"}
    if keys:
        members["inputRequests"] = dict.fromkeys(keys, FORM)
    if state is not None:
        members["requestState"] = state
    return result(request_id, **members)


def call(request_id: int, method: str = "tools/call", **params: Sendable) -> Sendable:
    """A request of the modern era."""
    return again_with(request_id, params, method)


def again_with(
    request_id: int, params: Mapping[str, Sendable], method: str = "tools/call"
) -> Sendable:
    """Such a request with these parameters."""
    body: dict[str, Sendable] = {**params, "_meta": MODERN}
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": body}


def test_a_round_without_a_state_is_known_by_what_it_answers() -> None:
    talk = Conversation()
    asked = talk.sent(call(1, name="a"))
    talk.received(asks(1, "q"))
    again = talk.sent(call(2, name="a", inputResponses={"q": {}}))
    assert talk.exchanges.root(again) == asked


@pytest.mark.parametrize(
    "retry",
    [
        call(2, name="b", requestState="S", inputResponses={"q": {}}),
        call(2, name="a", requestState="s", inputResponses={"q": {}}),
        call(2, name="a", inputResponses={"q": {}}),
        call(2, name="a", requestState="S", arguments={}),
        call(2, "prompts/get", name="a", requestState="S"),
        request(2, name="a", requestState="S"),
    ],
)
def test_whatever_asks_for_something_else_is_no_round(retry: Sendable) -> None:
    talk = Conversation()
    talk.sent(call(1, name="a"))
    talk.received(asks(1, "q", state="S"))
    again = talk.sent(retry)
    assert talk.exchanges.root(again) == again
    assert talk.exchanges.leg(again) is None


def test_spaces_and_the_order_of_members_do_not_matter() -> None:
    talk = Conversation()
    asked = talk.sent(call(1, name="a", arguments={"x": 1, "y": [2]}))
    talk.received(asks(1, state="S"))
    again = talk.sent(
        b'{"id":2,"method":"tools/call","params":{"requestState":"S","arguments":{ "y":[2], "x":1},'
        b'"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}'
    )
    assert talk.exchanges.root(again) == asked


def test_a_round_of_another_connection_or_direction_is_none_of_ours() -> None:
    talk = Conversation()
    talk.sent(call(1, name="a"))
    talk.received(asks(1, state="S"))
    theirs = talk.received(call(2, name="a", requestState="S"))
    talk.connection = talk.journal.begin_connection({})
    later = talk.sent(call(2, name="a", requestState="S"))
    assert talk.exchanges.root(theirs) == theirs
    assert talk.exchanges.root(later) == later


def test_a_chain_of_rounds_is_one_operation() -> None:
    talk = Conversation()
    numbers = [talk.sent(call(1, name="a"))]
    for turn in range(1, 20):
        talk.received(asks(turn, state="always the same"))
        numbers.append(talk.sent(call(turn + 1, name="a", requestState="always the same")))
    assert {talk.exchanges.root(number) for number in numbers} == {numbers[0]}
    leg = talk.exchanges.leg(numbers[-1])
    assert leg is not None
    assert leg.turn == 20


def test_a_round_that_got_no_answer_may_be_sent_again() -> None:
    """2026-07-28 basic/transports/streamable-http: a lost request is asked again, with a new id."""
    talk = Conversation()
    asked = talk.sent(call(1, name="a"))
    talk.received(asks(1, state="S"))
    talk.sent(call(2, name="a", requestState="S"))
    again = talk.sent(call(3, name="a", requestState="S"))
    assert talk.exchanges.root(again) == asked


def test_a_refused_call_goes_on_when_the_tools_were_read_again() -> None:
    talk = Conversation()
    asked = talk.sent(call(1, name="a"))
    talk.received(error(1, -32020))
    too_early = talk.sent(call(2, name="a"))
    assert talk.exchanges.leg(too_early) is None
    talk.sent(call(3, "tools/list"))
    talk.received(result(3, tools=[]))
    again = talk.sent(call(4, name="a"))
    assert talk.exchanges.root(again) == asked
    talk.received(result(4))
    later = talk.sent(call(5, name="a"))
    assert talk.exchanges.leg(later) is None


def test_a_refused_round_goes_on_with_its_state() -> None:
    talk = Conversation()
    asked = talk.sent(call(1, name="a"))
    talk.received(asks(1, state="S"))
    talk.sent(call(2, name="a", requestState="S"))
    talk.received(error(2, -32020))
    talk.sent(call(3, "tools/list"))
    talk.received(result(3, tools=[]))
    again = talk.sent(call(4, name="a", requestState="S"))
    leg = talk.exchanges.leg(again)
    assert leg is not None
    assert (leg.first, leg.turn) == (asked, 3)


def test_another_version_is_another_try() -> None:
    talk = Conversation()
    asked = talk.sent(call(1, "server/discover"))
    talk.received(error(1, -32022))
    again = talk.sent(call(2, "server/discover"))
    assert talk.exchanges.root(again) == asked


def test_other_errors_are_not_followed_by_a_retry() -> None:
    talk = Conversation()
    talk.sent(call(1, name="a"))
    talk.received(error(1, -32602))
    again = talk.sent(call(2, name="a"))
    assert talk.exchanges.leg(again) is None


def test_more_open_questions_than_are_kept_leave_the_rest_in_doubt() -> None:
    talk = Conversation()
    for number in range(operations.POINTS_KEPT + 1):
        talk.sent(call(number, name="a"))
        talk.received(asks(number, state=str(number)))
    again = talk.sent(call(1000, name="a", requestState=str(operations.POINTS_KEPT)))
    assert talk.exchanges.root(again) == again
    assert talk.exchanges.leg(again) is not None


def test_what_a_call_asks_for_is_read_only_where_it_may_be_sent_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[bytes] = []

    def mark(raw: bytes) -> bytes | None:
        read.append(raw)
        return call_mark(raw)

    monkeypatch.setattr(operations, "call_mark", mark)
    talk = Conversation()
    for number in range(10):
        talk.sent(call(number, name="a"))
        talk.received(result(number) if number % 2 else error(number, -32602))
    assert read == []
    asked = talk.sent(call(10, name="a"))
    talk.received(asks(10, state="S"))
    again = talk.sent(call(11, name="a", requestState="S"))
    assert talk.exchanges.root(again) == asked
    assert len(read) == 2


def test_a_call_of_any_length_is_known_by_what_it_asks_for() -> None:
    talk = Conversation()
    long = "x" * operations.UNREAD_BYTES
    asked = talk.sent(call(1, name="a", arguments={"text": long}))
    talk.received(asks(1, "q", state="S"))
    other = talk.sent(call(2, name="a", arguments={"text": "x"}, requestState="S"))
    again = talk.sent(call(3, name="a", arguments={"text": long}, requestState="S"))
    assert talk.exchanges.root(other) == other
    assert talk.exchanges.root(again) == asked


def test_a_question_with_very_many_parts_is_no_memory_and_still_known() -> None:
    keys = [f"question number {number} of many" for number in range(500)]
    asked = question_of(json.dumps(asks(1, *keys)).encode())
    assert asked is not None
    assert asked.keys is not None
    assert sum(map(len, asked.keys)) < 100
    talk = Conversation()
    first = talk.sent(call(1, name="a"))
    talk.received(asks(1, *keys))
    other = talk.sent(call(2, name="a", inputResponses={key: {} for key in keys[1:]}))
    again = talk.sent(call(3, name="a", inputResponses={key: {} for key in reversed(keys)}))
    assert talk.exchanges.root(other) == other
    assert talk.exchanges.root(again) == first


def test_calls_that_are_never_answered_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "KEPT", 10)
    talk = Conversation()
    first = talk.sent(call(0, name="first"))
    for number in range(1, 100):
        last = talk.sent(call(number, name="a"))
    talk.received(asks(0, state="S"))
    talk.received(asks(99, state="S"))
    assert talk.exchanges.root(talk.sent(call(100, name="a", requestState="S"))) == last
    forgotten = talk.sent(call(101, name="first", requestState="S"))
    assert talk.exchanges.root(forgotten) == forgotten != first


def test_a_task_belongs_to_the_call_of_its_own_connection() -> None:
    talk = Conversation()
    made: Sendable = {"resultType": "task", "taskId": "t", "status": "working"}
    first = talk.sent(call(1, name="a"))
    talk.received({"jsonrpc": "2.0", "id": 1, "result": made})
    talk.connection = talk.journal.begin_connection({})
    resumed = talk.sent(call(7, "tasks/get", taskId="t"))
    assert talk.exchanges.root(resumed) == first
    second = talk.sent(call(2, name="a"))
    talk.received({"jsonrpc": "2.0", "id": 2, "result": made})
    poll = talk.sent(call(8, "tasks/get", taskId="t"))
    assert talk.exchanges.root(poll) == second


def test_a_task_that_was_made_twice_is_nobodys() -> None:
    talk = Conversation()
    made: Sendable = {"resultType": "task", "taskId": "t", "status": "working"}
    makers = []
    for number in (1, 2):
        makers.append(talk.sent(call(number, name="a")))
        talk.received({"jsonrpc": "2.0", "id": number, "result": made})
    poll = talk.sent(call(3, "tasks/get", taskId="t"))
    leg = talk.exchanges.leg(poll)
    assert leg is not None
    assert leg.doubts == tuple(makers)
    assert talk.exchanges.root(poll) == poll


def test_a_reopened_recording_is_linked_alike(tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    talk = Conversation(file=RecordingFile.create(path))
    asked = talk.sent(call(1, name="a"))
    talk.received(asks(1, state="S"))
    again = talk.sent(call(2, name="a", requestState="S"))
    talk.journal.close()
    journal = load_recording(path)
    assert journal.columns.links.causes(again) == [asked]
    journal.close()


@dataclass
class Played:
    """One call of a random conversation: its requests, and what it was asked last."""

    params: dict[str, Sendable]
    out: int
    entries: list[int] = field(default_factory=list)
    keys: tuple[str, ...] = ()
    state: str | None = None
    asked: bool = False


STATES = st.sampled_from([None, "s", "t"])
KEYS = st.sampled_from([(), ("q",), ("q", "r")])
MOVES = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from(["ask", "retry", "lose", "end"]), STATES, KEYS),
    max_size=60,
)


@given(st.lists(st.integers(0, 2), min_size=1, max_size=6), MOVES)
def test_parallel_calls_are_never_linked_wrongly(
    tools: list[int], moves: list[tuple[int, str, str | None, tuple[str, ...]]]
) -> None:
    talk, ids = Conversation(), iter(range(10_000))
    calls: list[Played] = []
    for tool in tools:  # some of them ask for exactly the same
        one = Played({"name": f"tool {tool}"}, next(ids))
        one.entries.append(talk.sent(again_with(one.out, one.params)))
        calls.append(one)
    for which, move, state, keys in moves:
        if which >= len(calls):
            continue
        one = calls[which]
        if move == "ask" and not one.asked:
            talk.received(asks(one.out, *keys, state=state or (None if keys else "u")))
            one.state, one.keys, one.asked = state or (None if keys else "u"), keys, True
        elif move == "end" and not one.asked:
            talk.received(result(one.out))
            one.asked, one.out = True, -1
        elif move in ("retry", "lose") and one.asked and one.out >= 0:
            one.out = next(ids)
            more: dict[str, Sendable] = {}
            if one.keys:
                more["inputResponses"] = {key: {"n": which} for key in one.keys}
            if one.state is not None:
                more["requestState"] = one.state
            one.entries.append(talk.sent(again_with(one.out, {**one.params, **more})))
            one.asked = move == "lose"  # no answer comes: the same is sent once more
    owner = {entry: one for one in calls for entry in one.entries}
    for one in calls:
        for entry in one.entries:
            leg = talk.exchanges.leg(entry)
            assert owner[talk.exchanges.root(entry)] is one
            if leg is not None and leg.doubts:
                assert any(owner[doubt] is one for doubt in leg.doubts)
            if entry != one.entries[0]:
                assert leg is not None, "a round is linked, or said to be in doubt"


@given(st.permutations(range(5)))
def test_calls_with_states_of_their_own_are_always_linked(order: list[int]) -> None:
    talk = Conversation()
    first = [talk.sent(call(number, name="same")) for number in range(5)]
    for number in order:
        talk.received(asks(number, "q", state=f"state {number}"))
    for number in reversed(order):
        state = f"state {number}"
        again = talk.sent(call(10 + number, name="same", requestState=state, inputResponses={}))
        assert talk.exchanges.root(again) == first[number]
