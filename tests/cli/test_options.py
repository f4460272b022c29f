"""Target options: what they add up to, and what is refused before anything starts."""

from pathlib import Path

import pytest

from inspector.cli import main
from inspector.cli.grammar import take_apart
from inspector.cli.options import Given, choose, roots, session_options, split_target
from inspector.config.settings import Settings
from inspector.config.targets import Target
from inspector.errors import UsageError


def target(given: Given, url: str = "", program: tuple[str, ...] | None = None) -> Target:
    chosen = choose(given, url, program)
    assert chosen is not None
    return chosen.target


def test_a_url_in_the_last_place_is_the_target() -> None:
    assert split_target(("add", "a:=1", "http://h/"), Given(), None) == (
        ("add", "a:=1"),
        "http://h/",
    )


@pytest.mark.parametrize(
    ("given", "program"), [(Given(), ("srv",)), (Given(server="x"), None), (Given(), ())]
)
def test_a_url_is_an_argument_where_the_target_is_named_otherwise(
    given: Given, program: tuple[str, ...] | None
) -> None:
    words = ("https://host/resource",)
    assert split_target(words, given, program) == (words, "")


def test_without_a_target_there_is_none() -> None:
    assert choose(Given(), "", None) is None


def test_a_program_with_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSED", "on")
    given = Given(env=("A=1=2", "PASSED", "E="), cwd=tmp_path)
    assert target(given, program=("srv", "-x")) == Target(
        command=("srv", "-x"),
        transport="stdio",
        env={"A": "1=2", "PASSED": "on", "E": ""},
        cwd=tmp_path,
    )


def test_a_url_with_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "t0ken")
    given = Given(header=("X-A:  b:c ", "X-A: d"), bearer_env="TOKEN", transport="sse")
    assert target(given, "http://h/sse") == Target(
        url="http://h/sse",
        transport="sse",
        headers=(("X-A", "b:c"), ("X-A", "d"), ("Authorization", "Bearer t0ken")),
    )


