"""Servers of former years: the official Python SDK and npm's server-everything, old releases.

They are looked for in the directory that `MCP_INSPECT_OLD_PEERS` names: `venvs/mcp-VERSION` are
virtual environments, `ev-RELEASE/node_modules` hold server-everything. What is not there is
skipped with its reason.
"""

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from inspector.config.targets import Target
from tests.servers import real

_NAMED = os.environ.get("MCP_INSPECT_OLD_PEERS", "")  # tests do not see the variable
REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
EVERYTHING = "node_modules/@modelcontextprotocol/server-everything/dist"


@dataclass(frozen=True, slots=True)
class Old:
    """One old server: its newest revision, its transports, and whether it does not survive the
    end of its first HTTP session."""

    name: str
    newest: str
    kinds: tuple[str, ...]
    once: tuple[str, ...] = ()
    speaks: tuple[str, ...] = REVISIONS

    @property
    def is_node(self) -> bool:
        return self.name.startswith("ev-")

    def answer_to(self, offered: str) -> str:
        """The revision that it agrees to."""
        wanted = offered if offered in REVISIONS else self.newest
        return wanted if wanted in self.speaks and wanted <= self.newest else self.newest


OLD = (
    Old("mcp-1.6.0", "2024-11-05", ("stdio", "sse")),
    # The SDK's own client ends this one too: its DELETE breaks the server's task group.
    Old("mcp-1.9.4", "2025-03-26", ("stdio", "sse", "http"), once=("http",)),
    Old("mcp-1.12.4", "2025-06-18", ("stdio", "sse", "http")),
    Old("mcp-1.25.0", "2025-11-25", ("stdio", "sse", "http")),
    # process.exit(0) stands in its onclose.
    Old("ev-0.6", "2024-11-05", ("stdio", "sse"), once=("sse",)),
    Old("ev-2025.5", "2025-03-26", ("stdio", "sse", "http"), once=("sse",)),
    Old("ev-2025.8", "2025-06-18", ("stdio", "sse", "http")),
)


def command(old: Old, kind: str, port: int = 0) -> tuple[str, ...]:
    """How it is started; skips the test where it is not installed."""
    if not _NAMED:
        pytest.skip("MCP_INSPECT_OLD_PEERS does not name a directory of old servers")
    home = Path(_NAMED)
    if old.is_node:
        folder = home / old.name / EVERYTHING
        if shutil.which("node") is None or not folder.is_dir():
            pytest.skip(f"node or {folder} is not there")
        if old.name == "ev-0.6":
            return ("node", str(folder / ("sse.js" if kind == "sse" else "index.js")))
        words = {"http": "streamableHttp"}
        return ("node", str(folder / "index.js"), words.get(kind, kind))
    python = home / "venvs" / old.name / "bin" / "python"
    if not python.exists():
        pytest.skip(f"{python} is not there")
    script = Path(__file__).with_name("old_server.py")
    return (str(python), str(script), kind, str(port))


@contextlib.contextmanager
def url(old: Old, kind: str) -> Iterator[str]:
    """Its URL while it runs."""
    port = real.free_port()
    target = Target(command=command(old, kind, port), name=f"{old.name} {kind}")
    with real.running(target, port) as origin:
        yield origin + ("/sse" if kind == "sse" else "/mcp")
