"""A secret is compared and sent, and never printed."""

import pickle
from dataclasses import dataclass

import pytest

from inspector.auth.secret import Secret

CANARY = "canary-7f3a"


@dataclass(frozen=True, slots=True)
class _Holder:
    held: Secret


def test_no_way_of_printing_shows_the_text() -> None:
    secret = Secret(CANARY)
    shown = (repr(secret), str(secret), f"{secret}", f"{secret!r:>40}", repr(_Holder(secret)))
    assert not any(CANARY in text for text in shown)
    assert secret.reveal() == CANARY


def test_equal_texts_are_equal_secrets_and_others_are_not() -> None:
    assert Secret("a") == Secret("a")
    assert len({Secret("a"), Secret("a"), Secret("b")}) == 2
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"


@pytest.mark.parametrize("other", ["", "canary", CANARY + " ", "é", "\ud800"])
def test_another_text_does_not_match(other: str) -> None:
    assert not Secret(CANARY).matches(other)
    assert Secret(other).matches(other)


def test_an_empty_secret_is_false() -> None:
    assert not Secret("")
    assert Secret("x")


def test_a_secret_is_not_pickled() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(Secret(CANARY))
