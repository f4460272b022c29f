"""Lines for HTTP exchanges, events and whole exchanges."""

from inspector.journal.entries import Direction, HttpFacts
from inspector.journal.journal import Journal
from inspector.tui.facts import LINES_PER_MEMBER, exchange_lines, fact_lines, http_lines


def plain(lines: list[object]) -> list[str]:
    return [str(line) for line in lines]


def test_an_http_entry_shows_both_heads_and_the_body() -> None:
    journal = Journal()
    facts = HttpFacts(
        "POST",
        "http://x/mcp",
        request_headers=(("accept", "application/json"),),
        status=500,
        reason="Oh no",
        response_headers=(("content-type", "text/html"),),
        body=b"<h1>\x1b[31m</h1>",
    )
    number = journal.http(facts, connection=journal.begin_connection({}))
    shown = plain([*http_lines(journal, number)])
    assert shown[0] == "POST http://x/mcp"
    assert "accept: application/json" in shown
    assert any("500 Oh no" in line for line in shown)
    assert "content-type: text/html" in shown
    assert "<h1>␛[31m</h1>" in shown


def test_facts_are_one_line_each_and_other_text_stands_as_it_is() -> None:
    assert plain([*fact_lines(b'{"code": 3, "why": "x"}')]) == ["code  3", "why   x"]
    assert plain([*fact_lines(b"no json")]) == ["no json"]


def test_an_exchange_heads_every_member_and_knows_its_entry() -> None:
    journal = Journal()
    connection = journal.begin_connection({})
    first = journal.frame(Direction.SENT, b'{"id":1,"method":"ping"}', connection=connection)
    second = journal.frame(Direction.RECEIVED, b'{"id":1,"result":{}}', connection=connection)
    lines, entries = exchange_lines(journal, [first, second])
    assert list(entries.values()) == [first, second]
    for line, number in entries.items():
        assert str(lines[line]).startswith(f"#{number} ")
    assert '    "method": "ping"' in plain([*lines])


def test_a_long_member_is_cut_and_says_so() -> None:
    journal = Journal()
    raw = b'{"a":[' + b",".join(b"1" for _ in range(1000)) + b"]}"
    number = journal.frame(Direction.SENT, raw, connection=journal.begin_connection({}))
    lines, _ = exchange_lines(journal, [number])
    assert len(lines) < LINES_PER_MEMBER + 5
    assert "more lines" in str(lines[-2])
