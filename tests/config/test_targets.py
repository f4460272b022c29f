"""What a person types is a URL or an argument vector, and nothing in between."""

import pytest

from inspector.config.targets import Target, check_url, parse_typed
from inspector.errors import UsageError


def test_a_url_becomes_a_url_target() -> None:
    assert parse_typed("  http://localhost:3000/mcp ") == Target(url="http://localhost:3000/mcp")


def test_a_command_line_is_split_as_a_shell_splits_words() -> None:
    target = parse_typed("python 'my server.py' --name=\"a b\"")
    assert target.command == ("python", "my server.py", "--name=a b")


def test_shell_syntax_is_an_argument_like_any_other() -> None:
    assert parse_typed("echo $HOME | cat; ls").command == ("echo", "$HOME", "|", "cat;", "ls")


def test_a_leading_double_dash_is_forgiven() -> None:
    assert parse_typed("-- node server.js").command == ("node", "server.js")


@pytest.mark.parametrize("text", ["", "   ", "--", "'open", "''", "http://", "http://host:99999/"])
def test_nonsense_is_refused_with_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError):
        parse_typed(text)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://host/mcp",
        "http:///path",
        "http://user:secret@host/mcp",
        "http://user@host/",
        "http://host/a b",
        "http://host/\n",
        "http://[::1",
        "--help",
    ],
)
def test_a_url_that_could_mislead_is_refused(url: str) -> None:
    with pytest.raises(UsageError):
        check_url(url)


def test_the_label_prefers_the_name() -> None:
    assert Target(command=("a", "b")).label == "a b"
    assert Target(command=("a",), name="mine").label == "mine"
    assert Target(url="https://example.com/mcp").label == "https://example.com/mcp"


def test_the_label_says_nothing_of_a_query_which_may_hold_a_key() -> None:
    assert Target(url="https://example.com/mcp?key=s3cret&a=b").label == "https://example.com/mcp?…"
