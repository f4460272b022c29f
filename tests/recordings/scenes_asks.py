"""Scenes of what a server asks back."""

from typing import Final

from tests.recordings.play import Play, Scene
from tests.recordings.stage import DEMO, MODERN


async def _ask_form(play: Play) -> None:
    await play.ready()
    await play.asked("ask_form", "A few questions")


async def _ask_url(play: Play) -> None:
    await play.ready()
    await play.asked("ask_url", "example.com")


async def _ask_model(play: Play) -> None:
    await play.ready()
    await play.asked("ask_model", "one short sentence")


async def _ask_roots(play: Play) -> None:
    await play.ready()
    await play.asked("show_roots", "file:///srv/project")


async def _asks(play: Play) -> None:
    await _ask_form(play)
    await play.keys("escape")
    await play.keys("alt+5")
    await play.sees("waiting 12")


async def _ask_modern(play: Play) -> None:
    await play.ready()
    await play.asked("ask_model", "What is the answer?")


ASKS: Final = (
    Scene("asks", DEMO, _asks),
    Scene("ask-form", DEMO, _ask_form),
    Scene("ask-url", DEMO, _ask_url),
    Scene("ask-model", DEMO, _ask_model),
    Scene("ask-roots", DEMO, _ask_roots),
    Scene("ask-modern", MODERN, _ask_modern),
)
