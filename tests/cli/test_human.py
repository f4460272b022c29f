"""Results drawn for people: nothing is left out, nothing reaches the terminal unseen."""

import re
from typing import TYPE_CHECKING

import msgspec
import pytest

from inspector.cli import human
from inspector.cli.output import Paper
from inspector.protocol.messages import Json
from inspector.session.catalog import CatalogList
from inspector.session.freshness import Freshness
from inspector.session.pending import Failure

if TYPE_CHECKING:
    from inspector.cli.output import Part


def drawn(parts: "list[Part]") -> str:
    paper = Paper(is_terminal=False)
    return "".join(map(paper.print, parts))


def tool(result: Json) -> str:
    return drawn(list(human.tool_result(result, msgspec.json.encode(result))))


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def test_structured_content_that_a_text_says_already_is_not_repeated() -> None:
    same: Json = {"content": [text('{"a": 1}')], "structuredContent": {"a": 1}}
    assert "structured content" not in tool(same)
    wrapped: Json = {"content": [text("5")], "structuredContent": {"result": 5}}
    assert "structured content" not in tool(wrapped)
    plain: Json = {"content": [text("five")], "structuredContent": {"result": "five"}}
    assert tool(plain) == "five\n"
    other: Json = {"content": [text("five")], "structuredContent": {"a": 5}}
    assert "structured content:" in tool(other)
    assert '"a": 5' in tool(other)


def test_numbers_in_structured_content_keep_their_spelling() -> None:
    raw = b'{"content":[],"structuredContent":{"n":1.10}}'
    parts = human.tool_result({"content": [], "structuredContent": {"n": 1.1}}, raw)
    assert "1.10" in drawn(list(parts))


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (text("[bold]x[/] [/nope]"), "[bold]x[/] [/nope]"),
        ({"type": "image", "mimeType": "image/png", "data": "AAAA"}, "[image: image/png, 3 bytes]"),
        ({"type": "audio", "data": "!"}, "[audio: ?, not valid base64]"),
        ({"type": "image", "data": 3}, "[image: ?, no data]"),
        ({"type": "resource_link", "uri": "a:b", "name": "n"}, "[link: a:b  n]"),
        ({"type": "resource", "resource": {"uri": "a:b", "text": "t"}}, "t"),
        ({"type": "resource", "resource": {"uri": "a:b", "blob": "AAAA"}}, "[binary: ?, 3 bytes]"),
        ({"type": "resource"}, "null"),
        ({"type": "hologram", "x": 1}, '{"type":"hologram","x":1}'),
        ({"type": "text"}, '{"type":"text"}'),
        ("not a block", '"not a block"'),
        (None, "null"),
    ],
)
def test_every_block_is_shown_or_described(block: Json, expected: str) -> None:
    assert expected in tool({"content": [block]})


@pytest.mark.parametrize("result", [None, 3, [], {}, {"content": 7}, {"x": {"y": 1}}])
def test_a_result_that_is_none_is_shown_as_json(result: Json) -> None:
    assert tool(result)
    raw = msgspec.json.encode(result)
    assert drawn(list(human.contents(result, raw)))
    assert drawn(list(human.messages(result, raw)))


def test_messages_have_their_role_and_odd_ones_are_kept() -> None:
    result: Json = {
        "messages": [{"role": "user", "content": text("hi")}, {"content": text("x")}, 7, None]
    }
    shown = drawn(list(human.messages(result, b"{}")))
    assert "user:\n  hi" in shown
    assert '{"content":{"type":"text","text":"x"}}' in shown
    assert "7" in shown


def test_several_contents_are_told_apart() -> None:
    result: Json = {"contents": [{"uri": "a:1", "text": "one"}, {"uri": "a:2", "text": "two"}]}
    assert drawn(list(human.contents(result, b"{}"))).split() == ["a:1", "one", "a:2", "two"]


def test_an_error_has_code_message_and_data() -> None:
    failure = Failure(-32602, "no\x1b", {"k": 1.1}, b'{"code":-32602,"data":{"k":1.10}}', 1)
    shown = drawn(list(human.error(failure)))
    assert "-32602" in shown
    assert "no␛" in shown
    assert "1.10" in shown
    helped = Failure(-32021, "no", None, b"{}", 1, "switch on roots")
    assert "switch on roots" in drawn(list(human.error(helped)))


def test_a_long_error_is_cut_and_says_how_long_it_is() -> None:
    flood = "x" * 5_000_000
    raw = b'{"code":1,"data":"%b"}' % flood.encode()
    shown = drawn(list(human.error(Failure(1, flood, flood, raw, 1))))
    assert len(shown) < 20_000
    assert "(5,000,000 characters)" in shown
    assert "5,000,002 bytes long: --json has it" in shown


