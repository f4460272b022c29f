"""Hints name the keys that work."""

from textual.app import App

from inspector.tui.key_hints import key_hints, key_name


def test_a_hint_names_the_first_key_of_the_binding() -> None:
    app: App[int] = App()
    assert key_name(app, "asks.accept") == "Ctrl+S"
    assert key_name(app, "lines.down") == "J" or key_name(app, "lines.down") == "j"


def test_a_hint_follows_the_keymap() -> None:
    app: App[int] = App()
    app.set_keymap({"asks.accept": "f2"})
    line = key_hints(app, ("asks.accept", "send"), ("asks.later", "later"))
    assert line.plain == "F2 send   Esc later"
