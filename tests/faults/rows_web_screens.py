"""What the interface shows of faults of HTTP itself: rows 25, 27 to 30 and 33 to 35."""

from pathlib import Path

from tests.faults.rows_web_http import (
    HTML,
    RESETS,
    bomb,
    closes_early,
    never_ending_event,
    resumes,
    sends,
    small_caps,
)
from tests.faults.table import screen
from tests.faults.web import looked
from tests.servers.rude_places import Act, Host


async def _told(place: str, act: Act, *words: str) -> None:
    """The result pane says so, and the same session goes on."""
    async with looked(place, act) as here:
        await here.press_call()
        await here.shows(*words)
        opened = len(here.host.sent("initialize"))
        await here.pilot.press("ctrl+r")
        await here.until(lambda: here.host.calls == ["poke", "poke"], here.text)
        assert len(here.host.sent("initialize")) == opened == 1


@screen(25, "H")
async def a_reset_is_told(place: str, _: Path) -> None:
    await _told(place, RESETS["in the body"][0], "no answer: reset", "reset the connection")


@screen(27, "E")
async def a_header_of_200_kb_is_told(place: str, _: Path) -> None:
    act = sends(200, b"{}", "application/json", X_Big="y" * 200_000)
    await _told(place, act, "response headers of more than 100 KiB", "On the server's side.")


@screen(28, "H")
async def a_bomb_is_told(place: str, _: Path) -> None:
    async with small_caps():
        act = sends(200, bomb(4), "application/json", Content_Encoding="gzip")
        await _told(place, act, "the body is larger than 2000000 bytes (counted after decoding)")


@screen(29, "H")
async def an_event_without_an_end_is_told(place: str, _: Path) -> None:
    async with small_caps():
        await _told(place, never_ending_event, "an SSE event is larger than 2000000 bytes")


@screen(30, "H")
async def a_stream_that_is_resumed_brings_its_answer(place: str, _: Path) -> None:
    async with looked(place, host=Host(place, closes_early, resumes)) as here:
        await here.press_call()
        await here.shows("✓ ok", "resumed")


@screen(33, "H")
async def html_in_place_of_json_is_shown_and_not_obeyed(place: str, _: Path) -> None:
    act = sends(500, HTML, "text/html")
    await _told(place, act, "HTTP 500", "<html><body><h1>Nobody home ␛[31m</h1></body></html>")


@screen(34, "E")
async def the_delay_that_a_busy_server_wants_is_shown(place: str, _: Path) -> None:
    async with looked(place, sends(429, b"later", "text/plain", Retry_After="120")) as here:
        await here.press_call()
        await here.shows("Retry-After: 120", "nothing is sent again by itself")
        assert here.host.calls == ["poke"]


@screen(35, "H")
async def where_a_redirect_leads_is_shown(place: str, _: Path) -> None:
    act = sends(307, Location="https://evil.example/steal")
    await _told(place, act, "https://evil.example/steal, another origin; not followed")
