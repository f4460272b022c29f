"""Every host's config file is read in its own dialect; nothing bad hides anything good."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from inspector.config.discovery import ConfigFile, Found, discover, find_server, read_config
from inspector.errors import UsageError


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def cwd(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def write(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def look(cwd: Path, home: Path, environ: Mapping[str, str] | None = None) -> dict[str, Found]:
    return {found.name: found for found in discover(cwd, home, environ or {})}


def test_nothing_anywhere_is_no_error(cwd: Path, home: Path) -> None:
    assert discover(cwd, home, {}) == ()


def test_claude_desktop(cwd: Path, home: Path) -> None:
    path = home / ".config/Claude/claude_desktop_config.json"
    write(path, {"mcpServers": {"files": {"command": "npx", "args": ["-y", "fs", "/srv"]}}})
    found = look(cwd, home)["files"]
    assert found.host == "Claude Desktop"
    assert found.target is not None
    assert found.target.command == ("npx", "-y", "fs", "/srv")
    assert found.target.source == path
    assert found.target.name == "files"
    assert found.target.cwd is None


def test_claude_code_user_and_project_servers(cwd: Path, home: Path) -> None:
    write(
        home / ".claude.json",
        {
            "mcpServers": {"mine": {"type": "http", "url": "https://host/mcp"}},
            "projects": {
                str(cwd): {"mcpServers": {"here": {"command": "srv"}}},
                "/other": {"mcpServers": {"there": {"command": "srv"}}},
                "/empty": {"mcpServers": {}},
            },
        },
    )
    found = look(cwd, home)
    assert found["mine"].target is not None
    assert found["mine"].target.transport == "http"
    assert found["mine"].project == ""
    assert found["here"].project == str(cwd)
    assert found["here"].target is not None
    assert found["here"].target.cwd == cwd
    assert found["there"].project == "/other"


def test_claude_code_directory_of_its_own(cwd: Path, home: Path) -> None:
    write(home / "cc/.claude.json", {"mcpServers": {"a": {"command": "b"}}})
    assert "a" in look(cwd, home, {"CLAUDE_CONFIG_DIR": str(home / "cc")})


def test_cursor_for_the_user_and_for_the_project(cwd: Path, home: Path) -> None:
    write(home / ".cursor/mcp.json", {"mcpServers": {"u": {"url": "http://localhost:1/sse"}}})
    write(cwd / ".cursor/mcp.json", {"mcpServers": {"p": {"command": "x"}}})
    found = look(cwd, home)
    assert found["u"].host == found["p"].host == "Cursor"
    assert found["u"].target is not None
    assert found["u"].target.url == "http://localhost:1/sse"
    assert found["u"].target.transport == "auto"
    assert found["p"].target is not None
    assert found["p"].target.cwd == cwd


def test_vs_code_with_comments_inputs_and_workspace_variables(cwd: Path, home: Path) -> None:
    write(
        cwd / ".vscode/mcp.json",
        """{
          // servers of this project
          "inputs": [
            {"id": "key", "type": "promptString", "description": "The API key"},
            {"id": "mode", "type": "promptString", "default": "fast"},
          ],
          "servers": {
            "ok": {"type": "stdio", "command": "node", "args": ["${workspaceFolder}/s.js"],
                   "env": {"MODE": "${input:mode}"}},
            "ask": {"command": "node", "env": {"KEY": "${input:key}"}},
          },
        }""",
    )
    found = look(cwd, home)
    assert found["ok"].target is not None
    assert found["ok"].target.command == ("node", f"{cwd}/s.js")
    assert found["ok"].target.env == {"MODE": "fast"}
    assert any("default of the input mode" in note for note in found["ok"].notes)
    assert found["ask"].target is None
    assert "env.KEY asks for the input key (The API key)" in found["ask"].problem


def test_vs_code_for_the_user(cwd: Path, home: Path) -> None:
    write(home / ".config/Code/User/mcp.json", {"servers": {"v": {"command": "x"}}})
    assert look(cwd, home)["v"].host == "VS Code"


def test_the_project_file_comes_first(cwd: Path, home: Path) -> None:
    write(home / ".claude.json", {"mcpServers": {"b": {"command": "x"}}})
    write(cwd / ".mcp.json", {"mcpServers": {"a": {"command": "x"}}})
    assert [found.name for found in discover(cwd, home, {})] == ["a", "b"]


def test_variables_are_expanded_and_noted(cwd: Path, home: Path) -> None:
    entry = {
        "command": "${BIN:-srv}",
        "args": ["--root=${ROOT}", "${env:ROOT}"],
        "env": {"TOKEN": "${TOKEN}", "HOME_OF": "${userHome}"},
    }
    write(cwd / ".mcp.json", {"mcpServers": {"v": entry}})
    found = look(cwd, home, {"ROOT": "/srv", "TOKEN": "t0ken"})["v"]
    assert found.target is not None
    assert found.target.command == ("srv", "--root=/srv", "/srv")
    assert found.target.env == {"TOKEN": "t0ken", "HOME_OF": str(home)}
    notes = "\n".join(found.notes)
    assert "command: ${BIN} is not set, its default is used" in notes
    assert "args[0]: ${ROOT} comes from your environment" in notes
    assert "t0ken" not in notes


def test_a_missing_variable_is_a_problem_and_never_an_empty_string(cwd: Path, home: Path) -> None:
    write(cwd / ".mcp.json", {"mcpServers": {"v": {"url": "https://${HOST}/mcp"}}})
    found = look(cwd, home)["v"]
    assert found.target is None
    assert "url needs the environment variable HOST" in found.problem


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("text", "is not an object"),
        (None, "is not an object"),
        ({}, "neither a command nor a url"),
        ({"command": 3}, "command is not a text"),
        ({"command": "x", "args": "y"}, "args is not a list"),
        ({"command": "x", "args": [1]}, r"args\[0\] is not a text"),
        ({"command": "x", "env": []}, "env is not an object"),
        ({"command": "x", "env": {"A": []}}, "env.A is not a text"),
        ({"command": "x", "env": {"A=B": "c"}}, "impossible name"),
        ({"command": "x\0y"}, "NUL"),
        ({"command": "x", "cwd": 1}, "cwd is not a text"),
        ({"type": "carrier-pigeon", "url": "http://h/"}, "carrier-pigeon"),
        ({"type": "http"}, "needs a url"),
        ({"url": 3}, "url is not a text"),
        ({"url": "ftp://h/"}, "not an http"),
        ({"url": "http://u:p@h/"}, "user name or password"),
        ({"url": "http://h/", "headers": {"A": {}}}, "headers.A is not a text"),
        ({"url": "http://h/", "command": "x"}, "both a command and a URL"),
        ({"command": "x", "envFile": "/nowhere/at/all"}, "envFile"),
        ({"command": "x", "args": ["${bad name}"]}, "no variable known"),
    ],
)
def test_a_bad_entry_is_named_with_its_reason_and_hides_no_other(
    cwd: Path, home: Path, entry: object, problem: str
) -> None:
    write(cwd / ".mcp.json", {"mcpServers": {"bad": entry, "good": {"command": "x"}}})
    found = look(cwd, home)
    assert found["bad"].target is None
    assert re.search(problem, found["bad"].problem)
    assert found["good"].target is not None


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '"x"', '{"mcpServers": []}', "\xff\xfe", "[" * 200_000]
)
def test_a_bad_file_is_named_and_hides_no_other(cwd: Path, home: Path, content: str) -> None:
    (cwd / ".mcp.json").write_bytes(content.encode("latin-1"))
    write(home / ".cursor/mcp.json", {"mcpServers": {"good": {"command": "x"}}})
    found = discover(cwd, home, {})
    assert found[0].problem
    assert found[0].source == cwd / ".mcp.json"
    assert found[1].name == "good"


def test_a_dialect_of_http_is_read_with_its_headers(cwd: Path, home: Path) -> None:
    entry = {"type": "streamable-http", "url": "http://h/mcp", "headers": {"X-Key": "${K}"}}
    write(cwd / ".mcp.json", {"mcpServers": {"h": entry}})
    found = look(cwd, home, {"K": "v"})["h"]
    assert found.target is not None
    assert found.target.headers == (("X-Key", "v"),)
    assert found.target.transport == "http"


def test_an_env_file_is_read_and_env_wins(cwd: Path, home: Path) -> None:
    write(cwd / ".env", "# comment\nexport A=1\nB='two words'\nnonsense\nC=\"x\"\n")
    entry = {"command": "x", "envFile": "${workspaceFolder}/.env", "env": {"A": "9", "N": 5}}
    write(cwd / ".vscode/mcp.json", {"servers": {"e": entry}})
    found = look(cwd, home)["e"]
    assert found.target is not None
    assert found.target.env == {"A": "9", "B": "two words", "C": "x", "N": "5"}


def test_disabled_and_unknown_keys_are_noted(cwd: Path, home: Path) -> None:
    entry = {"command": "x", "disabled": True, "headersHelper": "curl evil"}
    write(cwd / ".mcp.json", {"mcpServers": {"d": entry}})
    notes = look(cwd, home)["d"].notes
    assert notes == ("disabled in that file", "ignored: headersHelper")


def test_a_relative_directory_belongs_to_the_file(cwd: Path, home: Path) -> None:
    write(cwd / ".mcp.json", {"mcpServers": {"r": {"command": "x", "cwd": "sub"}}})
    target = look(cwd, home)["r"].target
    assert target is not None
    assert target.cwd == cwd / "sub"


def test_find_server_by_name_in_all_files(cwd: Path, home: Path) -> None:
    write(cwd / ".mcp.json", {"mcpServers": {"a": {"command": "x"}}})
    found = find_server("a", cwd=cwd, home=home, environ={})
    assert found.target is not None
    with pytest.raises(UsageError, match="no config file has a server called 'b'") as caught:
        find_server("b", cwd=cwd, home=home, environ={})
    assert "known are: a" in caught.value.hint


def test_two_meanings_of_a_name_ask_for_the_file(cwd: Path, home: Path) -> None:
    one = write(cwd / ".mcp.json", {"mcpServers": {"a": {"command": "x", "cwd": "/"}}})
    write(home / ".cursor/mcp.json", {"mcpServers": {"a": {"command": "y", "cwd": "/"}}})
    with pytest.raises(UsageError, match="different servers"):
        find_server("a", cwd=cwd, home=home, environ={})
    assert find_server("a", one, cwd=cwd, home=home, environ={}).source == one


def test_the_same_entry_in_two_files_is_no_conflict(cwd: Path, home: Path) -> None:
    write(cwd / ".mcp.json", {"mcpServers": {"a": {"command": "x", "cwd": "/"}}})
    write(home / ".cursor/mcp.json", {"mcpServers": {"a": {"command": "x", "cwd": "/"}}})
    assert find_server("a", cwd=cwd, home=home, environ={}).source == cwd / ".mcp.json"


def test_servers_of_other_projects_are_not_found_by_name(cwd: Path, home: Path) -> None:
    write(home / ".claude.json", {"projects": {"/other": {"mcpServers": {"o": {"command": "x"}}}}})
    with pytest.raises(UsageError):
        find_server("o", cwd=cwd, home=home, environ={})


def test_values_given_by_the_user_replace_what_cannot_be_expanded(cwd: Path, home: Path) -> None:
    entry = {"command": "x", "env": {"KEY": "${input:key}"}}
    write(cwd / ".mcp.json", {"mcpServers": {"a": entry}})
    with pytest.raises(UsageError, match="asks for the input key") as caught:
        find_server("a", cwd=cwd, home=home, environ={})
    assert "--env NAME=VALUE" in caught.value.hint
    found = find_server("a", cwd=cwd, home=home, environ={}, overrides={"KEY": "${literal}"})
    assert found.target is not None
    assert found.target.env == {"KEY": "${literal}"}


def test_a_named_file_that_is_missing_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no file"):
        find_server("a", tmp_path / "none.json")


def test_servers_of_a_named_file_start_where_the_user_is(tmp_path: Path) -> None:
    path = write(tmp_path / "elsewhere/servers.json", {"mcpServers": {"a": {"command": "x"}}})
    found = find_server("a", path, environ={})
    assert found.target is not None
    assert found.target.cwd is None
    project = write(tmp_path / "p/.mcp.json", {"mcpServers": {"a": {"command": "x"}}})
    found = find_server("a", project, environ={})
    assert found.target is not None
    assert found.target.cwd == tmp_path / "p"


def test_a_broken_named_file_is_named_in_the_hint(tmp_path: Path) -> None:
    path = write(tmp_path / "servers.json", "{")
    with pytest.raises(UsageError) as caught:
        find_server("a", path, environ={})
    assert "cannot be read" in caught.value.hint


def test_reading_a_config_starts_and_changes_nothing(cwd: Path, home: Path) -> None:
    marker = cwd / "started"
    write(cwd / ".mcp.json", {"mcpServers": {"a": {"command": "touch", "args": [str(marker)]}}})
    read_config(ConfigFile("project", cwd / ".mcp.json", cwd), home, {})
    discover(cwd, home, {})
    assert not marker.exists()
