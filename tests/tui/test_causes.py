"""The tree of a call as a document."""

from inspector.journal.causality import causality
from inspector.tui.causes import CausesDocument
from tests.journal.calls import busy_call


def shown(document: CausesDocument) -> list[str]:
    return [document.plain(line) for line in range(document.count())]


def test_lines_lead_to_their_entries_and_the_one_asked_for_is_marked() -> None:
    busy = busy_call()
    tree = causality(busy.talk.journal, busy.ask)
    document = CausesDocument(busy.talk.journal, tree, busy.ask)
    lines = shown(document)
    assert document.entries == {
        line: int(text.split("#")[1].split()[0]) for line, text in enumerate(lines)
    }
    assert [line for line, text in enumerate(lines) if text.endswith("◂")] == [document.here_line]
    assert document.entries[document.here_line] == busy.ask


def test_many_reports_fold_and_unfold_and_the_entries_follow() -> None:
    busy = busy_call(reports=10)
    document = CausesDocument(
        busy.talk.journal, causality(busy.talk.journal, busy.call), busy.progress[4]
    )
    entries, folded = document.entries, shown(document)
    line = document.here_line
    assert "10 reports of progress" in folded[line]
    assert line not in entries
    assert document.fold(line) == line
    assert document.count() == len(folded) + 10
    assert entries[line + 5] == busy.progress[4]
    assert document.here_line == line + 5
    assert document.fold(0) is None
    assert document.fold_all()
    assert shown(document) == folded


def test_a_label_of_the_server_is_made_safe() -> None:
    busy = busy_call()
    note = busy.talk.journal.note(busy.call, "x\x1b[31m\u202e")
    document = CausesDocument(busy.talk.journal, causality(busy.talk.journal, note), busy.call)
    assert all(sign.isprintable() for line in shown(document) for sign in line)
