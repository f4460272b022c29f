"""Differences as lines: signs tell them apart, nothing of a server gets through unseen."""

from inspector.compare.recordings import compare_recordings
from inspector.render.comparison import Line, comparison_lines, offer_words
from tests.compare.talk import Talk, text, tool


def lines(left: Talk, right: Talk) -> list[Line]:
    return [*comparison_lines(compare_recordings(left.journal, right.journal))]


def test_every_kind_of_difference_has_its_sign_and_its_place() -> None:
    one, two = Talk(), Talk()
    one.tools(tool("add"), tool("gone"))
    two.tools(tool("new"), tool("add", inputSchema={"type": "object", "required": ["a"]}))
    asked = one.call("add", text("3")), two.call("add", text("4"))
    one.call("gone", text("3"))
    for number in range(6):
        one.call("slow", text("3"), n=number, took=0.01)
        two.call("slow", text("3"), n=number, took=0.1)
    two.talk.received(b"not json")
    drawn = lines(one, two)
    assert ["  " * line.level + line.text.plain for line in drawn] == [
        "tools",
        "  ~ add  breaks",
        '    /inputSchema/required  + "a"  breaks',
        "  - gone  breaks",
        "  + new  compatible",
        "calls: 7 matched, 1 came to something else",
        f"  ~ tools/call add  #{asked[0]} #{asked[1]}",
        '    /result/content/0/text  "3" → "4"',
        "  - tools/call gone  only in the first",
        "latency",
        "  ~ tools/call slow  10 ms → 100 ms  ×10  noise ±2.0 ms, 6 and 6 calls",
        "findings",
        "  + error rpc/not-json  0 → 1",
        "  ~ info tool/input-schema-empty  2 → 1",
    ]
    assert {(line.left, line.right) for line in drawn if line.left} == {asked}
    worse, better = [line.text.style for line in drawn[-2:]]
    assert (worse, better) == ("mcp.error", "mcp.ok")


def test_equal_recordings_have_nothing_but_their_calls() -> None:
    one, two = Talk(), Talk()
    assert lines(one, two) == []
    one.call("add", text("3"))
    two.call("add", text("3"))
    assert [line.text.plain for line in lines(one, two)] == ["calls: 1 matched"]


def test_long_lists_are_cut_and_counted() -> None:
    one, two = Talk(), Talk()
    for number in range(30):
        one.call(f"tool{number}", text("x"))
        two.call(f"other{number}", text("x"))
    words = [line.text.plain for line in lines(one, two)]
    assert "and 18 more only in the first" in words
    assert "and 18 more only in the second" in words


def test_names_of_a_server_are_made_visible() -> None:
    one, two = Talk(), Talk()
    evil = "\x1b]0;title\x07[bold]\u202e"
    one.tools(tool("a"))
    two.tools(tool("a"), tool(evil))
    one.call(evil, text("x"))
    two.call(evil, text(evil))
    for line in lines(one, two):
        assert not {"\x1b", "\x07", "\u202e"} & {*line.text.plain}


def test_words_about_a_server() -> None:
    assert offer_words(compare_recordings(Talk().journal, Talk().journal).left) == (
        "shop 1.0 · 2025-11-25"
    )
