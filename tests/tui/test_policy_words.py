"""What happens to questions, in a few words."""

from inspector.session.asks import ASK_KINDS, HEADLESS, INTERACTIVE, Policy
from inspector.tui.policy_words import policies_line, policy_words


def test_every_kind_is_on_the_line_once() -> None:
    for policies in (INTERACTIVE, HEADLESS):
        line = policies_line(policies)
        for name in ("sampling", "form", "URL", "roots", "rounds"):
            assert line.count(name) == 1


def test_every_choice_has_words_of_its_own() -> None:
    for kind in ASK_KINDS:
        words = [policy_words(kind, Policy(mode)) for mode in ("ask", "decline", "answer")]
        assert len(set(words)) == 3
        assert all(words)
