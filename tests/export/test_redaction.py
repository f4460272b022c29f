"""Whole entries on their way out."""

import json

from inspector.export.redaction import Redaction
from inspector.export.rules import parse_rules
from inspector.export.source import Source
from inspector.journal.entries import Direction, HttpFacts, Kind
from inspector.journal.facts import encode_facts, http_facts, http_json
from inspector.journal.journal import Journal
from inspector.journal.redact import Redactor
from tests.journal.conversation import Conversation, request, result


def _redaction(*rules: str) -> Redaction:
    return Redaction(parse_rules(rules, {}))


HEADERS = (("Authorization", "Bearer abcdef-1"), ("Cookie", "a=b"), ("Content-Length", "187"))
EXCHANGE = encode_facts(http_json(HttpFacts("POST", "http://u:pw1234@h/?token=abc123", HEADERS)))


def test_what_a_recording_made_elsewhere_left_open_is_masked_without_a_rule() -> None:
    facts = http_facts(_redaction().body(Kind.HTTP, Direction.SENT, EXCHANGE))
    headers = dict(facts.request_headers)
    assert headers["Authorization"].startswith("Bearer [masked ")
    assert headers["Cookie"].startswith("[masked ")
    assert headers["Content-Length"] == "187"
    assert "pw1234" not in facts.url
    assert "abc123" not in facts.url


def test_lengths_go_where_there_are_rules() -> None:
    facts = http_facts(_redaction("key=x").body(Kind.HTTP, Direction.SENT, EXCHANGE))
    assert dict(facts.request_headers)["Content-Length"] == "[redacted]"


def test_what_is_masked_stays_byte_for_byte_as_it_is() -> None:
    """Export of an export of a recording: nothing new."""
    sent = b'{"password":"hunter2-77","jwt":"eyJhbGciOi.eyJzdWIiOi.abc","u":"?code=abcdefgh"}'
    once = _redaction().body(Kind.REQUEST, Direction.SENT, sent)
    assert b"hunter2" not in once
    assert _redaction().body(Kind.REQUEST, Direction.SENT, once) == once
    http = _redaction().body(Kind.HTTP, Direction.SENT, EXCHANGE)
    assert _redaction().body(Kind.HTTP, Direction.SENT, http) == http


def test_a_mask_is_not_masked_again() -> None:
    first, second = Redactor(b"one"), Redactor(b"two")
    masked = first.headers((("Authorization", "Bearer abcdef-1"),))
    assert second.headers(masked) == masked
    assert second.url(first.url("http://h/?token=abcdef")) == first.url("http://h/?token=abcdef")


def test_what_stands_under_a_name_is_found_wherever_the_server_repeats_it() -> None:
    talk = Conversation()
    talk.received(b"stray swordfish-9 before")
    talk.sent(request(1, "tools/call", name="login", arguments={"pin": "swordfish-9"}))
    talk.received(result(1, content=[{"type": "text", "text": "welcome swordfish-9"}]))
    source = Source(talk.journal, range(1, len(talk.journal) + 1), _redaction("key=pin"))
    bodies = [source.body(number) for number in source.each()]
    assert not [body for body in bodies if b"swordfish" in body]
    assert source.redaction.counts == {"key=pin": 3}
    assert source.redaction.entries == 3


def test_words_of_a_schema_are_not_taken_for_secrets() -> None:
    talk = Conversation()
    schema = {"properties": {"pin": {"type": "string"}}}
    talk.received(result(1, tools=[{"name": "t", "inputSchema": schema}]))
    talk.received(result(2, content=[{"type": "text", "text": "a string"}]))
    source = Source(talk.journal, range(1, len(talk.journal) + 1), _redaction("key=pin"))
    assert b"a string" in source.body(len(talk.journal))


def test_each_entry_counts_once_however_often_it_is_read() -> None:
    talk = Conversation()
    number = talk.sent(request(1, "tools/call", name="t", arguments={"pin": "x"}))
    source = Source(talk.journal, (number,), _redaction("key=pin"))
    assert source.body(number) == source.body(number)
    source.name(number)
    assert source.redaction.replaced == 1


def test_rules_that_replaced_nothing_are_named() -> None:
    redaction = _redaction("key=nobody", "value=never-there")
    redaction.body(Kind.REQUEST, Direction.SENT, b'{"a":1}')
    assert redaction.idle == ("key=nobody", "value #1")


def test_every_value_of_any_type_becomes_the_same_text() -> None:
    for value in ('"abc"', "12345", "null", '{"a":1}', "[1,2]"):
        raw = b'{"pin":%b}' % value.encode()
        masked = _redaction("key=pin").body(Kind.REQUEST, Direction.SENT, raw)
        assert json.loads(masked) == {"pin": "[redacted]"}


def test_texts_of_ours_that_quote_the_server_are_redacted_even_where_they_were_cut() -> None:
    redaction = _redaction("value=swordfish-9")
    assert redaction.text("the tool swordfish-9 is odd") == "the tool [redacted] is odd"
    assert "swordf" not in redaction.text('the tool "swordf…" is odd')


def test_a_method_that_is_the_secret_is_redacted_in_rows_too() -> None:
    journal = Journal()
    connection = journal.begin_connection({})
    raw = b'{"jsonrpc":"2.0","id":1,"method":"swordfish-9"}'
    number = journal.frame(Direction.SENT, raw, connection=connection)
    source = Source(journal, (number,), _redaction("value=swordfish-9"))
    assert source.row(number).method == "[redacted]"
