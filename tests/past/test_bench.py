"""An inspection as of an entry, with all that screens read of it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed
from inspector.past.bench import Past
from inspector.session.state import Phase
from inspector.workbench import Options, Workbench
from tests.past.story import RECEIVED, SENT, Story
from tests.scaled import scaled


def past_of(story: Story) -> Past:
    """The past of a workbench that has the story for a journal."""
    bench = Workbench(Target(name="live"), options=Options(), journal=story.journal)
    return Past(bench)


def names(past: Past, number: int) -> list[object]:
    """The tools as of an entry."""
    listed = past.at(number).session.catalog["tools"]
    return [item["name"] for item in listed.items if isinstance(item, dict)]


def test_lists_are_those_that_there_were() -> None:
    story = Story()
    opened = story.open(tools={"listChanged": True})
    first = story.list_tools(1, "a")
    second = story.list_tools(2, "a", "b")
    past = past_of(story)
    assert [names(past, number) for number in (second, first, opened)] == [["a", "b"], ["a"], []]


def test_state_and_target_are_those_of_the_connection() -> None:
    story = Story()
    opened = story.open(tools={})
    past = past_of(story)
    ready, before = past.at(opened), past.at(opened - 1)
    assert ready.session.state.phase is Phase.READY
    assert ready.session.state.instructions == "Read me."
    assert ready.session.state.revision_text == "2025-11-25"
    assert ready.session.state.connected_at == story.seconds - 1.0
    assert ready.target.name == "story"
    assert ready.options.protocol == "2025-11-25"
    assert before.session.state.phase is Phase.NEGOTIATING
    assert past.at(0).session.state.phase is Phase.IDLE


async def test_nothing_can_be_sent_and_nothing_gets_into_the_journal() -> None:
    story = Story()
    bench = past_of(story).at(story.open(tools={}), "not here")
    before = len(story.journal)
    with pytest.raises(ConnectionFailed, match="not here"):
        await bench.session.engine.notify("notifications/x")
    assert len(story.journal) == before


def test_it_goes_along_in_slices() -> None:
    story = Story()
    end = story.open()
    past = past_of(story)
    steps = 0
    while not past.advance(end, limit=1):
        steps += 1
    assert (steps, past.position) == (end - 1, end)


WORDS = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"elicitation":{}}}}',
    b'{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}}',
    b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
    b'{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
    b'{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"}],"nextCursor":"b"}}',
    b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a","task":{}}}',
    b'{"jsonrpc":"2.0","id":3,"result":{"task":{"taskId":"t","status":"working"}}}',
    b'{"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"t"}}',
    b'{"jsonrpc":"2.0","id":4,"result":{"taskId":"t","status":"failed","error":{"code":1}}}',
    b'{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?"}}',
    b'{"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required","inputRequests":{"k":{}}}}',
    b'{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"no"}}',
)


@settings(max_examples=scaled(150), deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(
            st.booleans(),
            st.sampled_from(WORDS),
            st.integers(0, 90),
            st.sampled_from([b"", b"null", b"[", b'"x"', b"1e999", b"\xff"]),
        ),
        max_size=14,
    )
)
def test_whatever_crossed_the_wire_can_be_looked_at(
    frames: list[tuple[bool, bytes, int, bytes]],
) -> None:
    story = Story()
    for sent, raw, place, instead in frames:
        direction = SENT if sent else RECEIVED
        broken = raw[:place] + instead + raw[place + len(instead) :] if instead else raw
        story.journal.frame(direction, broken, connection=1)
    past = past_of(story)
    for number in range(len(story.journal), -1, -1):
        seen = past.at(number)
        assert len(seen.journal) == number
        assert all(call.done is (call.outcome is not None) for call in seen.session.calls)
