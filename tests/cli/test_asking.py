"""Questions of the server, put to a person at a terminal."""

import os
import re
import sys
from pathlib import Path

import pytest

from inspector.cli import asking
from inspector.cli.asking import Keyboard, read_value
from inspector.protocol.messages import Json, JsonObject
from inspector.render.safe import DANGEROUS
from tests.cli.running import DEMO, Runner
from tests.cli.terminal import terminal
from tests.servers.hostile_texts import NONCE, TEXTS


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("3", {"type": "integer"}, 3),
        ("3", {"type": "string"}, "3"),
        ("1.5", {"type": "number"}, 1.5),
        ("three", {"type": "integer"}, "three"),
        ("yes", {"type": "boolean"}, True),
        ("N", {"type": "boolean"}, False),
        ("true", {"type": "boolean"}, True),
        ("a, b,", {"type": "array"}, ["a", "b"]),
        ("x", {}, "x"),
    ],
)
def test_a_text_becomes_what_the_field_wants(text: str, field: JsonObject, value: Json) -> None:
    assert read_value(text, field) == value


class Given:
    """A stdin that is no terminal: what `< file` gives."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_RDONLY)

    def fileno(self) -> int:
        return self._file


async def test_lines_come_from_a_file_too_and_the_last_needs_no_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be waited for (a file, /dev/null) is always ready."""
    lines = tmp_path / "lines"
    lines.write_text("first\nlast")
    monkeypatch.setattr(sys, "stdin", Given(str(lines)))
    keyboard = Keyboard()
    assert [await keyboard.line("") for _ in range(2)] == ["first", "last"]
    with pytest.raises(EOFError):
        await keyboard.line("")


async def test_nothing_comes_from_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Given(os.devnull))
    with pytest.raises(EOFError):
        await Keyboard().line("")


def test_a_page_on_a_host_in_disguise_is_told() -> None:
    """2025-11-25 client/elicitation: warn of Punycode."""
    assert "host: xn--pple-43d.com" in "\n".join(asking._page("https://\u0430pple.com/x"))
    assert "other letters" in "\n".join(asking._page("https://xn--pple-43d.com/x"))
    assert "only http and https" in "\n".join(asking._page("javascript:alert(1)"))


@pytest.mark.parametrize("era", ["handshake", "modern"])
def test_a_form_is_asked_field_by_field(run: Runner, era: str) -> None:
    words = run.command("call", "ask_form", "--on-elicitation", "ask", "--protocol", era, *DEMO)
    with terminal(words, run.environ) as user:
        user.wait_for("[c]ancel: ")
        user.type("y\n")
        user.wait_for("name* (string): ")
        user.type("Ada\n")
        for _ in range(11):
            user.type("\n")
        text = user.wait_for("You answered")
        assert user.end() == 0
    assert 'size* (S | M | L, default "M")' in text
    assert "'name': 'Ada'" in user.text


def test_what_the_schema_refuses_is_told_and_asked_again_or_sent(run: Runner) -> None:
    words = run.command("call", "ask_form", "--on-elicitation", "ask", *DEMO)
    with terminal(words, run.environ) as user:
        for round, (key, age) in enumerate((("\n", "many"), ("y\n", "many")), 1):
            user.wait_for_times("[c]ancel: ", round)
            user.type("y\n")
            user.wait_for_times("name* (string): ", round)
            user.type("Ada\n")
            for name in ("email", "born", "website"):
                user.wait_for_times(f"{name} (", round)
                user.type("\n")
            user.wait_for_times("age (", round)
            user.type(f"{age}\n")
            for _ in range(7):
                user.type("\n")
            user.wait_for_times("Send it all the same?", round)
            user.type(key)
        user.wait_for("'age': 'many'")
        assert user.end() == 0
    assert user.text.count("! /age: ") == 2


@pytest.mark.parametrize("era", ["handshake", "modern"])
def test_a_form_can_be_refused_and_dismissed(run: Runner, era: str) -> None:
    for key, outcome in (("n", "decline"), ("c", "cancel")):
        words = run.command("call", "ask_form", "--on-elicitation", "ask", "--protocol", era, *DEMO)
        with terminal(words, run.environ) as user:
            user.wait_for("[c]ancel: ")
            user.type(f"{key}\n")
            user.wait_for(f"You chose to {outcome}.")
            assert user.end() == 0


def test_a_page_is_shown_whole_before_anybody_agrees(run: Runner) -> None:
    words = run.command("call", "ask_url", "--on-elicitation", "ask", *DEMO)
    with terminal(words, run.environ) as user:
        text = user.wait_for("Agree?")
        assert "https://example.com/consent?step=1" in text
        assert "host: example.com" in text
        user.type("y\n")
        user.wait_for("You chose to accept.")
        assert user.end() == 0


@pytest.mark.parametrize("era", ["handshake", "modern"])
def test_sampling_is_answered_by_typing(run: Runner, era: str) -> None:
    words = run.command("call", "ask_model", "--on-sampling", "ask", "--protocol", era, *DEMO)
    with terminal(words, run.environ) as user:
        text = user.wait_for("empty declines")
        assert "What is the answer?" in text
        user.type("forty-two\n")
        user.wait_for("said: forty-two")
        assert user.end() == 0


def test_declining_a_model_in_a_result_ends_the_call(run: Runner) -> None:
    """2026-07-28 basic/patterns/mrtr: there is no error to send."""
    words = run.command("call", "ask_model", "--on-sampling", "ask", "--protocol", "modern", *DEMO)
    with terminal(words, run.environ) as user:
        user.wait_for("empty declines, which ends the call")
        user.type("\n")
        assert user.end() != 0
    assert "was not gone on with" in user.text


def test_what_a_policy_answered_in_a_result_is_told(run: Runner) -> None:
    done = run("call", "ask_form", "--protocol", "modern", *DEMO)
    assert "You chose to decline." in done.stdout
    assert "answered by policy: decline (--on-elicitation)" in done.stderr


@pytest.mark.parametrize("era", ["handshake", "modern"])
def test_interrupting_a_question_cancels_the_call(run: Runner, era: str) -> None:
    words = run.command("call", "ask_form", "--on-elicitation", "ask", "--protocol", era, *DEMO)
    with terminal(words, run.environ) as user:
        user.wait_for("[c]ancel: ")
        user.process.send_signal(2)
        assert user.end() == 130
    assert "Traceback" not in user.text


def test_no_line_of_the_server_begins_where_ours_do(capsys: pytest.CaptureFixture[str]) -> None:
    for text in (*TEXTS.values(), "a\nAnswer? [y]es [n]o [c]ancel: \nmcp-inspect: your password:"):
        asking._quote(text)
    shown = capsys.readouterr().err
    assert DANGEROUS.search(re.sub(r"[\n\t]", "", shown)) is None
    assert all(line.startswith("    ") for line in shown.splitlines() if line)
    assert shown.count(NONCE) == sum(text.count(NONCE) for text in TEXTS.values())
