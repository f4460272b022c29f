"""The same commands against servers on the network: the demo over both transports, and fastmcp."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.running import DEMO, Runner
from tests.servers.nursery import born

FASTMCP = """
import sys
from fastmcp import FastMCP
server = FastMCP("fast")
@server.tool
def double(n: int) -> int:
    "Twice n."
    return 2 * n
server.run("http", host="127.0.0.1", port=int(sys.argv[1]), show_banner=False)
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serving(*command: str, port: int) -> Iterator[None]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert process.poll() is None, "the server ended"
                assert time.monotonic() < deadline, "the server does not listen"
                time.sleep(0.05)
        yield
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def http_url() -> Iterator[str]:
    port = free_port()
    with serving(*DEMO[1:], "--http", str(port), port=port):
        yield f"http://127.0.0.1:{port}/mcp"


@pytest.fixture(scope="module")
def sse_url() -> Iterator[str]:
    port = free_port()
    with serving(*DEMO[1:], "--sse", str(port), port=port):
        yield f"http://127.0.0.1:{port}/sse"


def test_streamable_http(run: Runner, http_url: str) -> None:
    done = run("call", "add", "a:=2", "b:=3", "--json", http_url)
    assert done.code == 0, done.stderr
    assert done.json["structuredContent"] == {"sum": 5.0}
    assert run("info", "--json", http_url).json["transport"] == "http"


def test_the_demo_asks_back_over_http(run: Runner, http_url: str) -> None:
    done = run("call", "ask_form", "--on-elicitation", 'answer={"name":"Ada"}', http_url)
    assert "{'name': 'Ada'}" in done.stdout
    assert "file:///x" in run("call", "show_roots", "--root", "file:///x", http_url).stdout


def test_progress_and_lists_over_http(run: Runner, http_url: str) -> None:
    assert "3 steps done" in run("call", "slow", "steps=3", "seconds=0", http_url).stdout
    done = run("list", "all", "--json", http_url)
    assert done.code == 0
    assert len(done.stdout) > 1000


def test_http_with_sse(run: Runner, sse_url: str) -> None:
    done = run("call", "add", "a:=2", "b:=3", "--json", "--transport", "sse", sse_url)
    assert done.code == 0, done.stderr
    assert done.json["structuredContent"] == {"sum": 5.0}
    assert run("info", "--json", sse_url).json["transport"] == "sse"


def test_a_url_as_the_resource_and_a_url_as_the_target(run: Runner, http_url: str) -> None:
    done = run("read", "https://example.com/nothing", "--json", http_url)
    assert done.code == 1
    assert "error" in done.json


def test_fastmcp(run: Runner, tmp_path: Path) -> None:
    pytest.importorskip("fastmcp")
    script = tmp_path / "server.py"
    script.write_text(FASTMCP)
    port = free_port()
    with serving(*born("servers", str(script), str(port)), port=port):
        done = run("call", "double", "n=21", "--json", f"http://127.0.0.1:{port}/mcp")
    assert done.code == 0, done.stderr
    assert done.json["structuredContent"] == {"result": 42}


def test_the_wrong_path_is_explained(run: Runner, http_url: str) -> None:
    done = run("info", "--json", http_url.replace("/mcp", "/wrong"))
    assert done.code in (3, 4)
    assert json.loads(done.stderr.splitlines()[-1])["error"]["message"]


def test_a_secret_header_appears_in_no_output(run: Runner, http_url: str, tmp_path: Path) -> None:
    record = tmp_path / "kept.jsonl"
    secret = "s3cr3t-value-of-the-header"
    done = run("info", "-v", "--record", str(record), "--bearer-env", "TK", http_url, TK=secret)
    assert done.code == 0
    everything = done.stdout + done.stderr + record.read_text()
    assert secret not in everything
    for folder, _, files in os.walk(run.home):
        for name in files:
            assert secret not in Path(folder, name).read_text(errors="replace")


def test_only_url_targets_load_the_http_client(run: Runner, http_url: str) -> None:
    code = (
        "import sys; sys.argv = ['x', 'info', sys.argv[1]]\n"
        "from inspector.__main__ import main\n"
        "try: main()\n"
        "except SystemExit as e: print(e.code, 'httpx' in sys.modules, 'textual' in sys.modules,"
        " 'pydantic' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, http_url],
        capture_output=True,
        env=run.environ,
        timeout=60,
        text=True,
        check=False,
    )
    assert done.stderr.split() == ["0", "True", "False", "False"]


def test_a_server_that_wants_no_token_loads_nothing_of_oauth(run: Runner, http_url: str) -> None:
    code = (
        "import sys; sys.argv = ['x', 'info', sys.argv[1]]\n"
        "from inspector.__main__ import main\n"
        "try: main()\n"
        "except SystemExit as e: print(e.code, *sorted(name for name in sys.modules"
        " if name.startswith('inspector.auth.')), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, http_url],
        capture_output=True,
        env=run.environ,
        timeout=60,
        text=True,
        check=False,
    )
    light = ("attempt", "authorities", "late", "policy", "secret")
    assert done.stderr.split() == ["0", *(f"inspector.auth.{name}" for name in light)]
