"""The traffic pane by keys: detail, filter, partner, marks, notes, resending."""

import json

from textual.widgets import TextArea

from inspector.journal.entries import Flag, Kind
from inspector.tui.widgets.filter_box import FilterBox
from tests.tui.world import Server, encode, main, rows, running, text_of, traffic, wait_for


async def test_enter_opens_the_detail_and_escape_closes_it() -> None:
    async with running() as (app, pilot):
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        assert rows(app).show_entry(2)
        await pilot.press("enter")
        detail = traffic(app).detail
        await wait_for(pilot, lambda: '"initialize"' in text_of(detail.body))
        await pilot.press("v")
        assert detail.view == "raw"
        await pilot.press("escape")
        await wait_for(pilot, lambda: rows(app).has_focus)


async def test_percent_goes_to_the_partner_and_back() -> None:
    async with running() as (app, pilot):
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        rows(app).show_entry(2)
        await pilot.press("percent_sign")
        assert rows(app).entry == 3
        await pilot.press("percent_sign")
        assert rows(app).entry == 2
        await pilot.press("right_square_bracket")
        assert rows(app).entry == 3


async def test_what_is_typed_after_slash_never_acts_on_the_list() -> None:
    server = Server()
    async with running(server) as (app, pilot):
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        rows(app).show_entry(2)
        before = len(server.seen)
        await pilot.press("slash", *"rRrr")
        assert traffic(app).query_one("#traffic-filter", FilterBox).text == "rRrr"
        assert len(server.seen) == before


async def test_a_wrong_filter_says_where_and_keeps_the_last_good_one() -> None:
    async with running() as (app, pilot):
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        await pilot.press("slash", *"kind:request")
        await wait_for(pilot, lambda: rows(app).filtered)
        shown = rows(app).count_lines()
        box = traffic(app).query_one("#traffic-filter", FilterBox)
        box.set_text("kind:request is:nonsense")
        await wait_for(pilot, lambda: box.has_class("-wrong"))
        assert rows(app).count_lines() == shown
        await pilot.press("escape")
        await wait_for(pilot, lambda: not rows(app).filtered)


async def test_mark_and_note_are_kept_in_the_journal() -> None:
    async with running() as (app, pilot):
        journal = app.bridge.workbench.journal
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        rows(app).show_entry(2)
        await pilot.press("m")
        await wait_for(pilot, lambda: bool(journal.row(2).flags & Flag.MARKED))
        await wait_for(pilot, lambda: "◆" in text_of(rows(app)))
        await pilot.press("semicolon")
        await wait_for(pilot, lambda: app.screen is not main(app))
        await pilot.press(*"odd", "enter")
        await wait_for(
            pilot, lambda: any(k == Kind.NOTE for k in journal.kinds[1 : len(journal) + 1])
        )


async def test_resending_sends_the_same_bytes_again() -> None:
    server = Server()
    async with running(server) as (app, pilot):
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        journal = app.bridge.workbench.journal
        await wait_for(pilot, lambda: "tools/list" in server.seen)
        number = next(
            n for n in range(1, len(journal) + 1) if journal.row(n).method == "tools/list"
        )
        rows(app).show_entry(number)
        raw, before = journal.body(number), server.seen.count("tools/list")
        await pilot.press("r")
        await wait_for(pilot, lambda: server.seen.count("tools/list") == before + 1)
        assert server.transports[0].sent[-1].raw == raw


async def test_what_is_kept_masked_is_not_sent_again_as_a_mask() -> None:
    server = Server()
    async with running(server) as (app, pilot):
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        bench = app.bridge.workbench
        call = encode({"jsonrpc": "2.0", "method": "x", "params": {"password": "hunter2-long"}})
        app.bridge.post(lambda: bench.session.send_raw(call))
        journal = bench.journal
        await wait_for(pilot, lambda: "x" in server.seen)
        number = next(n for n in range(1, len(journal) + 1) if journal.row(n).method == "x")
        assert b"hunter2" not in journal.body(number)
        rows(app).show_entry(number)
        await pilot.press("r")
        await pilot.pause()
        assert server.seen.count("x") == 1
        assert server.transports[0].sent[-1].raw == call


async def test_edit_and_resend_sends_what_was_typed_on_one_line() -> None:
    server = Server()
    async with running(server) as (app, pilot):
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        rows(app).show_entry(2)
        await pilot.press("R")
        await wait_for(pilot, lambda: bool(app.screen.query(TextArea)))
        app.screen.query_one(TextArea).text = '{"jsonrpc": "2.0",\n "id": 1.0, "method": "x"}'
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: "x" in server.seen)
        assert server.transports[0].sent[-1].raw == b'{"jsonrpc":"2.0","id":1.0,"method":"x"}'


async def test_only_what_we_sent_can_be_sent_again() -> None:
    server = Server()
    async with running(server) as (app, pilot):
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        rows(app).show_entry(3)
        await wait_for(pilot, lambda: "tools/list" in server.seen)
        before = list(server.seen)
        await pilot.press("r")
        assert server.seen == before


async def test_copy_takes_the_bytes_of_the_entry() -> None:
    async with running() as (app, pilot):
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        rows(app).show_entry(2)
        await pilot.press("y")
        assert json.loads(app.clipboard)["method"] == "initialize"


async def test_going_to_a_filtered_entry_removes_the_filter() -> None:
    async with running() as (app, pilot):
        pane = traffic(app)
        pane.filter_by("kind:error")
        await wait_for(pilot, lambda: rows(app).filtered)
        app.open_entry(2)
        await wait_for(pilot, lambda: rows(app).entry == 2)
        assert not rows(app).filtered
