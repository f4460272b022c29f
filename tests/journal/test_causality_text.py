"""The tree of a call as text."""

from inspector.journal.causality_text import LINES, causality_text, printable
from tests.journal.calls import busy_call, rounds
from tests.journal.conversation import Conversation, notification, request, result


def test_a_call_is_told_line_by_line_with_offsets_and_durations() -> None:
    busy = busy_call()
    assert causality_text(busy.talk.journal, busy.log).splitlines() == [
        "→ tools/call slow id 7 · took 2.8 s, cancelled  #2",
        "├ +10 ms → HTTP POST 200  #3",
        "├ +110 ms ← progress 0/2  #4",
        "├ +210 ms ← progress 1/2  #5",
        "├ +210 ms ← message info half  #6",
        "├ +310 ms ← sampling/createMessage id 1 · took 2.0 s  #7",
        "│ └ +2.3 s → result  #8",
        "│   └ +2.3 s → HTTP POST 202  #9",
        "├ +2.3 s → cancelled id 7 bored  #10",
        "├ +2.8 s ← error -32603 no · late  #11",
        "│ └ +2.8 s · note why?  #13",
        "└ +2.8 s · note this one hangs  #12",
    ]


def test_a_flood_of_reports_takes_one_line() -> None:
    busy = busy_call(reports=3000)
    lines = causality_text(busy.talk.journal, busy.call).splitlines()
    assert "├ +110 ms ← 3,000 reports of progress last: 2999/3000 · over 4 m 59 s" in lines[2]
    assert lines[2].endswith("#4 and 2999 more")
    assert len(lines) == 11


def test_rounds_polls_and_what_still_waits_say_so() -> None:
    talk, numbers = rounds()
    waiting = talk.sent(request(9, name="w"))
    lines = causality_text(talk.journal, numbers[0]).splitlines()
    assert any("round: tools/call book id 2" in line for line in lines)
    assert any("tasks/get T id 3" in line for line in lines)
    assert causality_text(talk.journal, waiting) == f"→ tools/call w id 9 · waits  #{waiting}\n"


def test_what_is_only_probable_says_why() -> None:
    talk = Conversation()
    call = talk.sent(request(1, name="x"))
    talk.received(request(5, "sampling/createMessage"))
    talk.received(result(1))
    assert "(nothing else waited)" in causality_text(talk.journal, call)


def test_a_hostile_server_cannot_break_the_lines() -> None:
    talk = Conversation()
    call = talk.sent(request(1, name="a\nb\x1b[31m\u202e"))
    talk.received(notification("notifications/message", level="info", data="x\n\x9b\u2028y"))
    talk.received(result(1))
    text = causality_text(talk.journal, call)
    assert len(text.splitlines()) == 3
    assert all(sign.isprintable() or sign == "\n" for sign in text)
    assert "\\x1b[31m\\u202e" in text


def test_a_tree_of_thousands_of_notes_is_cut() -> None:
    talk = Conversation()
    call = talk.sent(request(1))
    for _ in range(LINES + 50):
        talk.journal.note(call, "n")
    lines = causality_text(talk.journal, call).splitlines()
    assert len(lines) == LINES + 1
    assert "cut" in lines[-1]


def test_long_words_are_cut() -> None:
    assert printable("x" * 20, 5) == "xxxx…"
    assert printable("abcde", 5) == "abcde"
