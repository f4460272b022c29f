"""The report: nothing in it is read as markup, nothing calls anybody."""

import re
from pathlib import Path

import pytest

from inspector.export.markdown import ROWS, code, fenced, pretty
from inspector.journal.loading import load_recording
from tests.export.canary import exported
from tests.journal.conversation import Conversation, request, result
from tests.servers.hostile_texts import TEXTS

DEMO = Path(__file__).parents[1] / "recordings" / "demo.jsonl"
TRAPS = (
    "```\n# out",
    "`" * 9,
    "a | b",
    "</details>",
    "@everybody #1",
    "<script>",
    "![x](http://h)",
)


def test_a_report_has_session_table_and_folded_exchanges() -> None:
    report = exported(load_recording(DEMO), "markdown").decode()
    assert "`python -m inspector.demo`" in report
    assert "2025-11-25" in report
    assert re.search(r"\| 22 \| [0-9:.]+ \| → \| `tools/call` \| `add` \| ok, 1 ms \|", report)
    assert report.count("<details>") == report.count("</details>") > 10


@pytest.mark.parametrize("trap", [*TRAPS, *TEXTS.values()])
def test_what_a_server_sends_stays_inside_its_fence(trap: str) -> None:
    talk = Conversation()
    talk.sent(request(1, "tools/call", name=trap))
    talk.received(trap.encode("utf-8", "surrogatepass"))
    outside = _outside(exported(talk.journal, "markdown").decode())
    for sign in ("\x1b", "<script", "![x]", "@everybody", "\n# out", "\u202e"):
        assert sign not in outside
    assert outside.count("</details>") == outside.count("<details>")
    assert "# MCP session" in outside


def _outside(report: str) -> str:
    """What is left for the reader of Markdown without code blocks and code spans."""
    report = re.sub(r"^(`{3,})json\n.*?\n\1$", "", report, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", report)


@pytest.mark.parametrize("text", ["", "`", "``` and ````", "plain", "a\n```\nb"])
def test_a_fence_is_longer_than_any_run_inside(text: str) -> None:
    block = fenced(text)
    fence = block[: len(block) - len(block.lstrip("`"))]
    assert fence not in text
    assert block.endswith(f"\n{fence}")


def test_a_code_span_is_one_line_and_holds_its_backticks() -> None:
    assert code("a`b") == "``a`b``"
    assert code("`") == "`` ` ``"
    assert "\n" not in code("a\nb")
    assert code("") == ""


def test_a_cut_body_says_so() -> None:
    assert pretty(b'{"a":1.10}', 100) == ('{\n  "a": 1.10\n}', False)
    text, cut = pretty(b"x" * 1000, 100)
    assert (len(text), cut) == (100, True)


def test_a_long_session_is_told_in_part() -> None:
    talk = Conversation()
    for number in range(ROWS + 50):
        talk.sent(request(number, "ping"))
        talk.received(result(number))
    report = exported(talk.journal, "markdown").decode()
    assert "\nand 51 more\n" in report
    assert "more are not shown in full" in report


def test_a_text_is_made_visible_once_and_calls_nobody() -> None:
    talk = Conversation()
    talk.sent(request(1, "tools/call", name="\x1b[2J@everybody a\\|b"))
    talk.received(result(1))
    report = exported(talk.journal, "markdown").decode()
    assert "␛" in report
    assert "⟨241B⟩" not in report
    assert "@everybody" not in re.sub(r"(?s)```.*?```", "", report)
    (row,) = [line for line in report.splitlines() if line.startswith("| 2 |")]
    assert row.count("|") == 7


def test_what_a_server_calls_its_revision_is_no_markup() -> None:
    talk = Conversation()
    for text in TRAPS:
        talk.sent(request(text, "initialize"))
        talk.received(result(text, protocolVersion=text, serverInfo={"name": text}))
        report = exported(talk.journal, "markdown").decode()
        assert code(text) in report
        assert f" · {text}\n" not in report
