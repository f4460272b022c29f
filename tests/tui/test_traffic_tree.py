"""The tree of a call, and what differs from a marked entry, in the detail of the traffic."""

from inspector.journal.entries import Flag
from tests.journal.calls import busy_call
from tests.journal.conversation import notification, request
from tests.tui.listing import listing, said, settled
from tests.tui.world import rows, text_of, traffic, wait_for


async def test_the_tree_of_a_call_opens_with_c_and_leads_to_every_entry() -> None:
    async with listing() as (app, pilot, talk):
        busy = busy_call(reports=50, talk=talk)
        await settled(app, pilot)
        rows(app).show_entry(busy.ask)
        await pilot.press("c")
        detail = traffic(app).detail
        assert detail.view == "causes"
        shown = text_of(detail.body)
        assert "tools/call slow" in shown
        assert "▸ " in shown
        assert "50 reports of progress" in shown
        assert "◂" in shown.splitlines()[detail.body.cursor]
        await pilot.press("j", "enter")
        assert rows(app).entry == busy.answer
        assert detail.view == "causes"
        await pilot.press("y")
        assert "50 reports of progress" in app.clipboard
        assert app.clipboard.startswith("→ tools/call slow")
        await pilot.press("c")
        assert str(detail.view) == "pretty"


async def test_what_stands_for_many_unfolds_and_stays_so_while_the_call_grows() -> None:
    async with listing() as (app, pilot, talk):
        call = talk.sent(request(70, name="x", _meta={"progressToken": "t"}))

        def report(done: int) -> None:
            talk.received(notification("notifications/progress", progressToken="t", progress=done))

        for done in range(9):
            report(done)
        await settled(app, pilot)
        rows(app).show_entry(call)
        await pilot.press("c", "j")
        detail = traffic(app).detail
        assert "9 reports of progress" in text_of(detail.body)
        await pilot.press("space")
        await wait_for(pilot, lambda: "progress 3" in text_of(detail.body))
        report(9)
        await wait_for(pilot, lambda: "10 reports of progress" in text_of(detail.body))
        assert "progress 3" in text_of(detail.body)
        assert detail.body.cursor == 1
        await pilot.press("j", "j", "enter")
        assert rows(app).entry == call + 2


async def test_d_tells_what_differs_from_the_marked_entry() -> None:
    async with listing() as (app, pilot, talk):
        first = talk.sent(request(70, name="add", a=1))
        second = talk.sent(request(71, name="add", a=2))
        third = talk.sent(request(72, name="add", a=3))
        await settled(app, pilot)
        rows(app).show_entry(second)
        await pilot.press("d")
        assert "Mark another entry" in said(app)
        rows(app).show_entry(first)
        await pilot.press("m")
        await wait_for(pilot, lambda: bool(talk.flags(first) & Flag.MARKED))
        rows(app).show_entry(second)
        await pilot.press("d")
        detail = traffic(app).detail
        assert detail.view == "diff"
        assert "/params/a" in text_of(detail.body)
        assert "+ 2" in text_of(detail.body)
        await pilot.press("J")
        assert rows(app).entry == third
        assert "+ 3" in text_of(detail.body)
