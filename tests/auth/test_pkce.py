"""Verifier, challenge and state, with the vector of RFC 7636."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.auth.pkce import is_verifier, make_state, make_verifier, s256_challenge
from inspector.auth.secret import Secret
from inspector.errors import InspectorError


def test_the_challenge_is_the_one_of_rfc_7636_appendix_b() -> None:
    verifier = Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    assert s256_challenge(verifier) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


@given(st.binary(min_size=32, max_size=96))
def test_any_random_bytes_make_a_verifier_and_a_state(random: bytes) -> None:
    verifier, state = make_verifier(random).reveal(), make_state(random).reveal()
    assert is_verifier(verifier)
    assert base64.urlsafe_b64decode(state + "=" * (-len(state) % 4)) == random


@pytest.mark.parametrize("size", [0, 16, 31, 97])
def test_too_few_or_too_many_random_bytes_are_our_own_fault(size: int) -> None:
    with pytest.raises(InspectorError, match=f"not from {size}"):
        make_verifier(bytes(size))
    with pytest.raises(InspectorError, match=f"not from {size}"):
        make_state(bytes(size))


@pytest.mark.parametrize("text", ["", "a" * 42, "a" * 129, "a" * 42 + "+", "a" * 42 + "é"])
def test_what_is_no_verifier_has_no_challenge(text: str) -> None:
    assert not is_verifier(text)
    with pytest.raises(InspectorError) as caught:
        s256_challenge(Secret(text))
    assert not text or text not in str(caught.value)
