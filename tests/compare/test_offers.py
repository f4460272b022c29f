"""What a server offers in two recordings: what came, what went, and whom that breaks."""

from inspector.compare.offers import compare_offers, offer_of, unread
from inspector.protocol.messages import Json, JsonObject
from tests.compare.talk import Talk, tool


def told(left: Talk, right: Talk) -> list[tuple[str, str, str, str]]:
    found = compare_offers(offer_of(left.journal), offer_of(right.journal))
    return [(one.kind, one.name, one.how, one.effect) for one in found]


def test_an_equal_offer_has_no_differences() -> None:
    one, two = Talk(), Talk()
    for talk in (one, two):
        talk.tools(tool("add"), tool("sub"))
    assert told(one, two) == []


def test_tools_come_go_and_change() -> None:
    one, two = Talk(), Talk()
    one.tools(tool("add"), tool("gone"), tool("same"))
    schema: Json = {"type": "object", "required": ["a"]}
    two.tools(tool("same"), tool("new"), tool("add", inputSchema=schema))
    assert told(one, two) == [
        ("tools", "add", "changed", "breaks"),
        ("tools", "gone", "removed", "breaks"),
        ("tools", "new", "added", "compatible"),
    ]


def test_an_output_schema_may_come_and_must_not_go() -> None:
    one, two = Talk(), Talk()
    one.tools(tool("a", outputSchema={"type": "object"}), tool("b"))
    two.tools(tool("a"), tool("b", outputSchema={"type": "object"}))
    assert told(one, two) == [
        ("tools", "a", "changed", "breaks"),
        ("tools", "b", "changed", "compatible"),
    ]


def test_the_last_reading_counts_and_a_list_that_nobody_read_is_named() -> None:
    one, two = Talk(), Talk()
    one.tools(tool("old"))
    one.tools(tool("now"))
    two.tools(tool("now"))
    two.ask("prompts/list", {}, {"prompts": [{"name": "p"}]})
    assert told(one, two) == []
    offers = offer_of(one.journal), offer_of(two.journal)
    assert unread(*offers) == (("prompts", "left"),)


def test_arguments_of_prompts_are_told_apart_by_name() -> None:
    def prompts(*arguments: JsonObject) -> Talk:
        talk = Talk(capabilities={"prompts": {}})
        talk.ask("prompts/list", {}, {"prompts": [{"name": "p", "arguments": [*arguments]}]})
        return talk

    one = prompts({"name": "a"}, {"name": "b"}, {"name": "c"})
    two = prompts({"name": "b", "required": True}, {"name": "a", "description": "x"}, {"name": "d"})
    (item,) = compare_offers(offer_of(one.journal), offer_of(two.journal))
    assert [(one.pointer, one.effect) for one in item.changes] == [
        ("/arguments/a/description", "compatible"),
        ("/arguments/b/required", "breaks"),
        ("/arguments/c", "may break"),
        ("/arguments/d", "compatible"),
    ]


def test_a_capability_that_goes_breaks_and_one_that_comes_does_not() -> None:
    one = Talk(capabilities={"tools": {"listChanged": True}, "prompts": {}})
    two = Talk("2.0", capabilities={"tools": {"listChanged": False}, "logging": {}})
    assert told(one, two) == [
        ("server", "serverInfo", "changed", "compatible"),
        ("server", "capabilities", "changed", "breaks"),
    ]
    back = compare_offers(offer_of(two.journal), offer_of(one.journal))[1]
    assert {each.pointer: each.effect for each in back.changes} == {
        "/tools/listChanged": "compatible",
        "/logging": "breaks",
        "/prompts": "compatible",
    }


def test_items_that_are_none_and_names_that_come_twice_are_kept_apart() -> None:
    one, two = Talk(), Talk()
    for talk in (one, two):
        talk.ask("tools/list", {}, {"tools": [7, tool("a"), tool("a", title="x"), {"name": 3}]})
    offer = offer_of(one.journal)
    assert offer.doubled == 1
    assert list(offer.lists["tools"]) == ["7", "a", '{"name":3}']
    assert told(one, two) == []
