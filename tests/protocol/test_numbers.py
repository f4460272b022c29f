"""What can be measured, and what is no number to reckon with."""

import pytest

from inspector.journal.entries import Kind
from inspector.journal.names import name_in
from inspector.protocol.numbers import measured
from inspector.render.content import size_words


@pytest.mark.parametrize(("value", "number"), [(1, 1.0), (0.5, 0.5), (-(2**64), -(2.0**64))])
def test_a_number_is_measured(value: object, number: float) -> None:
    assert measured(value) == number


@pytest.mark.parametrize(
    "value", [True, None, "1", [1], 10**400, -(10**400), float("inf"), float("nan")]
)
def test_what_no_float_holds_is_no_measure(value: object) -> None:
    assert measured(value) is None


def test_progress_of_four_hundred_digits_has_a_name_in_the_list() -> None:
    huge = b"1" + b"0" * 400
    for value, total in ((huge, b"1"), (b"1", huge), (huge, huge)):
        params = b'{"progressToken":1,"progress":%b,"total":%b,"message":"on"}' % (value, total)
        body = b'{"jsonrpc":"2.0","method":"notifications/progress","params":%b}' % params
        assert name_in(Kind.NOTIFICATION, "notifications/progress", body).endswith("on")


def test_a_size_of_four_hundred_digits_has_words() -> None:
    assert size_words(10**400).endswith(" GB")
