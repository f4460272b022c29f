"""Numbers that peers send, as far as something can be measured with them.

Decides what is none: a JSON number may have any size, and Python keeps an integer of a thousand
digits that no float holds. Whoever needs the exact text keeps the raw bytes.
"""

from math import isfinite


def measured(value: object) -> float | None:
    """A finite number; None for anything else, booleans and what no float holds included."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if isfinite(number) else None
