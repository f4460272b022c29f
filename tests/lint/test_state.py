"""What the linter remembers of a connection."""

import pytest

from inspector.journal.entries import Direction
from inspector.lint.state import (
    MODERN,
    OPEN_KEPT,
    PARAMS_BYTES,
    Asked,
    Connection,
    Side,
    declares,
    essence,
)
from inspector.protocol.messages import JsonObject
from inspector.protocol.versions import LATEST_HANDSHAKE, Revision


def asked(number: int, **more: object) -> Asked:
    return Asked(number, Direction.SENT, number, str(number), "ping", {}, LATEST_HANDSHAKE)


def test_of_too_many_open_requests_the_oldest_is_forgotten() -> None:
    side = Side()
    for number in range(OPEN_KEPT + 1):
        side.ask(asked(number))
    assert side.settle(0) is None
    assert side.settle(1) is not None


def test_a_settled_request_is_open_no_longer() -> None:
    side = Side()
    side.ask(asked(1))
    assert side.settle(1) is not None
    assert side.settle(1) is None
    assert side.settled.get(1) is not None


def test_the_negotiated_revision_goes_before_the_offered_one() -> None:
    state = Connection(1, {})
    found = [state.revision]
    state.offered = Revision.V2025_06_18
    found.append(state.revision)
    state.modern = True
    found.append(state.revision)
    state.negotiated = Revision.V2024_11_05
    found.append(state.revision)
    assert [str(each)[:4] for each in found] == ["2025", "2025", "2026", "2024"]
    assert found[0] is LATEST_HANDSHAKE


def test_what_an_area_keeps_is_made_once() -> None:
    state = Connection(1, {})
    assert state.held(Side) is state.held(Side)


def test_a_capability_is_declared_by_an_object_or_by_true() -> None:
    held: JsonObject = {"a": {}, "b": {"c": True, "d": False}, "e": None}
    found = [declares(held, *path) for path in (("a",), ("b", "c"), ("b", "d"), ("e",), ("f",))]
    assert found == [True, True, False, False, False]


@pytest.mark.parametrize(
    ("facts", "transport"),
    [
        ({"transport": "auto", "url": "https://a.example/mcp"}, "http"),
        ({"transport": "auto", "command": ["server"], "url": ""}, "stdio"),
        ({"transport": "sse", "url": "https://a.example/sse"}, "sse"),
    ],
)
def test_the_transport_that_a_target_leaves_open_is_known_by_what_it_has(
    facts: JsonObject, transport: str
) -> None:
    assert Connection(1, facts).transport == transport


def _requests(count: int, params: JsonObject, weight: int) -> Side:
    side = Side()
    for number in range(1, count + 1):
        side.ask(
            Asked(number, Direction.RECEIVED, number, str(number), "sampling/createMessage",
                  dict(params), MODERN, weight=weight)
        )  # fmt: skip
    return side


def test_the_params_of_open_requests_have_a_budget_and_the_oldest_are_cut_to_the_essential() -> (
    None
):
    params: JsonObject = {"name": "tool", "messages": ["x"] * 9}
    side = _requests(1000, params, 16_000)
    whole = [one for one in side.open.values() if one.whole]
    assert len(side.open) == 1000
    assert len(whole) == PARAMS_BYTES // 16_000
    assert [one.number for one in whole] == [*range(1001 - len(whole), 1001)]
    assert side.open[1].params == {"name": "tool"}
    for number in range(500, 1001):
        side.settle(number)
    side.ask(Asked(1, Direction.RECEIVED, "a", "a", "m", params, MODERN, weight=PARAMS_BYTES))
    assert side.open["a"].whole


def test_what_is_essential_is_short() -> None:
    long: JsonObject = {
        "name": "x" * 3000, "uri": "x://a", "_meta": {"a": [[]] * 200}, "cursor": 5, "other": 1,
    }  # fmt: skip
    assert essence(long) == {"uri": "x://a", "cursor": 5}
    assert essence({"_meta": {"progressToken": 1}}) == {"_meta": {"progressToken": 1}}
