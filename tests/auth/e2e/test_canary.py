"""No secret of an authorization is in anything that a run leaves: what it prints, records, keeps
beside its store, or shows to who lists processes. Every secret that the servers gave or were given
is looked for, in every spelling; with the masks off they are found, so the search is not blind."""

import base64
import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from inspector.auth import sending
from inspector.journal.redact import Redactor
from inspector.protocol.json_text import Json
from tests.auth.e2e.leaks import leaks
from tests.auth.e2e.scripted_person import Person
from tests.auth.e2e.shell import Shell
from tests.auth.e2e.visit import Visit
from tests.cli.running import Finished, Runner
from tests.servers.auth_rules import Registered
from tests.servers.auth_server import AuthServer, serving
from tests.servers.auth_toggles import Toggles

pytestmark = pytest.mark.timeout(300)
KINDS = {
    "access_token", "refresh_token", "id_token", "code", "verifier", "client_secret",
    "registration_access_token", "assertion", "private_key", "state", "session", "bearer",
    "cookie",
}  # fmt: skip
BEARER = "bearer-of-my-own-0123456789abcdef"
CONFIDENTIAL: dict[str, Json] = {"token_endpoint_auth_methods_supported": ["client_secret_basic"]}
TELLTALE = Toggles(id_token=True, cookies=True, forms=True, expires_in=20, metadata=CONFIDENTIAL)
CRASH = """
import sys
from inspector.auth.authority import Authority
def fail(self, sent):
    raise RuntimeError(f"cannot use {sent.reveal()}, Authorization: Bearer {sent.reveal()}")
Authority.accepted = fail
sys.argv = ["mcp-inspect", *sys.argv[1:]]
from inspector.__main__ import main
main()
"""

MIRRORS = ("call reflect stdout", "call reflect --json stdout", "program stdout")
"""What a tool printed that repeats how it was called, our token included."""


@dataclass(slots=True)
class Left:
    """What all runs left, and what must not be in it."""

    sinks: dict[str, bytes] = field(default_factory=dict)
    store: dict[str, bytes] = field(default_factory=dict)
    secrets: list[tuple[str, str]] = field(default_factory=list)
    codes: dict[str, int] = field(default_factory=dict)

    def of(self, name: str, done: Finished) -> None:
        self.codes[name] = done.code
        self.sinks[f"{name} stdout"] = done.stdout.encode("utf-8", "surrogateescape")
        self.sinks[f"{name} stderr"] = done.stderr.encode("utf-8", "surrogateescape")


@pytest.fixture
def left(tmp_path: Path) -> Left:
    """Runs everything."""
    folder = tmp_path
    home = folder / "home"
    home.mkdir()
    shell = Shell(Runner(home), folder / "browser.jsonl")
    found = Left()
    with serving(TELLTALE) as server:
        _use(shell, server, found)
        _fail(shell, server, found)
        _as_a_program(shell, server, found, folder)
        found.secrets += server.rules.secrets
    found.secrets.append(("bearer", BEARER))
    for name, content in shell.files().items():
        (found.store if "/auth/" in name else found.sinks)[name] = content
    return found


def _use(shell: Shell, server: AuthServer, found: Left) -> None:
    url, folder = server.url, shell.run.home
    listed = shell.log.with_name("processes")
    record = ("--record", str(folder / "login.jsonl"))
    done = shell("login", "-v", *record, url, SCRIPTED_BROWSER_PROCESSES=str(listed))
    found.of("login", done)
    found.sinks["processes"] = listed.read_bytes()
    found.of("login json", shell("login", "--json", url))
    for number, words in enumerate(
        (
            ("info", "-v"),
            ("info", "--json"),
            ("call", "reflect"),
            ("call", "reflect", "--json"),
            ("call", "locked"),
            ("list", "tools", "--json"),
        )
    ):
        record = ("--record", str(folder / f"{number}.jsonl"))
        found.of(" ".join(words), shell(*words, *record, url))
    record = ("--record", str(folder / "bearer.jsonl"))
    found.of("bearer", shell("info", "-v", "--bearer-env", "TK", *record, url, TK=BEARER))
    crashed = subprocess.run(
        [sys.executable, "-c", CRASH, "call", "add", "a:=1", "b:=2", url],
        capture_output=True,
        env=shell.run.environ,
        timeout=60,
        check=False,
    )
    found.codes["crash"] = crashed.returncode
    found.sinks["crash stdout"], found.sinks["crash stderr"] = crashed.stdout, crashed.stderr
    found.of("logout", shell("logout", "-v", url))