@pytest.mark.parametrize(
    ("given", "url", "program", "words"),
    [
        (Given(server="a"), "http://h/", None, "more than one target"),
        (Given(server="a"), "", ("x",), "more than one target"),
        (Given(config=Path("f")), "", None, "--config needs --server"),
        (Given(), "", (), "no command after --"),
        (Given(), "", ("",), "no command after --"),
        (Given(transport="http"), "", ("x",), "needs a URL"),
        (Given(transport="stdio"), "http://h/", None, "needs a command"),
        (Given(header=("A: b",)), "", ("x",), "--header is for servers on a URL"),
        (Given(bearer="x"), "", ("x",), "--bearer is for servers on a URL"),
        (Given(env=("A=b",)), "http://h/", None, "--env is for servers that are started"),
        (Given(cwd=Path("/")), "http://h/", None, "--cwd is for servers that are started"),
        (Given(cwd=Path("/no/such")), "", ("x",), "no directory"),
        (Given(env=("=b",)), "", ("x",), "no name"),
        (Given(env=("NOT_SET_ANYWHERE",)), "", ("x",), "no such variable"),
        (Given(header=("no colon",)), "http://h/", None, "needs a name"),
        (Given(header=("A: b\r\nC: d",)), "http://h/", None, "no header can carry"),
        (Given(bearer="é"), "http://h/", None, "no header can carry"),
        (Given(bearer="a", bearer_env="b"), "http://h/", None, "exclude each other"),
        (Given(bearer_env="NOT_SET_ANYWHERE"), "http://h/", None, "is not set"),
        (Given(bearer="a", header=("authorization: b",)), "http://h/", None, "exclude"),
        (Given(), "http://u:p@h/", None, "user name or password"),
    ],
)
def test_what_makes_no_sense_is_refused(
    given: Given, url: str, program: tuple[str, ...] | None, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        choose(given, url, program)


def test_an_entry_of_a_config_file_keeps_what_the_file_says(tmp_path: Path) -> None:
    file = tmp_path / "servers.json"
    file.write_text(
        '{"mcpServers": {"p": {"command": "srv", "env": {"A": "1", "B": "2"}},'
        ' "u": {"url": "http://h/", "headers": {"X-A": "1", "authorization": "old"}}}}'
    )
    chosen = choose(Given(server="p", config=file, env=("A=9",), cwd=tmp_path), "", None)
    assert chosen is not None
    assert chosen.target.env == {"A": "9", "B": "2"}
    assert chosen.target.cwd == tmp_path
    assert chosen.found is not None
    assert chosen.found.target is not None
    assert chosen.found.target.cwd is None
    remote = target(Given(server="u", config=file, bearer="new"))
    assert remote.headers == (("X-A", "1"), ("Authorization", "Bearer new"))


def test_a_config_without_a_name_lists_the_names(tmp_path: Path) -> None:
    file = tmp_path / "servers.json"
    file.write_text('{"mcpServers": {"one": {"command": "x"}, "two": {"command": "y"}}}')
    with pytest.raises(UsageError) as caught:
        choose(Given(config=file), "", None)
    assert caught.value.hint.endswith("has one, two")


def test_the_command_line_wins_over_the_settings() -> None:
    settings = Settings(timeout=7, protocol="2025-06-18", roots=("file:///s",))
    kept = session_options(Given(), settings, headless=True)
    assert (kept.timeout, kept.protocol, kept.roots[0].uri) == (7, "2025-06-18", "file:///s")
    given = Given(timeout=2, protocol="auto", root=("file:///g",))
    won = session_options(given, settings, headless=True)
    assert (won.timeout, won.connect_timeout, won.protocol, won.roots[0].uri) == (
        2,
        2,
        "auto",
        "file:///g",
    )


@pytest.mark.parametrize(
    ("given", "settings", "headless", "silent"),
    [
        (Given(), Settings(), True, True),
        (Given(record=Path("f")), Settings(), True, False),
        (Given(), Settings(), False, False),
        (Given(no_record=True), Settings(), False, True),
        (Given(), Settings(record=False), False, True),
        (Given(record=Path("f")), Settings(record=False), False, False),
    ],
)
def test_recording_is_on_for_the_interface_and_off_for_scripts(
    given: Given, settings: Settings, headless: bool, silent: bool
) -> None:
    assert session_options(given, settings, headless=headless).no_record is silent


@pytest.mark.parametrize(
    "given",
    [
        Given(timeout=0),
        Given(timeout=-1),
        Given(timeout=float("nan")),
        Given(record=Path("f"), no_record=True),
    ],
)
def test_impossible_session_options_are_refused(given: Given) -> None:
    with pytest.raises(UsageError):
        session_options(given, Settings(), headless=True)


def test_a_path_becomes_a_root(tmp_path: Path) -> None:
    assert roots((str(tmp_path),))[0].uri == tmp_path.as_uri()
    with pytest.raises(UsageError):
        roots(("http://h/",))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["info", "ftp://x/mcp"], "ftp://x/mcp is neither an http nor an https URL"),
        (["ftp://x/mcp"], "ftp://x/mcp is neither an http nor an https URL"),
        (["list", "tools", "localhost:8000/mcp"], "for example http://localhost:8000/mcp"),
        (["localhost:8000/mcp"], "it lacks http:// or https://"),
        (["read", "demo://a"], "no server is named\n"),
        (["call", "a", "x=ftp://y"], "no server is named\n"),
        (["info", "http://h/mcp", "--", "true"], "more than one target"),
        (["list", "tool", "--", "true"], "did you mean 'tools'?"),
        (["info", "--header", "a b: c", "http://127.0.0.1:9/"], "a --header needs a name"),
        (["info", "--config", "/no/such.json"], "there is no file /no/such.json"),
    ],
)
def test_wrong_usage_says_what_was_probably_meant(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(take_apart(words)) == 2
    assert told in capsys.readouterr().err
