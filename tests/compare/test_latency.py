"""A shift is named where it is more than noise, and only there."""

from random import Random

from inspector.compare.latency import FEWEST, shift


def sample(middle: float, spread: float, count: int, seed: int) -> list[float]:
    random = Random(seed)
    return [max(0.0, random.gauss(middle, spread)) for _ in range(count)]


def test_the_same_operation_twice_is_hardly_ever_a_shift() -> None:
    named = sum(
        shift(sample(0.05, 0.02, 20, seed), sample(0.05, 0.02, 20, seed + 1000)) is not None
        for seed in range(200)
    )
    assert named <= 2


def test_twice_as_long_is_named_with_both_medians() -> None:
    found = shift(sample(0.05, 0.005, 20, 1), sample(0.1, 0.005, 30, 2))
    assert found is not None
    assert 0.045 < found.left < 0.055 < 0.09 < found.right < 0.11
    assert found.floor < found.right - found.left
    assert found.counts == (20, 30)


def test_outliers_alone_are_no_shift() -> None:
    calm = [0.05] * 20
    assert shift(calm, [0.05] * 18 + [3.0, 9.0]) is None


def test_few_calls_and_tiny_times_say_nothing() -> None:
    assert shift([0.01] * (FEWEST - 1), [1.0] * 100) is None
    assert shift([0.0002] * 50, [0.0006] * 50) is None
