"""What the connect screen lists."""

import json
from pathlib import Path

import pytest

from inspector.config.recents import Recents
from inspector.config.targets import Target
from inspector.config.trust import TrustStore
from inspector.errors import UsageError
from inspector.tui.places import Heading, Place, openable, places


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MCP_INSPECT_HOME", str(tmp_path / "inspect"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    return tmp_path


def _config(folder: Path, servers: object) -> None:
    (folder / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))


def _found(home: Path) -> dict[str, Place]:
    lines = places(home / "work", home / "home")
    return {line.name: line for line in lines if isinstance(line, Place)}


def test_without_any_config_there_is_still_the_demo(home: Path) -> None:
    lines = places(home / "work", home / "home")
    assert [line.title for line in lines if isinstance(line, Heading)] == ["Built in"]
    assert openable(_found(home)["demo"]).command[1:] == ("-m", "inspector.demo")


def test_a_bad_entry_stands_beside_the_good_ones_with_its_reason(home: Path) -> None:
    _config(home / "work", {"good": {"command": "python"}, "bad": {"command": 7}})
    found = _found(home)
    assert openable(found["good"]).command == ("python",)
    assert found["bad"].problem
    with pytest.raises(UsageError, match="bad"):
        openable(found["bad"])


def test_an_entry_of_a_file_asks_first_until_it_is_trusted(home: Path) -> None:
    _config(home / "work", {"one": {"command": "python", "args": ["a"]}})
    place = _found(home)["one"]
    assert not place.trusted
    TrustStore().trust(openable(place))
    assert _found(home)["one"].trusted
    _config(home / "work", {"one": {"command": "python", "args": ["b"]}})
    assert not _found(home)["one"].trusted


def test_a_recent_that_lost_its_secrets_says_which(home: Path) -> None:
    Recents().remember(Target(command=("server",), env={"API_KEY": "s3cret"}, name="mine"))
    place = _found(home)["mine"]
    assert place.missing
    with pytest.raises(UsageError, match="API_KEY"):
        openable(place)


def test_a_recent_entry_of_a_file_is_read_again(home: Path) -> None:
    _config(home / "work", {"one": {"command": "python", "args": ["a"]}})
    Recents().remember(openable(_found(home)["one"]))
    _config(home / "work", {"one": {"command": "python", "args": ["b"]}})
    lines = places(home / "work", home / "home")
    recent = next(line for line in lines if isinstance(line, Place) and line.recent)
    assert openable(recent).command == ("python", "b")
    assert not recent.trusted
