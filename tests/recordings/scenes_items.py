"""Scenes of the server itself, tools, resources and prompts, and of the layers above them."""

from typing import Final

from inspector.era_matrix import EraMatrix, Wanted, same_for_all
from inspector.session.asks import INTERACTIVE
from inspector.tui.screens.matrix import MatrixScreen
from tests.recordings.era_runs import runs
from tests.recordings.play import Play, Scene
from tests.recordings.stage import DEMO, MODERN, settled


async def _server(play: Play) -> None:
    await play.ready()
    await play.keys("1", "p")
    await play.sees("ping result")
    await settled(play.pilot, play.app)
    await play.keys("G", "g")


async def _server_modern(play: Play) -> None:
    await play.ready()
    await play.keys("1")
    await settled(play.pilot, play.app)
    await play.keys("G", "g")


async def _tools(play: Play) -> None:
    await play.ready()
    await play.choose("tools", "greet")


async def call_a_tool(play: Play) -> None:
    await play.ready()
    await play.choose("tools", "add")
    await play.keys("enter")
    await play.text("2")
    await play.keys("tab")
    await play.text("3")
    await play.keys("ctrl+r")
    await play.sees('"sum"')


async def _structured(play: Play) -> None:
    await play.ready()
    await play.choose("tools", "forecast")
    await play.keys("enter")
    await play.text("Bern")
    await play.keys("ctrl+r")
    await play.sees('"city"')


async def _tool_error(play: Play) -> None:
    await play.ready()
    await play.choose("tools", "fail")
    await play.keys("ctrl+r")
    await play.sees("isError")


async def _era_matrix(play: Play) -> None:
    await play.ready()
    await play.choose("tools", "greet")
    await play.keys("f12", "p")
    screen, bench = play.app.screen, play.app.bridge.workbench
    assert isinstance(screen, MatrixScreen)
    wanted = Wanted("tools/call", "greet")
    matrix = EraMatrix(bench, wanted, policies=same_for_all(INTERACTIVE, "accept-defaults"))
    matrix.runs = runs()
    screen.show(matrix)
    await play.keys("down", "down")
    await play.sees("Greet the whole office?")


async def _picture(play: Play) -> None:
    await play.ready()
    await play.choose("resources", "demo://logo.png", "logo")
    await play.keys("ctrl+r")
    await play.sees("▀")


async def _resource(play: Play) -> None:
    await play.ready()
    await play.choose("resources", "demo://readme", "The readme")
    await play.keys("ctrl+r")
    await play.sees("The demo server")


async def _prompt(play: Play) -> None:
    await play.ready()
    await play.choose("prompts", "trip")
    await play.keys("enter")
    await play.paste("Japan")
    await play.keys("escape", "tab")
    await play.paste("Kyoto")
    await play.keys("escape")
    await play.keys("ctrl+r")
    await play.sees("museums")


async def _tasks(play: Play) -> None:
    await play.ready()
    await play.keys("6")
    await play.sees("does not declare tasks")


async def _logs(play: Play) -> None:
    await play.ready()
    await play.choose("tools", "log")
    await play.keys("ctrl+r")
    await play.sees("sent 8")
    await play.keys("alt+8")
    await play.sees("emergency")


async def _help(play: Play) -> None:
    await _tools(play)
    await play.keys("f1")
    await play.sees("Esc closes")


async def _palette(play: Play) -> None:
    await _tools(play)
    await play.keys("ctrl+p")
    await settled(play.pilot, play.app)
    await play.text("tra")
    await play.sees("Traffic")


async def _jump(play: Play) -> None:
    await _tools(play)
    await play.keys("ctrl+o")


ITEMS: Final = (
    Scene("server", DEMO, _server),
    Scene("server-modern", MODERN, _server_modern),
    Scene("tools", DEMO, _tools),
    Scene("tools-result", DEMO, call_a_tool),
    Scene("tools-structured", DEMO, _structured),
    Scene("tools-error", DEMO, _tool_error),
    Scene("era-matrix", DEMO, _era_matrix),
    Scene("resources", DEMO, _picture),
    Scene("resources-markdown", DEMO, _resource),
    Scene("prompts", DEMO, _prompt),
    Scene("tasks", DEMO, _tasks),
    Scene("logs", DEMO, _logs),
    Scene("help", DEMO, _help),
    Scene("palette", DEMO, _palette),
    Scene("jump", DEMO, _jump),
)
