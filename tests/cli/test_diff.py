"""`mcp-inspect diff` over recordings of real processes: exit codes, JSON, what is refused."""

import json
from pathlib import Path

import pytest

from tests.cli.running import Runner
from tests.servers.nursery import born

FOLDER = Path(__file__).parent.parent / "recordings"
SHOP = """
import sys
from fastmcp import FastMCP

new = sys.argv[1] == "new"
mcp = FastMCP("shop", version="1")

@mcp.tool
def add(a: int, b: int) -> int:
    "Adds."
    return a + b + new

if new:
    @mcp.tool
    def more(a: int) -> int:
        "One more."
        return a

mcp.run(show_banner=False)
"""


@pytest.fixture
def recorded(run: Runner, tmp_path: Path) -> tuple[str, str]:
    """The same call to an old and to a new server."""
    server = tmp_path / "shop.py"
    server.write_text(SHOP)
    paths = []
    for version in ("old", "new"):
        path = tmp_path / f"{version}.jsonl"
        target = ("--", *born("servers", str(server), version))
        assert run("call", "add", "a:=1", "b:=2", "--record", str(path), *target).code == 0
        paths.append(str(path))
    return paths[0], paths[1]


@pytest.mark.peer
def test_a_server_that_changed_is_seen_to_have_changed(
    run: Runner, recorded: tuple[str, str]
) -> None:
    done = run("diff", *recorded)
    assert done.code == 0
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert lines[0].startswith("--- ")
    assert "shop 1 · 2025-11-25" in lines[1]
    assert "+ more  compatible" in lines
    assert "calls: 1 matched, 1 came to something else" in lines
    assert '/result/content/0/text  "3" → "4"' in lines
    assert run("diff", *recorded, "--exit-code").code == 1
    assert run("diff", recorded[0], recorded[0], "--exit-code").code == 0
    assert run("diff", recorded[0], recorded[0]).stdout.endswith("no differences\n")


@pytest.mark.peer
def test_json_has_every_difference(run: Runner, recorded: tuple[str, str]) -> None:
    facts = json.loads(run("diff", "--json", *recorded).stdout)
    assert facts["same"] is False
    assert [(one["name"], one["change"]) for one in facts["offers"]] == [("more", "added")]
    (call,) = facts["calls"]["changed"]
    assert (call["name"], call["a"]["state"], call["b"]["state"]) == ("add", "result", "result")
    assert {"pointer": "/result/content/0/text", "a": "3", "b": "4"} in call["differences"]
    assert facts["findings"] == []


@pytest.mark.peer
def test_calls_are_chosen_by_a_filter_and_places_are_ignored(
    run: Runner, recorded: tuple[str, str]
) -> None:
    other = json.loads(run("diff", "--json", "--filter", "name:other", *recorded).stdout)
    assert other["calls"]["matched"] == 0
    ignored = ("--ignore", "/result/content/*", "--ignore", "/result/structuredContent/*")
    assert json.loads(run("diff", "--json", *ignored, *recorded).stdout)["calls"]["changed"] == []


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("only-one",), 2, "Missing argument"),
        (("no-such-file", "no-such-file"), 3, "no-such-file"),
        (("a", "b", "--ignore", "result.content"), 2, "'result.content' begins with no /"),
        ((str(FOLDER / "demo.jsonl"), __file__), 3, "no recording of mcp-inspect"),
        (("-", "-"), 2, "only one recording"),
        (("--filter", "is:nonsense", *[str(FOLDER / "demo.jsonl")] * 2), 2, "nonsense"),
    ],
)
def test_what_cannot_be_compared_is_said(
    run: Runner, words: tuple[str, ...], code: int, said: str
) -> None:
    done = run("diff", *words)
    assert done.code == code
    assert said in done.stderr
    assert done.stdout == ""


def test_a_torn_recording_is_compared_as_far_as_it_goes(run: Runner, tmp_path: Path) -> None:
    whole = FOLDER / "demo.jsonl"
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(whole.read_bytes()[:-100])
    done = run("diff", str(whole), str(torn))
    assert done.code == 0
    assert "bytes of" in done.stderr
