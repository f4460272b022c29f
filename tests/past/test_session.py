"""What screens read of the past is what they read of the live session when it was the present."""

import asyncio
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from inspector.journal.journal import Journal
from inspector.journal.timeline import Timeline
from inspector.past.session import PastSessions
from inspector.session.pending import Failure, Lost, Outcome, Success
from inspector.session.session import Session
from tests.scaled import scaled
from tests.session import timeline_script
from tests.session.timeline_script import live


def looked(session: Session) -> dict[str, Any]:
    """The session in plain values, and its calls with what came of them."""
    return live(session) | {
        "calls": {
            call.entry: (call.method, call.label, told(call.outcome), call.rounds, call.task_id)
            for call in session.calls
            if call.entry
        },
        "task calls": {one.id: (one.method, one.polls) for one in session.tasks.tasks if one.call},
        "asked": {
            (ask.entry, ask.key): "answered" if ask.state == "automatic" else ask.state
            for ask in session.inbox.asks
        },
    }


def told(outcome: Outcome | None) -> tuple[object, ...]:
    """An outcome by what the server said."""
    match outcome:
        case Success(raw=raw, entry=entry):
            return "result", raw, entry
        case Failure(code=code, message=message, raw=raw, entry=entry):
            return "error", code, message, raw, entry
        case Lost():
            return ("lost",)
        case None:
            return ("open",)


UNTOLD = "roots told"
"""Told by how an ask was answered; here by whether the state has roots."""


def differences(journal: Journal, session: Session, was: dict[str, Any]) -> dict[str, Any]:
    """Where the past session says something else than `was`, what the live one said; what no entry
    tells is left out."""
    shown, was = looked(session), dict(was)
    # Earlier connections' calls are remembered too, by the views of the present as by the past.
    number = session.state.connection
    shown["calls"] = {
        entry: call
        for entry, call in shown["calls"].items()
        if journal.row(entry).connection == number
    }
    ended = was["ended"] | shown["ended"]
    for told in (shown, was):
        told["progress"] = {
            number: one for number, one in told["progress"].items() if number not in ended
        }
    untold = {"ended", UNTOLD}
    if session.state.revision == "2026-07-28":
        untold.add("level")  # goes with the next request
    if not session.roots or not was[UNTOLD]:
        untold.add("roots")
    if was["phase"] != "ready":
        untold.add("why")
    wrong = {}
    for key in was.keys() - untold:
        here, there = shown[key], was[key]
        if here != there and isinstance(here, dict):
            keys = [one for one in here.keys() | there.keys() if here.get(one) != there.get(one)]
            here, there = ({one: side.get(one) for one in keys} for side in (here, there))
        if here != there:
            wrong[key] = here, there
    return wrong


@pytest.mark.parametrize("modern", [False, True], ids=["handshake", "modern"])
@settings(max_examples=scaled(40), deadline=None, derandomize=True, phases=(Phase.generate,))
@given(seed=st.integers(0, 2**32))
def test_the_past_is_what_the_live_session_was(modern: bool, seed: int) -> None:
    with patch.object(timeline_script, "live", looked):
        journal, looks = asyncio.run(timeline_script.play(seed, 40, modern=modern))
    timeline, sessions = Timeline(journal), PastSessions(journal)
    for number, was in looks.items():
        state = timeline.state_at(number)
        wrong = differences(journal, sessions.at(state, "no"), was)
        current = state.current
        if current is not None and current.roots is not None and current.roots.stale:
            wrong.pop("roots", None)  # the server has not asked for the new ones
        assert wrong == {}, (number, len(journal))
    assert len(looks) >= 5
