"""The body view: modes, folding, search, sizes, and painting only what is visible."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

from inspector.tui.app import InspectorApp
from inspector.tui.widgets.body import BodyView
from tests.tui.world import running, text_of, wait_for


class OneBody(Screen[None]):
    """Only a body."""

    def compose(self) -> ComposeResult:
        yield BodyView()


@asynccontextmanager
async def a_body(size: tuple[int, int]) -> AsyncIterator[tuple[InspectorApp, Pilot[int], BodyView]]:
    """An app that shows a body and nothing else."""
    async with running(size=size) as (app, pilot):
        await app.push_screen(OneBody())
        body = app.screen.query_one(BodyView)
        body.focus()
        await wait_for(pilot, lambda: body.has_focus)
        yield app, pilot, body


BODY = json.dumps({"n": 1.10, "list": [{"k": f"value {n}"} for n in range(100)]}).encode()


async def test_pretty_raw_and_hex_take_turns() -> None:
    async with a_body((90, 20)) as (_app, pilot, body):
        body.set_bytes(b'{"a":1.10,"a":1E5}')
        await pilot.pause()
        assert '  "a": 1.10,' in text_of(body)
        await pilot.press("v")
        assert '{"a":1.10,"a":1E5}' in text_of(body)
        await pilot.press("v")
        assert "00000000  7b 22 61" in text_of(body)


async def test_what_is_no_json_is_shown_as_it_stands() -> None:
    async with a_body((90, 20)) as (_app, pilot, body):
        body.set_bytes(b"Traceback \x1b[31m \xff")
        await pilot.pause()
        assert "Traceback ␛[31m" in text_of(body)


async def test_folding_and_searching_by_key() -> None:
    async with a_body((90, 20)) as (app, pilot, body):
        body.set_bytes(BODY)
        await pilot.press("j", "j", "space")
        assert body.count_lines() == 4
        await pilot.press("slash")
        await wait_for(pilot, lambda: bool(app.screen.query(Input)))
        await pilot.press(*"value 77", "enter")
        await wait_for(pilot, lambda: "value 77" in body.document.plain(body.cursor))
        assert "value 77" in text_of(body)
        await pilot.press("n")
        assert "value 77" in body.document.plain(body.cursor)


async def test_copying_gives_the_bytes_and_the_line() -> None:
    async with a_body((90, 20)) as (app, pilot, body):
        body.set_bytes(b'{"a":1.10}')
        await pilot.press("y")
        assert app.clipboard == '{"a":1.10}'
        await pilot.press("j", "Y")
        assert app.clipboard == '"a": 1.10'


async def test_five_megabytes_draw_no_more_lines_than_there_are_rows() -> None:
    big = b"[" + b",".join(b'{"id":%d,"text":"some words here"}' % n for n in range(140_000)) + b"]"
    assert len(big) > 5_000_000
    async with a_body((90, 20)) as (_app, pilot, body):
        body.set_bytes(big)
        await wait_for(pilot, lambda: body.count_lines() > 500_000)
        await pilot.pause()
        before = body.lines_drawn
        await pilot.press("G")
        await pilot.pause()
        assert body.lines_drawn - before <= 20
        assert text_of(body).rstrip(" ┃│\n").endswith("]")


async def test_one_enormous_string_is_cut_to_the_window_and_scrolls_sideways() -> None:
    async with a_body((60, 10)) as (_app, pilot, body):
        body.set_bytes(b'{"s":"' + b"abcdefgh" * 100_000 + b'"}')
        await pilot.pause()
        first = text_of(body)
        await pilot.press("right")
        await pilot.pause()
        assert text_of(body) != first
        assert max(len(line) for line in text_of(body).split("\n")) <= 60


async def test_nothing_at_all_says_so() -> None:
    async with a_body((60, 10)) as (_app, pilot, body):
        body.set_bytes(b"")
        body.set_empty("No content")
        await pilot.press("j", "space", "z", "n", "v", "G")
        assert "No content" in text_of(body)