def _fail(shell: Shell, server: AuthServer, found: Left) -> None:
    """A server that repeats what it was sent: code, verifier, client secret, refresh token."""
    record = ("--record", str(shell.run.home / "echo-code.jsonl"))
    server.turn(echoes=True)
    found.of("echo code", shell("login", "-v", *record, server.url))
    found.of("echo code json", shell("login", "--json", server.url))
    server.turn(echoes=False)
    found.of("login again", shell("login", server.url))
    server.turn(echoes=True)
    record = ("--record", str(shell.run.home / "echo-refresh.jsonl"))
    found.of("echo refresh", shell("call", "add", "a:=1", "b:=2", "-v", *record, server.url))
    server.turn(echoes=False)


def _as_a_program(shell: Shell, server: AuthServer, found: Left, folder: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    path = folder / "key.pem"
    path.write_text(private)
    path.chmod(0o600)
    found.secrets += [("private_key", line) for line in private.splitlines()[1:-1]]
    server.rules.clients["robot"] = Registered("robot", "", "private_key_jwt", (), public.decode())
    who = ("--client-credentials", "--client-id", "robot", "--private-key", str(path))
    record = ("--record", str(shell.run.home / "program.jsonl"))
    found.of("program", shell("call", "reflect", "-v", *who, *record, server.url))
    server.turn(echoes=True)
    found.of("echo program", shell("call", "reflect", "-v", "--no-store", *who, server.url))
    server.turn(echoes=False)


def what_must_be_clean(left: Left) -> dict[str, bytes]:
    """All sinks, without the one thing that somebody asked for: the address that a login shows,
    which has to hold the state."""
    sinks = {}
    for name, content in left.sinks.items():
        lines = content.split(b"\n")
        shown = (name.endswith("stderr") and "log" in name) or "echo code" in name
        sinks[name] = b"\n".join(x for x in lines if not (shown and b"/authorize?" in x))
    return sinks


def every_run_did_what_it_was_for(left: Left) -> bool:
    """Or else there is nothing to be found in what it left."""
    expected = dict.fromkeys(left.codes, 0)
    expected |= {"bearer": 3, "crash": 70, "echo code": 3, "echo code json": 3}
    expected |= {"call locked": 3, "echo program": 3}
    assert left.codes == expected
    recordings = [name for name in left.sinks if name.endswith(".jsonl")]
    assert len(recordings) >= 10
    assert b"reflect" in left.sinks["2.jsonl"]
    assert b"RuntimeError" in left.sinks["crash stderr"]
    assert b"inspector" in left.sinks["processes"]
    assert all(b"mcp-session-id" in left.sinks[name] for name in MIRRORS)
    assert {kind for kind, _ in left.secrets} == KINDS
    return True


def test_no_secret_is_in_anything_that_is_left(left: Left) -> None:
    assert every_run_did_what_it_was_for(left)
    assert leaks(what_must_be_clean(left), left.secrets) == []
    kept = {line.partition(" in ")[0] for line in leaks(left.store, left.secrets)}
    assert kept <= {"access_token", "refresh_token", "client_secret"}
    assert "client_secret" in kept  # the store is private, and was looked into


def masks_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nobody had thought of it."""
    monkeypatch.setattr(Redactor, "text", lambda _, raw: (raw, False))
    monkeypatch.setattr(Redactor, "sent", lambda _, raw: (raw, False))
    monkeypatch.setattr(Redactor, "headers", lambda _, headers: headers)
    monkeypatch.setattr(Redactor, "url", lambda _, url: url)
    monkeypatch.setattr(sending, "shown_body", lambda _step, body, _media: body)
    monkeypatch.setattr(sending, "shown_headers", lambda _, headers: headers)


@pytest.mark.parametrize("masked", [True, False], ids=["masked", "masks-off"])
async def test_the_search_finds_what_no_mask_hides(
    masked: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if not masked:
        masks_off(monkeypatch)
    with serving(TELLTALE) as server:
        async with Visit(server.url, tmp_path, Person()) as visit:
            assert "authorization: bearer" in (await visit.call("reflect")).lower()
        sinks = {"recording": visit.recording.read_bytes()}
        found = {line.partition(" in ")[0] for line in leaks(sinks, server.rules.secrets)}
    hidden = {"access_token", "refresh_token", "id_token", "client_secret", "cookie", "session"}
    assert found == (set() if masked else {*hidden, "registration_access_token"})


@pytest.mark.parametrize("lead", range(4))
def test_the_search_sees_through_every_spelling(lead: int) -> None:
    secret = "a/secret+that=is.odd"
    wrapped = b"x" * lead + secret.encode() + b"yz"
    for content in (
        wrapped,
        base64.b64encode(wrapped),
        base64.urlsafe_b64encode(wrapped),
        quote(secret).encode(),
        json.dumps({"k": secret}).encode(),
    ):
        assert leaks({"sink": content}, [("kind", secret)]) == ["kind in sink"]
    assert leaks({"sink": b"nothing"}, [("kind", secret)]) == []
