"""What every test gets: a machine of its own. No test sees the developer's home, settings,
recordings, proxies or tokens, and none leaves anything behind there."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.servers import hostile_texts, nursery, real

# Neither is about the product: a busy machine takes its time.
_CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fast", parent=_CALM)
settings.register_profile("deep", parent=_CALM, max_examples=20_000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))

assert hostile_texts.NONCE  # drawn here once, and inherited by every worker
nursery.open_room()

_OURS = ("MCP_INSPECT_", "XDG_")
_KEPT = frozenset({"MCP_INSPECT_NODE_SERVERS"})
_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def own_machine(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """HOME, the XDG directories and MCP_INSPECT_HOME in a directory of this test alone."""
    home = tmp_path_factory.mktemp("home")
    for name in tuple(os.environ):
        if (name.startswith(_OURS) and name not in _KEPT) or name.lower() in _PROXIES:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("MCP_INSPECT_HOME", str(home / "mcp-inspect"))
    for name, folder in (
        ("XDG_CONFIG_HOME", ".config"),
        ("XDG_STATE_HOME", ".local/state"),
        ("XDG_DATA_HOME", ".local/share"),
        ("XDG_CACHE_HOME", ".cache"),
    ):
        monkeypatch.setenv(name, str(home / folder))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("BROWSER", raising=False)
    return home


@pytest.fixture(params=real.PYTHON_SERVERS)
def python_http_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """A real Python server over Streamable HTTP."""
    with real.python_url(request.param, "http") as url:
        yield url


@pytest.fixture(params=real.PYTHON_SERVERS)
def python_sse_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """A real Python server over HTTP+SSE."""
    with real.python_url(request.param, "sse") as url:
        yield url


@pytest.fixture
def everything_http_url() -> Iterator[str]:
    """npm's server-everything over Streamable HTTP."""
    with real.everything_url("http") as url:
        yield url


@pytest.fixture
def everything_sse_url() -> Iterator[str]:
    """npm's server-everything over HTTP+SSE."""
    with real.everything_url("sse") as url:
        yield url
