"""Finding answers to certain requests."""

from inspector.journal.answers import answers_to
from inspector.journal.entries import Direction
from inspector.journal.journal import Journal


def journal_of(*frames: tuple[Direction, bytes]) -> Journal:
    journal = Journal()
    number = journal.begin_connection({})
    for direction, raw in frames:
        journal.frame(direction, raw, connection=number)
    return journal


def test_results_are_found_by_the_method_of_their_request_and_errors_are_none() -> None:
    sent, received = Direction.SENT, Direction.RECEIVED
    journal = journal_of(
        (sent, b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'),
        (sent, b'{"jsonrpc":"2.0","id":2,"method":"ping"}'),
        (received, b'{"jsonrpc":"2.0","id":2,"result":{}}'),
        (received, b'{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}'),
        (sent, b'{"jsonrpc":"2.0","id":3,"method":"tools/list"}'),
        (received, b'{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"no"}}'),
        (received, b'{"jsonrpc":"2.0","id":9,"method":"tools/list"}'),
    )
    assert list(answers_to(journal, "tools/list")) == [5]
    assert list(answers_to(journal, "tools/list", "ping")) == [5, 4]
    assert list(answers_to(journal, "prompts/list")) == []
