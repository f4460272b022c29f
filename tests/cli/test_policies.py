"""What a run answers when the server asks."""

from pathlib import Path

import pytest

from inspector.cli.options import Given
from inspector.cli.policies import policies
from inspector.config.settings import Settings
from inspector.errors import UsageError
from inspector.session.asks import Policy


def test_headless_commands_decline_whatever_the_settings_say() -> None:
    found = policies(Given(), Settings(sampling="accept-defaults"), headless=True)
    assert found["sampling"] == found["elicitation"] == found["elicitation-url"]
    assert found["sampling"] == Policy("decline")
    assert found["roots"] == Policy("answer")


def test_the_interface_asks_unless_the_settings_say_otherwise() -> None:
    assert policies(Given(), Settings(), headless=False)["sampling"] == Policy("ask")
    settings = Settings(sampling="decline", elicitation="cancel")
    found = policies(Given(), settings, headless=False)
    assert found["sampling"] == Policy("decline")
    assert found["elicitation"] == found["elicitation-url"] == Policy("cancel")
    given = Given(on_sampling="accept-defaults")
    assert policies(given, settings, headless=False)["sampling"] == Policy("accept-defaults")


def test_canned_answers_are_json_from_the_line_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    file.write_text('{"name": "Ada"}')
    for text in ('answer={"name": "Ada"}', f"answer=@{file}"):
        found = policies(Given(on_elicitation=text), Settings(), headless=True)
        assert found["elicitation"] == Policy("answer", {"name": "Ada"})


def test_a_page_is_never_agreed_to_by_a_form_answer_or_defaults() -> None:
    for text in ('answer={"name": "Ada"}', "accept-defaults"):
        found = policies(Given(on_elicitation=text), Settings(), headless=True)
        assert found["elicitation-url"] == Policy("decline")
    whole = policies(Given(on_elicitation='answer={"action":"accept"}'), Settings(), headless=True)
    assert whole["elicitation-url"].mode == "answer"


def test_a_text_is_enough_to_answer_sampling() -> None:
    found = policies(Given(on_sampling='answer="42"'), Settings(), headless=True)["sampling"]
    assert found.answer is not None
    assert found.answer["content"] == {"type": "text", "text": "42"}
    assert found.answer["role"] == "assistant"


@pytest.mark.parametrize(
    "text",
    ["perhaps", "answer", "answer=", "answer={", "answer=[1]", "answer=@/no/such/file", "ask", ""],
)
def test_what_is_no_policy_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: False)
    with pytest.raises(UsageError):
        policies(Given(on_elicitation=text), Settings(), headless=True)
