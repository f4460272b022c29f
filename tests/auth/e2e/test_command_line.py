"""`mcp-inspect login`, `call` and `logout` as processes, against authorization servers of three
makers: npm's oidc-provider, the SDK's own, and ours."""

import json
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from tests.auth.e2e.shell import Shell
from tests.servers.auth_server import serving
from tests.servers.auth_toggles import Toggles
from tests.servers.guarded_server import Guard, guarded_by_itself
from tests.servers.oidc_provider import oidc_guarded

SOON = 20
"""Seconds: so short a life counts as over on our side at once, and not yet on the server's."""


@contextmanager
def ours(*, seconds: int = 3600) -> Iterator[Guard]:
    with serving(Toggles(expires_in=seconds, forms=True)) as server:
        yield Guard(server.url, server.issuer)


MAKERS = {"oidc-provider": oidc_guarded, "sdk": guarded_by_itself, "ours": ours}
makers = pytest.mark.parametrize("maker", [*MAKERS])


def add(shell: Shell, url: str) -> str:
    done = shell("call", "add", "a:=2", "b:=3", "--json", url)
    assert done.code == 0, done.stderr
    structured = done.json["structuredContent"]
    assert isinstance(structured, dict)
    return str(structured["result"])


@makers
def test_from_login_to_logout(shell: Shell, maker: str) -> None:
    """Each call finds the token that counts as over, and has it refreshed: tokens rotate, and no
    second browser opens."""
    with MAKERS[maker](seconds=SOON) as guard:
        before = shell("call", "add", "a:=2", "b:=3", guard.url)
        assert before.code == 3
        assert f"mcp-inspect login {guard.url}" in " ".join(before.stderr.split())

        login = shell("login", guard.url)
        assert login.code == 0, login.stderr
        assert f"authorized at {guard.url}" in " ".join(login.stdout.split())
        assert "consent in the browser" in login.stderr
        kept = [kept_tokens(shell)]
        for _ in range(2):
            assert add(shell, guard.url) == "5"
            kept.append(kept_tokens(shell))
        assert len({access for access, _ in kept}) == 3
        assert len({refresh for _, refresh in kept}) == 3

        copy = shell.files()
        logout = shell("logout", guard.url)
        assert logout.code == 0, logout.stderr
        assert "refresh token: revoked" in logout.stdout
        assert "deleted" in logout.stdout
        if guard.provider is not None:
            assert set(kept[-1]) & set(guard.provider.revoked)
        put_back(shell, copy)
        shell("call", "add", "a:=2", "b:=3", guard.url)
        assert stored_tokens(shell) is None  # the refresh token was void, and is deleted

        (argv,) = shell.browsed
        assert len(argv) == 1
        assert urlsplit(argv[0]).scheme == "http"


def put_back(shell: Shell, files: dict[str, bytes]) -> None:
    """As if somebody had made a copy before."""
    for name, content in files.items():
        path = shell.run.home / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o600)


def test_a_token_that_lasts_is_used_as_it_is(shell: Shell) -> None:
    with ours() as guard:
        assert shell("login", guard.url).code == 0
        kept = kept_tokens(shell)
        assert add(shell, guard.url) == "5"
        assert kept_tokens(shell) == kept
    assert len(shell.browsed) == 1


def test_tokens_lie_in_files_that_only_their_owner_can_read(shell: Shell) -> None:
    with ours() as guard:
        assert shell("login", guard.url).code == 0
    _, refresh = kept_tokens(shell)
    holding = [name for name, content in shell.files().items() if refresh.encode() in content]
    assert len(holding) == 1
    path = shell.run.home / holding[0]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_no_store_leaves_nothing_behind(shell: Shell) -> None:
    with ours() as guard:
        done = shell("login", "--no-store", guard.url)
        assert done.code == 0, done.stderr
        assert shell("info", guard.url).code == 3
    assert not any(b"access_token-" in content for content in shell.files().values())


def test_a_login_is_told_to_machines_without_its_tokens(shell: Shell) -> None:
    with ours() as guard:
        done = shell("login", "--json", guard.url)
    assert done.code == 0, done.stderr
    assert done.json["authorized"] is True
    assert [step["step"] for step in _list(done.json["steps"])] == [
        "protected resource metadata",
        "authorization server metadata",
        "client",
        "consent in the browser",
        "token",
    ]


def test_a_login_that_is_refused_says_why(shell: Shell) -> None:
    toggles = Toggles(metadata={"code_challenge_methods_supported": ["plain"]})
    with serving(toggles) as server:
        done = shell("login", server.url)
        assert done.code == 3
        assert "PKCE" in done.stderr
        assert shell.browsed == []
        again = shell("login", "--json", server.url)
        error = json.loads(again.stderr.splitlines()[-1])["error"]
        assert "PKCE" in error["message"]


def test_a_token_of_the_user_s_own_starts_no_authorization(shell: Shell) -> None:
    with serving() as server:
        done = shell("info", "--bearer-env", "TK", server.url, TK="a-token-of-my-own")
        assert done.code == 3
        assert {seen.endpoint for seen in server.log} == {"mcp"}
    assert "401" in done.stderr
    assert "a-token-of-my-own" not in done.stderr
    assert "mcp-inspect login" not in done.stderr


def test_a_program_logs_in_with_its_secret(shell: Shell) -> None:
    from tests.servers.auth_rules import Registered

    secret = "s3cret-of-the-program"
    with serving() as server:
        server.rules.clients["robot"] = Registered("robot", secret, "client_secret_basic")
        words = ("--client-credentials", "--client-id", "robot", "--client-secret-env", "ROBOT")
        done = shell("call", "add", "a:=2", "b:=3", *words, server.url, ROBOT=secret)
        assert done.code == 0, done.stderr
    assert shell.browsed == []
    assert secret not in done.stdout + done.stderr
    elsewhere = {name: text for name, text in shell.files().items() if "/auth/" not in name}
    assert not any(secret.encode() in content for content in elsewhere.values())


def stored_tokens(shell: Shell) -> tuple[str, str] | None:
    """Access and refresh token, as the store has them."""
    for content in shell.files().values():
        if b'"tokens"' in content and content.startswith(b"{"):
            tokens = json.loads(content)["grant"]["tokens"]
            return tokens["access"], tokens["refresh"]
    return None


def kept_tokens(shell: Shell) -> tuple[str, str]:
    """The same; there must be some."""
    found = stored_tokens(shell)
    assert found is not None
    return found


def _list(value: object) -> list[dict[str, object]]:
    assert isinstance(value, list)
    return value
