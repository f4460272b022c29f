"""Runs command lines in processes that fork from one: `canary_runs.py JSON`, each with files of its
own as stdout and stderr. With `"masks": false` nothing is masked."""

import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

LOADED = (
    "inspector.cli.main", "inspector.cli.headless", "inspector.cli.linting",
    "inspector.cli.lint_formats", "inspector.cli.lint_output", "inspector.export.formats",
    "inspector.transport.http_handshake", "inspector.transport.stdio", "inspector.workbench",
    "inspector.forms.validate", "inspector.compare.recordings", "rich.table", "httpx",
)  # fmt: skip


def masks_off() -> None:
    """As if nobody had thought of secrets."""
    from inspector.journal.redact import Redactor

    for name, as_it_is in (
        ("text", lambda _, raw: (raw, False)),
        ("sent", lambda _, raw: (raw, False)),
        ("headers", lambda _, headers: headers),
        ("url", lambda _, url: url),
        ("without_ours", lambda _, raw: raw),
    ):
        setattr(Redactor, name, as_it_is)


def run(words: list[str], environ: dict[str, str], out: Path, err: Path) -> int:
    """One command line; its exit code."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 99
    try:
        for number, path in enumerate((Path(os.devnull), out, err)):
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
            os.dup2(os.open(path, flags, 0o600), number)
        os.environ.update(environ)
        sys.argv = ["mcp-inspect", *words]
        from inspector.__main__ import main

        main()
        code = 0
    except SystemExit as done:
        code = int(done.code or 0)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def serve(wanted: dict[str, Any]) -> dict[str, int]:
    """All command lines, one after the other; the exit codes by name."""
    for name in LOADED:
        import_module(name)
    if not wanted["masks"]:
        masks_off()
    folder = Path(wanted["folder"])
    return {
        name: run(words, environ, folder / f"{name} stdout", folder / f"{name} stderr")
        for name, words, environ in wanted["runs"]
    }


if __name__ == "__main__":
    print(json.dumps(serve(json.loads(sys.argv[1]))))
