"""Starting servers that other people wrote: the official Python SDK, fastmcp, and npm's
server-everything. Each has a target for stdio, and a process with a URL for HTTP.

What cannot be found is skipped with its reason. The npm packages are looked for in the directory
that `MCP_INSPECT_NODE_SERVERS` names (a `node_modules`; `make test` sets it), else where
`npm root` says.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from inspector.config.targets import Target
from tests.servers.nursery import born

PYTHON_SERVERS = ("mcp", "fastmcp")
PYTHON_SERVER = Path(__file__).with_name("python_server.py")
START_SECONDS = 60.0


def rude_stdio(mode: str = "honest", number: int | None = None) -> Target:
    """The rude stdio server in one mode."""
    script = Path(__file__).with_name("rude_stdio.py")
    extra = () if number is None else (str(number),)
    return Target(command=(sys.executable, "-S", str(script), mode, *extra), name=f"rude {mode}")


def python_server(package: str, transport: str = "stdio", port: int = 0) -> Target:
    """A server made with `package` ("mcp" or "fastmcp"), as a command."""
    if find_spec(package) is None:
        pytest.skip(f"the package {package} is not installed")
    command = born("servers", str(PYTHON_SERVER), package, transport, str(port))
    return Target(command=command, name=f"{package} {transport}")


def modern_server(transport: str = "stdio", port: int = 0) -> Target:
    """A server of the modern era on the official SDK, as a command."""
    if find_spec("mcp_types") is None:
        pytest.skip("the package mcp is not installed, or too old for the modern era")
    script = Path(__file__).with_name("modern_server.py")
    command = born("servers", str(script), transport, str(port))
    return Target(command=command, name=f"modern {transport}")


def asking_server(package: str, transport: str = "stdio", port: int = 0) -> Target:
    """A server made with `package` ("mcp" or "fastmcp") that asks the user, as a command."""
    if find_spec(package) is None:
        pytest.skip(f"the package {package} is not installed")
    script = Path(__file__).with_name("asking_server.py")
    command = born("servers", str(script), package, transport, str(port))
    return Target(command=command, name=f"asking {package} {transport}")


def demo(*words: str) -> Target:
    """The demo server, which speaks both eras; over stdio without further words."""
    return Target(command=born("servers", "-m", "inspector.demo", *words), name="demo")


def node_package(name: str) -> Path:
    """The directory of an npm package; skips the test where node or the package is missing."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    named = os.environ.get("MCP_INSPECT_NODE_SERVERS")
    if named:
        roots = [Path(named)]
    elif shutil.which("npm") is not None:
        done = subprocess.run(
            ["npm", "root"], capture_output=True, text=True, check=False, timeout=30
        )
        roots = [Path(done.stdout.strip())]
    else:
        roots = []
    for root in roots:
        if (root / name).is_dir():
            return root / name
    pytest.skip(f"npm package {name} not found; name a node_modules in MCP_INSPECT_NODE_SERVERS")


def everything(transport: str = "stdio") -> Target:
    """npm's server-everything, as a command."""
    script = node_package("@modelcontextprotocol/server-everything") / "dist" / "index.js"
    return Target(command=("node", str(script), transport), name=f"everything {transport}")


def free_port() -> int:
    """A port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def running(target: Target, port: int) -> Iterator[str]:
    """Runs a command that listens on `port` of the loopback interface; yields its origin."""
    env = {**os.environ, **target.env, "PORT": str(port)}
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            target.command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=env,
            start_new_session=True,
        )
        try:
            _wait_until_it_listens(process, port, target.label)
            yield f"http://127.0.0.1:{port}"
        finally:
            _end(process)


def _wait_until_it_listens(process: "subprocess.Popen[bytes]", port: int, label: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise AssertionError(f"{label} exited with {process.returncode}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    raise AssertionError(f"{label} does not listen on port {port}")


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Bounded: some servers hang on SIGTERM while a stream is open."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(2)
            return


@contextlib.contextmanager
def python_url(package: str, transport: str) -> Iterator[str]:
    """The URL of a running server made with `package`; transport "http" or "sse"."""
    port = free_port()
    with running(python_server(package, transport, port), port) as origin:
        yield origin + ("/mcp" if transport == "http" else "/sse")


@contextlib.contextmanager
def everything_url(transport: str) -> Iterator[str]:
    """The URL of a running server-everything; transport "http" or "sse"."""
    target = everything({"http": "streamableHttp", "sse": "sse"}[transport])
    port = free_port()
    with running(target, port) as origin:
        yield origin + ("/mcp" if transport == "http" else "/sse")