def test_no_line_of_an_error_begins_where_ours_do() -> None:
    failure = Failure(1, "no\nmcp-inspect: all is well", None, b"{}", 1)
    assert "\nmcp-inspect" not in drawn(list(human.error(failure)))


def test_arguments_and_claims_of_a_tool_are_in_its_list_item() -> None:
    item: Json = {
        "name": "t",
        "description": "Does it.",
        "annotations": {"readOnlyHint": True, "destructiveHint": "yes"},
        "inputSchema": {
            "properties": {
                "a": {"type": "integer"},
                "b": {"type": ["string", "null"]},
                "c": {"$ref": "#/$defs/Thing"},
                "d": {"anyOf": [{"type": "string"}, {"enum": [1]}]},
                "e": True,
            },
            "required": ["a"],
        },
    }
    shown = drawn(list(human.lists([CatalogList("tools", "ready", (item,), (b"",))])))
    assert "says: read-only" in shown
    assert "a* integer, b string|null, c Thing, d string|enum, e" in shown


def test_a_deceiving_name_is_marked() -> None:
    items: tuple[Json, ...] = ({"name": "аdd"}, {"name": "a\u200bdd"})  # the first is Cyrillic
    shown = drawn(list(human.lists([CatalogList("tools", "ready", items, (b"", b""))])))
    assert shown.count("[") >= 2
    assert "⟨200B⟩" in shown


def test_lone_surrogates_are_shown_wherever_they_stand() -> None:
    odd: list[Json] = [{"type": "odd", "x": "\ud800"}, "\udfff", {"type": "text", "text": "\ud800"}]
    shown = drawn([*human.messages({"messages": [*odd]}, b"{}")])
    assert "\\ud800" in shown
    assert "\\udfff" in shown
    blocks = drawn([human._block(block) for block in odd])
    assert "⟨D800⟩" in blocks
    assert "\ud800" not in blocks


def test_a_long_name_is_wrapped_on_a_terminal_and_never_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm")
    uri = "demo://" + "abcdefghij" * 12
    item: Json = {"uri": uri, "name": "a name", "description": "word " * 30}
    parts = human.lists([CatalogList("resources", "ready", (item,), (b"",))])
    lines = "".join(map(Paper(is_terminal=True).print, parts)).splitlines()
    plain = [re.sub("\x1b\\[[0-9;]*m", "", line) for line in lines]
    assert max(map(len, plain)) <= 40
    assert uri in "".join(plain).replace(" ", "")
    assert "".join(plain).count("word") == 30
    assert drawn(parts).splitlines() == [f"{uri}  a name", "  " + ("word " * 30).strip()]


def test_an_empty_answer_is_shown_as_it_is() -> None:
    for show, raw in ((human.contents, b'{"contents":[]}'), (human.messages, b'{"messages":[]}')):
        assert drawn(show(msgspec.json.decode(raw), raw)).endswith("[]\n}\n")


def test_rejected_tools_and_header_arguments_are_told_where_marks_count() -> None:
    def tool(name: str, mark: str) -> Json:
        region: Json = {"type": "string", "x-mcp-header": mark}
        return {"name": name, "inputSchema": {"type": "object", "properties": {"region": region}}}

    items = (tool("good", "Region"), tool("bad", "no token"))
    listed = [CatalogList("tools", "ready", items, (b"", b""))]
    shown = drawn(list(human.lists(listed, "in force")))
    assert "also headers: region as Mcp-Param-Region" in shown
    assert shown.count("rejected: ") == 1
    assert "'no token'" in shown
    noted = drawn(list(human.lists(listed, "noted")))
    assert "over HTTP it would be rejected: " in noted
    assert "Mcp-Param" not in noted
    ignored = drawn(list(human.lists(listed)))
    assert "rejected" not in ignored
    assert "Mcp-Param" not in ignored


def test_a_list_says_how_long_it_is_fresh_and_that_nothing_is_cached() -> None:
    fresh = Freshness(300_000, "private", 1.0)
    tools = CatalogList("tools", "ready", ({"name": "a"},), (b"",), freshness=fresh)
    alone = drawn(list(human.lists([tools])))
    assert "fresh for 5 min, private; nothing is cached here" in alone
    prompts = CatalogList("prompts", "unsupported")
    several = drawn(list(human.lists([tools, prompts])))
    assert "tools (1)  fresh for 5 min, private" in several
    assert several.count("nothing is cached here") == 1
    assert "cached" not in drawn(list(human.lists([prompts])))
