"""The findings of `mcp-inspect lint` for machines: JSON, JUnit's XML, and SARIF 2.1.0.

Decides what each form calls things; what is in a report is decided by `inspector.cli.lint_report`.
Text of a server goes into XML and JSON escaped, so that no control character is left in either.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from inspector.cli.lint_report import Report, at_least, page_url
from inspector.lint.rule import Finding, Rule, Severity
from inspector.protocol.messages import Sendable
from inspector.render.safe import visible

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
HOME: Final = "https://modelcontextprotocol.io"
LEVELS: Final[Mapping[Severity, str]] = {
    Severity.ERROR: "error",
    Severity.WARN: "warning",
    Severity.INFO: "note",
}
_CHUNK: Final = 1024 * 1024


def as_json(report: Report) -> Sendable:
    """Every finding, the revision that was spoken (null: none), and how many entries there are;
    `more` counts by rule the findings that are left out, where there are so many."""
    held: dict[str, Sendable] = {
        "findings": [_finding(one) for one in report.findings],
        "revision": report.revision.value if report.revision else None,
        "entries": report.entries,
    }
    return {**held, "more": dict(report.more)} if report.more else held


def _finding(one: Finding) -> Sendable:
    return {
        "rule": one.rule,
        "severity": one.severity.value,
        "revision": one.revision.value,
        "message": one.message,
        "entries": list(one.entries),
        "pointer": one.pointer,
        "page": one.page,
    }


def catalogue_json(rules: Sequence[Rule]) -> Sendable:
    """Every rule, with its severity in each revision in which it holds."""
    return {
        "rules": [
            {
                "id": row.id,
                "title": row.title,
                "severities": {
                    rev.value: row.severities[rev].value for rev in sorted(row.severities)
                },
                "page": row.page,
                "modernPage": row.modern_page or row.page,
                "active": row.active,
            }
            for row in rules
        ]
    }


# -- JUnit --


def as_junit(report: Report, threshold: Severity) -> str:
    """A test case for each rule that could have spoken. It has failed where a finding is as grave
    as `threshold`; graver ones apart, findings stand in its output. A rule that only `--active`
    exercises is skipped without."""
    by_rule = _by_rule(report)
    cases: list[str] = []
    failures = skipped = 0
    for name, row in report.rules.items():
        found = by_rule.get(name, ())
        grave = [one for one in found if at_least(one.severity, threshold)]
        inside = ""
        if grave:
            failures += 1
            inside = _element("failure", _lines(found), message=grave[0].message, type=name)
        elif found:
            inside = _element("system-out", _lines(found))
        elif name in report.idle:
            skipped += 1
            inside = _element("skipped", "", message="it needs --active")
        cases.append(_case(name, row.title, inside))
    errors = 0
    if report.failure is not None:
        errors = 1
        said = "\n".join(filter(None, (report.failure.message, report.failure.hint)))
        inside = _element("error", said, message=report.failure.message, type=report.failure.kind)
        cases.insert(0, _case("session", "Everything could be looked at", inside))
    counts = {
        "tests": str(len(cases)),
        "failures": str(failures),
        "errors": str(errors),
        "skipped": str(skipped),
    }
    suite = {"name": f"mcp-inspect lint {report.source}", **counts}
    body = "".join(cases)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<testsuites{_attributes(counts)}>\n"
        f"<testsuite{_attributes(suite)}>\n{body}</testsuite>\n</testsuites>\n"
    )


def _by_rule(report: Report) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for one in report.findings:
        found.setdefault(one.rule, []).append(one)
    return found


def _lines(found: Iterable[Finding]) -> str:
    return "\n".join(
        f"{one.severity.value} {where(one)}: {one.message} ({page_url(one.page, one.revision)})"
        for one in found
    )


def where(one: Finding) -> str:
    """The guilty entry and the pointer into it."""
    return f"#{one.entries[0]}{one.pointer}" if one.entries else "the session"


def _case(name: str, title: str, inside: str) -> str:
    area = name.partition("/")[0]
    head = _attributes({"classname": f"mcp.{area}", "name": f"{name}: {title}", "time": "0"})
    return f"<testcase{head}>{inside}</testcase>\n" if inside else f"<testcase{head}/>\n"


def _element(tag: str, text: str, **attributes: str) -> str:
    inside = escape(visible(text, keep_newlines=True))
    return f"<{tag}{_attributes(attributes)}>{inside}</{tag}>"


def _attributes(values: Mapping[str, str]) -> str:
    return "".join(f" {name}={quoteattr(visible(value))}" for name, value in values.items())


# -- SARIF --


def as_sarif(report: Report, version: str) -> Sendable:
    """One run, with the rules that could have spoken. A finding's place is its line in the
    recording where there is one, and the entry with its pointer as a logical location."""
    names = [*report.rules]
    index = {name: position for position, name in enumerate(names)}
    lines = lines_of(report.recording, _guilty(report)) if report.recording else {}
    notes: list[Sendable] = []
    if report.failure is not None:
        notes.append({"level": "error", "message": {"text": report.failure.message}})
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "mcp-inspect",
                        "version": version,
                        "informationUri": HOME,
                        "rules": [_rule(report.rules[name], report) for name in names],
                    }
                },
                "invocations": [
                    {
                        "executionSuccessful": report.failure is None,
                        "toolExecutionNotifications": notes,
                    }
                ],
                "results": [
                    _result(one, index, report.recording, lines) for one in report.findings
                ],
            }
        ],
    }


def _rule(row: Rule, report: Report) -> Sendable:
    spoken = report.revision
    revision = spoken if spoken is not None and spoken in row.severities else max(row.severities)
    return {
        "id": row.id,
        "shortDescription": {"text": row.title},
        "helpUri": page_url(row.page_in(revision), revision),
        "defaultConfiguration": {"level": LEVELS[row.severities[revision]]},
    }


def _result(
    one: Finding, index: Mapping[str, int], recording: Path | None, lines: Mapping[int, int]
) -> Sendable:
    location: dict[str, Sendable] = {
        "logicalLocations": [{"fullyQualifiedName": where(one), "kind": "value"}]
    }
    number = one.entries[0] if one.entries else 0
    if recording is not None:
        place: dict[str, Sendable] = {"artifactLocation": {"uri": _uri(recording)}}
        if number in lines:
            place["region"] = {"startLine": lines[number]}
        location["physicalLocation"] = place
    return {
        "ruleId": one.rule,
        "ruleIndex": index[one.rule],
        "level": LEVELS[one.severity],
        "message": {"text": one.message},
        "locations": [location],
        "properties": {"entries": list(one.entries), "revision": one.revision.value},
    }


def _uri(path: Path) -> str:
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _guilty(report: Report) -> dict[int, int]:
    """The entries that findings are about, each with the offset of its body in the file."""
    offsets = report.journal.columns.offsets
    return {one.entries[0]: offsets[one.entries[0]] for one in report.findings if one.entries}


def lines_of(recording: Path, offsets: Mapping[int, int]) -> dict[int, int]:
    """The line of each entry in a recording, counting from 1, by the offset of its body. Empty
    where the file cannot be read any more."""
    found: dict[int, int] = {}
    wanted = sorted(offsets.items(), key=lambda pair: pair[1])
    line, at = 1, 0
    try:
        with recording.open("rb") as stream:
            for number, offset in wanted:
                while at < offset:
                    chunk = stream.read(min(_CHUNK, offset - at))
                    if not chunk:
                        return found
                    line += chunk.count(b"\n")
                    at += len(chunk)
                found[number] = line
    except OSError:
        return {}
    return found
