"""Stepping through the traffic by keys: what belongs together, errors, marks, time, any place."""

import json
import time
from unittest.mock import patch

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from inspector.journal.entries import Direction, Flag, HttpFacts
from inspector.journal.query import compile_filter
from inspector.journal.stepping import SLICE, Seek
from inspector.lint.judge import Judge
from inspector.tui.app import InspectorApp
from inspector.tui.widgets.place_box import PlaceBox
from tests.journal.calls import Busy, busy_call, rounds
from tests.journal.conversation import notification, request, result
from tests.tui.listing import listing, said, settled
from tests.tui.world import rows, text_of, traffic, wait_for


def pairs(busy: Busy) -> list[tuple[int, int]]:
    """What belongs to what: a member, and what it came of or what came of it."""
    down = [(each, busy.call) for each in (*busy.progress, busy.log, busy.ask, busy.cancel)]
    down += [(busy.post, busy.call), (busy.outcome, busy.call), (busy.note, busy.call)]
    down += [(busy.answer, busy.ask), (busy.answer_post, busy.answer)]
    down += [(busy.note_on_outcome, busy.outcome)]
    return down


async def test_any_entry_is_reached_from_what_it_belongs_to_in_one_key() -> None:
    """A key may have to be pressed again where several entries belong to one."""
    async with listing() as (app, pilot, talk):
        busy = busy_call(talk=talk)
        await settled(app, pilot)
        await pilot.press("H")
        for member, owner in pairs(busy):
            await reaches(app, pilot, member, owner, presses=1)
            await reaches(app, pilot, owner, member, presses=len(pairs(busy)))


async def test_rounds_polls_and_their_answers_are_reached_in_one_key() -> None:
    async with listing() as (app, pilot, talk):
        _, numbers = rounds(talk)
        call, asks, second, task, poll, polled, status, again, done = numbers
        await settled(app, pilot)
        for member, owner in (
            (asks, call),
            (second, call),
            (task, second),
            (poll, second),
            (polled, poll),
            (status, second),
            (again, second),
            (done, again),
        ):
            await reaches(app, pilot, member, owner, presses=1)
            await reaches(app, pilot, owner, member, presses=len(numbers))


async def reaches(
    app: InspectorApp, pilot: Pilot[int], start: int, goal: int, *, presses: int
) -> None:
    """Whether one of the keys leads there, pressed at most so often."""
    keys = ("percent_sign", "circumflex_accent", "right_square_bracket", "left_square_bracket")
    for key in keys:
        assert rows(app).show_entry(start)
        for _ in range(presses):
            await pilot.press(key)
            if rows(app).entry == goal:
                return
    raise AssertionError(f"no key leads from {start} to {goal}")


async def test_a_question_over_stdio_leads_to_its_answer_and_to_the_call_that_waited() -> None:
    async with listing() as (app, pilot, talk):
        call = talk.sent(request(70, name="x"))
        ask = talk.received(request("a", "sampling/createMessage"))
        answer = talk.sent(result("a"))
        log = talk.received(notification("notifications/message", data="x"))
        talk.received(result(70))
        await settled(app, pilot)
        rows(app).show_entry(ask)
        await pilot.press("percent_sign")
        assert rows(app).entry == answer
        await pilot.press("circumflex_accent")
        assert rows(app).entry == ask
        await pilot.press("circumflex_accent")
        assert rows(app).entry == call
        assert f"Probably of {call}" in said(app)
        rows(app).show_entry(log)
        await pilot.press("percent_sign")
        assert rows(app).entry == call
        await pilot.press("circumflex_accent")
        assert rows(app).entry == call
        assert "Nothing says" in said(app)
        for goal in (ask, answer, log):
            await pilot.press("right_square_bracket")
            assert rows(app).entry == goal
        for goal in (answer, ask, call):
            await pilot.press("left_square_bracket")
            assert rows(app).entry == goal


async def test_what_came_on_a_stream_of_its_own_leads_to_that_stream() -> None:
    async with listing() as (app, pilot, talk):
        stream = talk.journal.http(HttpFacts("GET", "http://x", status=200), connection=1)
        log = talk.received(notification("notifications/message", data="x"), http=stream)
        await settled(app, pilot)
        rows(app).show_entry(log)
        await pilot.press("circumflex_accent")
        assert rows(app).entry == stream
        await pilot.press("right_square_bracket")
        assert rows(app).entry == log
        await pilot.press("left_square_bracket")
        assert rows(app).entry == stream


