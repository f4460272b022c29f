"""Click's commands with our manners."""

import pytest

from inspector.cli import main
from inspector.cli.grammar import COMMANDS, take_apart


@pytest.mark.parametrize("words", [[], *([command] for command in COMMANDS), ["config", "path"]])
def test_every_help_goes_out_through_output(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for option in ("-h", "--help"):
        assert main.run(take_apart([*words, option])) == 0
        told = capsys.readouterr().out
        assert "Usage: mcp-inspect" in told
        assert max(map(len, told.splitlines())) <= 80
    monkeypatch.setattr("inspector.cli.output.streams.write", fail)
    assert main.run(take_apart([*words, "--help"])) == 2


def fail(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_group_alone_is_wrong_usage_and_names_its_help(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main.run(take_apart(["config"])) == 2
    told = capsys.readouterr().err
    assert "mcp-inspect config --help" in told
    assert len(told.splitlines()) == 2
