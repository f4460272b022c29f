"""What a report says of a journal: chosen rules, applicable rules, what was never looked at."""

import json
from pathlib import Path

import pytest

from inspector.cli.lint_formats import as_json
from inspector.cli.lint_report import Wanted, at_least, page_url, report
from inspector.errors import UsageError
from inspector.journal.entries import Direction
from inspector.journal.facts import ASIDE
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.lint.catalog import RULES
from inspector.lint.kept import LIMIT
from inspector.lint.rule import Severity
from inspector.protocol.messages import JsonObject
from inspector.protocol.versions import Revision

RECORDINGS = Path(__file__).parent.parent / "recordings"
ALL = Wanted()


@pytest.mark.parametrize(
    ("globs", "chosen"),
    [
        ((), True),
        (("tool/*",), True),
        (("http/*",), False),
        (("http/*", "tool/name*"), True),
        (("-tool/*",), False),
        (("tool/*", "-tool/name-*"), False),
        (("-http/*",), True),
    ],
)
def test_globs_choose_and_those_after_a_minus_leave_out(
    globs: tuple[str, ...], chosen: bool
) -> None:
    assert ("tool/name-length" in Wanted(globs)) is chosen


def test_a_glob_that_can_match_nothing_is_wrong_usage_with_a_guess() -> None:
    with pytest.raises(UsageError) as caught:
        Wanted(("tool/name-lenght",)).check(RULES)
    assert "'tool/name-length'" in caught.value.hint
    Wanted(("*", "-rpc/*")).check(RULES)
    with pytest.raises(UsageError) as caught:
        Wanted(("host/*",)).check(RULES)
    assert "--portability" in caught.value.hint


def test_severities_are_ordered() -> None:
    assert at_least(Severity.ERROR, Severity.WARN)
    assert at_least(Severity.WARN, Severity.WARN)
    assert not at_least(Severity.INFO, Severity.WARN)


def test_pages_are_those_of_the_revision_or_addresses_already() -> None:
    assert page_url("server/tools", Revision.V2025_06_18).endswith("/2025-06-18/server/tools")
    assert page_url("https://x.example/y", None) == "https://x.example/y"


def handshaken(journal: Journal, revision: str, facts: JsonObject, *, capability: str) -> None:
    number = journal.begin_connection(facts)
    client: JsonObject = {"name": "c", "version": "1"}
    opening: JsonObject = {
        "protocolVersion": revision,
        "capabilities": {},
        "clientInfo": client,
    }
    answer: JsonObject = {
        "protocolVersion": revision,
        "capabilities": {capability: {}},
        "serverInfo": client,
    }
    asked: JsonObject = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": opening}
    journal.frame(Direction.SENT, json.dumps(asked).encode(), connection=number)
    answered: JsonObject = {"jsonrpc": "2.0", "id": 1, "result": answer}
    journal.frame(Direction.RECEIVED, json.dumps(answered).encode(), connection=number)


def test_the_revision_is_that_of_the_session_and_not_of_one_beside_it() -> None:
    journal = Journal()
    handshaken(journal, "2025-06-18", {"command": ["x"]}, capability="tools")
    handshaken(journal, "2024-11-05", {ASIDE: "x", "command": ["x"]}, capability="tools")
    found = report(journal, ALL, "x")
    assert found.revision is Revision.V2025_06_18
    assert found.entries == len(journal)


def test_what_a_section_aside_repeats_is_told_once() -> None:
    journal = Journal()
    for facts in ({}, {ASIDE: "x"}, {}):
        number = journal.begin_connection({**facts, "command": ["x"], "transport": "stdio"})
        journal.frame(Direction.RECEIVED, b"Welcome", connection=number)
    found = [one for one in report(journal, ALL, "x").findings if one.rule.startswith("stdio/")]
    assert [journal.row(one.entries[0]).connection for one in found] == [1, 3]


def test_what_is_offered_and_what_never_came_is_known() -> None:
    journal = Journal()
    handshaken(journal, "2025-11-25", {"command": ["x"]}, capability="prompts")
    found = report(journal, ALL, "x")
    assert found.undeclared == ("tools", "resources", "completions", "logging")
    assert found.unseen == ("prompts/list", "prompts/get")


def test_of_nothing_at_all_nothing_is_claimed() -> None:
    found = report(Journal(), ALL, "x")
    assert found.revision is None
    assert (found.undeclared, found.unseen, found.findings) == ((), (), ())


def test_rules_of_another_transport_or_revision_do_not_apply() -> None:
    stdio = report(load_recording(RECORDINGS / "demo.jsonl"), ALL, "x")
    http = report(load_recording(RECORDINGS / "everything-http.jsonl"), ALL, "x")
    assert not [name for name in stdio.rules if name.startswith("http/")]
    assert not [name for name in http.rules if name.startswith("stdio/")]
    assert "http/request-202" in http.rules
    assert "cache/missing" not in http.rules  # of 2026-07-28


def test_active_rules_are_idle_until_they_were_exercised() -> None:
    journal = load_recording(RECORDINGS / "everything-http.jsonl")
    assert "http/origin-unchecked" in report(journal, ALL, "x").idle
    assert report(journal, ALL, "x", active=True).idle == ()


def test_how_far_it_is_is_told() -> None:
    told: list[tuple[int, int]] = []
    journal = load_recording(RECORDINGS / "demo.jsonl")
    report(journal, ALL, "x", tell=lambda done, of: told.append((done, of)))
    assert told[-1] == (len(journal), len(journal))


def test_a_report_fails_by_what_was_chosen_only() -> None:
    journal = load_recording(RECORDINGS / "demo-modern.jsonl")
    assert report(journal, ALL, "x").fails(Severity.INFO)
    assert not report(journal, ALL, "x").fails(Severity.WARN)
    assert not report(journal, Wanted(("-dep/*",)), "x").fails(Severity.INFO)


def test_findings_that_are_left_out_of_very_many_are_counted() -> None:
    journal = Journal()
    connection = journal.begin_connection({"command": ["x"], "transport": "stdio"})
    for _ in range(LIMIT + 7):
        journal.frame(Direction.RECEIVED, b"log line", connection=connection)
    found = report(journal, ALL, "x")
    assert len(found.findings) == LIMIT
    assert found.more == {"stdio/stdout-pollution": 7}
    assert found.counts[Severity.ERROR] == LIMIT + 7
    told = as_json(found)
    assert isinstance(told, dict)
    assert told["more"] == {"stdio/stdout-pollution": 7}
