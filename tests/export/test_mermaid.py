"""The diagram: one line an arrow, whatever a server sends."""

import re

import pytest

from inspector.export.mermaid import LONGEST, MOST, label
from inspector.export.source import Source
from tests.export.canary import exported
from tests.journal.conversation import Conversation, notification, request, result
from tests.servers.hostile_texts import TEXTS

ARROW = re.compile(r"    (?:[CS](?:->>|-->>|--x|-x|-\))[CS]: |Note over C,S: )[^\n]*")


def test_requests_answers_errors_and_notifications_have_arrows_of_their_own() -> None:
    talk = Conversation()
    talk.sent(request(1, "tools/call", name="add"))
    talk.received(notification("notifications/message", level="info", data="x"))
    talk.pass_time(0.2)
    talk.received(result(1, content=[], isError=True))
    talk.received(b"junk")
    lines = exported(talk.journal, "mermaid").decode().splitlines()[3:]
    assert [re.sub("#[0-9]+;", "?", line) for line in lines] == [
        "    C->>S: 2 tools/call add (id 1)",
        "    S-)C: 3 notifications/message info",
        "    S--xC: 4 failed tools/call add (id 1, 200 ms)",
        "    S-xC: 5 malformed",
    ]


@pytest.mark.parametrize("text", [*TEXTS.values(), "end", "a;b", "#35;", "<br>", "%%{init}%%"])
def test_a_hostile_name_is_one_harmless_label(text: str) -> None:
    talk = Conversation()
    talk.sent(request(1, "tools/call", name=text))
    talk.journal.note(2, text)
    lines = exported(talk.journal, "mermaid").decode().splitlines()
    assert len(lines) == 5
    for line in lines[3:]:
        assert ARROW.fullmatch(line)
        assert line.isprintable()
        rest = re.sub(r"#[0-9]+;", "", line.partition(": ")[2])
        assert not re.search(r"[#;<>\"\\{}%&:`|]", rest)


def test_a_label_has_an_end() -> None:
    assert len(re.sub(r"#[0-9]+;", "x", label("a<" * 500))) <= LONGEST


def test_what_does_not_fit_a_diagram_is_counted() -> None:
    talk = Conversation()
    for number in range(MOST + 7):
        talk.sent(request(number, "ping"))
    source = Source(talk.journal, range(1, len(talk.journal) + 1))
    from inspector.export.mermaid import export

    lines = b"".join(export(source)).decode().splitlines()
    assert len(lines) == 3 + MOST + 1
    assert lines[-1] == "    Note over C,S: and 7 messages more"
    assert "7 are left out" in source.told[0]
