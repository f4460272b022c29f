"""From a target to a running interface: what is loaded before first paint, keymap, exit codes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.session.options import Options
from inspector.tui.app import InspectorApp
from inspector.tui.ending import Ending
from inspector.tui.start import UNBOUND, start

HEAVY = {
    "mcp",
    "mcp_types",
    "pydantic",
    "httpx",
    "httpx2",
    "jsonschema",
    "jsonschema_rs",
    "sqlite3",
    "tree_sitter",
    "PIL",
    "keyring",
}

FIRST_PAINT = """
import asyncio, json, sys
from inspector.config.targets import Target
from inspector.session.options import Options
from inspector.tui.app import InspectorApp

class Stops(InspectorApp):
    def _after_first_paint(self):
        sys.__stdout__.write(json.dumps(sorted(sys.modules)))
        self.exit(0)

def make(target):
    raise AssertionError("no workbench before first paint")

async def main():
    async with Stops(make, Target(("server",))).run_test(size=(80, 24)) as pilot:
        await pilot.pause()

asyncio.run(main())
"""


def test_nothing_heavy_is_loaded_before_first_paint(tmp_path: Path) -> None:
    script = tmp_path / "first_paint.py"
    script.write_text(FIRST_PAINT)
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout)}
    assert "textual" in loaded
    assert loaded & HEAVY == set()


def test_keymap_file_overrides_and_removes_keys(
    monkeypatch: pytest.MonkeyPatch, own_machine: Path
) -> None:
    from inspector.config.paths import keymap_file

    keymap_file().parent.mkdir(parents=True, exist_ok=True)
    keymap_file().write_text('[keys]\n"main.traffic" = "f9"\n"traffic.mark" = []\n"x.y" = "a"\n')
    seen: list[InspectorApp] = []

    def run(self: Ending) -> int:
        seen.append(self._app)
        return 0

    monkeypatch.setattr(Ending, "run", run)
    assert start(Target(("server",)), Options()) == 0
    assert seen[0]._keymap["main.traffic"] == "f9"
    assert seen[0]._keymap["traffic.mark"] == UNBOUND
    assert any("x.y" in problem for problem in seen[0]._problems)
