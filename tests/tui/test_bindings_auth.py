"""The keys of the Auth screen exist where they act, and win over those of its text."""

from inspector.tui.bindings_auth import AUTH
from inspector.tui.screens.auth import AuthScreen


def test_every_key_of_the_auth_screen_has_its_action() -> None:
    for spec in AUTH:
        assert spec.scope == "auth"
        assert hasattr(AuthScreen, f"action_{spec.action}"), spec.id


def test_no_key_is_taken_by_the_text_that_has_the_focus() -> None:
    assert all(spec.priority for spec in AUTH)
