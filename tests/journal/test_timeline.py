"""Any state is reached from the checkpoint before it, and is what a replay from the start gives."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.journal.entries import Direction, Flag
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.journal.recording import RecordingFile
from inspector.journal.timeline import CHECKPOINTS, FEWEST, SPACING, STRIDE, WEIGHT, Timeline
from inspector.journal.timeline_values import StateAt
from inspector.protocol.messages import Sendable
from tests.journal.conversation import Conversation, notification, request, result

METHODS = ("tools/call", "tools/list", "resources/subscribe", "logging/setLevel", "tasks/get")
BODIES: tuple[Sendable, ...] = (
    {"content": []},
    {"tools": [{"name": "a"}], "nextCursor": "more"},
    {"tools": [{"name": "b"}]},
    {"taskId": "t", "status": "working"},
    {"task": {"taskId": "u", "status": "completed"}},
    "no object",
)
NOTES = (
    "notifications/message",
    "notifications/tools/list_changed",
    "notifications/resources/updated",
    "notifications/tasks/status",
)


def babble(journal: Journal, entries: int, seed: int) -> None:
    """A peer and a client that say anything at all, on several connections."""
    chance = random.Random(seed)
    connection = journal.begin_connection({"transport": "memory"})
    while len(journal) < entries:
        sent = chance.random() < 0.5
        said: Sendable
        direction = Direction.SENT if sent else Direction.RECEIVED
        number = chance.randrange(1, 40)
        match chance.randrange(12):
            case 0 | 1 | 2:
                params: dict[str, Sendable] = {"uri": "x", "level": "info", "taskId": "t"}
                said = request(number, chance.choice(METHODS), **params)
            case 3 | 4 | 5:
                said = {"jsonrpc": "2.0", "id": number, "result": chance.choice(BODIES)}
            case 6:
                said = {"jsonrpc": "2.0", "id": number, "error": {"code": -1, "message": ""}}
            case 7:
                said = notification("notifications/progress", progressToken=number, progress=1)
            case 8:
                said = notification("notifications/cancelled", requestId=number)
            case 9:
                said = [request(number, "tools/list"), result(number + 1), result(number + 2)]
            case 10:
                params = {"uri": "x/y", "taskId": "t", "status": "failed"}
                said = notification(chance.choice(NOTES), **params)
            case _:
                if chance.random() < 0.02:
                    connection = journal.begin_connection({"transport": "memory"})
                journal.frame(direction, b'{"id":3,"result":{"tools":[1', connection=connection)
                continue
        journal.frame(direction, json.dumps(said).encode(), connection=connection)


def without_clock(state: StateAt) -> StateAt:
    """A state whose requests have no times: a recording keeps them in whole microseconds."""
    return replace(
        state,
        connections=tuple(
            replace(one, open=tuple(replace(it, since=0.0) for it in one.open))
            for one in state.connections
        ),
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_state_by_checkpoint_is_that_of_a_replay_from_the_start(seed: int) -> None:
    journal = Journal()
    babble(journal, 1500, seed)
    timeline = Timeline(journal, spacing=50)
    timeline.advance()
    assert len(timeline.checkpoints) > 20
    numbers = random.Random(seed).sample(range(len(journal)), 150)
    replayed = Timeline(journal, spacing=10**9)
    for number in sorted(numbers):
        expected = replayed.state_at(number)
        assert replayed.checkpoints == (0,)
        assert timeline.state_at(number) == expected
    forwards = {number: timeline.state_at(number) for number in range(700, 760)}
    backwards = {number: timeline.state_at(number) for number in range(759, 699, -1)}
    assert forwards == backwards


def test_a_reopened_recording_has_the_states_that_the_journal_had(tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    journal = Journal(file=RecordingFile.create(path))
    babble(journal, 600, 7)
    journal.close()
    live, reopened = Timeline(journal), Timeline(load_recording(path))
    for number in range(0, 600, 7):
        assert without_clock(reopened.state_at(number)) == without_clock(live.state_at(number))


def test_going_along_in_steps_or_behind_a_growing_journal_changes_nothing() -> None:
    whole, growing = Journal(), Journal()
    babble(whole, 800, 3)
    followed = Timeline(growing)

    def follow(number: int) -> None:
        followed.advance(number)

    growing.subscribe(follow)
    babble(growing, 800, 3)
    stepped = Timeline(whole)
    steps = 0
    while not stepped.advance(limit=100):
        steps += 1
    assert steps == len(whole) // 100 - (len(whole) % 100 == 0)
    assert followed.position == len(growing)
    number = len(whole)
    assert without_clock(stepped.state_at(number)) == without_clock(followed.state_at(number))


def test_at_most_one_part_in_a_hundred_is_gone_along_again() -> None:
    """Counted in entries, of which each costs one where no body has to be read."""
    talk = Conversation()
    message = notification("notifications/message", level="info", data="x")
    raw = json.dumps(message).encode()
    for _ in range(300_000):
        talk.journal.frame(Direction.RECEIVED, raw, connection=talk.connection)
    timeline = Timeline(talk.journal)
    timeline.advance()
    assert CHECKPOINTS // 2 - 1 <= len(timeline.checkpoints) <= CHECKPOINTS
    most = 0
    for number in (1, 777, 12_345, 150_000, 299_999, *timeline.checkpoints):
        timeline.state_at(max(number - 1, 0))
        most = max(most, timeline.replayed)
    assert 0 < most <= len(talk.journal) // 100
    timeline.state_at(150_500)
    timeline.state_at(150_501)
    assert timeline.replayed <= 1


def test_few_entries_are_gone_along_again_where_bodies_are_heavy() -> None:
    talk = Conversation()
    page = [{"name": f"tool{number}", "description": "x" * 100} for number in range(100)]
    for number in range(400):
        talk.sent(request(number, "tools/list"))
        talk.received(result(number, tools=page))
    timeline = Timeline(talk.journal)
    timeline.advance()
    gaps = [b - a for a, b in zip(timeline.checkpoints, timeline.checkpoints[1:], strict=False)]
    assert max(gaps) <= 2 * STRIDE  # that many without a body would not make a checkpoint
    assert max(gaps) * 10 < SPACING


def test_checkpoints_hold_little_however_many_requests_are_open() -> None:
    talk = Conversation()
    for number in range(40_000):
        talk.sent(request(number, "ping"))
    timeline = Timeline(talk.journal)
    timeline.advance()
    assert timeline.weight <= WEIGHT
    assert len(timeline.checkpoints) >= FEWEST // 2
    seen = timeline.state_at(len(talk.journal)).current
    assert seen is not None
    assert len(seen.open) + seen.forgotten == 40_000
    assert seen.open[-1].number == len(talk.journal)


def test_there_is_no_state_beyond_the_journal() -> None:
    talk = Conversation()
    timeline = Timeline(talk.journal)
    assert timeline.state_at(0).connections == ()
    with pytest.raises(IndexError):
        timeline.state_at(2)
    with pytest.raises(IndexError):
        timeline.state_at(-1)


def test_a_request_that_nobody_waits_for_is_told_as_given_up_at_the_end() -> None:
    talk = Conversation()
    asked = talk.sent(request(1))
    talk.journal.flag(asked, Flag.TIMED_OUT)
    timeline = Timeline(talk.journal)
    seen = timeline.state_at(asked).current
    assert seen is not None
    assert [one.given_up for one in seen.open] == [True]
    talk.sent(request(2))
    earlier = timeline.state_at(asked).current
    assert earlier is not None
    assert [one.given_up for one in earlier.open] == [False]  # not known since when


def test_the_current_connection_is_not_one_that_stands_beside() -> None:
    talk = Conversation()
    asked = talk.sent(request(1))
    aside = talk.journal.begin_connection({"aside": "matrix"})
    timeline = Timeline(talk.journal)
    state = timeline.state_at(len(talk.journal))
    assert state.current is not None
    assert [one.number for one in state.current.open] == [asked]
    assert state.connection(aside) is not None
    talk.journal.begin_connection({})
    after = timeline.state_at(len(talk.journal)).connection(talk.connection)
    assert after is not None
    assert after.open == ()
    assert after.phase.over
