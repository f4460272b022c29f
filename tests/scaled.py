"""How many examples a test wants: its own number, in proportion to the profile that was chosen."""

from typing import Final

from hypothesis import settings

FAST: Final = 100
"""The examples of the profile `fast`."""


def scaled(examples: int) -> int:
    """`examples` under the profile `fast`, two hundred times as many under `deep`."""
    return max(
        1, examples * settings.get_profile(settings.get_current_profile_name()).max_examples // FAST
    )
