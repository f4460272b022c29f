"""How long an operation took in two recordings, and whether the difference is more than noise.

Decides when a shift is named: the medians must lie further apart than three standard errors of
their difference (from the median absolute deviation, so that an outlier weighs little), and by more
than `LEAST_SECONDS` and `LEAST_PART`. Fewer than `FEWEST` calls on a side say nothing. Pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import median
from typing import Final

FEWEST: Final = 5
LEAST_SECONDS: Final = 0.002
LEAST_PART: Final = 0.15
ERRORS: Final = 3.0
_SIGMA_OF_MAD: Final = 1.4826
_ERROR_OF_MEDIAN: Final = 1.2533


@dataclass(frozen=True, slots=True)
class Shift:
    """Medians before and after, and the noise floor that their distance exceeds; in seconds.
    `counts` are the calls on either side."""

    left: float
    right: float
    floor: float
    counts: tuple[int, int]


def shift(left: Sequence[float], right: Sequence[float]) -> Shift | None:
    """The shift between two samples of seconds; None where there is none beyond the noise."""
    if min(len(left), len(right)) < FEWEST:
        return None
    before, after = median(left), median(right)
    noise = ERRORS * sqrt(_error(left, before) ** 2 + _error(right, after) ** 2)
    floor = max(noise, LEAST_SECONDS, LEAST_PART * before)
    if abs(after - before) <= floor:
        return None
    return Shift(before, after, floor, (len(left), len(right)))


def _error(sample: Sequence[float], middle: float) -> float:
    """The standard error of the median of a sample."""
    spread = median([abs(one - middle) for one in sample])
    return _ERROR_OF_MEDIAN * _SIGMA_OF_MAD * spread / sqrt(len(sample))
