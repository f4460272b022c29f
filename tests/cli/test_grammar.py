"""One grammar: what is the command, what is the program, and does the interface open."""

import pytest

from inspector.cli.grammar import (
    COMMANDS,
    INTERFACE,
    VALUES,
    Words,
    is_url,
    label,
    opens_interface,
    take_apart,
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", Words(INTERFACE, (), None)),
        ("http://h/mcp", Words(INTERFACE, ("http://h/mcp",), None)),
        ("-- srv --json", Words(INTERFACE, (), ("srv", "--json"))),
        ("--", Words(INTERFACE, (), ())),
        ("list tools -- srv", Words("list", ("tools",), ("srv",))),
        (
            "--timeout 3 list tools http://h/",
            Words("list", ("--timeout", "3", "tools", "http://h/"), None),
        ),
        ("--server list", Words(INTERFACE, ("--server", "list"), None)),
        ("--server=list info", Words("info", ("--server=list",), None)),
        ("call list a=1 -- -- x", Words("call", ("list", "a=1"), ("--", "x"))),
        ("-v demo", Words("demo", ("-v",), None)),
        ("--json", Words(INTERFACE, ("--json",), None)),
        ("-- call x", Words(INTERFACE, (), ("call", "x"))),
        ("nonsense", Words(INTERFACE, ("nonsense",), None)),
    ],
)
def test_a_line_is_taken_apart(line: str, expected: Words) -> None:
    assert take_apart(line.split()) == expected


@pytest.mark.parametrize(
    ("line", "opens"),
    [
        ("", True),
        ("http://h/", True),
        ("-- srv", True),
        ("demo", True),
        ("--server x --trust", True),
        ("--help", False),
        ("demo -h", False),
        ("--version", False),
        ("list tools -- srv", False),
        ("config path", False),
        ("nonsense", False),
        ("nonsense -- srv", False),
        ("-- srv --help", True),
    ],
)
def test_only_the_interface_gets_a_first_frame(line: str, opens: bool) -> None:
    assert opens_interface(take_apart(line.split())) is opens


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", ""),
        ("demo", "the demo server"),
        ("http://h/", "http://h/"),
        ("--header X http://h/", "http://h/"),
        ("-- python s.py", "python s.py"),
        ("--config f --server n", "n"),
        ("--server=n", "n"),
    ],
)
def test_the_first_frame_names_the_target(line: str, expected: str) -> None:
    assert label(take_apart(line.split())) == expected


def test_the_options_with_values_are_those_that_the_parser_knows() -> None:
    from inspector.cli.main import cli

    found = {
        option
        for command in cli.commands.values()
        for parameter in command.params
        if parameter.param_type_name == "option" and not getattr(parameter, "is_flag", False)
        for option in parameter.opts
    }
    assert found == VALUES


def test_the_commands_are_those_that_the_parser_knows() -> None:
    from inspector.cli.main import cli

    assert set(cli.commands) == {*COMMANDS, INTERFACE}


@pytest.mark.parametrize("word", ["http://h", "HTTPS://h", "https://"])
def test_urls_are_told_by_their_scheme(word: str) -> None:
    assert is_url(word)
    assert not is_url(word[3:])
