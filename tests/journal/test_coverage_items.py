"""What was tried, what was not, and what is not offered, against the table of the revision."""

from inspector.journal.coverage import Coverage
from inspector.journal.coverage_items import (
    CAPABILITIES,
    OUTCOMES,
    RECEIVE,
    RESOURCES,
    SEND,
    TEMPLATES,
    TOOLS,
    Item,
    coverage_items,
    declares,
    tried_of,
)
from inspector.protocol.messages import JsonObject, Sendable
from tests.journal.conversation import Conversation, error, notification, request, result

CAPABLE: Sendable = {"tools": {"listChanged": True}, "resources": {}, "logging": {}}


def opened(capabilities: Sendable = CAPABLE, revision: str = "2025-11-25") -> Conversation:
    talk = Conversation()
    talk.sent(request(0, "initialize", protocolVersion=revision, capabilities={"roots": {}}))
    said = result(
        0,
        protocolVersion=revision,
        capabilities=capabilities,
        serverInfo={"name": "s", "version": "1"},
    )
    talk.received(said)
    talk.sent(notification("notifications/initialized"))
    return talk


def items_in(talk: Conversation) -> list[Item]:
    coverage = Coverage(talk.journal)
    while not coverage.advance():
        pass
    return coverage_items(coverage)


def item(talk: Conversation, area: str, name: str) -> Item:
    (found,) = [one for one in items_in(talk) if (one.area, one.name) == (area, name)]
    return found


def test_what_was_sent_is_tried_with_its_first_entry() -> None:
    talk = opened()
    asked = talk.sent(request(1, "ping"))
    talk.sent(request(2, "ping"))
    found = item(talk, SEND, "ping")
    assert (found.count, found.entry, found.untried) == (2, asked, False)
    assert item(talk, RECEIVE, "ping").count == 0


def test_what_the_server_declares_and_nobody_tried_has_a_hint() -> None:
    found = item(opened(), SEND, "tools/call")
    assert found.untried
    assert "Tools tab" in found.hint


def test_what_the_server_does_not_offer_counts_for_nothing() -> None:
    talk = opened()
    assert not item(talk, SEND, "prompts/get").offered
    before = tried_of(items_in(talk))
    less = opened({"tools": {"listChanged": True}, "resources": {}})
    assert tried_of(items_in(less))[1] < before[1]


def test_what_is_used_without_being_offered_is_shown_as_used() -> None:
    talk = opened()
    asked = talk.sent(request(1, "prompts/get", name="x"))
    found = item(talk, SEND, "prompts/get")
    assert (found.count, found.entry, found.offered) == (1, asked, True)


def test_only_methods_of_the_revision_are_listed() -> None:
    names = {one.name for one in items_in(opened(revision="2024-11-05")) if one.area == SEND}
    assert "completion/complete" in names
    assert "tasks/get" not in names
    assert "server/discover" not in names


def test_tools_and_resources_are_listed_by_name() -> None:
    talk = opened()
    talk.sent(request(1, "tools/list"))
    talk.received(result(1, tools=[{"name": "add"}, {"name": "echo"}]))
    talk.sent(request(2, "resources/list"))
    talk.received(result(2, resources=[{"uri": "memo://a"}]))
    talk.sent(request(3, "resources/templates/list"))
    talk.received(result(3, resourceTemplates=[{"uriTemplate": "memo://{name}/x"}]))
    called = talk.sent(request(4, name="echo"))
    talk.sent(request(5, name="ghost"))
    read = talk.sent(request(6, "resources/read", uri="memo://b/x"))
    assert item(talk, TOOLS, "add").untried
    assert item(talk, TOOLS, "echo").entry == called
    assert item(talk, TOOLS, "ghost (not listed)").count == 1
    assert item(talk, RESOURCES, "memo://a").untried
    assert item(talk, TEMPLATES, "memo://{name}/x").entry == read


def test_error_paths_are_seen_and_suggested() -> None:
    talk = opened()
    talk.sent(request(1, name="add"))
    assert "missing required" in item(talk, OUTCOMES, "-32602 invalid params").hint
    answer = talk.received(error(1, -32602))
    assert item(talk, OUTCOMES, "-32602 invalid params").entry == answer
    talk.sent(request(2, name="add"))
    refused = talk.received(result(2, isError=True))
    assert item(talk, OUTCOMES, "a tool that says isError").entry == refused
    talk.sent(request(3, name="add"))
    odd = talk.received(error(3, -31999))
    assert item(talk, OUTCOMES, "-31999 (another error)").entry == odd


def test_a_capability_is_used_when_one_of_its_methods_is() -> None:
    talk = opened()
    assert item(talk, CAPABILITIES, "tools").untried
    assert not item(talk, CAPABILITIES, "prompts").offered
    assert item(talk, CAPABILITIES, "ours: roots").untried
    called = talk.sent(request(1, name="add"))
    asked = talk.received(request("r", "roots/list"))
    assert (item(talk, CAPABILITIES, "tools").entry, item(talk, CAPABILITIES, "tools").count) == (
        called, 1,
    )  # fmt: skip
    assert item(talk, CAPABILITIES, "ours: roots").entry == asked


def test_nothing_is_listed_before_a_connection() -> None:
    journal = type(Conversation().journal)()
    coverage = Coverage(journal)
    coverage.advance()
    assert coverage_items(coverage) == []


def test_null_and_false_declare_nothing() -> None:
    said: JsonObject = {"tools": {"listChanged": False}, "logging": None}
    assert declares(said, ("tools",))
    assert not declares(said, ("tools", "listChanged"))
    assert not declares(said, ("logging",))
    assert declares(said, None)
