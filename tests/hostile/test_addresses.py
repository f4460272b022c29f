"""Addresses in what a server sends: nothing is opened or fetched unasked, and what is opened is
one argument of one program, after its host was shown as the network sees it."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

from inspector.errors import UsageError
from inspector.protocol.messages import Json, JsonObject
from inspector.transport.browser import check_page, open_page, opener
from inspector.tui.app import InspectorApp
from inspector.tui.screens.ask import AskScreen
from inspector.tui.views.registry import VIEWS
from inspector.tui.views.tools import ToolsView
from inspector.tui.widgets.result_block import BlockView
from tests.hostile.addresses import PAGES, REFUSED
from tests.tui.askers import dialog, page, tell
from tests.tui.test_tools import ItemServer
from tests.tui.world import main, running, text_of, wait_for

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5E"
    "rkJggg=="
)


@pytest.mark.parametrize("environ", [{"BROWSER": "/bin/true %s", "PATH": "/bin:/usr/bin"}])
def test_a_hundred_hostile_addresses_are_refused_before_any_program_is_looked_for(
    environ: dict[str, str],
) -> None:
    for url in REFUSED:
        for refuse in (check_page, lambda url: opener(url, environ)):
            with pytest.raises(UsageError) as caught:
                pytest.fail(f"{url!r} would be opened: {refuse(url)}")
            assert caught.value.fault == "server"
    assert len(set(REFUSED)) == len(REFUSED) > 100


def test_what_may_be_opened_is_told_with_the_host_that_browsers_look_up() -> None:
    assert {url: check_page(url).host for url in PAGES} == PAGES
    other_letters = [url for url, host in PAGES.items() if not url.isascii() and host not in url]
    warned = [url for url in other_letters if check_page(url).warnings]
    assert warned == other_letters != []


async def test_every_page_is_exactly_one_argument_of_exactly_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = _browser(tmp_path, monkeypatch)
    for url in PAGES:
        await open_page(url)
    assert log.read_text().splitlines() == [f"1 {url}" for url in PAGES]


@pytest.mark.parametrize(
    "named", ["sh -c", "sh -c %s", "sh -c 'exec firefox %s'", "sh -c 'firefox \"%s\" &'", "sh 'x"]
)
def test_no_shell_reads_an_address_whatever_the_browser_variable_says(named: str) -> None:
    with pytest.raises(UsageError) as caught:
        opener("https://example.com/;id", {"BROWSER": named, "PATH": "/bin:/usr/bin"})
    assert caught.value.fault == "config"


@dataclass(slots=True)
class Listener:
    """Counts who comes to a port of this machine."""

    port: int
    came: list[bytes] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def listener() -> Iterator[Listener]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        found = Listener(server.getsockname()[1])

        def listen() -> None:
            while True:
                try:
                    with server.accept()[0] as guest:
                        found.came.append(guest.recv(100))
                except OSError:
                    return

        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        try:
            yield found
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join(10)


def shows_tab(app: InspectorApp, tab: str) -> bool:
    return main(app).tab == tab


def is_gone(app: InspectorApp, screen: AskScreen) -> bool:
    return app.screen is not screen


class Luring(ItemServer):
    """Has the address of a listener in every place that takes one."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url
        icon: JsonObject = {"src": f"{url}/icon.png", "mimeType": "image/png"}
        self.lure: JsonObject = {
            "icons": [icon],
            "websiteUrl": f"{url}/website",
            "description": f"![x]({url}/markdown) [y]({url}/link) <{url}/auto>",
        }
        schema: JsonObject = {
            "type": "object",
            "properties": {"a": {"$ref": f"{url}/schema", "default": f"{url}/default"}},
        }
        self.tools = [{"name": "lure", "inputSchema": schema, "outputSchema": schema, **self.lure}]

    def result(self, method: str, params: JsonObject) -> JsonObject | None:
        url = self.url
        found = super().result(method, params)
        match method:
            case "initialize":
                assert found is not None
                found["serverInfo"] = {"name": "s", "version": "1", **self.lure}
                found["instructions"] = f"![x]({url}/instructions)"
            case "resources/list":
                resource: JsonObject = {"uri": f"{url}/resource", "name": "A", **self.lure}
                return {"resources": [resource]}
            case "prompts/list":
                return {"prompts": [{"name": "greet", **self.lure}]}
            case "tools/call" | "prompts/get":
                blocks: list[Json] = [
                    {"type": "text", "text": f"# x\n![x]({url}/text)\n[y]({url}/y)"},
                    {"type": "resource_link", "uri": f"{url}/link", "name": "l", **self.lure},
                    {"type": "resource", "resource": {"uri": f"{url}/inner", "text": url}},
                    {"type": "image", "data": PIXEL, "mimeType": "image/png", "url": url},
                    {"type": "image", "data": f"{url}/image", "mimeType": "image/svg+xml"},
                    {"type": "audio", "data": f"{url}/audio", "mimeType": "audio/wav"},
                ]
                if method == "prompts/get":
                    return {"messages": [{"role": "user", "content": each} for each in blocks]}
                return {"content": blocks, "structuredContent": {"a": url}}
        return found


async def test_no_tab_and_no_call_fetches_or_opens_what_a_server_points_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = _browser(tmp_path, monkeypatch)
    with listener() as there:
        server = Luring(there.url)
        async with running(server, plain=False) as (app, pilot):
            await wait_for(pilot, lambda: main(app).tab == "tools" and bool(app.query(ToolsView)))
            tools = app.query_one(ToolsView)
            await wait_for(pilot, lambda: tools.item is not None and tools.form is not None)
            await pilot.press("ctrl+r")
            await wait_for(pilot, lambda: bool(app.query(BlockView)))
            for view in VIEWS:
                main(app).show_tab(view.id)
                await wait_for(pilot, partial(shows_tab, app, view.id))
                await pilot.pause()
            tell(app, server, page(7, f"{there.url}/consent"))
            screen = await dialog(pilot, app)
            words = "\n".join(text_of(one) for one in screen.query("Static"))
            assert f"{there.url}/consent" in words
            assert "127.0.0.1" in words
            assert there.came == []
            assert server.calls("resources/read") == []
            assert not log.exists()
            await pilot.press("ctrl+b")
            await wait_for(pilot, log.exists)
        assert log.read_text().splitlines() == [f"1 {there.url}/consent"]
        assert there.came == []
        with socket.create_connection(("127.0.0.1", there.port)):
            pass  # the listener does hear
    assert len(there.came) == 1


async def test_a_refused_address_is_shown_whole_and_no_key_opens_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = _browser(tmp_path, monkeypatch)
    server = ItemServer()
    hostile = ("javascript:alert(1)", "https://good.com\\@evil.com/x", "--help", "http://0x7f.1/")
    async with running(server) as (app, pilot):
        for number, url in enumerate(hostile, 70):
            tell(app, server, page(number, url))
            screen = await dialog(pilot, app)
            words = "\n".join(text_of(one) for one in screen.query("Static"))
            assert url in words
            assert "cannot be opened" in words
            with patch("asyncio.create_subprocess_exec", side_effect=AssertionError):
                await pilot.press("ctrl+b")
                await pilot.pause()
            await pilot.press("ctrl+d")
            await wait_for(pilot, partial(is_gone, app, screen))
    assert not log.exists()


def _browser(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A browser that writes down how many arguments it got, and them."""
    script, log = folder / "browser", folder / "argv"
    script.write_text(f'#!/bin/sh\nprintf "%s %s\\n" $# "$1" >> "{log}"\n')
    script.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(script))
    return log
