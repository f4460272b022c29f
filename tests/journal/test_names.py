import pytest

from inspector.journal.entries import HttpFacts
from inspector.journal.names import NAME_LIMIT, NAMES_KEPT
from inspector.protocol.messages import Sendable
from tests.journal.conversation import Conversation, notification, request, result


@pytest.mark.parametrize(
    ("message", "name"),
    [
        (request(1, "tools/call", name="add"), "add"),
        (request(1, "resources/read", uri="file:///x"), "file:///x"),
        (request(1, "completion/complete", ref={"type": "ref/prompt", "name": "p"}), "p"),
        (request(1, "logging/setLevel", level="debug"), "debug"),
        (request(1, "tasks/get", taskId="T"), "T"),
        (request(1, "initialize", clientInfo={"name": "c"}), "c"),
        (request(1, "ping"), ""),
        (request(1, "tools/call", name=5), ""),
        (notification("notifications/message", level="info", logger="db"), "info db"),
        (notification("notifications/progress", progress=1, total=4), "1/4"),
        (notification("notifications/resources/updated", uri="u:x"), "u:x"),
        (b"no json", ""),
    ],
)
def test_a_message_is_about_what_it_names(message: Sendable | bytes, name: str) -> None:
    talk = Conversation()
    assert talk.journal.name(talk.sent(message)) == name


def test_an_outcome_has_the_name_of_its_request() -> None:
    talk = Conversation()
    talk.sent(request(1, name="add"))
    assert talk.journal.name(talk.received(result(1, name="other"))) == "add"


def test_a_body_too_long_to_read_still_tells_the_name_that_stands_first() -> None:
    talk = Conversation()
    number = talk.sent(request(1, name="add", arguments="x" * NAME_LIMIT))
    assert talk.journal.name(number) == "add"
    number = talk.sent(request(1, arguments={"name": "no"}, more="x" * NAME_LIMIT, name="add"))
    assert talk.journal.name(number) == ""


def test_what_is_no_message_is_named_by_what_it_says() -> None:
    talk = Conversation()
    journal = talk.journal
    assert journal.name(journal.stderr(b"Listening", connection=1)) == "Listening"
    assert journal.name(journal.http(HttpFacts("GET", "http://x/y"), connection=1)) == "http://x/y"
    assert journal.name(journal.note(1, "odd")) == "odd"
    assert journal.name(journal.event("started", {}, connection=1)) == ""


def test_remembered_names_are_bounded() -> None:
    talk = Conversation()
    for number in range(NAMES_KEPT + 10):
        talk.journal.name(talk.sent(request(number, name="n")))
    assert len(talk.journal._names._known) <= NAMES_KEPT
