"""The findings about one entry."""

from inspector.lint.rule import Finding, Severity
from inspector.protocol.versions import REVISIONS
from inspector.tui.entry_findings import SHOWN, finding_lines, in_order, pointer_of


def finding(
    rule: str, severity: Severity, entries: tuple[int, ...] = (5,), pointer: str = ""
) -> Finding:
    return Finding(rule, severity, REVISIONS[3], f"{rule} is wrong", entries, pointer, "basic/x")


def test_the_gravest_that_the_entry_is_guilty_of_comes_first() -> None:
    merely_named = finding("a", Severity.ERROR, (4, 5), "/other")
    info, warn = finding("b", Severity.INFO, pointer="/i"), finding("c", Severity.WARN)
    assert in_order([merely_named, info, warn], 5) == [warn, info, merely_named]
    assert pointer_of([merely_named, info, warn], 5) == "/i"
    assert pointer_of([merely_named], 5) == ""


def test_each_finding_tells_rule_severity_message_place_page_and_other_entries() -> None:
    one = finding("tools/x", Severity.WARN, (5, 7), "/params/name")
    lines, owners = finding_lines([one], 5, 80)
    text = "\n".join(line.plain for line in lines)
    assert "! warning tools/x" in text
    assert "2025-11-25" in text
    assert "tools/x is wrong" in text
    assert "at /params/name" in text
    assert "with #7" in text
    assert "https://modelcontextprotocol.io/specification/2025-11-25/basic/x" in text
    assert set(owners.values()) == {one}
    assert "see #5" in "\n".join(line.plain for line in finding_lines([one], 7, 80)[0])


def test_what_a_server_said_is_made_safe_and_wrapped() -> None:
    evil = Finding(
        "r", Severity.INFO, REVISIONS[3], "x\x1b[31m " + "word " * 40, (5,), "/a\u202e", ""
    )
    lines, _ = finding_lines([evil], 5, 40)
    assert all(sign.isprintable() for line in lines for sign in line.plain)
    assert max(line.cell_len for line in lines) <= 40


def test_hundreds_of_findings_are_cut() -> None:
    many = [finding(f"r{place:03}", Severity.INFO) for place in range(SHOWN + 7)]
    lines, owners = finding_lines(many, 5, 80)
    assert len(set(map(id, owners.values()))) == SHOWN
    assert "7 more" in lines[-1].plain
