"""The k-th call fails, and every promise holds: a documented exit code, words and no traceback, no
half a file, no temporary file, no process, no hang, the terminal as before, no secret anywhere.

A sample by default, drawn from a seed that stands in the message of a failure and that
`TORTURE_SEED` sets; `TORTURE=all` (`make torture`) fails every call with every error it can have,
and once more for good.
"""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.auth_rules import Registered
from tests.servers.auth_server import serving
from tests.torture.driver import Zygote, sample, zygote
from tests.torture.sessions import SECRET, SESSIONS

SEED = int(os.environ.get("TORTURE_SEED") or random.randrange(2**32))
ALL = os.environ.get("TORTURE") == "all"
CALLS = 8
"""Calls that fail in a sample, of a session without a terminal."""
AT_A_TERMINAL = 2
ERRORS = 4
"""No call has more different errors."""
pytestmark = pytest.mark.timeout(0 if ALL else 240)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zygote]:
    """A zygote, and the peers of its sessions."""
    peer = subprocess.Popen(
        (sys.executable, "-m", "tests.servers.rude_http"), stdout=subprocess.PIPE, text=True
    )
    assert peer.stdout is not None
    try:
        with serving() as server:
            server.rules.clients["mine"] = Registered("mine", SECRET, "client_secret_basic")
            urls = {"http": peer.stdout.readline().strip(), "auth": server.url}
            with zygote(tmp_path_factory.mktemp("torture"), urls) as running:
                yield running
    finally:
        peer.kill()
        peer.wait()


@pytest.mark.parametrize("name", SESSIONS)
def test_whichever_call_fails_every_promise_holds(runs: Zygote, name: str) -> None:
    whole = runs.run(name)
    assert whole["wrong"] == [], whole["err"]
    assert whole["code"] in (0, 1), whole["err"]
    calls, share = len(whole["calls"]), AT_A_TERMINAL if SESSIONS[name].steps else CALLS
    assert calls > 15, whole["calls"]
    broken = []
    for number, error in sample(calls, 0 if ALL else share, SEED):
        for more in range(ERRORS if ALL and not SESSIONS[name].steps else 1):
            told = runs.run(name, number, error + more)
            if told["wrong"]:
                broken.append((told["failed"], error + more, told["wrong"], told["err"][-1500:]))
    assert not broken, (f"TORTURE_SEED={SEED}", len(broken), broken[:3])


@pytest.mark.parametrize("name", [name for name in SESSIONS if not SESSIONS[name].steps])
def test_nor_does_it_matter_whether_it_fails_for_good(runs: Zygote, name: str) -> None:
    calls = len(runs.run(name)["calls"])
    broken = []
    for number, error in sample(calls, 0 if ALL else CALLS // 4, SEED + 1):
        told = runs.run(name, number, error, forever=True)
        if told["wrong"]:
            broken.append((told["failed"], error, told["wrong"], told["err"][-1500:]))
    assert not broken, (f"TORTURE_SEED={SEED}", len(broken), broken[:3])


def test_a_promise_that_is_broken_is_seen(tmp_path: Path) -> None:
    """The control: what the checks are for, they find."""
    from tests.torture.sessions import wrong_with

    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp" / "left").write_bytes(b"")
    (tmp_path / "new.jsonl").write_bytes(b'{"format":2,"program":"mcp-inspect"}\nhalf a li')
    (tmp_path / "state.json").write_bytes(b'{"half')
    (tmp_path / "out").write_text(SECRET)
    told = {
        "code": 70, "err": f"mcp-inspect crashed {SECRET}", "out": "", "failed": "",
        "survivors": ["sleep"], "terminal": ["terminal mode 1049 is left"], "calls": [],
    }  # fmt: skip
    found = "\n".join(wrong_with("call", tmp_path, told))
    for words in ("exit code 70", "crashed", "processes", "temporary", "damaged", "half written",
                  "the secret is in", "the secret is shown", "1049"):  # fmt: skip
        assert words in found, found
    told |= {"code": None, "err": ""}
    assert "it hung" in wrong_with("call", tmp_path, told)
