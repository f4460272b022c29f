"""Rules as data, and how they are told."""

from inspector.lint.rule import LETTERS, Severity, pointer, quoted, rule


def test_a_rule_has_a_severity_in_each_revision_that_it_names() -> None:
    row = rule("a/b", "A", "basic", warn="AB", error="E")
    assert [row.severities.get(LETTERS[letter]) for letter in "ABCDE"] == [
        Severity.WARN, Severity.WARN, None, None, Severity.ERROR,
    ]  # fmt: skip
    assert row.revisions == {LETTERS["A"], LETTERS["B"], LETTERS["E"]}


def test_the_modern_page_counts_only_in_the_modern_revision() -> None:
    row = rule("a/b", "A", "old", error="DE", modern_page="new")
    assert (row.page_in(LETTERS["D"]), row.page_in(LETTERS["E"])) == ("old", "new")
    assert rule("a/b", "A", "old", error="E").page_in(LETTERS["E"]) == "old"


def test_a_pointer_escapes_what_rfc_6901_wants_escaped() -> None:
    assert pointer("a/b", 0, "c~d") == "/a~1b/0/c~0d"


def test_what_a_peer_sent_is_quoted_no_longer_than_a_sentence_bears() -> None:
    assert quoted("a") == '"a"'
    assert quoted("x" * 100) == '"' + "x" * 60 + '…"'
