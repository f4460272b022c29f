"""What differs between two entries."""

from inspector.tui.entry_diff import BODY_LIMIT, MOST, diff_lines
from tests.journal.conversation import Conversation, request, result


def shown(talk: Conversation, marked: int, number: int) -> list[str]:
    return [line.plain for line in diff_lines(talk.journal, marked, number)[0]]


def test_differences_stand_under_their_pointers_with_both_values() -> None:
    talk = Conversation()
    first = talk.sent(request(1, name="add", a=1, old=True))
    talk.pass_time(2)
    second = talk.sent(request(2, name="add", a=1.5, new=[1]))
    lines, entries = diff_lines(talk.journal, first, second)
    text = [line.plain for line in lines]
    assert entries == {0: first, 1: second}
    assert text[0].startswith(f"− #{first} → tools/call add")
    assert text[1].startswith(f"+ #{second} → tools/call add")
    assert "2.0 s later" in text[2]
    body = text[4:]
    assert body[:3] == ["/id", "  − 1", "  + 2"]
    assert body[3:6] == ["/params/a", "  − 1", "  + 1.5"]
    assert body[6:8] == ["/params/old", "  − true"]
    assert body[8:10] == ["/params/new", "  + [1]"]


def test_the_same_is_told_apart_from_the_same_but_for_its_spelling() -> None:
    talk = Conversation()
    one = talk.received(b'{"jsonrpc":"2.0","method":"x"}')
    two = talk.received(b'{"jsonrpc":"2.0","method":"x"}')
    three = talk.received(b'{"method":"x", "jsonrpc":"2.0"}')
    assert shown(talk, one, two)[4:] == ["Byte for byte the same"]
    assert shown(talk, one, three)[4:] == ["They say the same; only their spelling differs"]


def test_what_is_no_json_is_compared_as_text() -> None:
    talk = Conversation()
    one, two = talk.received(b"oops \x1b[1m one"), talk.received(b"oops two")
    lines = shown(talk, one, two)[4:]
    assert any(line.startswith("-oops") for line in lines)
    assert any(line.startswith("+oops two") for line in lines)
    assert all(sign.isprintable() for line in lines for sign in line)


def test_long_bodies_and_many_differences_are_bounded() -> None:
    talk = Conversation()
    one = talk.received(result(1, **{f"k{number}": 1 for number in range(MOST + 50)}))
    two = talk.received(result(1, **{f"k{number}": 2 for number in range(MOST + 50)}))
    assert len(shown(talk, one, two)) == 4 + 3 * MOST + 1
    long = talk.received(result(1, text="x" * (BODY_LIMIT + 1)))
    assert "too long" in shown(talk, one, long)[4]
