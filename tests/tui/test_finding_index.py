"""Findings by rule: order, groups, filters, and what is left of them in a flood."""

from inspector.lint.rule import Finding, Severity
from inspector.protocol.versions import Revision
from inspector.tui.finding_index import (
    MEMBERS_SHOWN,
    FindingIndex,
    GroupLine,
    MemberLine,
    MoreLine,
    key_of,
    read_filter,
)


def finding(
    rule: str, severity: Severity = Severity.ERROR, entry: int = 1, message: str = "wrong"
) -> Finding:
    return Finding(rule, severity, Revision.V2025_11_25, message, (entry,), "", "server/tools")


def listed(index: FindingIndex) -> list[str]:
    return [line.group.rule for line in index.lines() if isinstance(line, GroupLine)]


def test_the_gravest_come_first_and_then_what_happened_first() -> None:
    index = FindingIndex()
    index.catch_up(
        [
            finding("a/info", Severity.INFO, 1),
            finding("b/late", Severity.ERROR, 9),
            finding("c/warn", Severity.WARN, 2),
            finding("d/early", Severity.ERROR, 3),
        ]
    )
    assert listed(index) == ["d/early", "b/late", "c/warn", "a/info"]


def test_a_rule_is_one_line_with_its_count_until_it_is_opened() -> None:
    index = FindingIndex()
    index.catch_up([finding("a/a", entry=n) for n in range(1, 1001)])
    (line,) = index.lines()
    assert isinstance(line, GroupLine)
    assert (line.count, line.finding.entries) == (1000, (1,))
    index.fold(key_of(line))
    opened = index.lines()
    assert len([one for one in opened if isinstance(one, MemberLine)]) == MEMBERS_SHOWN
    assert isinstance(opened[-1], MoreLine)
    assert opened[-1].count == 1000 - MEMBERS_SHOWN
    assert len({key_of(one) for one in opened}) == len(opened)
    index.fold(key_of(opened[5]))
    assert len(index.lines()) == 1


def test_findings_that_were_only_counted_are_in_the_count() -> None:
    index = FindingIndex()
    index.catch_up([finding("a/a"), finding("a/a")])
    (line,) = index.lines({"a/a": 98})
    assert isinstance(line, GroupLine)
    assert line.count == 100
    index.choose(text="wrong")
    (line,) = index.lines({"a/a": 98})
    assert isinstance(line, GroupLine)
    assert line.count == 2


def test_one_rule_with_two_severities_is_two_lines() -> None:
    index = FindingIndex()
    index.catch_up([finding("a/a", Severity.WARN), finding("a/a", Severity.ERROR)])
    assert [line.finding.severity for line in index.lines()] == [Severity.ERROR, Severity.WARN]


def test_what_comes_in_slices_is_taken_once() -> None:
    index, all_of_them = FindingIndex(), [finding("a/a", entry=n) for n in range(1, 31)]
    assert index.catch_up(all_of_them, limit=20)
    assert index.taken == 20
    assert index.catch_up(all_of_them, limit=20)
    assert not index.catch_up(all_of_them, limit=20)
    (line,) = index.lines()
    assert isinstance(line, GroupLine)
    assert line.count == 30


def test_a_filter_has_words_rules_and_severities() -> None:
    index = FindingIndex()
    index.catch_up(
        [
            finding("tool/name", message='The tool "Add" has no name'),
            finding("tool/other", Severity.WARN, message="something"),
            finding("rpc/id", message="an id"),
        ]
    )
    for text, rules in (
        ("ADD name", ["tool/name"]),
        ("rule:tool/*", ["tool/name", "tool/other"]),
        ("severity:warn", ["tool/other"]),
        ("severity:warnings", []),
        ("rule:tool/* severity:error", ["tool/name"]),
        ("nothing", []),
    ):
        index.choose(text=text)
        assert listed(index) == rules, text
    index.choose(text="", hidden=frozenset({Severity.ERROR}))
    assert listed(index) == ["tool/other"]


def test_a_filter_holds_for_what_comes_later() -> None:
    index, found = FindingIndex(), [finding("a/a", message="yes")]
    index.choose(text="yes")
    index.catch_up(found)
    found += [finding("a/a", message="no"), finding("b/b", message="yes too")]
    index.catch_up(found)
    assert listed(index) == ["a/a", "b/b"]
    assert [line.count for line in index.lines() if isinstance(line, GroupLine)] == [1, 1]


def test_a_lone_field_name_is_no_condition() -> None:
    assert read_filter("rule:").words == ("rule:",)


def test_the_finding_of_an_entry_is_found_the_guilty_one_first() -> None:
    concerned = Finding(
        "a/a", Severity.ERROR, Revision.V2025_11_25, "x", (1, 7), "", "server/tools"
    )
    guilty = finding("b/b", entry=7)
    index = FindingIndex()
    index.catch_up([concerned, guilty])
    found = index.find(7, "")
    assert found is not None
    assert found[0] is guilty
    found = index.find(7, "a/a")
    assert found is not None
    assert found[0] is concerned
    assert index.find(99, "") is None


def test_the_key_of_a_found_member_is_that_of_its_line() -> None:
    index = FindingIndex()
    index.catch_up([finding("a/a", entry=n) for n in range(1, 301)])
    for entry in (1, 150, 299):
        found = index.find(entry, "a/a")
        assert found is not None
        index.open("a/a", Severity.ERROR)
        assert found[1] in {key_of(line) for line in index.lines()}
