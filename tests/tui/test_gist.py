"""Text that stands for what should have been text."""

import pytest

from inspector.protocol.messages import Json
from inspector.tui.gist import as_said


@pytest.mark.parametrize(
    ("value", "said"), [("a", "a"), (5, "5"), ({"name": None}, '{"name":null}'), ([True], "[true]")]
)
def test_what_should_have_been_a_string_is_shown_as_the_json_it_is(value: Json, said: str) -> None:
    assert as_said(value) == said