async def test_a_filter_that_hides_the_goal_goes_and_that_is_told() -> None:
    async with listing() as (app, pilot, talk):
        call = talk.sent(request(70, name="x"))
        answer = talk.received(result(70))
        await settled(app, pilot)
        traffic(app).filter_by("kind:request")
        await wait_for(pilot, lambda: rows(app).filtered)
        rows(app).show_entry(call)
        await pilot.press("percent_sign")
        assert rows(app).entry == answer
        assert not rows(app).filtered
        assert f"it hid entry {answer}" in said(app)


async def test_hidden_carriers_are_passed_over_and_told_of() -> None:
    async with listing() as (app, pilot, talk):
        busy = busy_call(talk=talk)
        await settled(app, pilot)
        rows(app).show_entry(busy.call)
        await pilot.press("right_square_bracket")
        assert rows(app).entry == busy.progress[0]
        assert not rows(app).index.shows_carriers
        rows(app).show_entry(busy.note_on_outcome)
        await pilot.press("right_square_bracket")
        assert "The exchange ends here" in said(app)


async def test_e_stops_at_errors_and_at_findings() -> None:
    async with listing() as (app, pilot, talk):
        bench = app.bridge.workbench
        breach = talk.received({"jsonrpc": "2.0", "id": 5, "method": "sampling/createMessage"})
        wrong = talk.received(b"oops")
        talk.received(notification("notifications/tools/list_changed"))
        bench.judge = Judge(talk.journal)
        bench.judge.finish()
        assert bench.judge.worst_at(breach) is not None
        await settled(app, pilot)
        rows(app).show_entry(breach - 1)
        await pilot.press("e")
        assert rows(app).entry == breach
        await pilot.press("e")
        assert rows(app).entry == wrong
        await pilot.press("E")
        assert rows(app).entry == breach


async def test_marks_and_notes_are_stepped_through_both_ways() -> None:
    async with listing() as (app, pilot, talk):
        first = talk.received(notification("a"))
        talk.received(notification("b"))
        note = talk.journal.note(first, "look")
        talk.received(notification("c"))
        talk.journal.flag(first, Flag.MARKED)
        await settled(app, pilot)
        rows(app).show_entry(1)
        await pilot.press("apostrophe")
        assert rows(app).entry == first
        await pilot.press("apostrophe")
        assert rows(app).entry == note
        await pilot.press("apostrophe")
        assert 'No mark or note further down; " looks above' in said(app)
        await pilot.press("quotation_mark")
        assert rows(app).entry == first


async def test_steps_in_time_move_and_say_when_and_how_far() -> None:
    async with listing() as (app, pilot, talk):
        columns = talk.journal.columns
        first = talk.received(notification("a"))
        numbers = [talk.received(notification(f"n{each}")) for each in range(60)]
        for place, number in enumerate(numbers, 1):
            columns.monotonic[number] = columns.monotonic[first] + place * 0.5
            columns.wall[number] = columns.wall[first] + place * 0.5
        await settled(app, pilot)
        rows(app).show_entry(first)
        await pilot.press("full_stop")
        assert rows(app).entry == first + 2
        assert "+1.0 s" in text_of(traffic(app).query_one("#traffic-rule"))
        await pilot.press("greater_than_sign")
        assert rows(app).entry == first + 22
        await pilot.press("comma")
        assert rows(app).entry == first + 20
        assert "-1.0 s" in text_of(traffic(app).query_one("#traffic-rule"))
        await pilot.press("less_than_sign")
        assert rows(app).entry == first
        await pilot.press("right_curly_bracket")
        assert rows(app).entry == numbers[-1]
        await pilot.press("full_stop")
        assert "This is the last entry shown" in said(app)
        await pilot.press("k")
        assert "+" not in text_of(traffic(app).query_one("#traffic-rule"))
        await pilot.press("left_curly_bracket")
        entry = rows(app).entry
        assert entry is not None
        assert entry <= first


