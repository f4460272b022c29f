"""The way into the terminal interface: the first frame at once, and an honest end."""

from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.cli import main
from inspector.cli.grammar import take_apart
from inspector.config.recents import Recents
from inspector.config.targets import Target
from tests.cli.running import Runner, odd
from tests.cli.terminal import terminal


def test_the_first_thing_on_the_screen_is_the_header_line(run: Runner) -> None:
    with terminal(run.command("demo"), run.environ) as user:
        user.wait_for("connecting to the demo server")
        assert user.seen.startswith(b"\x1b[?1049h")
        user.process.send_signal(15)
        assert user.end() == 143
        assert b"\x1b[?1049l" in user.seen


def test_wrong_usage_gives_the_screen_back_before_it_speaks(run: Runner) -> None:
    with terminal(run.command("--timeout", "0", *odd("default")), run.environ) as user:
        assert user.end() == 2
    entered, left = user.seen.index(b"\x1b[?1049h"), user.seen.index(b"\x1b[?1049l")
    assert entered < left < user.seen.index(b"--timeout must be a number")


def test_a_word_that_is_no_command_gets_no_frame(run: Runner) -> None:
    with terminal(run.command("nonsense"), run.environ) as user:
        assert user.end() == 2
    assert b"\x1b[?1049h" not in user.seen


def test_the_demo_without_the_sdk_names_the_command_that_helps(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main.run(take_apart(["demo"])) == 3
    assert "pip install 'mcp-inspect[demo]'" in capsys.readouterr().err


def test_a_server_named_on_the_command_line_is_opened_and_remembered(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[Target | None] = []
    unkept: list[bool] = []

    def start(
        target: Target | None,
        options: object,
        *,
        theme: str,
        opening: Callable[[Target], None],
        taken_over: Callable[[], None],
        no_store: bool,
    ) -> int:
        opened.append(target)
        unkept.append(no_store)
        if target is not None:
            opening(target)
        return 7

    monkeypatch.setenv("MCP_INSPECT_HOME", str(tmp_path))
    monkeypatch.setattr("inspector.tui.start.start", start)
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True)
    assert main.run(take_apart(["--env", "TOKEN=hunter2hunter2", "--", "srv", "-x"])) == 7
    assert main.run(take_apart(["demo"])) == 7
    assert main.run(take_apart(["--no-store"])) == 7
    assert unkept == [False, False, True]
    assert [target and target.label for target in opened] == ["srv -x", "demo", None]
    (recent,) = Recents().load()
    assert recent.target.command == ("srv", "-x")
    assert "hunter2" not in (tmp_path / "state" / "recents.json").read_text()


def test_a_defect_of_ours_is_reported_without_values(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("with Bearer s3cr3t-token in it")

    monkeypatch.setattr(main, "choose", fail)
    assert main.run(take_apart(["info", "--", "x"])) == 70
    told = capsys.readouterr().err
    assert "s3cr3t" not in told
    assert "fault of mcp-inspect" in told
