import pytest

from inspector.journal.entries import Flag, Kind
from inspector.journal.query import FilterError, compile_filter
from inspector.journal.query_terms import FLAGS, KINDS, OPINIONS, STATES, TERMS, completion
from tests.journal.conversation import Conversation, notification


def test_every_flag_is_a_state_and_every_kind_a_kind() -> None:
    assert set(FLAGS.values()) == set(Flag)
    assert set(STATES) == {*FLAGS, *OPINIONS}
    assert {kind for kinds in KINDS.values() for kind in kinds} == set(Kind)


def test_every_state_finds_its_flag_and_no_other() -> None:
    talk = Conversation()
    numbers = {flag: talk.sent(b"junk") for flag in Flag}
    for flag, number in numbers.items():
        talk.journal.set_flags(number, int(flag), True)
    for word, flag in FLAGS.items():
        found = compile_filter(f"is:{word}")
        assert list(found.select(talk.journal, 1, len(talk.journal) + 1)) == [numbers[flag]]
        assert [n for n in numbers.values() if found.matches(talk.journal, n)] == [numbers[flag]]


def test_keys_are_known_once() -> None:
    assert len({term.key for term in TERMS}) == len(TERMS)


def test_more_methods_than_a_byte_can_number_are_told_apart() -> None:
    talk = Conversation()
    numbers = [talk.received(notification(f"m/{number}")) for number in range(600)]
    found = compile_filter("method:m/50?")
    assert list(found.select(talk.journal, 1, 602)) == numbers[500:510]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("is:eror", "error"),
        ("kind:notifications", "notification"),
        ("dir:inn", "in"),
        ("metod:tools", "method"),
        ("sise>10k", "size"),
        ("Method:x | rul:rpc/*", "rule"),
    ],
)
def test_a_mistyped_word_is_answered_with_the_one_that_was_meant(text: str, meant: str) -> None:
    with pytest.raises(FilterError, match=f"did you mean {meant}\\?"):
        compile_filter(text)


def test_what_resembles_nothing_is_answered_with_all_that_there_is() -> None:
    with pytest.raises(FilterError, match="there are pending, late"):
        compile_filter("is:qqq")


@pytest.mark.parametrize(
    ("begun", "rest"),
    [
        ("met", "hod:"),
        ("is:pen", "ding"),
        ("is:late|orp", "han"),
        ("kind:re", "quest"),
        ("DIR:o", "ut"),
        ("is:", ""),
        ("", ""),
        ("nothing", ""),
        ("name:ad", ""),
    ],
)
def test_a_key_or_a_value_that_was_begun_is_completed(begun: str, rest: str) -> None:
    assert completion(begun) == rest
