"""What a subscription stream was to announce, what of it was granted, how it ended."""

from inspector.protocol.messages import JsonObject
from inspector.session.deadline import Deadline
from inspector.session.listening import Stream
from inspector.session.pending import Call
from inspector.tui.listen_words import asked, described, granted

ASKED: JsonObject = {
    "toolsListChanged": True,
    "promptsListChanged": True,
    "resourceSubscriptions": ["memo://a", "memo://b"],
}


async def _no_cancel(call: Call, reason: str) -> None:
    raise AssertionError(f"{call.method} was cancelled: {reason}")


def stream(answer: JsonObject | None, ended: str = "") -> Stream:
    deadline = Deadline(0.0, 0.0, 0.0)
    call = Call(1, 1, "subscriptions/listen", None, deadline=deadline, cancel=_no_cancel)
    return Stream(call, ASKED, answer, ended)


def test_a_stream_that_is_not_acknowledged_denies_nothing_yet() -> None:
    told = described(stream(None))
    assert told.asked == ("tools", "prompts", "2 watched")
    assert (told.denied, told.acknowledged) == ((), False)
    assert granted(stream(None), "memo://a") is None


def test_what_was_asked_and_not_granted_is_named() -> None:
    answer: JsonObject = {"toolsListChanged": True, "resourceSubscriptions": ["memo://a"]}
    told = described(stream(answer))
    assert told.denied == ("prompts", "memo://b")
    assert granted(stream(answer), "memo://a") is True
    assert granted(stream(answer), "memo://b") is False
    assert asked(stream(answer), "memo://b")
    assert not asked(stream(answer), "memo://c")


def test_an_answer_of_the_wrong_shape_grants_nothing() -> None:
    told = described(stream({"resourceSubscriptions": "memo://a", "toolsListChanged": None}))
    assert told.denied == ("tools", "prompts", "memo://a, memo://b")


def test_the_end_is_told_as_it_came() -> None:
    assert described(stream({}, "the server ended it in order")).ended.startswith("the server")
