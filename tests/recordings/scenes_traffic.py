"""Scenes of the traffic pane."""

from typing import Final

from tests.recordings.play import Play, Scene
from tests.recordings.scenes_items import call_a_tool
from tests.recordings.stage import DEMO, EVERYTHING


async def _traffic(play: Play) -> None:
    await call_a_tool(play)
    await play.keys("ctrl+t", "ctrl+t")
    await play.sees("tools/call")


async def _traffic_detail(play: Play) -> None:
    await call_a_tool(play)
    await play.keys("ctrl+t", "ctrl+g", "enter")
    await play.sees("raw  hex")


async def _traffic_http(play: Play) -> None:
    await play.ready()
    await play.choose("tools", "get-structured-content")
    await play.keys("ctrl+t", "ctrl+t", "g", "j", "enter")
    await play.sees("raw  hex")
    await play.keys("v", "v", "v")
    await play.sees("content-type")


async def _traffic_filter(play: Play) -> None:
    await call_a_tool(play)
    await play.keys("ctrl+t", "ctrl+t", "slash")
    await play.text("method:tools/* dir:in")
    await play.sees("method:tools/*")


TRAFFIC: Final = (
    Scene("traffic", DEMO, _traffic),
    Scene("traffic-detail", DEMO, _traffic_detail),
    Scene("traffic-http", EVERYTHING, _traffic_http),
    Scene("traffic-filter", DEMO, _traffic_filter),
)
