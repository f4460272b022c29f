"""The short sessions that are tortured: what is there before, what is typed, and what must hold
afterwards, whichever call failed.

`run` is called in the forked process. Everything else belongs to whoever drives it.
"""

import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

SECRET: Final = "s3cret-c4nary-0f-torture"
"""Must be found nowhere."""
SERVERS: Final = Path(__file__).parent.parent
SCRIPTED: Final = (sys.executable, "-S", "-E", str(SERVERS / "cli" / "scripted_server.py"))
RECORDING: Final = SERVERS / "recordings" / "weather.jsonl"
OTHER: Final = SERVERS / "recordings" / "weather-mended.jsonl"
SCRIPT: Final = json.dumps(
    {
        "tools/list": json.dumps(
            {"tools": [{"name": "echo", "inputSchema": {"type": "object", "properties": {}}}]}
        ),
        "tools/call": json.dumps(
            {"content": [{"type": "text", "text": "hello"},
                         {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="}]}
        ),
    }
)  # fmt: skip
STDIO: Final = ("--", *SCRIPTED, SCRIPT)
OLD: Final = b"what was there before\n"


def commanded(words: list[str]) -> int:
    """What the program does with a command line."""
    from inspector.__main__ import main

    sys.argv = ["mcp-inspect", *words]
    try:
        main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    return 0


@dataclass(frozen=True)
class Session:
    """`words` are typed, with {home} and {url} filled in. `steps` are what a person at a terminal
    waits for and types; without them there is no terminal. `peer` is what has to be running."""

    words: tuple[str, ...]
    before: dict[str, bytes] = field(default_factory=dict)
    stdin: str = ""
    peer: str = ""
    steps: tuple[tuple[str, str], ...] = ()
    run: Callable[[list[str]], int] = commanded
    environ: dict[str, str] = field(default_factory=dict)
    makes: tuple[str, ...] = ()
    """Files that may be there afterwards, besides recordings and JSON."""


SESSIONS: Final[dict[str, Session]] = {
    "call": Session(
        ("call", "echo", "text=hi", "--env", "API_TOKEN", "--record", "{home}/new.jsonl", *STDIO),
        environ={"API_TOKEN": SECRET},
    ),
    "call-http": Session(
        ("call", "echo", "text=hi", "--record", "{home}/new.jsonl",
         "--bearer-env", "API_TOKEN", "{url}"),
        peer="http",
        environ={"API_TOKEN": SECRET},
    ),
    "lint-active": Session(("lint", "--active", "--fail-on", "error", *STDIO)),
    "lint-piped": Session(("lint", "-"), stdin=str(RECORDING)),
    "diff": Session(("diff", str(RECORDING), str(OTHER))),
    "export": Session(
        ("export", str(RECORDING), "-o", "{home}/out.html", "--force"), before={"out.html": OLD}
    ),
    "trust": Session(
        ("info", "--config", "{home}/mcp.json", "--server", "mine", "--trust"),
        before={
            "mcp.json": json.dumps(
                {"mcpServers": {"mine": {"command": SCRIPTED[0], "args": [*SCRIPTED[1:], SCRIPT]}}}
            ).encode(),
            "state/trust.json": b'{"format": 1, "salt": "00", "trusted": {"x": "y"}}',
        },
    ),
    "login": Session(
        ("login", "--client-id", "mine", "--client-secret-env", "API_TOKEN",
         "--client-credentials", "{url}"),
        peer="auth",
        environ={"API_TOKEN": SECRET},
        makes=("state/auth/lock",),
    ),
    "interface": Session(
        ("--env", "API_TOKEN", *STDIO),
        steps=(
            ("echo", "2"), ("Arguments", "\r"), ("", "\x13"), ("hello", "\x07"), ("", "m"),
            ("", "x"),
            ("Export", "\x13"), ("", "\x11"),
        ),
        environ={"API_TOKEN": SECRET},
    ),
    "open": Session(
        ("open", "{home}/old.jsonl"),
        before={"old.jsonl": RECORDING.read_bytes()},
        steps=(("RECORDING", "\x07"), ("", "m"), ("", ";"), ("Note", "look\r"), ("", "x"),
               ("Export", "\x13"), ("", "\x11")),
    ),
}  # fmt: skip

CODES: Final = frozenset({0, 1, 2, 3, 4, 5})
_ALARM: Final = re.compile(
    r"Traceback|crashed|never retrieved|Exception ignored|never awaited|ResourceWarning"
    r"|^\s+File \"",
    re.MULTILINE,
)


def wrong_with(name: str, home: Path, told: dict[str, Any]) -> list[str]:
    """Which promises were broken by a run of the session `name`."""
    session = SESSIONS[name]
    found: list[str] = []
    code, err = told["code"], told["err"]
    if code is None:
        found.append("it hung")
    elif code not in CODES:
        found.append(f"exit code {code}")
    if found_alarm := _ALARM.search(err):
        found.append(f"stderr has {found_alarm[0]!r}")
    elif (
        code not in (None, 0, 1)
        and "mcp-inspect:" not in err
        and not session.steps
        and "os.write" not in told["failed"]  # then stderr may take nothing either
    ):
        found.append("nothing is said on stderr")
    found += told["terminal"]
    if told["survivors"]:
        found.append(f"processes are left: {told['survivors']}")
    if "os.unlink" not in told["failed"]:  # then nobody could
        found += [f"temporary file left: {path.name}" for path in (home / "tmp").iterdir()]
    found += _files(session, home, told)
    return found


_PROBE = re.compile(r"[a-z0-9_]{8}")
"""What the standard library tries a folder with, when it looks for one for temporary files."""


def _files(session: Session, home: Path, told: dict[str, Any]) -> list[str]:
    from inspector.errors import RecordingError
    from inspector.journal.loading import load_recording

    found: list[str] = []
    for path in sorted(home.rglob("*")):
        name = str(path.relative_to(home))
        if not path.is_file() or name in (".out", ".err", ".report"):
            if path.is_symlink() or (path.exists() and not path.is_dir() and not path.is_file()):
                found.append(f"{name} is an odd thing")
            continue
        content = path.read_bytes()
        if SECRET.encode() in content and "auth" not in path.parts:
            found.append(f"the secret is in {name}")
        if path.suffix == ".jsonl":
            try:
                journal = load_recording(path)
                if journal.dropped_bytes and "torn" not in told["err"] and path.stat().st_size:
                    found.append(f"{name} has {journal.dropped_bytes} damaged bytes")
                journal.close()
            except RecordingError as error:
                if content:
                    found.append(f"{name}: {error}")
        elif path.suffix == ".json":
            try:
                json.loads(content)
            except ValueError:
                found.append(f"{name} is half written")
        elif path.suffix == ".html":
            if content != session.before.get(name) and not content.endswith(b"</html>\n"):
                found.append(f"{name} is half written")
        elif name in session.before and content != session.before[name]:
            found.append(f"{name} is half written")
        elif _PROBE.fullmatch(path.name) and "os.unlink" in told["failed"]:
            continue
        elif name not in session.before and name not in session.makes and path.parent.name != "tmp":
            found.append(f"{name} was left")
    for name in session.before:
        if not (home / name).exists():
            found.append(f"{name} is gone")
    for said in (told["err"], told["out"]):
        if SECRET in said:
            found.append("the secret is shown")
    return found
