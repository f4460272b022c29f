"""How findings look: signs that need no colour, everything of a server made harmless."""

import pytest
from rich.cells import cell_len

from inspector.lint.rule import Finding, Severity
from inspector.protocol.messages import Sendable
from inspector.protocol.versions import Revision
from inspector.tui.finding_index import FindingIndex
from inspector.tui.finding_lines import (
    SIGNS,
    detail_lines,
    draw_line,
    finding_text,
    head_facts,
    page_url,
    snippet,
)
from tests.journal.conversation import Conversation, result

EVIL = "\x1b[31mevil\x07\u202e[bold]x[/bold]"


def finding(
    *entries: int, message: str = "It is wrong", pointer: str = "", rule: str = "tool/name"
) -> Finding:
    return Finding(
        rule,
        Severity.ERROR,
        Revision.V2025_06_18,
        message,
        entries or (1,),
        pointer,
        "server/tools",
    )


def talk() -> Conversation:
    said = Conversation()
    tools: Sendable = [{"name": "a"}, {"name": "b", "inputSchema": {"type": "string"}}]
    said.received(result(1, tools=tools))
    return said


def test_signs_differ_by_their_shape() -> None:
    assert len({sign for sign, _ in SIGNS.values()}) == len(Severity)


def test_the_page_is_that_of_the_revision() -> None:
    assert page_url(finding()) == (
        "https://modelcontextprotocol.io/specification/2025-06-18/server/tools"
    )


@pytest.mark.parametrize("width", [40, 71, 80, 120])
def test_a_line_fits_and_is_harmless(width: int) -> None:
    index = FindingIndex()
    index.catch_up([finding(1, message=EVIL * 20, rule="a/" + "x" * 60)] * 3)
    index.open("a/" + "x" * 60, Severity.ERROR)
    for line in index.lines():
        drawn = draw_line(line, width)
        assert cell_len(drawn.plain) <= width
        assert not {"\x1b", "\x07", "\u202e"} & set(drawn.plain)


def test_a_dangerous_character_is_made_visible_once() -> None:
    lines, _ = detail_lines(finding(1, message=EVIL, pointer="/" + EVIL), talk().journal, 80)
    told = [line.plain for line in lines if "evil" in line.plain]
    assert len(told) == 2
    assert all("␛[31mevil␇⟨202E⟩[bold]" in line for line in told)


def test_the_revision_has_a_column_where_there_is_room() -> None:
    index = FindingIndex()
    index.catch_up([finding()])
    (line,) = index.lines()
    assert "2025-06-18" in draw_line(line, 100).plain
    assert "2025-06-18" not in draw_line(line, 70).plain


def test_the_detail_names_everything_and_leads_to_the_entries() -> None:
    said = talk()
    lines, entries = detail_lines(
        finding(2, 1, message="long " * 40, pointer="/result/tools/1"), said.journal, 60
    )
    shown = "\n".join(line.plain for line in lines)
    for words in (
        "tool/name",
        "✗ error",
        "judged by 2025-06-18",
        "#2 ←",
        "with       #1",
        "/result/tools/1",
    ):
        assert words in shown
    assert "".join(shown.split()).count("specification/2025-06-18/server/tools") == 1
    assert sorted(entries.values()) == [1, 2]
    assert all(cell_len(line.plain) <= 60 for line in lines)


def test_the_place_is_marked_in_the_body() -> None:
    said = talk()
    at = "/result/tools/1/inputSchema/type"
    shown = [line.plain for line in snippet(finding(2, pointer=at), said.journal, 60)]
    (marked,) = [line for line in shown if line.startswith("▶")]
    assert marked.split() == ["▶", '"type":', '"string"']


def test_a_place_where_nothing_is_says_so() -> None:
    said = talk()
    shown = [line.plain for line in snippet(finding(2, pointer="/result/next"), said.journal, 60)]
    assert "nothing at that place" in shown[1]
    assert any(line.startswith('▶   "result"') for line in shown)


def test_what_is_no_json_is_shown_as_it_stands() -> None:
    said = Conversation()
    number = said.received(b"Server listening \x1b[31m")
    shown = "".join(line.plain for line in snippet(finding(number), said.journal, 60))
    assert "Server listening ␛[31m" in shown


def test_an_entry_that_is_not_there_breaks_nothing() -> None:
    said = Conversation()
    assert snippet(finding(99), said.journal, 60) == []
    assert "#99" in finding_text(finding(99), said.journal)


def test_the_heading_counts_and_says_what_is_hidden() -> None:
    counts = {Severity.ERROR: 1, Severity.WARN: 0, Severity.INFO: 5}
    facts = head_facts(counts, frozenset({Severity.INFO}), "judged 34 %").plain
    assert facts == "1 error · 0 warnings · 5 remarks hidden · judged 34 %"
