"""The panel's lines: broken at the width, harmless, each with its entry and a steady key."""

import pytest
from rich.cells import cell_len

from inspector.journal.hanging import Diagnosis, diagnose
from inspector.journal.hanging_case import Reason, Waiting
from inspector.tui.hanging_lines import diagnosis_text, draw_line, hanging_lines, waiting_words
from tests.journal.conversation import Conversation, request, result

EVIL = "\x1b[31mevil\x07\u202e[bold]x[/bold] "


def diagnosis() -> Diagnosis:
    talk = Conversation()
    talk.sent(request(7, name="add"))
    talk.received(request("a", "elicitation/create"))
    talk.received(result("7"))
    talk.journal.stderr(b"last words", connection=talk.connection)
    talk.pass_time(12)
    return diagnose(talk.journal, talk.now)


@pytest.mark.parametrize("width", [40, 76, 116])
def test_every_line_fits_and_nothing_is_lost(width: int) -> None:
    found = diagnosis()
    lines = hanging_lines(found, width)
    assert all(cell_len(draw_line(line, width).plain) <= width for line in lines)
    shown = " ".join(" ".join(line.text for line in lines).split())
    for reason in (found.verdict, *found.reasons, *found.state, *found.stderr):
        assert " ".join(reason.text.split()) in shown


def test_the_verdict_comes_first_and_is_not_said_twice() -> None:
    lines = hanging_lines(diagnosis(), 200)
    assert lines[0].sign.strip() == "▶"
    assert [line.text for line in lines].count(lines[0].text) == 1


def test_keys_stay_while_ages_change() -> None:
    talk = Conversation()
    talk.sent(request(7, name="add"))
    before = hanging_lines(diagnose(talk.journal, talk.now + 2), 200)
    after = hanging_lines(diagnose(talk.journal, talk.now + 2000), 200)
    assert [line.key for line in before] == [line.key for line in after]
    assert len({line.key for line in after}) == len(after)
    assert [line.text for line in before] != [line.text for line in after]


def test_who_waits_for_whom_is_told() -> None:
    ours = Waiting(3, "tools/call", "add", "7", 14.0, on_us=False)
    theirs = Waiting(4, "roots/list", "", '"a"', 3.0, on_us=True)
    assert waiting_words(ours) == "→ tools/call add #3, id 7: we wait for the server, 14 s"
    assert waiting_words(theirs) == '← roots/list #4, id "a": the server waits for us, 3.0 s'


def test_what_a_server_sent_is_harmless() -> None:
    found = Diagnosis(Reason(EVIL * 9, 1, 5), stderr=(Reason(EVIL, 2),))
    drawn = "".join(draw_line(line, 60).plain for line in hanging_lines(found, 60))
    assert not {"\x1b", "\x07", "\u202e"} & set(drawn + diagnosis_text(found))
    assert "evil" in drawn


def test_a_dangerous_character_is_made_visible_once() -> None:
    found = Diagnosis(Reason("no answer to \x1b[31mx\u202e", 1, 5), stderr=(Reason(EVIL, 2),))
    drawn = "\n".join(draw_line(line, 60).plain for line in hanging_lines(found, 60))
    assert "no answer to ␛[31mx⟨202E⟩" in drawn
    assert "⟨241B⟩" not in drawn + diagnosis_text(found)


def test_the_text_for_the_clipboard_has_all_of_it() -> None:
    text = diagnosis_text(diagnosis())
    assert text.startswith("▶ The server waits for your answer")
    assert "── " not in text.split("\n")[0]
    assert "last words" in text
