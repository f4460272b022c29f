"""One block as a widget: drawn by its form, saved, copied, toggled."""

import base64
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from PIL import Image
from rich.theme import Theme
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Static

from inspector.protocol.messages import JsonObject
from inspector.render.content import Block, content_block
from inspector.tui.themes import INKS
from inspector.tui.widgets.body import BodyView
from inspector.tui.widgets.result_block import LAID_OUT, BlockView, suspicious_uri
from tests.tui.test_tools import ItemServer, call, tools_on
from tests.tui.world import text_of, wait_for


class BlockApp(App[int]):
    """Nothing but a block."""

    def __init__(self, block: Block) -> None:
        super().__init__()
        self.console.push_theme(Theme(dict.fromkeys(INKS, "")))
        self._block = block

    def compose(self) -> ComposeResult:
        """The block."""
        yield BlockView(self._block, stem="call-1", room=10)


@asynccontextmanager
async def shown(item: JsonObject) -> AsyncIterator[tuple[Pilot[int], BlockView]]:
    """A content block on screen."""
    app = BlockApp(content_block(item))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        yield pilot, app.query_one(BlockView)


def list_of(directory: Path) -> list[Path]:
    """The files in a directory."""
    return list(directory.iterdir())


async def test_short_text_is_laid_out_and_long_text_is_drawn_by_line() -> None:
    async with shown({"type": "text", "text": "short"}) as (_, block):
        assert not block.query(BodyView)
    async with shown({"type": "text", "text": "line\n" * LAID_OUT}) as (_, block):
        body = block.query_one(BodyView)
        assert body.count_lines() == LAID_OUT
        assert body.size.height == 10
    async with shown({"type": "text", "text": "x" * 1_000_000}) as (_, block):
        assert block.query_one(BodyView).lines_drawn <= 40


async def test_markdown_and_plain_change_places() -> None:
    async with shown({"type": "text", "text": "# T\n\n- *a*"}) as (pilot, block):
        block.focus()
        await pilot.press("m")
        assert "# T" in str(block.query(Static).last().render())


async def test_a_picture_is_drawn_and_a_broken_one_explained() -> None:
    file = io.BytesIO()
    Image.new("RGB", (20, 10), "red").save(file, "PNG")
    whole = base64.b64encode(file.getvalue()).decode()
    picture: JsonObject = {"type": "image", "mimeType": "image/png", "data": whole}
    async with shown(picture) as (pilot, block):
        await wait_for(pilot, lambda: bool(block.query(".picture")))
        drawn = block.query_one(".picture")
        await wait_for(pilot, lambda: drawn.size.width == 20)
        assert drawn.size.height == 5
    torn = base64.b64encode(file.getvalue()[:45]).decode()
    async with shown({"type": "image", "mimeType": "image/png", "data": torn}) as (pilot, block):
        await wait_for(pilot, lambda: "!" in "".join(map(text_of, block.query(Static))))


async def test_a_picture_that_is_read_before_there_is_room_waits_for_it() -> None:
    file = io.BytesIO()
    Image.new("RGB", (20, 10), "red").save(file, "PNG")
    whole = base64.b64encode(file.getvalue()).decode()
    picture: JsonObject = {"type": "image", "mimeType": "image/png", "data": whole}
    async with shown(picture) as (pilot, first):
        block = BlockView(first.block, stem="x")
        block.display = False
        await pilot.app.mount(block)
        await wait_for(pilot, lambda: bool(first.query(".picture")))
        block.display = True
        await wait_for(pilot, lambda: bool(block.query(".picture")))
        await wait_for(pilot, lambda: block.query_one(".picture").size.width == 20)


async def test_content_is_saved_under_our_name(tmp_path: Path) -> None:
    async with tools_on(ItemServer()) as (_, pilot, view):
        await call(pilot, view, "fails")
        await wait_for(pilot, lambda: bool(view.result.query(BlockView)))
        block = view.result.query_one(BlockView)
        block._save(str(tmp_path))
        await wait_for(pilot, lambda: bool(list_of(tmp_path)))
        (file,) = list_of(tmp_path)
        assert file.name.startswith("call-")
        assert file.read_text() == "hello"


async def test_content_is_copied_as_it_is() -> None:
    async with tools_on(ItemServer()) as (app, pilot, view):
        await call(pilot, view, "fails")
        await wait_for(pilot, lambda: bool(view.result.query(BlockView)))
        block = view.result.query_one(BlockView)
        block.focus()
        await wait_for(pilot, lambda: block.has_focus)
        copied: list[str] = []
        with patch.object(app, "copy", copied.append):
            await pilot.press("y")
        assert copied == ["hello"]


@pytest.mark.parametrize("uri", ["demo://a/b?c=d&e=f#g", "file:///home/x%20y"])
def test_plain_addresses_are_not_suspicious(uri: str) -> None:
    assert suspicious_uri(uri) == ""


def test_deceiving_addresses_are() -> None:
    assert suspicious_uri("https://ex\u0430mple.com")
    assert suspicious_uri("demo://\u202eabc")
