"""Recents hold what is needed to come back, and no secret."""

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.config.oauth import OAuthChoice
from inspector.config.recents import LIMIT, Recents, without_secrets
from inspector.config.targets import Target

SECRET = "sk-abcdefghijklmnop1234567890"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "recents.json"


def test_the_newest_is_first_and_each_is_kept_once(path: Path) -> None:
    recents = Recents(path)
    recents.remember(Target(command=("a",)), 1.0)
    recents.remember(Target(url="http://h/mcp"), 2.0)
    recents.remember(Target(command=("a",), cwd=Path("/srv")), 3.0)
    recents.remember(Target(command=("a",)), 4.0)
    loaded = recents.load()
    assert [(recent.target.label, recent.when) for recent in loaded] == [
        ("a", 4.0),
        ("a", 3.0),
        ("http://h/mcp", 2.0),
    ]
    assert loaded[1].target.cwd == Path("/srv")


def test_only_so_many_are_kept(path: Path) -> None:
    recents = Recents(path)
    for number in range(LIMIT + 5):
        recents.remember(Target(command=(f"c{number}",)), float(number))
    assert len(recents.load()) == LIMIT
    assert recents.load()[0].target.command == (f"c{LIMIT + 4}",)


@pytest.mark.parametrize(
    "target",
    [
        Target(command=("srv",), env={"TOKEN": SECRET}),
        Target(url="http://h/", headers=(("Authorization", f"Bearer {SECRET}"),)),
        Target(command=("srv", "--token", SECRET)),
        Target(command=("srv", "--api-key", "short")),
        Target(command=("srv", f"--password={SECRET}")),
        Target(command=("srv", f"KEY={SECRET}")),
        Target(command=("srv", "--header", f"Bearer {SECRET}")),
        Target(command=("srv", SECRET)),
        Target(url=f"http://h/mcp?token={SECRET}&a=1"),
        Target(url=f"http://h/mcp?x={SECRET}"),
        Target(url="http://h/mcp?key=short"),
        Target(url="http://user:short@h/mcp"),
    ],
)
def test_no_secret_is_written_and_what_is_missing_is_named(path: Path, target: Target) -> None:
    recents = Recents(path)
    recents.remember(target, 1.0)
    content = path.read_text()
    assert SECRET not in content
    assert "short" not in content
    (recent,) = recents.load()
    assert recent.missing or "@" in target.url


def test_names_stay_and_values_go() -> None:
    target = Target(
        command=("srv", "--verbose"), env={"A": "1", "B": "2"}, headers=(("X-Key", "v"),)
    )
    recent = without_secrets(target, 1.0)
    assert recent.target.command == ("srv", "--verbose")
    assert list(recent.target.env) == ["A", "B"]
    assert recent.missing == ("env A", "env B", "header X-Key")


def test_the_file_is_private(path: Path) -> None:
    Recents(path).remember(Target(command=("a",)), 1.0)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"recents": 3}', '{"recents": [1, {}, {"when": 1, "transport": "auto"}]}'],
)
def test_a_damaged_file_is_no_recents(path: Path, content: str) -> None:
    Recents(path).remember(Target(command=("a",)), 1.0)
    path.write_text(content)
    assert Recents(path).load() == ()


def test_one_can_be_forgotten(path: Path) -> None:
    recents = Recents(path)
    recents.remember(Target(command=("a",)), 1.0)
    recents.remember(Target(command=("b",)), 2.0)
    recents.forget(recents.load()[1])
    assert [recent.target.label for recent in recents.load()] == ["b"]


def test_an_entry_of_a_config_file_is_kept_by_file_and_name(path: Path) -> None:
    recents = Recents(path)
    source = Path("/home/me/.mcp.json")
    recents.remember(Target(command=("a",), name="n", source=source), 1.0)
    recents.remember(Target(command=("changed",), name="n", source=source), 2.0)
    (recent,) = recents.load()
    assert recent.target.source == source
    assert recent.target.command == ("changed",)


def test_the_oauth_client_is_kept_without_its_secret(path: Path) -> None:
    chosen = OAuthChoice("my-client", SECRET, scope="a b", redirect_uri="http://127.0.0.1:1/cb")
    Recents(path).remember(Target(url="http://h/mcp", oauth=chosen))
    (recent,) = Recents(path).load()
    assert recent.target.oauth == replace(chosen, client_secret="")
    assert recent.missing == ("client secret",)
    assert SECRET not in path.read_text()
