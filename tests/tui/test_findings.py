"""The Findings tab: grouped, sorted, sifted, and both ways between a finding and its entry."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from inspector.protocol.messages import Json, JsonObject
from inspector.tui.app import InspectorApp
from inspector.tui.finding_index import GroupLine, MemberLine
from inspector.tui.screens.coverage import CoverageScreen
from inspector.tui.views.findings import FindingsView
from inspector.tui.widgets.filter_box import FilterBox
from inspector.tui.widgets.header import Header, TabStrip
from inspector.tui.widgets.rule import Rule
from tests.tui.askers import tab
from tests.tui.world import (
    Server,
    all_judged,
    main,
    rows,
    running,
    text_of,
    traffic,
    wait_for,
)


def tool(name: str, kind: str = "object") -> Json:
    """A tool that takes a number."""
    schema: JsonObject = {"type": kind, "properties": {"a": {"type": "integer"}}}
    return {"name": name, "description": "Adds one", "inputSchema": schema}


class Faulty(Server):
    """Lists an honest tool, and tools with faults."""

    def __init__(self, *faults: Json) -> None:
        super().__init__(tools=[tool("add"), *faults])
        self.answer: JsonObject = {"content": [{"type": "text", "text": "5"}]}

    def result(self, method: str, params: JsonObject) -> JsonObject | None:
        if method == "tools/call":
            return self.answer
        return super().result(method, params)


BAD = tool("bad", "string")


@asynccontextmanager
async def findings_tab(
    server: Server, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[tuple[InspectorApp, Pilot[int], FindingsView]]:
    """The Findings tab on `server`, when all was judged."""
    async with running(server, size, plain=False) as (app, pilot):
        await wait_for(pilot, lambda: "tools/list" in server.seen)
        view = await tab(pilot, app, "7", FindingsView)
        assert isinstance(view, FindingsView)
        await wait_for(pilot, lambda: all_judged(app))
        yield app, pilot, view


async def test_what_was_judged_is_said_where_nothing_was_found() -> None:
    async with findings_tab(Faulty()) as (app, pilot, view):
        await wait_for(pilot, lambda: "rules, nothing found" in text_of(view.lines))
        assert "finding" not in text_of(main(app).query_one(Header))
        assert "0 errors" in text_of(view.query_one("#finding-rule", Rule))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_finding_is_listed_counted_and_told_in_full(size: tuple[int, int]) -> None:
    async with findings_tab(Faulty(BAD), size) as (app, pilot, view):
        await wait_for(pilot, lambda: len(view.lines.items) > 0)
        finding = view.finding
        assert finding is not None
        assert finding.rule in text_of(view.lines)
        await wait_for(pilot, lambda: "1 finding" in text_of(main(app).query_one(Header)))
        await wait_for(pilot, lambda: "7 Findings 1" in text_of(main(app).query_one(TabStrip)))
        body = view.query_one("#finding-body")
        await wait_for(pilot, lambda: "judged by" in text_of(body))
        assert "2025-11-25" in text_of(body)


async def test_the_place_in_the_guilty_body_is_marked() -> None:
    async with findings_tab(Faulty(BAD)) as (_, pilot, view):
        await wait_for(pilot, lambda: view.finding is not None)
        body = view.query_one("#finding-body")
        await wait_for(pilot, lambda: "▶" in text_of(body))
        (marked,) = [line for line in text_of(body).split("\n") if "▶" in line]
        assert "string" in marked or "inputSchema" in marked


async def test_enter_goes_to_the_entry_with_the_place_marked_and_back() -> None:
    async with findings_tab(Faulty(BAD)) as (app, pilot, view):
        await wait_for(pilot, lambda: view.finding is not None)
        finding = view.finding
        assert finding is not None
        await pilot.press("enter")
        await wait_for(pilot, lambda: rows(app).entry == finding.entries[0])
        await wait_for(pilot, lambda: "◀" in text_of(traffic(app).detail.body))
        await pilot.press("2")
        app.open_finding(finding.entries[0], finding.rule)
        await wait_for(pilot, lambda: main(app).tab == "findings" and view.finding == finding)


async def test_a_flood_of_one_rule_is_one_group_that_opens() -> None:
    server = Faulty(*(tool(f"t{n}", "string") for n in range(300)))
    async with findings_tab(server) as (_, pilot, view):
        await wait_for(pilot, lambda: "×300" in text_of(view.lines))
        assert len(view.lines.items) == 1
        await pilot.press("space")
        await wait_for(pilot, lambda: "100 more" not in text_of(view.lines))
        assert len(view.lines.items) == 202
        await pilot.press("down", "down")
        line = view.lines.current
        assert isinstance(line, MemberLine)
        assert line.place == 1
        await pilot.press("end")
        await wait_for(pilot, lambda: "100 more" in text_of(view.lines))
        await pilot.press("space")
        await wait_for(pilot, lambda: len(view.lines.items) == 1)


async def test_a_finding_that_arrives_leaves_the_cursor_on_its_group() -> None:
    server = Faulty(BAD)
    async with findings_tab(server) as (app, pilot, view):
        await wait_for(pilot, lambda: view.finding is not None)
        before = view.lines.current
        assert isinstance(before, GroupLine)
        server.answer = {"content": "no list"}
        session = app.bridge.workbench.session
        await app.bridge.run(lambda: session.call_tool("add", {}))
        await wait_for(pilot, lambda: len(view.lines.items) > 1)
        now = view.lines.current
        assert isinstance(now, GroupLine)
        assert now.group.rule == before.group.rule


async def test_severities_are_hidden_and_shown_by_key_and_words_sift() -> None:
    async with findings_tab(Faulty(BAD)) as (_, pilot, view):
        await wait_for(pilot, lambda: view.finding is not None)
        finding = view.finding
        assert finding is not None
        key = {"error": "e", "warn": "w", "info": "i"}[finding.severity]
        await pilot.press(key)
        await wait_for(pilot, lambda: "Everything is filtered out" in text_of(view.lines))
        assert "hidden" in text_of(view.query_one("#finding-rule", Rule))
        await pilot.press(key)
        await wait_for(pilot, lambda: view.finding is not None)
        await pilot.press("slash", *"rule:nothing/*", "enter")
        await wait_for(pilot, lambda: len(view.lines.items) == 0)
        await pilot.press("escape")
        await wait_for(pilot, lambda: view.finding == finding)
        assert view.query_one("#finding-filter", Input).value == ""


async def test_only_this_rule_filters_the_traffic() -> None:
    async with findings_tab(Faulty(BAD)) as (app, pilot, view):
        await wait_for(pilot, lambda: view.finding is not None)
        finding = view.finding
        assert finding is not None
        await pilot.press("t")
        box = traffic(app).query_one("#traffic-filter", FilterBox)
        await wait_for(pilot, lambda: box.text == f"rule:{finding.rule}")
        await wait_for(pilot, lambda: len(rows(app).index) == len(finding.entries))


async def test_the_page_is_copied_and_opened_only_by_key(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    async def open_page(url: str) -> None:
        opened.append(url)

    monkeypatch.setattr("inspector.transport.browser.open_page", open_page)
    async with findings_tab(Faulty(BAD)) as (app, pilot, view):
        await wait_for(pilot, lambda: view.finding is not None)
        finding = view.finding
        assert finding is not None
        url = f"https://modelcontextprotocol.io/specification/2025-11-25/{finding.page}"
        await pilot.press("y")
        assert app.clipboard == url
        assert opened == []
        await pilot.press("o")
        await wait_for(pilot, lambda: opened == [url])
        await pilot.press("Y")
        assert finding.rule in app.clipboard
        assert url in app.clipboard


async def test_coverage_is_one_key_away() -> None:
    async with findings_tab(Server()) as (app, pilot, _):
        await pilot.press("c")
        await wait_for(pilot, lambda: isinstance(app.screen, CoverageScreen))
