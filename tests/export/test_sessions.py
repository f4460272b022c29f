"""What each connection was."""

from pathlib import Path

import pytest

from inspector.export.redaction import Redaction
from inspector.export.rules import parse_rules
from inspector.export.sessions import sessions
from inspector.export.source import Source
from inspector.journal.loading import load_recording

FOLDER = Path(__file__).parents[1] / "recordings"


def _source(name: str, *rules: str) -> Source:
    journal = load_recording(FOLDER / f"{name}.jsonl")
    return Source(journal, range(1, len(journal) + 1), Redaction(parse_rules(rules, {})))


@pytest.mark.parametrize(
    ("name", "target", "transport", "revision"),
    [
        ("demo", "python -m inspector.demo", "stdio", "2025-11-25"),
        ("demo-modern", "python -m inspector.demo", "stdio", "2026-07-28"),
        ("everything-http", "http://127.0.0.1:3001/mcp", "http", "2025-11-25"),
    ],
)
def test_who_was_talked_to_and_how(name: str, target: str, transport: str, revision: str) -> None:
    (session,) = sessions(_source(name))
    assert (session.target, session.transport, session.revision) == (target, transport, revision)
    assert session.server


def test_what_is_redacted_is_redacted_here_too() -> None:
    (session,) = sessions(_source("demo", "value=inspector.demo", "key=serverInfo"))
    assert session.command == ("python", "-m", "[redacted]")
    assert "demo" not in session.server
