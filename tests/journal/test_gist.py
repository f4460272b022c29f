"""The gist of an entry from a bounded piece of its body."""

import json

import pytest

from inspector.journal.entries import Direction
from inspector.journal.gist import READ_LIMIT, gist, id_text
from inspector.journal.journal import Journal
from inspector.protocol.messages import JsonObject


def gist_of(method: str, params: JsonObject) -> str:
    journal = Journal()
    raw = json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode()
    number = journal.frame(Direction.RECEIVED, raw, connection=journal.begin_connection({}))
    return gist(journal, journal.row(number))


@pytest.mark.parametrize(
    ("method", "params", "said"),
    [
        ("notifications/progress", {"progress": 3, "total": 10, "message": "m"}, "3/10 m"),
        ("notifications/message", {"level": "info", "data": "hi", "logger": "l"}, "info [l] hi"),
        ("notifications/cancelled", {"requestId": "7", "reason": "bored"}, "id 7 bored"),
        ("notifications/resources/updated", {"uri": "a://b"}, "a://b"),
        ("notifications/other", {"x": 1}, ""),
        ("notifications/message", {"level": "info", "data": {"a": [1]}}, 'info {"a": [1]}'),
    ],
)
def test_notifications_say_what_they_are_about(method: str, params: JsonObject, said: str) -> None:
    assert gist_of(method, params) == said


def test_a_body_above_the_limit_is_not_read() -> None:
    assert gist_of("notifications/message", {"level": "info", "data": "x" * READ_LIMIT}) == ""


def test_ids_keep_their_spelling() -> None:
    journal = Journal()
    raw = b'{"jsonrpc":"2.0","id":"7","method":"ping"}'
    number = journal.frame(Direction.SENT, raw, connection=journal.begin_connection({}))
    assert id_text(journal, journal.row(number)) == '"7"'


def test_a_step_of_an_authorization_says_how_it_stands() -> None:
    journal = Journal()
    journal.begin_connection({})
    facts: JsonObject = {"stage": "token", "state": "done", "words": "type: Bearer", "url": "u"}
    number = journal.event("oauth", facts, connection=1)
    assert gist(journal, journal.row(number)) == "token done: type: Bearer"


def test_an_event_says_its_facts() -> None:
    journal = Journal()
    number = journal.event("exited", {"code": 3, "nothing": ""}, connection=1)
    assert gist(journal, journal.row(number)) == "code 3"
