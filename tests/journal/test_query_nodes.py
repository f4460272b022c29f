from collections.abc import Callable
from dataclasses import dataclass

from inspector.journal.journal import Journal
from inspector.journal.query_nodes import (
    PERHAPS,
    YES,
    All,
    AnyOf,
    ByteColumn,
    Everything,
    Mask,
    Node,
    Not,
    Reads,
    table_of,
)
from tests.journal.conversation import Conversation


@dataclass
class Numbers:
    """Matches by number; says `sign` where it does."""

    wanted: Callable[[int], bool]
    sign: int = YES
    cost: int = 0
    reads: Reads = Reads.NOTHING_ELSE
    asked: int = 0

    def test(self, journal: Journal, number: int) -> bool:
        self.asked += 1
        return self.wanted(number)

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        self.asked += 1
        return bytes(self.sign if self.wanted(each) else 0 for each in range(start, stop))


def _even(number: int) -> bool:
    return number % 2 == 0


def _third(number: int) -> bool:
    return number % 3 == 0


def _talk() -> Journal:
    talk = Conversation()
    for _ in range(5):
        talk.sent(b"{}")
    return talk.journal


def test_masks_combine_as_their_nodes_do() -> None:
    even, third, journal = Numbers(_even), Numbers(_third), _talk()
    assert All([even, third]).mask(journal, 1, 7) == b"\0\0\0\0\0\3"
    assert AnyOf([even, third]).mask(journal, 1, 7) == b"\0\3\3\3\0\3"
    assert Not(even).mask(journal, 1, 7) == b"\3\0\3\0\3\0"
    assert Everything().mask(journal, 1, 3) == b"\3\3"


def test_a_perhaps_stays_one_until_something_decides() -> None:
    even, perhaps, journal = Numbers(_even), Numbers(_third, PERHAPS), _talk()
    assert AnyOf([even, perhaps]).mask(journal, 1, 7) == b"\0\3\1\3\0\3"
    assert All([even, perhaps]).mask(journal, 1, 7) == b"\0\0\0\0\0\1"
    assert Not(perhaps).mask(journal, 1, 4) == b"\3\3\1"
    assert Not(All([even, perhaps])).mask(journal, 4, 7) == b"\3\3\1"


def test_cheap_parts_are_asked_first_and_dear_ones_not_where_nothing_is_left() -> None:
    never = Numbers(lambda number: False)
    dear = Numbers(lambda number: True, cost=2)
    both = All([dear, never])
    assert not both.test(_talk(), 1)
    assert both.mask(_talk(), 1, 5) == bytes(4)
    assert dear.asked == 0


def test_bodies_are_not_searched_for_the_few_that_are_left() -> None:
    one, dear = Numbers(lambda number: number == 7), Numbers(_even, cost=1)
    assert All([one, dear]).mask(_talk(), 1, 101).count(PERHAPS) == 1
    assert dear.asked == 0


def test_what_a_node_reads_is_what_its_parts_read() -> None:
    flags = Numbers(_even, reads=Reads.FLAGS)
    findings = Numbers(_even, reads=Reads.FINDINGS)
    for node in (All([flags, findings]), AnyOf([flags, Not(findings)])):
        known: Node = node
        assert known.reads == Reads.FLAGS | Reads.FINDINGS


def test_a_table_says_which_values_match() -> None:
    table = table_of({0, 255})
    assert (len(table), table[0], table[1], table[255]) == (256, YES, 0, YES)
    node = ByteColumn(lambda journal, start, stop: bytes(range(start, stop)), table)
    assert node.test(_talk(), 255)
    assert node.mask(_talk(), 254, 256) == b"\0\3"
