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


def test_headers_can_stand_after_a_url_and_take_the_place_of_their_namesakes() -> None:
    target = Target(url="http://a/mcp", headers=(("authorization", "Bearer old"), ("X-A", "1")))
    line = "http://a/mcp --header 'Authorization: Bearer new: x' -H X-B:2"
    assert changed_target(target, line).headers == (
        ("X-A", "1"),
        ("Authorization", "Bearer new: x"),
        ("X-B", "2"),
    )


@pytest.mark.parametrize(
    "rest", ["--header", "--header nocolon", "--bearer x", "--header ': x'", "stray"]
)
def test_what_stands_after_a_url_and_is_no_header_is_refused(rest: str) -> None:
    with pytest.raises(UsageError, match="only headers"):
        changed_target(Target(url="http://a/mcp"), f"http://a/mcp {rest}")


def test_secrets_are_not_in_the_line_and_stay_where_they_are_not_changed() -> None:
    target = Target(("srv", "--token", "t0ken-1", "--key=k3y", "db://u:p4ss@h/x"))
    line = line_of(target)
    assert line == "srv --token … '--key=…' 'db://u:…@h/x'"
    assert changed_target(target, line + " --more").command == (*target.command, "--more")
    at_url = Target(url="https://h/mcp?key=s3cret")
    assert line_of(at_url) == "https://h/mcp?key=…"
    assert changed_target(at_url, "https://h/other?key=…").url == "https://h/other?key=s3cret"
