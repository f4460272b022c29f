"""Earlier calls are remembered with the exact text of their arguments."""

from inspector.errors import RequestTimeout
from inspector.protocol.messages import RawJson, Sendable
from inspector.session.deadline import Deadline
from inspector.session.pending import Call, Failure, Lost, Outcome, Success
from inspector.tui.widgets.history import KEPT, History, draw_past, latency_words, mark_of


async def _nothing(call: Call, reason: str) -> None:
    del call, reason


def call_of(
    number: int, params: Sendable, outcome: Outcome | None = None, method: str = "tools/call"
) -> Call:
    call = Call(number, number, method, params, deadline=Deadline(0, 0, 0), cancel=_nothing)
    call.outcome = outcome
    if outcome is not None:
        call.ended = call.started
    return call


def test_calls_are_taken_once_and_newest_come_first() -> None:
    history = History("tools/call", "name")
    one = call_of(1, {"name": "add", "arguments": {"a": RawJson(b"1.10")}})
    two = call_of(2, {"name": "add"})
    other = call_of(3, {"name": "echo"})
    ping = call_of(4, None, method="ping")
    assert len(history.take([one, two, other, ping])) == 3
    assert history.take([one, two]) == []
    assert [past.number for past in history.of("add")] == [2, 1]
    assert history.of("add")[1].arguments == b'{"a":1.10}'
    assert history.latest("echo") is not None
    assert history.latest("none") is None


def test_the_oldest_are_forgotten() -> None:
    history = History("tools/call", "name")
    history.take(call_of(number, {"name": "a"}) for number in range(KEPT + 5))
    assert len(history.of("a")) == KEPT
    assert history.of("a")[-1].number == 5


def test_a_running_call_is_found() -> None:
    history = History("tools/call", "name")
    done = call_of(1, {"name": "a"}, Success({}, b"{}", 1))
    history.take([done])
    assert history.running() is None
    history.take([call_of(2, {"name": "a"})])
    running = history.running()
    assert running is not None
    assert running.number == 2


def test_the_three_kinds_of_failure_have_their_own_words() -> None:
    outcomes: list[Outcome | None] = [
        None,
        Success({}, b"{}", 1),
        Success({"isError": True}, b"{}", 1),
        Failure(-32602, "no", None, b"{}", 1),
        Lost(RequestTimeout("late")),
    ]
    words = [mark_of(call_of(1, None, outcome))[1] for outcome in outcomes]
    assert words == ["running", "ok", "tool error", "error -32602", "timeout"]


def test_durations_are_put_into_words() -> None:
    said = [latency_words(seconds) for seconds in (0.0012, 0.012, 0.9994, 1.25, 125)]
    assert said == ["1.2 ms", "12 ms", "999 ms", "1.2 s", "2:05"]


def test_a_line_has_number_outcome_and_arguments() -> None:
    history = History("tools/call", "name")
    params: Sendable = {"name": "a", "arguments": {"x": "\x1b[0m"}}
    (past,) = history.take([call_of(7, params, Success({}, b"{}", 1))])
    line = draw_past(past, 60).plain
    assert line.startswith(" #7")
    assert "✓ ok" in line
    assert '{"x":' in line
    assert len(draw_past(past, 20).plain) <= 24
