"""From a target to a running interface: what is loaded before first paint, keymap, exit codes."""

import json
import os
import sys
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.session.options import Options
from inspector.tui.app import InspectorApp
from inspector.tui.ending import Ending
from inspector.tui.start import UNBOUND, start
from tests.cli.terminal import terminal

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
    "msgspec",
}
LATER = {
    "inspector.forms.tree",
    "inspector.journal.journal",
    "inspector.render.jsonlines",
    "inspector.transport.base",
    "inspector.tui.palette",
    "inspector.tui.screens.help",
    "inspector.tui.widgets.traffic_pane",
    "inspector.workbench",
}
"""Rooms of ours that nobody sees before there is a workbench."""

PROGRAM = """
import json, sys
from inspector.__main__ import main

def painted(self):
    with open(report, "w") as file:
        json.dump(sorted(sys.modules), file)
    self.exit(0)

class Trap:
    def find_spec(self, name, path=None, target=None):
        if name == "inspector.tui.start":
            from inspector.tui.app import InspectorApp
            InspectorApp._after_first_paint = painted
        return None

report = sys.argv[1]
sys.argv[1:] = ["--no-record", "--", "no-such-server"]
sys.meta_path.insert(0, Trap())
main()
"""


@pytest.fixture(scope="module")
def at_first_paint(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The modules that are loaded when the command, as typed, has painted its first frame."""
    home = tmp_path_factory.mktemp("first-paint")
    report, program = home / "modules.json", home / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, str(program), str(report)]
    with terminal(command, {**os.environ, "MCP_INSPECT_HOME": str(home)}) as user:
        assert user.end() == 0, user.text
    return set(json.loads(report.read_text()))


def test_nothing_heavy_is_loaded_before_first_paint(at_first_paint: set[str]) -> None:
    assert {"textual", "inspector.tui.screens.main"} <= at_first_paint
    assert {name.partition(".")[0] for name in at_first_paint} & HEAVY == set()


def test_the_first_paint_waits_for_nothing_that_it_does_not_show(at_first_paint: set[str]) -> None:
    assert at_first_paint & LATER == set()


def test_what_opening_writes_does_not_delay_the_first_paint(
    monkeypatch: pytest.MonkeyPatch, own_machine: Path
) -> None:
    target, opened, apps = Target(("server",)), list[Target](), list[InspectorApp]()

    def run(self: Ending, _: object = None) -> int:
        apps.append(self._app)
        return 0

    monkeypatch.setattr(Ending, "run", run)
    assert start(target, Options(), opening=opened.append) == 0
    assert opened == []
    apps[0]._make(target)
    assert opened == [target]


def test_keymap_file_overrides_and_removes_keys(
    monkeypatch: pytest.MonkeyPatch, own_machine: Path
) -> None:
    from inspector.config.paths import keymap_file

    keymap_file().parent.mkdir(parents=True, exist_ok=True)
    keymap_file().write_text('[keys]\n"main.traffic" = "f9"\n"traffic.mark" = []\n"x.y" = "a"\n')
    seen: list[InspectorApp] = []

    def run(self: Ending, _: object = None) -> int:
        seen.append(self._app)
        return 0

    monkeypatch.setattr(Ending, "run", run)
    assert start(Target(("server",)), Options()) == 0
    assert seen[0]._keymap["main.traffic"] == "f9"
    assert seen[0]._keymap["traffic.mark"] == UNBOUND
    assert any("x.y" in problem for problem in seen[0].problems)
