"""Findings for machines: JSON, JUnit, SARIF, and the lines of recordings."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import pytest

from inspector.cli.lint_formats import (
    LEVELS,
    as_json,
    as_junit,
    as_sarif,
    catalogue_json,
    lines_of,
)
from inspector.cli.lint_report import Report, Wanted, report
from inspector.errors import ConnectionFailed
from inspector.journal.loading import load_recording
from inspector.lint.catalog import RULES
from inspector.lint.rule import Finding, Severity
from inspector.protocol.versions import Revision

RECORDING = Path(__file__).parent.parent / "recordings" / "demo.jsonl"
REVISION = Revision.V2025_11_25


def finding(rule: str, severity: Severity, message: str = "It is wrong.") -> Finding:
    return Finding(rule, severity, REVISION, message, (3, 2), "/result", "server/tools")


FOUND = (
    finding("tool/output-mismatch", Severity.ERROR),
    finding("tool/name-length", Severity.WARN, "a\x00b\x1b <&>\ud800 \u202e"),
    finding("tool/no-description", Severity.INFO),
)


@pytest.fixture
def found() -> Report:
    made = report(load_recording(RECORDING), Wanted(), str(RECORDING), recording=RECORDING)
    counts = Counter(one.severity for one in FOUND)
    return replace(made, findings=FOUND, counts=counts)


def test_json_names_what_stands_in_a_finding(found: Report) -> None:
    value = cast("dict[str, Any]", as_json(found))
    assert value["revision"] == "2025-11-25"
    assert value["entries"] == len(found.journal)
    assert value["findings"][0] == {
        "rule": "tool/output-mismatch",
        "severity": "error",
        "revision": "2025-11-25",
        "message": "It is wrong.",
        "entries": [3, 2],
        "pointer": "/result",
        "page": "server/tools",
    }


@pytest.mark.parametrize(
    ("threshold", "failures"), [(Severity.ERROR, 1), (Severity.WARN, 2), (Severity.INFO, 3)]
)
def test_junit_fails_from_the_threshold_on(
    found: Report, threshold: Severity, failures: int
) -> None:
    root = ElementTree.fromstring(as_junit(found, threshold))
    assert len(list(root.iter("failure"))) == failures
    assert len(list(root.iter("system-out"))) == 3 - failures
    assert root.get("failures") == str(failures)
    assert len(list(root.iter("testcase"))) == len(found.rules)


def test_junit_is_xml_whatever_a_server_said(found: Report) -> None:
    text = as_junit(found, Severity.WARN)
    ElementTree.fromstring(text.encode("utf-8", "backslashreplace"))
    assert not [one for one in text if ord(one) < 32 and one != "\n"]


def test_junit_has_an_error_where_something_could_not_be_looked_at(found: Report) -> None:
    broken = replace(found, failure=ConnectionFailed("it went away", kind="exited"))
    root = ElementTree.fromstring(as_junit(broken, Severity.ERROR))
    (error,) = root.iter("error")
    assert (error.get("message"), error.get("type")) == ("it went away", "exited")
    assert root.get("errors") == "1"


def test_sarif_has_what_its_schema_requires(found: Report) -> None:
    value = cast("dict[str, Any]", as_sarif(found, "1.2.3"))
    assert value["version"] == "2.1.0"
    (only,) = value["runs"]
    driver = only["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("mcp-inspect", "1.2.3")
    ids = [row["id"] for row in driver["rules"]]
    assert len(set(ids)) == len(ids)
    for row in driver["rules"]:
        assert row["helpUri"].startswith("https://")
        assert row["shortDescription"]["text"]
        assert row["defaultConfiguration"]["level"] in LEVELS.values()
    for result, one in zip(only["results"], FOUND, strict=True):
        assert result["level"] == LEVELS[one.severity]
        assert ids[result["ruleIndex"]] == result["ruleId"] == one.rule
        (place,) = result["locations"]
        assert place["logicalLocations"][0]["fullyQualifiedName"] == "#3/result"
        assert place["physicalLocation"]["region"]["startLine"] == 4  # a header, then entries
    assert only["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


def test_sarif_without_a_recording_has_logical_places_only(found: Report) -> None:
    failed = replace(found, recording=None, failure=ConnectionFailed("it went away"))
    (only,) = cast("dict[str, Any]", as_sarif(failed, "1"))["runs"]
    assert all("physicalLocation" not in one["locations"][0] for one in only["results"])
    assert only["invocations"][0]["executionSuccessful"] is False


def test_lines_count_from_1_whatever_the_order(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"head\nfirst\nsecond\n")
    assert lines_of(path, {2: 13, 1: 6, 9: 400}) == {1: 2, 2: 3}
    assert lines_of(tmp_path / "gone", {1: 1}) == {}


def test_the_catalogue_has_severities_by_revision() -> None:
    value = cast("dict[str, Any]", catalogue_json([RULES["http/origin-unchecked"]]))
    (row,) = value["rules"]
    assert row["active"] is True
    assert "2024-11-05" not in row["severities"]
    assert row["severities"]["2026-07-28"] == "error"
    assert (row["page"], row["modernPage"]) == (
        "basic/transports",
        "basic/transports/streamable-http",
    )
