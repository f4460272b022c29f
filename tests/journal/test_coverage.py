"""The facts behind the coverage: names, codes, pages, faults, in slices and bounded."""

from inspector.journal.coverage import Coverage, Facts, Tally, tallied
from inspector.journal.entries import Flag
from tests.journal.conversation import Conversation, error, notification, request, result


def gathered(talk: Conversation, limit: int = 3) -> Coverage:
    coverage = Coverage(talk.journal)
    for _ in range(len(talk.journal) + 5):
        if coverage.advance(limit):
            return coverage
    raise AssertionError("it does not arrive")


def facts_of(talk: Conversation) -> Facts:
    return gathered(talk).settled()


def test_names_are_counted_by_method_with_their_first_entry() -> None:
    talk = Conversation()
    first = talk.sent(request(1, name="add"))
    talk.sent(request(2, name="add"))
    read = talk.sent(request(3, "resources/read", uri="memo://a"))
    names = facts_of(talk).names
    assert tallied(names, "tools/call") == {"add": Tally(2, first)}
    assert tallied(names, "resources/read") == {"memo://a": Tally(1, read)}


def test_codes_refusals_and_pages_are_seen() -> None:
    talk = Conversation()
    talk.sent(request(1, name="add"))
    refused = talk.received(result(1, isError=True))
    talk.sent(request(2, name="nothing"))
    unknown = talk.received(error(2, -32602))
    second_page = talk.sent(request(3, "tools/list", cursor="2"))
    talk.sent(request(4, "tools/list"))
    facts = facts_of(talk)
    assert facts.refused == Tally(1, refused)
    assert facts.codes == {-32602: Tally(1, unknown)}
    assert facts.pages == {"tools/list": Tally(1, second_page)}


def test_what_became_of_requests_later_is_told_as_it_is_now() -> None:
    talk = Conversation()
    withdrawn, slow = talk.sent(request(1)), talk.sent(request(2))
    coverage = gathered(talk)
    assert coverage.settled().cancelled == Tally()
    talk.sent(notification("notifications/cancelled", requestId=1))
    talk.journal.flag(slow, Flag.TIMED_OUT)
    assert coverage.advance()
    facts = coverage.settled()
    assert facts.cancelled == Tally(1, withdrawn)
    assert facts.timed_out == Tally(1, slow)


def test_faults_of_the_server_are_seen() -> None:
    talk = Conversation()
    orphan = talk.received(result(99))
    broken = talk.received(b"no json")
    facts = facts_of(talk)
    assert (facts.orphan, facts.malformed) == (Tally(1, orphan), Tally(1, broken))


def test_a_new_connection_begins_from_nothing() -> None:
    talk = Conversation()
    talk.sent(request(1, name="add"))
    coverage = gathered(talk)
    assert coverage.facts.names
    talk.connection = talk.journal.begin_connection({"transport": "memory"})
    while not coverage.advance():
        pass
    assert coverage.facts.names == {}
    assert coverage.facts.connection == talk.connection
    assert (coverage.state and coverage.state.number) == talk.connection


def test_an_empty_journal_is_looked_through_at_once() -> None:
    journal = type(Conversation().journal)()
    coverage = Coverage(journal)
    assert coverage.advance()
    assert coverage.state is None


def test_it_goes_on_where_it_was() -> None:
    talk = Conversation()
    talk.sent(request(1, name="add"))
    coverage = gathered(talk)
    talk.sent(request(2, name="add"))
    assert coverage.behind == 1
    assert coverage.advance()
    assert tallied(coverage.facts.names, "tools/call")["add"].count == 2
