"""What is secret by its name and by its look, and how a command and a URL are shown without it."""

import base64

import pytest

from inspector.config.secrecy import (
    credentials_in,
    is_secret,
    is_secret_header,
    secret_arguments,
    secrets_in_url,
    shown_command,
    shown_url,
    sounds_secret,
    with_asked,
    with_secrets,
)

TELLING = (
    "API_TOKEN", "DB_PWD", "OPENAI_API_KEY", "openaiKey", "apiKey", "X-Auth", "X-Api-Key",
    "PGPASSWORD", "GH_PAT", "--key", "X-Amz-Signature", "Cookie", "Mcp-Session-Id",
    "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "SENTRY_DSN", "DATABASE_CONNECTION_STRING",
    "X-Csrf-Token", "--passphrase", "Proxy-Authorization", "DB_PASS", "LOGIN_PIN",
)  # fmt: skip
HARMLESS = (
    "PWD", "OLDPWD", "AUTHOR", "GIT_AUTHOR_NAME", "--max-tokens", "MAX_OUTPUT_TOKENS",
    "TOKENIZER", "PATH", "KEYBOARD", "SSH_AUTH_SOCK", "AUTH_MODE", "TOKEN_URL", "KEY_FILE",
    "Idempotency-Key", "COMPASS", "Accept", "User-Agent",
)  # fmt: skip


@pytest.mark.parametrize(("names", "secret"), [(TELLING, True), (HARMLESS, False)])
def test_a_name_tells_whether_its_value_is_a_secret(names: tuple[str, ...], secret: bool) -> None:
    assert [name for name in names if sounds_secret(name) is not secret] == []


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("SETTING", "sk-live-abcdefghijklmnop", True),
        ("X-Odd", "zK83hq-92Lmx-Qv7713", True),
        ("X-Odd", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJLUXoifQ.x", True),
        ("MODEL", "gpt-4o-2024-08-06", False),
        ("X", "2026-11-22T00:00:00Z", False),
        ("NODE_OPTIONS", "--max-old-space-size=4096", False),
        ("LOG", "/var/log/2026/11/22/server.log", False),
        ("REGION", "eu-central-1-and-more-2-3", False),
        ("X", "production", False),
    ],
)
def test_a_value_that_looks_random_is_a_secret_unless_its_name_says_what_it_is_about(
    name: str, value: str, secret: bool
) -> None:
    assert is_secret(name, value) is secret


def test_of_a_header_that_a_user_gives_less_of_a_look_is_enough() -> None:
    assert is_secret_header("X-Any", "header-83")
    assert not is_secret_header("X-Stage", "production")
    assert not is_secret_header("MCP-Protocol-Version", "2025-11-25T1")
    assert not is_secret_header("X-Api-Version", "v2-2026-beta")
    assert not is_secret_header("User-Agent", "tool/1.2 (linux)")


COMMAND = ("srv", "--api-key=k3y", "--token", "t0k en", "db://u:p4ss@h/x", "--port", "80")


def test_a_command_is_shown_without_secrets_and_can_be_put_together_again() -> None:
    shown = shown_command(COMMAND)
    assert shown == ("srv", "--api-key=…", "--token", "…", "db://u:…@h/x", "--port", "80")
    assert secret_arguments(COMMAND) == ["k3y", "t0k en", "p4ss"]
    changed = (*shown[:5], "--port", "81", "…")
    assert with_secrets(changed, COMMAND) == (*COMMAND[:5], "--port", "81", "…")


def test_a_url_is_shown_without_the_secrets_that_it_asks_for_and_put_together_again() -> None:
    url = "https://h/mcp?key=a%20b&token=&flag&b=2&x=zK83hq-92Lmx-Qv7713"
    assert shown_url(url) == "https://h/mcp?key=…&token=&flag&b=2&x=…"
    assert secrets_in_url(url) == ["a%20b", "a b", "zK83hq-92Lmx-Qv7713", "zK83hq-92Lmx-Qv7713"]
    assert with_asked("https://h/other?key=…&b=3&new=…", url) == (
        "https://h/other?key=a%20b&b=3&new=…"
    )
    assert shown_url("") == ""
    assert with_asked("https://h/mcp", url) == "https://h/mcp"


def test_the_password_inside_of_basic_credentials_is_a_secret_of_its_own() -> None:
    basic = base64.b64encode(b"me:open sesame").decode()
    assert list(credentials_in(f"Basic {basic}")) == [basic, "open sesame"]
    assert list(credentials_in("Bearer abc")) == ["abc"]
    assert list(credentials_in("a b-c.d")) == ["b-c.d"]
    assert list(credentials_in("a1 b")) == ["a1 b"]
