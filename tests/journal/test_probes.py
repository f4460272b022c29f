from hypothesis import given
from hypothesis import strategies as st

from inspector.journal.probes import (
    NO_OUTCOME,
    NO_TIES,
    PROBE_LIMIT,
    key_of,
    outcome_of,
    ties_of_notification,
    ties_of_request,
)


@given(st.binary(max_size=80))
def test_any_bytes_tie_nothing_or_something_but_never_raise(raw: bytes) -> None:
    ties_of_request(raw)
    ties_of_notification(raw)
    outcome_of(raw)


def test_big_bodies_are_not_looked_into() -> None:
    raw = b'{"params":{"_meta":{"progressToken":1},"x":"%b"}}' % (b"x" * PROBE_LIMIT)
    assert ties_of_request(raw) is NO_TIES
    assert ties_of_notification(raw) is NO_TIES
    assert outcome_of(b'{"result":{"taskId":"x","y":"%b"}}' % (b"x" * PROBE_LIMIT)) is NO_OUTCOME


def test_members_of_the_wrong_type_tie_nothing() -> None:
    assert ties_of_request(b'{"params":{"_meta":{"progressToken":[1]}}}') is NO_TIES
    assert outcome_of(b'{"result":{"isError":"yes"}}') is NO_OUTCOME
    assert outcome_of(b'{"result":[true]}') is NO_OUTCOME


def test_long_ids_become_short_keys_that_differ() -> None:
    one, other = key_of("x" * 1000), key_of("x" * 1001)
    assert one != other
    assert len(str(one)) < 64
    assert key_of(1) != key_of("1")
