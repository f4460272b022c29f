"""The rules of icons."""

from pathlib import Path

import pytest

from inspector.protocol.messages import JsonObject
from tests.lint.bench import Case, Step, ask, check, http, ok


def icon(source: str) -> list[Step]:
    tool: JsonObject = {
        "name": "a",
        "description": "A.",
        "inputSchema": {"type": "object", "properties": {}},
        "icons": [{"src": source}],
    }
    return [ask(1, "tools/list"), http(), ok(1, tools=[tool])]


CASES = (
    Case(
        "icon/scheme",
        "D",
        icon("http://server.example/a.png"),
        icon("data:image/png;base64,AAAA"),
        transport="http",
    ),
    Case(
        "icon/cross-origin",
        "D",
        icon("https://other.example/a.png"),
        icon("https://server.example/a.png"),
        transport="http",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)
