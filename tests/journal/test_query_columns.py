import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.journal.entries import Flag, HttpFacts
from inspector.journal.journal import Journal
from inspector.journal.query import compile_filter
from inspector.journal.query_columns import Method, Methods, Size, compared
from tests.journal.conversation import Conversation, notification, request, result


def found(journal: Journal, text: str) -> list[int]:
    """All that match; the way one by one has to agree."""
    wanted, stop = compile_filter(text), len(journal) + 1
    each = [number for number in range(1, stop) if wanted.matches(journal, number)]
    assert list(wanted.select(journal, 1, stop)) == each
    return each


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


def test_methods_of_another_journal_are_looked_at_anew() -> None:
    one, other = Conversation(), Conversation()
    one.received(notification("a"))
    other.received(notification("b"))
    methods = Methods(lambda method: method == "b")
    assert methods.mask(one.journal, 2, 3) == b"\0"
    assert methods.mask(other.journal, 2, 3) == b"\3"


@pytest.mark.parametrize(
    ("operator", "wanted", "fits"),
    [
        (">", 2, b"\0\0\1"),
        (">=", 2, b"\0\1\1"),
        ("<", 2, b"\1\0\0"),
        ("<=", 2, b"\1\1\0"),
        ("=", 2, b"\0\1\0"),
        (":", (2, 3), b"\0\1\1"),
    ],
)
def test_numbers_compare(operator: str, wanted: float, fits: bytes) -> None:
    assert compared(operator, wanted)([1, 2, 3]) == fits


def test_ranges_hold_both_ends() -> None:
    talk = Conversation()
    for milliseconds in (0, 100, 150, 200, 300):
        number = talk.sent(request(milliseconds))
        talk.pass_time(milliseconds / 1000)
        talk.received(result(milliseconds))
    assert found(talk.journal, "n:3..5") == [3, 4, 5]
    assert found(talk.journal, "n:#3..#4") == [3, 4]
    assert [(n - 3) // 2 for n in found(talk.journal, "ms:99.5..201")] == [1, 2, 3]
    assert found(talk.journal, "conn:1..3") == list(range(1, number + 2))
    assert found(talk.journal, "n<3 | n>=11") == [1, 2, 11]
    assert found(talk.journal, "n:4|6") == [4, 6]


def test_a_status_is_that_of_the_exchange_which_carried_a_message() -> None:
    talk = Conversation()
    asked = talk.sent(request(1))
    http = talk.journal.http(HttpFacts("POST", "http://x", status=404), connection=1, frame=asked)
    talk.sent(request(2))
    lost = talk.journal.http(HttpFacts("POST", "http://x"), connection=1)
    assert found(talk.journal, "status:404") == [asked, http]
    assert found(talk.journal, "status:400..499") == [asked, http]
    assert found(talk.journal, "status:401|404") == [asked, http]
    assert found(talk.journal, "status<500 kind:http") == [http]
    assert lost not in found(talk.journal, "status>=0")


def test_a_request_without_an_outcome_is_unanswered_also_when_nobody_waits() -> None:
    talk = Conversation()
    open_ = talk.sent(request(1))
    done = talk.sent(request(2))
    talk.received(result(2))
    given_up = talk.sent(request(3))
    talk.journal.flag(given_up, Flag.TIMED_OUT)
    batch = talk.sent([request(5), request(6)])
    assert found(talk.journal, "is:unanswered") == [open_, given_up, batch]
    assert found(talk.journal, "is:pending") == [open_, batch]
    assert done not in found(talk.journal, "is:unanswered")
    talk.journal.begin_connection({})
    assert found(talk.journal, "is:unanswered") == [open_, given_up]


@pytest.fixture
def in_berlin() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("in_berlin")
def test_times_are_those_that_lists_show_and_with_z_those_of_utc() -> None:
    talk = Conversation()  # at 08:00:00 UTC on 2027-01-15, 09:00:00 in Berlin
    talk.pass_time(60)
    talk.sent(request(1))
    talk.pass_time(86_400)
    talk.sent(request(2))
    assert found(talk.journal, "after:09:00:30") == [2, 3]
    assert found(talk.journal, "after:08:00:30Z") == [2, 3]
    assert found(talk.journal, "after:09:00:30Z") == []
    assert found(talk.journal, "after:2027-01-16") == [3]
    assert found(talk.journal, 'before:"2027-01-15 09:00:30"') == [1]
    assert found(talk.journal, "before:2027-01-15T08:00:30Z") == [1]
    assert found(talk.journal, "before:2027-01-15T10:00:30+02:00") == [1]


@pytest.mark.usefixtures("in_berlin")
def test_a_time_of_day_is_right_on_both_sides_of_a_change_of_clocks() -> None:
    talk = Conversation()
    talk.wall = 1_806_195_600.0 - 1800  # 2027-03-28, half an hour before summer time begins
    early = talk.sent(request(1))
    talk.pass_time(3600)
    late = talk.sent(request(2))
    assert found(talk.journal, "after:01:29 before:01:31") == [early]
    assert found(talk.journal, "after:03:29 before:03:31") == [late]


def test_many_connections_are_told_apart() -> None:
    talk = Conversation()
    for _ in range(300):
        number = talk.journal.begin_connection({})
    assert number == 301
    assert found(talk.journal, "conn:300..400") == [300, 301]
    assert found(talk.journal, "conn<3") == [1, 2]


_SIZES = (0, 1, 255, 256, 257, 65_535, 65_536, 65_792, 16_777_216, 0xFFFF_FFFF)


@given(
    st.sampled_from([">", ">=", "<", "<=", "=", ":"]),
    st.sampled_from([*_SIZES, 0.5, 255.5, 256.5, 1e12, float("inf"), 254, 65_537]),
    st.lists(st.sampled_from(_SIZES) | st.integers(0, 0xFFFF_FFFF), min_size=1, max_size=8),
)
def test_sizes_compare_byte_by_byte_as_numbers_do(
    operator: str, wanted: float, sizes: list[int]
) -> None:
    talk = Conversation()
    for size in sizes:
        number = talk.sent(b"{}")
        talk.journal.columns.sizes[number] = size
    mask = Size(operator, wanted).mask(talk.journal, 2, len(sizes) + 2)
    assert mask == compared(operator, wanted)(sizes).replace(b"\1", b"\3")
    node = Size(operator, wanted)
    assert [node.test(talk.journal, 2 + at) for at in range(len(sizes))] == [
        sign == 3 for sign in mask
    ]
