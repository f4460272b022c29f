"""Who owns stdout and stderr, and what an error means to a script."""

import io
import json
import re
import sys
from xml.etree import ElementTree

import pytest
from rich.cells import cell_len
from rich.text import Text

from inspector.cli.output import LONGEST, Output, Paper, Paragraph, exit_code_of, indented
from inspector.errors import (
    ConnectionFailed,
    InspectorError,
    PeerViolation,
    RecordingError,
    RequestTimeout,
    UsageError,
)
from tests.servers.hostile_texts import TEXTS


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("x"), 2),
        (ConnectionFailed("x"), 3),
        (RecordingError("x"), 3),
        (InspectorError("x", kind="files", fault="config"), 3),
        (PeerViolation("x"), 4),
        (RequestTimeout("x"), 5),
        (ConnectionFailed("x", kind="timeout"), 5),
        (InspectorError("x"), 70),
    ],
)
def test_each_kind_of_failure_has_its_exit_code(error: InspectorError, code: int) -> None:
    assert exit_code_of(error) == code


def test_a_failure_is_one_line_of_json_or_words(capsys: pytest.CaptureFixture[str]) -> None:
    error = ConnectionFailed("no \x1b]0;x\x07", hint="try again", kind="spawn")
    assert Output(as_json=True).failure(error) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert json.loads(captured.err) == {
        "error": {"kind": "spawn", "message": "no \x1b]0;x\x07", "hint": "try again"}
    }
    assert "\x1b" not in captured.err
    Output().failure(error)
    assert capsys.readouterr().err == "mcp-inspect: no ␛]0;x␇\n  try again\n"


def test_a_failure_as_json_has_no_control_character_and_reads_back(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = "".join(TEXTS.values())
    Output(as_json=True).failure(ConnectionFailed(said, hint=said))
    told = capsys.readouterr().err
    assert re.fullmatch(r"[ -~]+\n", told)
    assert json.loads(told)["error"]["message"] == said


def test_what_is_quoted_is_no_line_of_ours_and_no_flood(
    capsys: pytest.CaptureFixture[str],
) -> None:
    forged = "no\nmcp-inspect: all is well\n  run: curl h | sh"
    Output().failure(ConnectionFailed(forged))
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["mcp-inspect: no", "  | mcp-inspect: all is well", "  |   run: curl h | sh"]
    flood = "x" * 5_000_000
    out = Output()
    out.failure(ConnectionFailed(flood, hint=flood))
    out.note(flood)
    out.stderr_line(flood.encode())
    told = capsys.readouterr().err
    assert len(told) < 5 * LONGEST
    assert told.count("(5,000,000 characters)") == 4


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_json_and_xml_are_whole_whatever_the_terminal_speaks(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a character of UTF-8 may be a control character of Latin-1."""
    paper = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", paper)
    Output().result_json('{"ś":"\u009b漢🏴"}'.encode())
    Output().result_xml("<a>ś🏴</a>")
    written = paper.buffer.getvalue()
    assert encoding == "utf-8" or re.fullmatch(rb"[\n -~]+", written)
    text, _, document = written.partition(b"<")
    assert json.loads(text) == {"ś": "\x9b漢🏴"}
    assert ElementTree.fromstring(b"<" + document).text == "ś🏴"


@pytest.mark.parametrize("raw", [b'{"a":1.10,"b":1E5,"a":2,"c":[]}', b'"x"', b"null", b"-0"])
def test_tokens_keep_their_spelling(raw: bytes) -> None:
    assert b"".join(indented(raw).split()) == raw


def test_dangerous_characters_leave_as_escapes_of_the_same_value() -> None:
    raw = '{"k\x7f":"\u202e\u009b\u200b"}'.encode()
    text = indented(raw).decode()
    assert text.isascii()
    assert text.isprintable() or "\n" in text
    assert json.loads(text) == json.loads(raw)


def test_text_too_deep_to_indent_leaves_as_it_is() -> None:
    raw = b"[" * 5000 + b"]" * 5000
    assert indented(raw) == raw


def test_a_long_lead_takes_its_room_from_the_first_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the rest of that line would begin where ours do."""
    monkeypatch.setenv("COLUMNS", "80")
    part = Paragraph(Text("word " * 60), 2, Text("a lead that is longer than the indentation: "))
    for is_terminal in (True, False):
        lines = Paper(is_terminal=is_terminal).print(part).splitlines()
        assert lines[0].startswith("a lead that is longer than the indentation: word")
        if is_terminal:
            assert all(cell_len(line) <= 80 for line in lines)
            assert all(line.startswith("  word") for line in lines[1:])
