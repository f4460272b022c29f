"""Calls as a Mermaid sequence diagram."""

import re

from hypothesis import given
from hypothesis import strategies as st

from inspector.journal.causality_mermaid import LINES, causality_mermaid, escaped
from tests.journal.calls import busy_call
from tests.journal.conversation import Conversation, notification, request, result

LINE = re.compile(r"  (?:[CS](?:->>|-->>|--x|-\))[CS]|Note over C,S): ((?:[^#;:\n]|#\d+;)*)")
HEAD = ["sequenceDiagram", "  participant C as client", "  participant S as server"]


def test_messages_are_arrows_in_their_direction() -> None:
    busy = busy_call()
    lines = causality_mermaid(busy.talk.journal, [busy.ask]).splitlines()
    assert lines[:3] == HEAD
    assert lines[3].startswith("  C->>S: #35;2 tools/call slow id 7")
    assert any(line.startswith("  S-)C: #35;4 progress 0/2") for line in lines)
    assert any(line.startswith("  S->>C: #35;7 sampling/createMessage") for line in lines)
    assert any(line.startswith("  C-->>S: #35;8 result") for line in lines)
    assert any(line.startswith("  C-)S: #35;10 cancelled") for line in lines)
    assert any(line.startswith("  S--xC: #35;11 error -32603 no") for line in lines)
    assert any(line.startswith("  Note over C,S: #35;12 note this one hangs") for line in lines)
    assert all(LINE.fullmatch(line) for line in lines[3:])


def test_each_call_is_drawn_once_in_the_order_asked_for() -> None:
    talk = Conversation()
    first, answer = talk.sent(request(1, name="a")), talk.received(result(1))
    second = talk.sent(request(2, name="b"))
    text = causality_mermaid(talk.journal, [second, first, answer])
    assert text.count("tools/call a ") == 1
    assert text.index("tools/call b ") < text.index("tools/call a ")


def test_a_diagram_has_an_end() -> None:
    talk = Conversation()
    numbers = [talk.sent(request(each)) for each in range(LINES + 100)]
    lines = causality_mermaid(talk.journal, numbers).splitlines()
    assert len(lines) == LINES + 1
    assert "left out" in lines[-1]


@given(st.text(max_size=150))
def test_any_label_is_one_statement_of_plain_text(label: str) -> None:
    assert LINE.fullmatch("  C->>S: " + escaped(label))


def test_words_of_the_diagram_language_are_only_text() -> None:
    talk = Conversation()
    call = talk.sent(request(1, name="end"))
    said = 'style a:b;#35;"\nend\nparticipant X %% <script>'
    talk.received(notification("notifications/message", level="info", data=said))
    talk.received(result(1))
    lines = causality_mermaid(talk.journal, [call]).splitlines()
    assert len(lines) == 6
    assert all(LINE.fullmatch(line) for line in lines[3:])
    assert "<" not in lines[4]
