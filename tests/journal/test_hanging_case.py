"""How entries, ages and ends are put into words."""

import pytest

from inspector.journal.hanging_case import TEXT, Case, ago, ending
from inspector.journal.hanging_facts import look
from inspector.protocol.messages import JsonObject
from tests.journal.conversation import Conversation, request, result


def case_of(talk: Conversation) -> Case:
    return Case(talk.journal, look(talk.journal), talk.now, None, 0)


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.44, "0.4 s"), (12.0, "12 s"), (185.0, "3 min 05 s"), (-1.0, "0.0 s")]
)
def test_ages_are_short(seconds: float, words: str) -> None:
    assert ago(seconds) == words


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"exitCode": 0}, " with exit code 0"),
        ({"signal": "SIGKILL"}, " by signal SIGKILL"),
        ({}, ""),
    ],
)
def test_an_end_is_told_by_signal_or_code(facts: JsonObject, words: str) -> None:
    assert ending(facts) == words


def test_ids_are_named_with_their_type() -> None:
    talk = Conversation()
    number, text = talk.sent(request(7)), talk.received(result("7"))
    assert (case_of(talk).id(number), case_of(talk).id(text)) == ("7", '"7"')


def test_an_entry_is_named_by_method_name_and_number() -> None:
    talk = Conversation()
    number = talk.sent(request(7, name="add"))
    answer = talk.received(result(7))
    assert case_of(talk).named(number) == f"tools/call add #{number}"
    assert case_of(talk).what(answer) == f"tools/call result #{answer}"


def test_a_long_body_is_cut() -> None:
    talk = Conversation()
    number = talk.received(b"x" * 5000)
    assert case_of(talk).head(number) == "x" * TEXT + "…"
