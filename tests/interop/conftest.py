"""A command line with a home of its own, and the table of what was met, printed at the end."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import Runner

VERDICT = "interop"


@pytest.fixture
def run(tmp_path: Path) -> Runner:
    home = tmp_path / "home"
    home.mkdir()
    return Runner(home)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Peer, transport and protocol, what came of it, and the seconds of `info`, `list`, `call`."""
    rows = sorted(_rows(terminalreporter))
    if not rows:
        return
    terminalreporter.section("servers met")
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        terminalreporter.write_line("  ".join(cells).rstrip())


def _rows(reporter: pytest.TerminalReporter) -> Iterator[tuple[str, ...]]:
    last = [reports for name, reports in reporter.stats.items() if name != "rerun"]
    for reports in last:
        for report in reports:
            if isinstance(report, pytest.TestReport) and report.when == "call":
                for name, value in report.user_properties:
                    if name == VERDICT and isinstance(value, (list, tuple)):
                        yield (*map(str, value), report.outcome)
