"""Every command with every kind of secret: what was run, and all that it left."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.hostile.canary_server import serving

ROOT: Final = Path(__file__).parents[2]
SECRETS: Final = {
    "bearer": "bearer/0a+Zq9=Kx7==.tail",
    "bearer, longer": "bearer/0a+Zq9=Kx7==.tail-and-more-7Q",
    "api key header": 'h"e\\ader.*key[7]{2}(Q)',
    "header of any name": "zK83hq-92Lmx-Qv7713",
    "query": "query-Kx9&8=7/Z+z",
    "session id": "session-Kq83-Zx92-Wm11-77",
    "cookie": "cookie.Kq83.Zx92.Wm11",
    "jwt": "eyJhbGciOiJub25lIn0.eyJzdWIiOiJLUXoifQ.c2lnbmF0dXJlLVFx",
    "environment": "Umgebung-ßé漢-7Kq$`",
    "environment, short": "s3cr7tK!",
    "environment of any name": "sk-live-Kq83Zx92Wm11Pp00",
    "URL password": "p4ssw0rd-in-url-Kq",
    "argument": "argument-Kq83-Zx",
    "following argument": "following-Kq83-Zx",
    "config environment": "config-env-Kq83-Zx",
    "config header": "config-header-Kq83",
    "config expansion": "expanded-Kq83-Zx92",
    "typed password": "typed-Kq83 Zx&92",
    "written only": "write-only-Kq83/Zx",
    "password argument": "argument-pin-Kq83",
}
STDIO: Final = (
    "environment", "environment, short", "environment of any name", "URL password",
)  # fmt: skip
ASKED: Final = json.dumps(
    {"entrance": SECRETS["typed password"], "hidden": SECRETS["written only"]}
)


@dataclass(slots=True)
class Left:
    """Exit codes by run, and every byte by the name of where it is."""

    codes: dict[str, int] = field(default_factory=dict)
    sinks: dict[str, bytes] = field(default_factory=dict)


def stdio() -> list[str]:
    """The words that end a command on the server over stdio."""
    server = [sys.executable, "-m", "tests.hostile.canary_server"]
    words = [f"--api-key={SECRETS['argument']}", "--token", SECRETS["following argument"]]
    database = f"postgres://me:{SECRETS['URL password']}@localhost/db"
    variables = {
        "API_TOKEN": SECRETS["environment"],
        "DB_PWD": SECRETS["environment, short"],
        "SETTING": SECRETS["environment of any name"],
        "DATABASE": database,
        "CANARY_NAMES": "API_TOKEN DB_PWD SETTING DATABASE",
        "PYTHONPATH": str(ROOT),
    }
    given = [part for name, value in variables.items() for part in ("--env", f"{name}={value}")]
    return [*given, "--", *server, *words]


def web(url: str) -> list[str]:
    """The words that end a command on the server over HTTP."""
    from urllib.parse import quote

    headers = (
        f"X-Api-Key: {SECRETS['api key header']}",
        f"X-Odd: {SECRETS['header of any name']}",
        f"X-Jwt: {SECRETS['jwt']}",
    )
    given = [part for header in headers for part in ("--header", header)]
    asks = f"{url}?api_key={quote(SECRETS['query'], safe='')}"
    return ["--bearer-env", "BEARER", *given, asks]


def run_all(home: Path, *, masks: bool = True, only: frozenset[str] = frozenset()) -> Left:
    """Runs everything, or `only` these, with its files under `home`."""
    outputs = home / "outputs"
    outputs.mkdir(parents=True)
    (home / "tmp").mkdir()
    with serving(SECRETS["session id"], SECRETS["cookie"]) as url:
        configure(home, url)
        runs = [*_over_stdio(home), *_over_http(home, url), *_of_config(home, url)]
        runs += _of_recordings(home)
        codes = _run(home, [run for run in runs if not only or run[0] in only], masks)
    return Left(codes, {str(one.relative_to(home)): one.read_bytes() for one in files(home)})


def files(home: Path) -> list[Path]:
    """All files under `home` but what the user wrote there."""
    given = {home / ".mcp.json", home / "answer.json"}
    return [one for one in sorted(home.rglob("*")) if one.is_file() and one not in given]


Run = tuple[str, list[str], dict[str, str]]


def _over_stdio(home: Path) -> list[Run]:
    calls = {
        "mirror": ["call", "mirror", f"password={SECRETS['password argument']}"],
        "refuse": ["call", "refuse", "--json"],
        "fail": ["call", "fail", "-v"],
        "ask": ["call", "ask", "-v", "--on-elicitation", "answer=@answer.json"],
        "stray": ["call", "stray", "--json"],
        "info": ["info", "-v"],
        "info json": ["info", "--json"],
        "list": ["list", "tools"],
        "list json": ["list", "resources", "--json"],
        "read": ["read", "canary://a"],
        "prompt": ["prompt", "prompt", "--json"],
        "request": ["request", "odd/method", "{}"],
        "lint": ["lint", "--json"],
    }
    runs: list[Run] = []
    for name, words in calls.items():
        record = ["--record", str(home / f"{name}.jsonl")] if name != "lint" else []
        runs.append((f"stdio {name}", [*words, *record, *stdio()], {}))
    matrix = ["matrix", "mirror", *stdio()]
    return [*runs, ("stdio matrix", matrix, {})]


def _over_http(home: Path, url: str) -> list[Run]:
    environ = {"BEARER": SECRETS["bearer"]}
    longer = {"BEARER": SECRETS["bearer, longer"]}
    calls = ("mirror", "refuse", "html", "text", "broken", "redirect", "log")
    runs: list[Run] = []
    for number, name in enumerate(calls):
        record = ["--record", str(home / f"http {name}.jsonl")]
        words = ["call", name, *(["--json"] if number % 2 else ["-v"]), *record, *web(url)]
        runs.append((f"http {name}", words, environ))
    runs.append(("http info", ["info", "-v", *web(url)], longer))
    runs.append(("http lint", ["lint", "--active", *web(url)], longer))
    debug = {**environ, "PYTHONASYNCIODEBUG": "1", "HTTPX_LOG_LEVEL": "trace", "PYTHONDEVMODE": "1"}
    runs.append(("http debug", ["call", "mirror", *web(url)], debug))
    return runs


def configure(home: Path, url: str) -> None:
    """Writes the config file of a project."""
    server = {"command": sys.executable, "args": ["-m", "tests.hostile.canary_server"]}
    words = [f"--api-key={SECRETS['argument']}", "--token=${EXPANDED}"]
    environ = {"KEY": SECRETS["config environment"], "CANARY_NAMES": "KEY", "PYTHONPATH": str(ROOT)}
    entries: dict[str, Any] = {
        "program": {**server, "args": [*server["args"], *words], "env": environ},
        "page": {
            "url": f"{url}?token=${{EXPANDED}}",
            "headers": {"X-Any": SECRETS["config header"]},
        },
    }
    (home / ".mcp.json").write_text(json.dumps({"mcpServers": entries}))
    (home / "answer.json").write_text(ASKED)


def _of_config(home: Path, url: str) -> list[Run]:
    environ = {"EXPANDED": SECRETS["config expansion"]}
    return [
        ("config servers", ["config", "servers"], environ),
        ("config refused", ["info", "--server", "nobody"], environ),
        ("config program", ["info", "-v", "--server", "program", "--trust"], environ),
        ("config page", ["info", "-v", "--server", "page", "--trust"], environ),
    ]


def _of_recordings(home: Path) -> list[Run]:
    runs: list[Run] = []
    for source in ("mirror", "http mirror"):
        for form in ("jsonl", "json", "har", "html", "markdown", "mermaid", "curl", "pytest"):
            words = ["export", str(home / f"{source}.jsonl"), "--format", form]
            runs.append((f"export {source} {form}", words, {}))
    for form in ("text", "junit", "sarif"):
        words = ["lint", "--format", form, str(home / "http refuse.jsonl")]
        runs.append((f"lint {form}", words, {}))
    runs.append(("diff", ["diff", str(home / "mirror.jsonl"), str(home / "refuse.jsonl")], {}))
    return runs


def _run(home: Path, runs: list[Run], masks: bool) -> dict[str, int]:
    wanted = {"folder": str(home / "outputs"), "runs": runs, "masks": masks}
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    own = {"HOME": str(home), "MCP_INSPECT_HOME": str(home / "own"), "TMPDIR": str(home / "tmp")}
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile.canary_runs", json.dumps(wanted)],
        capture_output=True,
        env={**kept, **own, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=home,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    codes = json.loads(done.stdout)
    assert isinstance(codes, dict)
    return codes
