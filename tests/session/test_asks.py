"""An ask knows whether it is open; without anybody to ask, nothing is asked."""

from inspector.session.asks import ASK_KINDS, HEADLESS, INTERACTIVE, Ask


def test_an_ask_is_open_until_it_is_ended() -> None:
    ask = Ask(1, "roots", "roots/list", {}, 1, 1, None, 0.0)
    assert ask.is_open
    assert ask.elicitation_id == ""
    assert Ask(1, "elicitation-url", "m", {"elicitationId": "e"}, 1, 1, None, 0.0).elicitation_id


def test_there_is_a_policy_for_every_kind_and_none_asks_when_nobody_looks() -> None:
    assert set(INTERACTIVE) == set(HEADLESS) == set(ASK_KINDS)
    assert all(policy.mode != "ask" for policy in HEADLESS.values())
    assert INTERACTIVE["roots"].mode == HEADLESS["roots"].mode == "answer"
