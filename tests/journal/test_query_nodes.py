from inspector.journal.journal import Journal
from inspector.journal.query_nodes import All, AnyOf, Each, Everything, Mask, Node, Not, table_of
from tests.journal.conversation import Conversation


def _even(journal: Journal, number: int) -> bool:
    return number % 2 == 0


def _talk() -> Journal:
    talk = Conversation()
    for _ in range(5):
        talk.sent(b"{}")
    return talk.journal


def test_masks_of_columns_are_exact_and_combine() -> None:
    even: Node = Each(_even)
    third: Node = Each(lambda journal, number: number % 3 == 0)
    journal = _talk()
    assert All([even, third]).mask(journal, 1, 7) == Mask(b"\0\0\0\0\0\1", True)
    assert AnyOf([even, third]).mask(journal, 1, 7) == Mask(b"\0\1\1\1\0\1", True)
    assert Not(even).mask(journal, 1, 7) == Mask(b"\1\0\1\0\1\0", True)
    assert Everything().mask(journal, 1, 3) == Mask(b"\1\1", True)


def test_what_reads_bodies_makes_masks_inexact() -> None:
    even: Node = Each(_even)
    body: Node = Each(_even, cost=1)
    journal = _talk()
    assert All([even, body]).mask(journal, 1, 4) == Mask(b"\0\1\0", False)
    assert AnyOf([even, body]).mask(journal, 1, 4) is None
    assert Not(body).mask(journal, 1, 4) is None
    assert Not(All([even, body])).mask(journal, 1, 4) is None


def test_cheap_parts_are_asked_first() -> None:
    asked: list[str] = []

    def cheap(journal: Journal, number: int) -> bool:
        asked.append("cheap")
        return False

    def dear(journal: Journal, number: int) -> bool:
        asked.append("dear")
        return True

    assert not All([Each(dear, cost=2), Each(cheap)]).test(_talk(), 1)
    assert asked == ["cheap"]


def test_a_table_says_which_values_match() -> None:
    table = table_of({0, 255})
    assert (len(table), table[0], table[1], table[255]) == (256, 1, 0, 1)
