"""The tree of a call: what hangs where, what is folded, what is only probable."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from inspector.journal.causality import (
    ASKS_READ,
    DEEPEST,
    Cause,
    Role,
    causality,
    probable_cause,
    together,
)
from inspector.journal.entries import HttpFacts
from inspector.journal.exchanges import Exchanges
from inspector.journal.loading import load_recording
from tests.journal.calls import busy_call, rounds
from tests.journal.conversation import MODERN, Conversation, notification, request, result

RECORDINGS = sorted((Path(__file__).parent.parent / "recordings").glob("*.jsonl"))


def nodes(node: Cause) -> Iterator[Cause]:
    yield node
    for child in node.under:
        yield from nodes(child)


def entries(node: Cause) -> list[int]:
    return sorted({number for each in nodes(node) for number in each.entries})


def role_of(tree: Cause, number: int) -> Role:
    return next(node.role for node in nodes(tree) if node.entries == (number,))


def test_everything_that_belongs_to_a_call_hangs_under_what_it_came_of() -> None:
    busy = busy_call()
    tree = causality(busy.talk.journal, busy.outcome)
    assert tree.number == busy.call
    ask = next(node for node in tree.under if node.number == busy.ask)
    assert [node.number for node in ask.under] == [busy.answer]
    assert [node.number for node in ask.under[0].under] == [busy.answer_post]
    assert role_of(tree, busy.cancel) is Role.CANCELLED
    assert role_of(tree, busy.post) is Role.HTTP
    assert role_of(tree, busy.log) is Role.MESSAGE
    outcome = next(node for node in tree.under if node.number == busy.outcome)
    assert [node.number for node in outcome.under] == [busy.note_on_outcome]
    assert outcome.role is Role.OUTCOME
    assert tree.duration == pytest.approx(2.81)
    assert ask.offset == pytest.approx(0.31)
    assert ask.duration == pytest.approx(2.0)


def test_the_tree_is_the_same_from_wherever_it_is_asked_for() -> None:
    busy = busy_call()
    tree = causality(busy.talk.journal, busy.call)
    assert entries(tree) == list(busy.talk.exchanges.of(busy.call))
    for number in entries(tree):
        assert causality(busy.talk.journal, number) == tree


def test_thousands_of_reports_are_one_node_that_can_be_unfolded() -> None:
    busy = busy_call(reports=5000)
    tree = causality(busy.talk.journal, busy.call)
    assert len(tree.under) == 7
    many = next(node for node in tree.under if len(node.entries) > 1)
    assert many.entries == busy.progress
    assert many.role is Role.PROGRESS
    assert [node.number for node in many.under] == list(busy.progress)
    assert many.duration == pytest.approx(4999 * 0.1)


def test_rounds_and_polls_hang_under_the_call_they_go_on_with() -> None:
    talk, numbers = rounds()
    call, _, second, _, poll, _, _, again, _ = numbers
    tree = causality(talk.journal, numbers[-1])
    assert tree.number == call
    assert [node.number for node in tree.under if node.duration is not None] == [
        second,
        poll,
        again,
    ]
    assert role_of(tree, second) is Role.ROUND
    assert role_of(tree, poll) is Role.FURTHER
    assert entries(tree) == numbers


def test_what_came_while_only_one_call_waited_probably_belongs_to_it() -> None:
    talk = Conversation()
    call = talk.sent(request(1))
    ask = talk.received(request(1, "sampling/createMessage"))
    answer = talk.sent(result(1))
    log = talk.received(notification("notifications/message", data="x"))
    talk.received(notification("notifications/tools/list_changed"))
    done = talk.received(result(1))
    after = talk.received(notification("notifications/message", data="later"))
    tree = causality(talk.journal, log)
    assert entries(tree) == [call, ask, answer, log, done]
    assert [node.number for node in nodes(tree) if not node.sure] == [ask, log]
    assert probable_cause(talk.journal, ask) == call
    assert probable_cause(talk.journal, after) is None
    assert entries(causality(talk.journal, answer)) == entries(tree)


def test_nothing_is_guessed_while_two_calls_wait() -> None:
    talk = Conversation()
    first = talk.sent(request(1))
    second = talk.sent(request(2))
    between = talk.received(request("a", "sampling/createMessage"))
    talk.received(result(1))
    alone = talk.received(request("b", "sampling/createMessage"))
    talk.received(result(2))
    assert probable_cause(talk.journal, between) is None
    assert probable_cause(talk.journal, alone) == second
    assert between not in entries(causality(talk.journal, first))
    assert alone in entries(causality(talk.journal, second))
    assert between not in entries(causality(talk.journal, second))
    assert entries(causality(talk.journal, between)) == [between]


def test_a_ping_or_a_list_is_no_call_that_a_server_asks_about() -> None:
    talk = Conversation()
    talk.sent(request(9, "ping"))
    call = talk.sent(request(1))
    ask = talk.received(request("a", "elicitation/create"))
    assert probable_cause(talk.journal, ask) == call


def test_thousands_of_questions_and_messages_cost_no_look_at_each() -> None:
    talk = Conversation()
    call = talk.sent(request(1))
    for number in range(3000):
        talk.received(request(number, "sampling/createMessage"))
        talk.received(notification("notifications/message", data="x"))
    looks = 0
    of = Exchanges.of

    def counted(exchanges: Exchanges, number: int) -> tuple[int, ...]:
        nonlocal looks
        looks += 1
        return of(exchanges, number)

    with patch.object(Exchanges, "of", counted):
        tree = causality(talk.journal, call)
    assert len(entries(tree)) == 6001
    assert looks <= ASKS_READ + 1


def test_a_long_chain_of_notes_and_rounds_makes_no_deep_tree() -> None:
    talk = Conversation()
    note = talk.sent(request(0, _meta=MODERN))
    for _ in range(50):
        note = talk.journal.note(note, "and")
    for turn in range(1, 300):
        state = f"S{turn}"
        talk.received(result(turn - 1, resultType="input_required", requestState=state))
        talk.sent(request(turn, requestState=state, _meta=MODERN))

    def depth(node: Cause) -> int:
        return 1 + max((depth(child) for child in node.under), default=0)

    tree = causality(talk.journal, len(talk.journal))
    assert depth(tree) <= DEEPEST + 1
    assert entries(tree) == list(talk.exchanges.of(tree.number))


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_every_entry_of_a_recorded_session_is_in_the_tree_of_its_call(path: Path) -> None:
    journal = load_recording(path)
    exchanges = Exchanges(journal)
    for number in range(1, len(journal) + 1):
        found = entries(causality(journal, number))
        assert set(exchanges.of(number)) <= set(found)


def test_what_probably_belongs_to_a_call_is_together_with_it() -> None:
    talk = Conversation()
    call = talk.sent(request(1, name="x"))
    ask = talk.received(request("a", "sampling/createMessage"))
    answer = talk.sent(result("a"))
    outcome = talk.received(result(1))
    for each in (call, ask, answer, outcome):
        assert together(talk.journal, each) == (call, ask, answer, outcome)
    alone = talk.received(notification("notifications/tools/list_changed"))
    assert together(talk.journal, alone) == (alone,)


def test_what_came_on_one_event_stream_is_together() -> None:
    talk = Conversation()
    stream = talk.journal.http(HttpFacts("GET", "http://x", status=200), connection=1)
    said = [
        talk.received(notification("notifications/tools/list_changed"), http=stream)
        for _ in range(3)
    ]
    for each in (stream, *said):
        assert together(talk.journal, each) == (stream, *said)
