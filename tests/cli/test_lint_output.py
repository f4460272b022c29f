"""Findings for people: grouped, with their place, and harmless for a terminal."""

import json
from collections.abc import Iterable

import pytest

from inspector.cli.lint_output import catalogue, drawn, graveness, told
from inspector.cli.lint_report import Wanted, report
from inspector.cli.output import Paper
from inspector.errors import ConnectionFailed
from inspector.journal.entries import Direction
from inspector.journal.journal import Journal
from inspector.lint.catalog import RULES
from inspector.lint.kept import LIMIT
from inspector.lint.rule import rule
from inspector.protocol.messages import Json
from tests.journal.conversation import Conversation, request


def journal_of(*answers: bytes) -> Journal:
    journal = Journal()
    number = journal.begin_connection({"command": ["x"], "transport": "stdio"})
    for position, raw in enumerate(answers):
        asked = b'{"jsonrpc":"2.0","id":%d,"method":"tools/list"}' % position
        journal.frame(Direction.SENT, asked, connection=number)
        journal.frame(Direction.RECEIVED, raw, connection=number)
    return journal


def answer(position: int, *names: Json) -> bytes:
    tools = [
        {"name": name, "description": "d", "inputSchema": {"type": "object"}} for name in names
    ]
    return json.dumps({"jsonrpc": "2.0", "id": position, "result": {"tools": tools}}).encode()


def text_of(journal: Journal, *globs: str) -> str:
    paper = Paper(is_terminal=False)
    return "".join(map(paper.print, drawn(report(journal, Wanted(globs), "x"))))


def test_many_of_one_rule_are_counted_and_three_are_shown() -> None:
    text = text_of(journal_of(answer(0, *(f"a {number}" for number in range(8)))), "tool/name-*")
    assert "warn  tool/name-charset  ×8" in text
    assert text.count("#3 ← tools/list result  /result/tools/") == 3
    assert "and 5 more; --json has them" in text
    assert "8 warnings" in text


def test_the_gravest_come_first() -> None:
    journal = journal_of(answer(0, "a b"), b'{"jsonrpc":"1.0","id":1,"result":{"tools":[]}}')
    text = text_of(journal, "tool/name-charset", "rpc/bad-version")
    assert text.index("error rpc/bad-version") < text.index("warn  tool/name-charset")
    assert "1 error, 1 warning" in text


def test_no_control_character_of_a_server_gets_out() -> None:
    text = text_of(journal_of(answer(0, "a\x1b[2J\u202eb", "a\x1b[2J\u202eb"), b"\x1b]0;x\x07"))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\x07" not in text


def test_an_entry_is_told_in_a_few_words() -> None:
    journal = journal_of(answer(0, "a"))
    assert told(journal, 2) == "→ tools/list"
    assert told(journal, 3) == "← tools/list result"
    assert told(journal, 1).startswith("· connection")


@pytest.mark.parametrize("names", [("a b",), ()])
def test_the_summary_says_what_was_spoken(names: Iterable[str]) -> None:
    text = text_of(journal_of(answer(0, *names)), "tool/*")
    assert ("1 warning" in text) is bool([*names])
    assert "no session, 3 entries" in text


def test_a_summary_does_not_hide_that_something_was_not_looked_at() -> None:
    made = report(journal_of(), Wanted(("tool/*",)), "x", failure=ConnectionFailed("gone"))
    paper = Paper(is_terminal=False)
    text = "".join(map(paper.print, drawn(made)))
    assert "nothing found, and not everything could be looked at  no session" in text


def test_the_catalogue_has_every_rule_with_its_page() -> None:
    paper = Paper(is_terminal=False)
    text = "".join(map(paper.print, catalogue([*RULES.values()])))
    assert all(f"{name}  " in text for name in RULES)
    assert text.count("https://modelcontextprotocol.io/specification/") == len(RULES)


def test_how_grave_a_rule_is_stands_in_one_line() -> None:
    row = rule("a/b", "t", "basic", error="CD", warn="E")
    assert graveness(row) == "error 2025-06-18, 2025-11-25; warn 2026-07-28"


def test_findings_beyond_what_is_kept_are_counted_too() -> None:
    journal = Journal()
    connection = journal.begin_connection({"command": ["x"], "transport": "stdio"})
    for _ in range(LIMIT + 7):
        journal.frame(Direction.RECEIVED, b"log line", connection=connection)
    text = text_of(journal)
    assert f"×{LIMIT + 7}" in text
    assert f"and {LIMIT + 4} more; --json has most" in text
    assert f"{LIMIT + 7} errors" in text


def test_a_text_is_made_visible_once() -> None:
    talk = Conversation()
    talk.sent(request(1, "\x1b]0;x\x07", name="\x1b[2J"))
    talk.received({"jsonrpc": "2.0", "id": 1, "result": {"content": "\x1b[3J"}})
    assert told(talk.journal, 2).startswith("→ ␛]0;x␇")
    shown = "".join(map(Paper(is_terminal=False).print, drawn(report(talk.journal, Wanted(), "x"))))
    assert "⟨241B⟩" not in shown
