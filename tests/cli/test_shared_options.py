"""An option that many commands have is one object, and each command reads it for itself."""

import click
from click.testing import CliRunner

from inspector.cli.main import cli
from inspector.cli.shared_options import shared_option


@click.command()
@shared_option("--word", metavar="W", help="A word.")
@click.option("--own")
def one(word: str | None, own: str | None) -> None:
    click.echo(f"one {word} {own}")


@click.command()
@shared_option("--word", metavar="W", help="A word.")
def other(word: str | None) -> None:
    click.echo(f"other {word}")


def test_both_commands_have_the_same_option_in_its_place() -> None:
    assert one.params[0] is other.params[0]
    assert [parameter.name for parameter in one.params] == ["word", "own"]


def test_what_one_command_was_given_the_other_does_not_know() -> None:
    runner = CliRunner()
    assert runner.invoke(one, ["--word", "a", "--own", "b"]).output == "one a b\n"
    assert runner.invoke(other, []).output == "other None\n"
    assert "--word W  A word." in runner.invoke(other, ["--help"]).output


def test_no_option_that_all_our_commands_have_is_made_twice() -> None:
    commands = [
        command
        for command in cli.commands.values()
        if any(parameter.name == "server" for parameter in command.params)
    ]
    assert len(commands) > 5
    for name, made in (
        ("server", 1),
        ("protocol", 2),  # `matrix` has one of its own, which means something else there
        ("as_json", 1),
        ("client_id", 1),
        ("no_store", 1),
    ):
        found = [one for command in commands for one in command.params if one.name == name]
        assert len(found) == len(commands)
        assert len({id(one) for one in found}) == made, name
