"""The questions of a server as they stood."""

from inspector.journal.timeline import Timeline
from inspector.past.asks import PastAsks
from inspector.past.calls import PastCalls
from inspector.protocol.messages import JsonObject
from inspector.session.asks import Ask
from tests.past.story import RECEIVED, SENT, Story


def asks_at(story: Story, number: int) -> tuple[Ask, ...]:
    """The asks as of an entry."""
    here = Timeline(story.journal).state_at(number).current
    assert here is not None
    calls = PastCalls(story.journal)
    calls.as_of(number, here, story.journal.columns.monotonic[number])
    return PastAsks(story.journal, here, number).all(calls.rounds)


def test_a_question_is_open_until_it_is_answered_and_says_how_it_ended() -> None:
    story = Story()
    story.open()
    form: JsonObject = {"message": "who?", "requestedSchema": {"type": "object"}}
    asked = story.frame(RECEIVED, {"id": "q", "method": "elicitation/create", "params": {**form}})
    opened = story.seconds
    said = story.frame(SENT, {"id": "q", "result": {"action": "decline"}})
    (before,), (after,) = asks_at(story, asked), asks_at(story, said)
    assert before.is_open
    assert before.kind == "elicitation"
    assert before.params["message"] == "who?"
    assert before.opened == opened
    assert (after.state, after.answer) == ("declined", {"action": "decline"})
    assert after.number == before.number


def test_what_we_had_not_declared_is_no_ask() -> None:
    story = Story()
    story.open()
    asked = story.frame(
        RECEIVED, {"id": "q", "method": "sampling/createMessage", "params": {"messages": []}}
    )
    assert asks_at(story, asked) == ()


def test_a_question_that_the_server_took_back_is_withdrawn() -> None:
    story = Story()
    story.open()
    story.frame(RECEIVED, {"id": "q", "method": "roots/list"})
    gone = story.frame(
        RECEIVED, {"method": "notifications/cancelled", "params": {"requestId": "q"}}
    )
    (ask,) = asks_at(story, gone)
    assert ask.state == "withdrawn"
