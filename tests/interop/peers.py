"""The table of real servers: what each is made of, which revisions it speaks over which transport.

`make interop` installs them (`tests.interop.install`) and names their folder in
`MCP_INSPECT_INTEROP`: `venvs/NAME` are virtual environments, `NAME/node_modules` npm folders.
Those that the tests have anyway (the SDK and fastmcp of our own environment, npm's newest
server-everything) need no folder. What is not there is skipped with its reason.
"""

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import pytest

from inspector.config.targets import Target
from tests.servers import real

Kind = Literal["stdio", "sse", "http"]
_NAMED = os.environ.get("MCP_INSPECT_INTEROP", "")  # tests do not see the variable
NOT_HERE: Final = "this server is not here: `make interop` installs it and runs this"
HANDSHAKE: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN: Final = "2026-07-28"
NPM: Final = "@modelcontextprotocol"
OLD_PYDANTIC: Final = "pydantic==2.11.10"
"""Up to mcp 1.12 at least, newer ones break the import."""
CALL: Final = {True: ("echo", "message=interop"), False: ("add", "a=2", "b=3")}
"""A call for each kind of server: server-everything, and our own script."""


@dataclass(frozen=True, slots=True)
class Peer:
    """One server. `newest` is what it answers to an offer that it does not know; `once` are the
    transports over which it does not survive the end of its first session, `silent` those over
    which it never answers what it does not know; one that `lacks_templates` declares resources and
    refuses that list of them. `needs` is what is installed for it: requirements of pip, or exact
    npm packages."""

    name: str
    newest: str
    kinds: tuple[Kind, ...]
    needs: dict[str, str] | tuple[str, ...] = ()
    speaks: tuple[str, ...] = HANDSHAKE
    modern: bool = False
    once: tuple[Kind, ...] = ()
    silent: tuple[Kind, ...] = ()
    lacks_templates: bool = False

    @property
    def is_everything(self) -> bool:
        """Whether it is npm's server-everything; the others are our own script on an SDK."""
        return self.name.startswith("ev-")

    def answer_to(self, offered: str) -> str:
        """The revision of the handshake era that it answers `initialize` with."""
        return offered if offered in self.speaks and offered <= self.newest else self.newest

    def accepts(self, protocol: str, kind: Kind) -> bool:
        """Whether it can be met with `--protocol` so. HTTP+SSE has no modern era."""
        if protocol in (MODERN, "modern"):
            return self.modern and kind != "sse"
        return protocol in ("auto", "handshake") or self.answer_to(protocol) == protocol

    def revision(self, protocol: str, kind: Kind) -> str:
        """What `--protocol` so leads to; of a protocol that it accepts."""
        if protocol in (MODERN, "modern") or (protocol == "auto" and self.accepts("modern", kind)):
            return MODERN
        return self.answer_to(protocol) if protocol in HANDSHAKE else self.newest


def _everything(version: str, sdk: str) -> dict[str, str]:
    return {f"{NPM}/server-everything": version, f"{NPM}/sdk": sdk}


ALL: Final[tuple[Kind, ...]] = ("stdio", "sse", "http")
PEERS: Final = (
    Peer(
        "mcp-1.2.0",
        "2024-11-05",
        ("stdio", "sse"),
        ("mcp==1.2.0", OLD_PYDANTIC),
        silent=("stdio",),
        lacks_templates=True,
    ),
    Peer(
        "mcp-1.6.0", "2024-11-05", ("stdio", "sse"), ("mcp==1.6.0", OLD_PYDANTIC), silent=("stdio",)
    ),
    # The SDK's own client ends these two as well: its DELETE breaks the server's task group.
    Peer(
        "mcp-1.8.1",
        "2024-11-05",
        ALL,
        ("mcp==1.8.1", OLD_PYDANTIC),
        once=("http",),
        silent=("stdio",),
    ),
    Peer("mcp-1.9.4", "2025-03-26", ALL, ("mcp==1.9.4", OLD_PYDANTIC), once=("http",)),
    Peer("mcp-1.12.4", "2025-06-18", ALL, ("mcp==1.12.4", OLD_PYDANTIC)),
    Peer("mcp-1.25.0", "2025-11-25", ALL, ("mcp==1.25.0",)),
    Peer("mcp-1.30.0", "2025-11-25", ALL, ("mcp==1.30.0",)),
    Peer("mcp", "2025-11-25", ALL, modern=True),
    Peer("fastmcp", "2025-11-25", ALL, modern=True),
    # process.exit(0) stands in its onclose.
    Peer(
        "ev-0.6",
        "2024-11-05",
        ("stdio", "sse"),
        {f"{NPM}/server-everything": "0.6.2"},
        once=("sse",),
    ),
    Peer("ev-2025.5", "2025-03-26", ALL, _everything("2025.5.12", "1.11.4"), once=("sse",)),
    Peer("ev-2025.8", "2025-06-18", ALL, _everything("2025.8.18", "1.17.5")),
    Peer("ev-2026.8", "2025-11-25", ALL),
    Peer(
        "ts-2.4",
        "2025-11-25",
        ("stdio", "http"),
        {f"{NPM}/server": "2.4.0", f"{NPM}/node": "2.1.2"},
        modern=True,
    ),
)


def named(name: str) -> Peer:
    """The peer of that name."""
    return next(peer for peer in PEERS if peer.name == name)


def python_of(folder: Path, peer: Peer) -> Path:
    """The interpreter of its virtual environment."""
    return folder / "venvs" / peer.name / "bin" / "python"


def modules_of(folder: Path, peer: Peer) -> Path:
    """Where its npm packages are."""
    return folder / peer.name / "node_modules"


def command(peer: Peer, kind: Kind, port: int = 0) -> tuple[str, ...]:
    """How it is started; skips the test where it is not installed."""
    if not peer.needs:
        words = "streamableHttp" if kind == "http" else kind
        return (
            real.everything(words)
            if peer.is_everything
            else real.python_server(peer.name, kind, port)
        ).command
    if not _NAMED:
        pytest.skip(NOT_HERE)
    folder = Path(_NAMED)
    if isinstance(peer.needs, tuple):
        python = python_of(folder, peer)
        _require(python)
        return (str(python), str(real.PYTHON_SERVER), "mcp1", kind, str(port))
    modules = modules_of(folder, peer)
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    _require(modules)
    if not peer.is_everything:
        script = Path(__file__).with_name("node_server.cjs")
        return ("node", str(script), str(modules), kind)
    scripts = modules / NPM / "server-everything" / "dist"
    if peer.name == "ev-0.6":
        return ("node", str(scripts / ("sse.js" if kind == "sse" else "index.js")))
    return ("node", str(scripts / "index.js"), "streamableHttp" if kind == "http" else kind)


def _require(path: Path) -> None:
    if not path.exists():
        pytest.skip(f"{path} is not there; `make interop` says why")


@contextlib.contextmanager
def url(peer: Peer, kind: Kind) -> Iterator[str]:
    """Its URL while it runs. That of HTTP+SSE is not named as such: it has to be found out."""
    port = real.free_port()
    target = Target(command=command(peer, kind, port), name=f"{peer.name} {kind}")
    with real.running(target, port) as origin:
        yield origin + ("/sse" if kind == "sse" else "/mcp")
