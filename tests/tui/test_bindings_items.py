"""Keys of tools, resources, prompts and results."""

from inspector.tui.bindings_items import PROMPTS, RESOURCES, TOOLS


def test_a_call_can_be_made_in_terminals_without_ctrl_enter() -> None:
    for section in (TOOLS, PROMPTS, RESOURCES):
        (act,) = (spec for spec in section if spec.action == "act")
        assert {"ctrl+enter", "ctrl+r"} <= set(act.keys.split(","))


def test_cancelling_wins_over_the_focused_field() -> None:
    for section in (TOOLS, PROMPTS, RESOURCES):
        assert all(spec.priority for spec in section if spec.action == "cancel_call")
