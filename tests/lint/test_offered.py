"""What a server offers, as far as its lists said."""

from inspector.journal.entries import Direction
from inspector.journal.journal import Journal
from inspector.lint import offered
from inspector.lint.catalog import RULES
from inspector.lint.engine import Linter
from inspector.lint.look import Look
from inspector.protocol.messages import JsonObject, read_envelope
from tests.lint.bench import Step, Talk, ask, bad, ok, say

READ = b'{"jsonrpc":"2.0","id":9,"method":"resources/read","params":{}}'
ITEM: JsonObject = {"uri": "memo://a", "name": "a"}
TEMPLATE: JsonObject = {"uriTemplate": "memo://notes/{id}", "name": "t"}
RESOURCES = (ask(1, "resources/list"), ok(1, resources=[ITEM]))
TEMPLATES = (ask(2, "resources/templates/list"), ok(2, resourceTemplates=[TEMPLATE]))


def unheard_of(uri: str, *steps: Step) -> bool:
    """Whether an address is in no list, after these steps."""
    journal = Journal()
    talk = Talk(journal, "D", "memory")
    for step in steps:
        step(talk)
    number = journal.frame(Direction.SENT, READ, connection=talk.connection)
    linter = Linter(journal)
    linter.advance()
    state = linter._state(talk.connection)
    look = Look(RULES, state, journal.row(number), READ, read_envelope(READ), {})
    return offered.unheard_of(look, uri)


def test_an_address_in_no_list_is_unheard_of_once_both_lists_were_read() -> None:
    assert unheard_of("memo://b", *RESOURCES, *TEMPLATES)
    assert not unheard_of("memo://b", *RESOURCES)
    assert not unheard_of("memo://b", *TEMPLATES)


def test_what_is_listed_or_may_be_of_a_template_is_known() -> None:
    assert not unheard_of("memo://a", *RESOURCES, *TEMPLATES)
    assert not unheard_of("memo://notes/7", *RESOURCES, *TEMPLATES)


def test_a_list_without_its_last_page_says_nothing_of_what_is_missing() -> None:
    first = (ask(1, "resources/list"), ok(1, resources=[ITEM], nextCursor="x"))
    assert not unheard_of("memo://b", *first, *TEMPLATES)
    last = (ask(3, "resources/list", cursor="x"), ok(3, resources=[]))
    assert unheard_of("memo://b", *first, *last, *TEMPLATES)
    assert not unheard_of("memo://a", *first, *last, *TEMPLATES)


def test_a_server_without_templates_has_none() -> None:
    none = (ask(2, "resources/templates/list"), bad(2, -32601))
    assert unheard_of("memo://b", *RESOURCES, *none)
    failed = (ask(2, "resources/templates/list"), bad(2, -32603))
    assert not unheard_of("memo://b", *RESOURCES, *failed)


def test_a_change_makes_the_lists_say_nothing() -> None:
    changed = say("notifications/resources/list_changed")
    assert not unheard_of("memo://b", *RESOURCES, *TEMPLATES, changed)
