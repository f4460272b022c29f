from inspector.journal.entries import Flag, Kind
from inspector.journal.query import compile_filter
from inspector.journal.query_terms import KINDS, STATES, TERMS, Method
from tests.journal.conversation import Conversation, notification


def test_every_flag_is_a_state_and_every_kind_a_kind() -> None:
    assert set(STATES.values()) == set(Flag)
    assert {kind for kinds in KINDS.values() for kind in kinds} == set(Kind)


def test_every_state_finds_its_flag_and_no_other() -> None:
    talk = Conversation()
    numbers = {flag: talk.sent(b"junk") for flag in Flag}
    for flag, number in numbers.items():
        talk.journal.set_flags(number, int(flag), True)
    for word, flag in STATES.items():
        found = compile_filter(f"is:{word}")
        assert list(found.select(talk.journal, 1, len(talk.journal) + 1)) == [numbers[flag]]


def test_keys_are_known_once() -> None:
    assert len({term.key for term in TERMS}) == len(TERMS)


def test_each_method_is_looked_at_once() -> None:
    talk, asked = Conversation(), list[str]()

    def wanted(method: str) -> bool:
        asked.append(method)
        return method == "m/3"

    node = Method(wanted)
    for number in range(1000):
        talk.received(notification(f"m/{number % 5}"))
        node.test(talk.journal, number + 2)
    assert len(asked) == len(set(asked))


def test_more_methods_than_a_byte_can_number_are_told_apart() -> None:
    talk = Conversation()
    numbers = [talk.received(notification(f"m/{number}")) for number in range(600)]
    found = compile_filter("method:m/50?")
    assert list(found.select(talk.journal, 1, 602)) == numbers[500:510]
