"""What is copied can be pasted: quoted for a shell, without secrets."""

import shlex
import subprocess
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.config.oauth import OAuthChoice
from inspector.config.targets import Target
from inspector.protocol.messages import RawJson
from inspector.render.commands import (
    call_command,
    curl_command,
    prompt_command,
    quote,
    read_command,
    rpc_line,
    tool_params,
)
from inspector.render.safe import DANGEROUS
from tests.scaled import scaled
from tests.servers.hostile_texts import TEXTS

STDIO = Target(command=("python", "my server.py"), env={"TOKEN": "secret"})
HTTP = Target(url="http://127.0.0.1:1/mcp?a=b&c=d", headers=(("X-Api-Key", "secret"),))


def test_strings_become_key_and_text() -> None:
    command = call_command(STDIO, "echo", {"text": "it's"})
    assert shlex.split(command) == [
        "mcp-inspect", "call", "echo", "text=it's", "--env", "TOKEN=${TOKEN}", "--",
        "python", "my server.py",
    ]  # fmt: skip
    assert "secret" not in command


def test_other_arguments_keep_every_token() -> None:
    command = call_command(Target(url="http://h/mcp"), "add", {"a": RawJson(b"1.10"), "b": "x"})
    assert shlex.split(command)[3:] == ["--args", '{"a":1.10,"b":"x"}', "http://h/mcp"]
    assert shlex.split(call_command(HTTP, "t", {}))[:3] == ["mcp-inspect", "call", "t"]


def test_a_named_entry_is_named() -> None:
    target = Target(command=("x",), name="my server", source=Path("/c/mcp.json"))
    words = shlex.split(read_command(target, "demo://a b"))
    assert words[2:] == ["demo://a b", "--config", "/c/mcp.json", "--server", "my server"]


def test_prompts_have_their_arguments() -> None:
    words = shlex.split(prompt_command(Target(url="http://h"), "p", {"a": "1 2"}))
    assert words == ["mcp-inspect", "prompt", "p", "a=1 2", "http://h"]


def test_curl_is_for_http_only_and_hides_header_values() -> None:
    params = tool_params("add", {"a": 1})
    assert curl_command(STDIO, "tools/call", params) == ""
    command = curl_command(HTTP, "tools/call", params, revision="2025-11-25")
    assert "secret" not in command
    words = shlex.split(command)
    assert words[:4] == ["curl", "-sS", "-N", HTTP.url]
    assert "MCP-Protocol-Version: 2025-11-25" in words
    assert words[-1] == rpc_line("tools/call", params)


def test_a_line_of_json_rpc_is_one_line_without_danger() -> None:
    line = rpc_line("tools/call", {"a": "\x9b\u202e\n"})
    assert line.isprintable()
    assert line.startswith('{"jsonrpc":"2.0","id":1,"method":"tools/call"')


def test_a_word_of_a_shell_has_no_character_that_is_not_seen() -> None:
    for text in TEXTS.values():
        word = quote(text)
        assert word.isprintable()
        assert DANGEROUS.search(word) is None
    assert quote("a\x00b\ud800") == "$'a\\ufffdb\\ufffd'"


@settings(max_examples=scaled(40), deadline=None)
@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=30))
def test_a_shell_reads_the_same_word(text: str) -> None:
    word = quote(text)
    assert "\x1b" not in word
    done = subprocess.run(
        ["bash", "-c", f"printf %s {word}"],
        capture_output=True,
        check=True,
        env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
    )
    assert done.stdout.decode() == text


def test_an_oauth_client_is_named_and_its_secret_is_left_to_the_reader() -> None:
    chosen = OAuthChoice("my id", "s3cret", scope="", client_credentials=True)
    command = read_command(Target(url="https://h/mcp", oauth=chosen), "demo://a")
    assert shlex.split(command)[3:] == [
        "--client-id", "my id", "--client-secret-env", "CLIENT_SECRET", "--scope", "",
        "--client-credentials", "https://h/mcp",
    ]  # fmt: skip
    assert "s3cret" not in command
