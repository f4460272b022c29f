"""Markdown of a server is drawn calmly, and nothing in it is hidden."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from inspector.render.markdown import CHARACTERS_CAP, looks_like_markdown, markdown
from inspector.render.safe import DANGEROUS
from tests.scaled import scaled


def drawn(text: str) -> str:
    file = io.StringIO()
    Console(file=file, width=60, force_terminal=False, legacy_windows=False).print(markdown(text))
    return file.getvalue()


def test_html_and_entities_are_shown_as_written() -> None:
    shown = drawn("<b>x</b> &#x1b; &amp;")
    assert "<b>x</b> &#x1b; &amp;" in shown


def test_addresses_of_links_are_shown_and_not_made_clickable() -> None:
    shown = drawn("[safe](http://evil.example)")
    assert "http://evil.example" in shown
    assert "\x1b]8" not in shown


def test_code_keeps_its_lines() -> None:
    lines = drawn("```python\nif x:\n    y\n```").splitlines()
    assert [line.rstrip() for line in lines] == ["  if x:", "      y"]


def test_long_and_deep_markdown_becomes_plain_text() -> None:
    assert isinstance(markdown("# a\n" * CHARACTERS_CAP), Text)
    assert isinstance(markdown("> " * 5000), Text)
    assert isinstance(markdown("- " * 3000), Text)
    assert drawn("> " * 200 + "deep").endswith("deep\n")


@pytest.mark.parametrize("text", ["# a", "- a\n- b", "1. a", "`x`", "**b**", "[a](b)", "```\nx"])
def test_markdown_is_recognised(text: str) -> None:
    assert looks_like_markdown(text)


@pytest.mark.parametrize(
    "text", ["a - b", "2 * 3 * 4", "a_b_c", "[x]", "#nospace", "it's 5 o'clock"]
)
def test_plain_text_is_not_taken_for_markdown(text: str) -> None:
    assert not looks_like_markdown(text)


PIECES = [
    *("# ", "- ", "> ", "`", "**", "[", "](", ")", "\n", "|", "---", "![", "<", "a", " ", "\\"),
    *("\x1b[31m", "\x9b", "&#x9b;", "\u202e", "http://x/\x1b", "```"),
]


@settings(max_examples=scaled(200), deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_no_markdown_draws_anything_dangerous(parts: list[str]) -> None:
    assert DANGEROUS.search(drawn("".join(parts)).replace("\n", "")) is None
