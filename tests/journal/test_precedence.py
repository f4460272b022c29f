"""Work in the background rests while somebody waits for the screen, and is never starved."""

from inspector.journal.precedence import KEY, PATIENCE, Precedence


def test_nobody_waits_at_first() -> None:
    assert Precedence().rest == 0


def test_work_rests_until_a_key_had_its_time() -> None:
    now = 10.0
    precedence = Precedence(lambda: now)
    precedence.claim()
    assert abs(precedence.rest - KEY) < 1e-9
    now += KEY / 2
    assert 0 < precedence.rest < KEY
    now += KEY
    assert precedence.rest == 0


def test_a_short_claim_does_not_end_a_longer_one() -> None:
    precedence = Precedence(lambda: 5.0)
    precedence.claim(PATIENCE)
    precedence.claim(0.001)
    assert abs(precedence.rest - PATIENCE) < 1e-9


def test_no_claim_keeps_work_waiting_for_longer_than_its_patience() -> None:
    precedence = Precedence(lambda: 5.0)
    precedence.claim(3600)
    assert precedence.rest == PATIENCE
