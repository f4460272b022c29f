"""Logging in to a protected server and out again, as a user does: with a browser that is a program,
with the keyboard, and without anybody."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.cli.running import DEMO, Runner
from tests.cli.terminal import Terminal, terminal
from tests.servers import scripted_browser
from tests.servers.auth_rules import Registered
from tests.servers.auth_server import AuthServer, serving
from tests.servers.auth_toggles import Toggles

SECRET = "s3cret-of-my-own-client"


@pytest.fixture(scope="module")
def running() -> Iterator[AuthServer]:
    with serving() as server:
        yield server


@pytest.fixture
def server(running: AuthServer) -> AuthServer:
    running.reset(Toggles())
    return running


@pytest.fixture
def browser(run: Runner) -> dict[str, str]:
    """The environment of a user with a browser."""
    return {
        "BROWSER": f"{sys.executable} {scripted_browser.__file__}",
        "SCRIPTED_BROWSER_LOG": str(run.home / "browser.log"),
    }


def opened(browser: Mapping[str, str]) -> list[list[str]]:
    """What the browser was given, each time that it was started."""
    log = Path(browser["SCRIPTED_BROWSER_LOG"])
    return (
        [json.loads(line)["argv"] for line in log.read_text().splitlines()] if log.exists() else []
    )


def own_client(server: AuthServer, method: str = "client_secret_basic") -> None:
    server.rules.clients["mine"] = Registered("mine", SECRET, method)
    server.rules.learn("client_secret", SECRET)


def secrets_of(server: AuthServer) -> list[str]:
    """All that nobody may see, but for the state, which stands in the address shown to the user."""
    return [text for kind, text in server.rules.secrets if kind != "state"]


def assert_no_secret(server: AuthServer, *texts: str) -> None:
    assert len(secrets_of(server)) >= 2
    assert [secret for secret in secrets_of(server) if any(secret in text for text in texts)] == []


def test_after_a_login_calls_go_through_and_after_a_logout_no_more(
    run: Runner, server: AuthServer, browser: dict[str, str]
) -> None:
    before = run("call", "add", "a=1", "b=2", server.url, **browser)
    assert before.code == 3
    assert f"mcp-inspect login {server.url}" in before.stderr
    assert opened(browser) == []

    done = run("login", server.url, **browser)
    assert done.code == 0, done.stderr
    assert f"authorized at {server.url}" in done.stdout
    assert f"{run.home}/state/auth (files that only you can read)" in done.stdout
    stages = [line.partition("  ")[2] for line in done.stderr.splitlines() if line[:4] == "done"]
    assert stages == [
        "protected resource metadata",
        "authorization server metadata",
        "client",
        "consent in the browser",
        "token",
    ]
    ((page,),) = opened(browser)
    assert page.startswith(f"{server.origin}/authorize?")
    assert page in done.stderr

    called = run("call", "add", "a=1", "b=2", server.url, **browser)
    assert (called.code, called.stdout) == (0, "3\n")

    out = run("logout", server.url, **browser)
    assert out.code == 0
    assert "refresh token: revoked\naccess token: revoked\ndeleted from" in out.stdout
    assert run("call", "add", "a=1", "b=2", server.url, **browser).code == 3
    assert "nothing was stored" in run("logout", server.url, **browser).stdout
    assert len(opened(browser)) == 1
    assert server.rules.complaints == []
    assert_no_secret(server, *(one.stdout + one.stderr for one in (before, done, called, out)))


def test_json_says_what_there_is_and_holds_no_secret(
    run: Runner, server: AuthServer, browser: dict[str, str]
) -> None:
    record = run.home / "kept.jsonl"
    done = run("login", "--json", "--record", str(record), server.url, **browser)
    assert done.code == 0, done.stderr
    found = done.json
    assert (found["server"], found["authorized"]) == (server.url, True)
    facts = found["facts"]
    assert isinstance(facts, dict)
    assert facts["issuer"] == server.issuer
    assert facts["token_scope"] == "tools"
    steps = found["steps"]
    assert isinstance(steps, list)
    assert [step["state"] for step in steps] == ["done"] * 5
    assert "oauth" in record.read_text()
    elsewhere = [
        path.read_text(errors="replace")
        for path in run.home.rglob("*")
        if path.is_file() and path.parent.name != "auth" and path.name != "browser.log"
    ]
    assert_no_secret(server, done.stdout, done.stderr, *elsewhere)
    assert run("logout", "--json", server.url).json["server"] == server.url


def test_what_is_kept_lies_in_private_files(
    run: Runner, server: AuthServer, browser: dict[str, str]
) -> None:
    assert run("login", server.url, **browser).code == 0
    folder = run.home / "state" / "auth"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


def test_a_second_login_needs_no_second_registration(
    run: Runner, server: AuthServer, browser: dict[str, str]
) -> None:
    for _ in range(2):
        assert run("login", server.url, **browser).code == 0
    assert len(server.requests("register")) == 1


def test_no_store_keeps_nothing(run: Runner, server: AuthServer, browser: dict[str, str]) -> None:
    done = run("login", "--no-store", server.url, **browser)
    assert done.code == 0, done.stderr
    assert "memory only" in done.stdout
    assert not (run.home / "state" / "auth").exists()
    assert run("info", server.url).code == 3


def test_a_program_logs_in_for_itself_without_a_browser(
    run: Runner, server: AuthServer, browser: dict[str, str]
) -> None:
    own_client(server)
    words = ("--client-credentials", "--client-id", "mine", "--client-secret-env", "MY_SECRET")
    environ = {**browser, "MY_SECRET": SECRET}
    done = run("login", *words, server.url, **environ)
    assert done.code == 0, done.stderr
    called = run("call", "add", "a=1", "b=2", *words, server.url, **environ)
    assert called.stdout == "3\n"
    assert opened(browser) == []
    assert_no_secret(server, done.stdout, done.stderr, called.stderr)


def test_a_client_of_the_users_own_is_used_with_its_redirect_uri(
    run: Runner, server: AuthServer, browser: dict[str, str]
) -> None:
    own_client(server)
    words = ("--client-id", "mine", "--client-secret-env", "MY_SECRET")
    uri = ("--redirect-uri", "http://127.0.0.1/my/callback")
    done = run("login", *words, *uri, server.url, **browser, MY_SECRET=SECRET)
    assert done.code == 0, done.stderr
    assert server.requests("register") == []
    asked = server.requests("authorize")[0].form["redirect_uri"]
    assert asked.startswith("http://127.0.0.1:")
    assert asked.endswith("/my/callback")
    assert_no_secret(server, done.stdout, done.stderr, str(opened(browser)))


def test_a_no_of_the_user_is_told_and_nothing_is_kept(
    run: Runner, server: AuthServer, browser: dict[str, str]
) -> None:
    server.turn(redirect={"error": "access_denied", "code": "\x00left out"})
    done = run("login", "--json", server.url, **browser)
    assert done.code == 3
    assert done.stdout == ""
    error = json.loads(done.stderr.splitlines()[-1])["error"]
    assert error["kind"] == "auth"
    assert "access_denied" in error["message"]
    assert run("info", server.url).code == 3


def test_several_servers_need_a_choice_and_without_a_terminal_an_option(
    run: Runner, server: AuthServer, browser: dict[str, str]
) -> None:
    server.turn(prm={"authorization_servers": ["https://other.example.com", server.issuer]})
    done = run("login", server.url, **browser)
    assert done.code == 3
    assert "2  http" in done.stderr
    assert "--issuer" in done.stderr
    assert run("login", "--issuer", server.issuer, server.url, **browser).code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("login", *DEMO), "authorization is for servers on a URL"),
        (("logout", *DEMO), "authorization is for servers on a URL"),
        (("login", "--bearer", "x", "http://127.0.0.1:9/"), "Authorization header of your own"),
        (("login", "word", "http://127.0.0.1:9/"), "unexpected word 'word'"),
        (("login",), "no server is named"),
        (("login", "--paste", "--no-browser", "http://127.0.0.1:9/"), "opens no browser anyway"),
        (("login", "--redirect-uri", "http://a.example/", "http://127.0.0.1:9/"), "redirected to"),
    ],
)
def test_wrong_usage_is_told_before_anything_is_sent(
    run: Runner, words: tuple[str, ...], told: str
) -> None:
    done = run(*words)
    assert done.code == 2
    assert told in done.stderr


def test_help_of_both_says_where_tokens_are_kept_and_how_they_end(run: Runner) -> None:
    assert "keyring" in run("login", "--help").stdout
    assert "revokes" in run("logout", "--help").stdout
    assert "login " in run("--help").stdout


# -- at a terminal --


def _page(user: Terminal) -> str:
    """The address that is shown."""
    text = user.wait_for("host: ")
    return next(line for line in text.splitlines() if "/authorize?" in line).strip()


def test_at_a_terminal_the_browser_opens_after_enter(
    run: Runner, server: AuthServer, browser: dict[str, str]
) -> None:
    with terminal(run.command("login", server.url), {**run.environ, **browser}) as user:
        user.wait_for("Press Enter to open 127.0.0.1 in your browser: ")
        assert opened(browser) == []
        user.type("\n")
        user.wait_for("kept in")
        assert user.end() == 0
    assert len(opened(browser)) == 1


def test_the_address_may_be_opened_by_hand_instead(
    run: Runner, server: AuthServer, browser: dict[str, str]
) -> None:
    with terminal(run.command("login", server.url), {**run.environ, **browser}) as user:
        page = _page(user)
        user.wait_for("Press Enter")
        assert scripted_browser.browse(page)[-1][1] == 200
        user.wait_for("kept in")
        assert user.end() == 0
    assert opened(browser) == []


def test_from_a_remote_shell_the_address_is_pasted(run: Runner, server: AuthServer) -> None:
    with terminal(run.command("login", "--paste", server.url), run.environ) as user:
        redirect = scripted_browser.redirect_of(_page(user), "http://127.0.0.1:")
        user.wait_for("Paste the whole address")
        user.type("c0de\n")
        user.wait_for("not the answer to this request")
        user.type(f"{redirect}\n")
        user.wait_for("kept in")
        assert user.end() == 0
    assert run("call", "add", "a=1", "b=2", server.url).stdout == "3\n"


def test_an_address_that_is_longer_than_a_line_of_a_terminal_is_pasted_whole(
    run: Runner, server: AuthServer
) -> None:
    server.turn(redirect={"session_state": "x" * 6000})
    with terminal(run.command("login", "--paste", server.url), run.environ) as user:
        redirect = scripted_browser.redirect_of(_page(user), "http://127.0.0.1:")
        assert len(redirect) > 6000
        user.wait_for("Paste the whole address")
        user.type(f"wrong\x7f\n{redirect}z\x7f\n")
        user.wait_for("kept in")
        assert user.end() == 0


def test_the_end_of_the_input_gives_up(run: Runner, server: AuthServer) -> None:
    with terminal(run.command("login", "--paste", server.url), run.environ) as user:
        user.wait_for("Paste the whole address")
        user.type("\x04\n")
        user.wait_for("nothing was pasted")
        assert user.end() == 3
    done = run("login", "--paste", server.url)
    assert (done.code, "nothing was pasted" in done.stderr) == (3, True)


def test_a_server_is_chosen_by_number(run: Runner, server: AuthServer) -> None:
    server.turn(prm={"authorization_servers": ["https://other.example.com", server.issuer]})
    with terminal(run.command("login", "--paste", server.url), run.environ) as user:
        user.wait_for("Which one? [1-2")
        user.type("7\n2\n")
        redirect = scripted_browser.redirect_of(_page(user), "http://127.0.0.1:")
        user.type(f"{redirect}\n")
        user.wait_for("kept in")
        assert user.end() == 0


def test_a_client_is_named_and_its_secret_is_not_shown(run: Runner, server: AuthServer) -> None:
    own_client(server)
    server.turn(metadata={"registration_endpoint": "\x00left out"})
    with terminal(run.command("login", "--paste", server.url), run.environ) as user:
        user.wait_for("Client id that you registered there")
        user.type("mine\n")
        user.wait_for("Its secret, which is not shown")
        user.type(f"{SECRET}\n")
        redirect = scripted_browser.redirect_of(_page(user), "http://127.0.0.1:")
        user.type(f"{redirect}\n")
        user.wait_for("kept in")
        assert user.end() == 0
        assert SECRET not in user.text


def test_ctrl_c_gives_up_and_leaves_nothing(
    run: Runner, server: AuthServer, browser: dict[str, str]
) -> None:
    with terminal(run.command("login", server.url), {**run.environ, **browser}) as user:
        user.wait_for("Press Enter")
        user.process.send_signal(signal.SIGINT)
        assert user.end() == 130
    assert opened(browser) == []
    assert run("info", server.url).code == 3


def test_no_secret_is_in_the_process_list(run: Runner, server: AuthServer) -> None:
    own_client(server)
    words = ("--client-id", "mine", "--client-secret-env", "MY_SECRET", "--no-browser")
    process = subprocess.Popen(
        run.command("login", *words, server.url),
        env={**run.environ, "MY_SECRET": SECRET},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        page = next(line.strip() for line in process.stderr if "/authorize?" in line)
        listed = subprocess.run(
            ["ps", "-ww", "-o", "args=", "-p", str(process.pid)],
            capture_output=True,
            text=True,
            check=True,
        )
        assert server.url in listed.stdout
        assert SECRET not in listed.stdout
        scripted_browser.browse(page)
        stdout, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0
    assert_no_secret(server, stdout, stderr)


def test_two_logins_at_once_both_end_well(
    run: Runner, server: AuthServer, browser: dict[str, str]
) -> None:
    command = run.command("login", server.url)
    both = [
        subprocess.Popen(
            command,
            env={**run.environ, **browser},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    for process in both:
        _, stderr = process.communicate(timeout=100)
        assert process.returncode == 0, stderr
    assert run("call", "add", "a=1", "b=2", server.url).stdout == "3\n"
