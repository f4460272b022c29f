"""The state as of an entry is the state that the live client had there.

Scripts are random, but the same in every run; a seed that fails is played alone by `play`.
"""

import asyncio

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from inspector.journal.timeline import Timeline
from tests.scaled import scaled
from tests.session.timeline_script import play, told


@pytest.mark.parametrize("modern", [False, True], ids=["handshake", "modern"])
@settings(max_examples=scaled(60), deadline=None, derandomize=True, phases=(Phase.generate,))
@given(seed=st.integers(0, 2**32))
def test_the_state_as_of_an_entry_is_what_the_live_client_had_there(
    modern: bool, seed: int
) -> None:
    journal, looks = asyncio.run(play(seed, 40, modern=modern))
    timeline = Timeline(journal)
    timeline.advance()
    for number, was in looks.items():
        seen = timeline.state_at(number).current
        assert seen is not None
        shown = told(journal, seen, was)
        wrong = {key: (shown[key], was[key]) for key in was if shown[key] != was[key]}
        assert wrong == {}, (number, len(journal))
    assert len(looks) >= 5