async def type_place(pilot: Pilot[int], text: str) -> None:
    names = {":": "colon", "#": "number_sign", "%": "percent_sign", "+": "plus", "-": "minus"}
    await pilot.press("colon", *(names.get(sign, sign) for sign in text), "enter")


@pytest.mark.parametrize(
    ("text", "goal"), [("7", 7), ("#9", 9), ("+2", 7), ("-3", 2), ("start", 1), ("end", 30)]
)
async def test_going_to_a_place(text: str, goal: int) -> None:
    async with listing() as (app, pilot, talk):
        while len(talk.journal) < 30:
            talk.received(notification("x"))
        await settled(app, pilot)
        rows(app).show_entry(5)
        await type_place(pilot, text)
        assert rows(app).entry == goal
        assert rows(app).has_focus
        assert not traffic(app).query_one(PlaceBox).display


async def test_going_to_a_time_of_day_as_the_list_shows_it() -> None:
    async with listing() as (app, pilot, talk):
        columns = talk.journal.columns
        last = len(talk.journal)
        numbers = [talk.received(notification("x")) for _ in range(20)]
        for place, number in enumerate(numbers, 1):
            columns.wall[number] = columns.wall[last] + place * 60
        await settled(app, pilot)
        goal = numbers[10]
        stamp = time.strftime("%H:%M:%S", time.localtime(columns.wall[goal]))
        columns.wall[goal] = float(int(columns.wall[goal]))
        await type_place(pilot, stamp)
        assert rows(app).entry == goal


async def test_a_wrong_place_says_what_it_accepts_and_keeps_the_text() -> None:
    async with listing() as (app, pilot, _):
        rows(app).show_entry(3)
        await type_place(pilot, "soon")
        box = traffic(app).query_one(PlaceBox)
        assert box.text == "soon"
        assert box.query_one(Input).has_focus
        assert "12:01:07, 50%" in str(box.query_one("#place-problem").render())
        await pilot.press("escape")
        assert rows(app).has_focus
        assert rows(app).entry == 3


async def test_a_wide_search_runs_in_slices_and_escape_stops_it() -> None:
    async with listing() as (app, pilot, talk):
        raw = json.dumps(notification("notifications/x")).encode()
        for _ in range(30_000):
            talk.journal.frame(Direction.RECEIVED, raw, connection=1)
        await settled(app, pilot)
        pane = traffic(app)
        rows(app).search = compile_filter("method:nowhere")
        rows(app).show_entry(2)
        await pilot.pause()
        with patch("inspector.tui.widgets.traffic_steps.SEEK_SECONDS", 0.0):  # a slice at a time
            pane.action_next_match(1)
            assert "looking" in pane.step_facts().plain
            pane.action_clear()
            assert pane.step_facts().plain == ""
            await pilot.pause()
            assert "No further match" not in said(app)
            turns = 0
            go_on = pane._go_on

            def counted(seek: Seek, failed: str) -> None:
                nonlocal turns
                turns += 1
                go_on(seek, failed)

            with patch.object(pane, "_go_on", counted):
                pane.action_next_match(1)
                await wait_for(pilot, lambda: "No further match" in said(app))
            assert turns >= 30_000 // SLICE
        assert rows(app).entry == 2


async def test_escape_stops_a_search_before_it_closes_the_detail() -> None:
    async with listing() as (app, pilot, talk):
        raw = json.dumps(notification("notifications/x")).encode()
        for _ in range(3 * SLICE):
            talk.journal.frame(Direction.RECEIVED, raw, connection=1)
        await settled(app, pilot)
        pane = traffic(app)
        rows(app).search = compile_filter("method:nowhere")
        rows(app).show_entry(2)
        await pilot.press("enter")
        with patch("inspector.tui.widgets.traffic_steps.SEEK_SECONDS", 0.0):
            pane.action_next_match(1)
            pane.detail.action_close()
            with patch.object(pane, "_go_on"):  # it goes on no more until Escape has acted
                await pilot.pause()
        assert pane.has_class("-detail")
        assert pane.step_facts().plain == ""
        await pilot.press("escape")
        assert not pane.has_class("-detail")
