"""The profile decides how many examples a test gets, also where it wants a number of its own."""

import pytest
from hypothesis import settings

from tests.scaled import scaled


@pytest.mark.parametrize(("profile", "wanted"), [("fast", 15), ("deep", 3_000)])
def test_a_number_of_its_own_grows_with_the_profile(profile: str, wanted: int) -> None:
    before = settings.get_current_profile_name()
    settings.load_profile(profile)
    try:
        assert scaled(15) == wanted
    finally:
        settings.load_profile(before)
