"""How lists are read, page by page, and when they are stale."""

import pytest

from inspector.journal.timeline_lists import PAGE_CAP
from inspector.journal.timeline_values import ListAt
from tests.journal.conversation import Conversation, notification, request, result
from tests.journal.told import error, shaken, told

CHANGED = notification("notifications/tools/list_changed")


def tools(talk: Conversation) -> ListAt:
    return told(talk).lists["tools"]


def read(talk: Conversation, number: int = 1) -> int:
    talk.sent(request(number, "tools/list"))
    return talk.received(result(number, tools=[{"name": "a"}]))


def test_a_list_of_two_pages_is_ready_after_the_second() -> None:
    talk = shaken(tools={})
    talk.sent(request(1, "tools/list"))
    assert tools(talk) == ListAt("tools", "loading")
    first = talk.received(result(1, tools=[], nextCursor="c"))
    assert tools(talk) == ListAt("tools", "loading", (first,))
    talk.sent(request(2, "tools/list", cursor="c"))
    second = talk.received(result(2, tools=[]))
    assert tools(talk) == ListAt("tools", "ready", (first, second))


def test_a_page_out_of_turn_is_nobodys() -> None:
    talk = shaken(tools={})
    page = read(talk)
    talk.sent(request(2, "tools/list", cursor="elsewhere"))
    talk.received(result(2, tools=[]))
    assert tools(talk) == ListAt("tools", "ready", (page,))


def test_an_announced_change_makes_a_list_stale_until_it_is_read_again() -> None:
    talk = shaken(tools={})
    before = read(talk)
    talk.received(CHANGED)
    assert tools(talk) == ListAt("tools", "stale", (before,))
    talk.sent(request(2, "tools/list"))
    assert tools(talk) == ListAt("tools", "loading", (before,))
    after = talk.received(result(2, tools=[]))
    assert tools(talk) == ListAt("tools", "ready", (after,))


def test_a_change_that_is_announced_while_reading_makes_the_list_stale_at_its_end() -> None:
    talk = shaken(tools={})
    talk.sent(request(1, "tools/list"))
    talk.received(CHANGED)
    assert tools(talk).state == "loading"
    page = talk.received(result(1, tools=[]))
    assert tools(talk) == ListAt("tools", "stale", (page,))


def test_what_was_there_is_kept_where_reading_fails() -> None:
    talk = shaken(tools={})
    page = read(talk)
    talk.sent(request(2, "tools/list"))
    talk.received(error(2, -32603))
    assert tools(talk) == ListAt("tools", "failed", (page,), "the server answered -32603 no")
    talk.sent(request(3, "tools/list"))
    talk.received(result(3, tools="none"))
    assert tools(talk) == ListAt("tools", "failed", (page,), "the answer has no list 'tools'")
    talk.sent(request(4, "tools/list"))
    talk.sent(notification("notifications/cancelled", requestId=4))
    assert tools(talk) == ListAt("tools", "failed", (page,), "reading was cut short")


def test_a_cursor_that_comes_twice_ends_the_reading() -> None:
    talk = shaken(tools={})
    talk.sent(request(1, "tools/list"))
    first = talk.received(result(1, tools=[], nextCursor="c"))
    talk.sent(request(2, "tools/list", cursor="c"))
    second = talk.received(result(2, tools=[], nextCursor="c"))
    assert tools(talk) == ListAt(
        "tools", "ready", (first, second), "reading stopped: a cursor came twice"
    )


def test_a_list_without_end_is_cut() -> None:
    talk = shaken(tools={})
    for number in range(PAGE_CAP + 1):
        params = {"cursor": f"c{number}"} if number else {}
        talk.sent(request(number, "tools/list", **params))
        talk.received(result(number, tools=[], nextCursor=f"c{number + 1}"))
    seen = tools(talk)
    assert (seen.state, len(seen.pages)) == ("ready", PAGE_CAP)
    assert "pages" in seen.error


def test_an_answer_that_is_no_message_is_salvaged() -> None:
    talk = shaken(tools={})
    talk.sent(request(1, "tools/list"))
    deep = b"[" * 3000 + b"]" * 3000
    torn = talk.received(b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"n":2},' + deep + b"]}}")
    seen = tools(talk)
    assert (seen.state, seen.pages) == ("ready", (torn,))
    assert seen.error == f"entry {torn} cannot be read whole"


@pytest.mark.parametrize("kind", ["resources", "resourceTemplates"])
def test_one_announcement_is_for_resources_and_their_templates(kind: str) -> None:
    talk = shaken(resources={})
    for number, method in enumerate(("resources/list", "resources/templates/list")):
        name = "resourceTemplates" if number else "resources"
        talk.sent(request(number, method))
        talk.received(result(number, **{name: []}))
    talk.received(notification("notifications/resources/list_changed"))
    assert told(talk).lists[kind].state == "stale"
