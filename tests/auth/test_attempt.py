"""What may still be tried for one exchange."""

from dataclasses import replace

import pytest

from inspector.auth.attempt import Asks, Attempt
from inspector.auth.challenge import BearerChallenge
from inspector.auth.grant import Grant
from inspector.errors import ConnectionFailed
from tests.auth.grants import a_grant


def asked(*scopes: str) -> Grant:
    return replace(a_grant(), requested=scopes)


def wants(scope: str) -> BearerChallenge:
    return BearerChallenge(scope=scope, error="insufficient_scope")


def test_an_exchange_may_ask_a_person_unless_it_says_otherwise() -> None:
    assert Attempt().asks is Asks.PERSON


def test_more_scopes_are_the_union_of_what_was_asked_and_what_is_wanted() -> None:
    attempt = Attempt()
    step = attempt.step_up(asked("tools"), wants("vault"))
    assert step is not None
    assert (step.scopes, step.added, attempt.step_ups) == (("tools", "vault"), ("vault",), 1)


def test_without_a_name_of_a_scope_there_is_nothing_to_ask_for() -> None:
    attempt = Attempt()
    assert attempt.step_up(asked("tools"), BearerChallenge()) is None
    assert attempt.step_ups == 0


def test_to_want_again_what_was_asked_for_already_ends_it() -> None:
    attempt = Attempt()
    assert attempt.step_up(asked("tools", "vault"), wants("vault"))  # once is fair
    with pytest.raises(ConnectionFailed, match="after 1 request"):
        attempt.step_up(asked("tools", "vault"), wants("vault"))


def test_no_more_than_three_times() -> None:
    attempt = Attempt()
    for number in range(3):
        assert attempt.step_up(asked("tools"), wants(f"more{number}"))
    with pytest.raises(ConnectionFailed) as caught:
        attempt.step_up(asked("tools"), wants("more3"))
    assert caught.value.kind == "auth"
