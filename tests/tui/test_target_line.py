"""A target as one line to edit, and back."""

import pytest

from inspector.config.targets import Target
from inspector.errors import UsageError
from inspector.tui.target_line import changed_target, line_of


def test_a_command_goes_there_and_back_with_its_quotes() -> None:
    target = Target(("python", "my server.py", "--x=1"), env={"A": "b"})
    line = line_of(target)
    assert line == "python 'my server.py' --x=1"
    assert changed_target(target, line).command == target.command
    assert changed_target(target, line).env == {"A": "b"}


def test_a_url_takes_the_place_of_a_command() -> None:
    changed = changed_target(Target(("x",), transport="stdio"), " http://localhost:1/mcp ")
    assert changed.url == "http://localhost:1/mcp"
    assert changed.command == ()
    assert changed.transport == "auto"


@pytest.mark.parametrize("line", ["", "   ", "a 'b"])
def test_what_makes_no_sense_is_refused(line: str) -> None:
    with pytest.raises(UsageError):
        changed_target(Target(("x",)), line)
