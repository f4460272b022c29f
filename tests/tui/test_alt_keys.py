"""Keys with Alt, as bytes of a terminal that has no kitty protocol."""

import pytest
from textual import events
from textual._xterm_parser import XTermParser

from inspector.tui.alt_keys import use_alt_keys
from inspector.tui.bindings import BINDINGS


def keys_of(sent: str) -> list[tuple[str, str | None]]:
    use_alt_keys()
    parser = XTermParser()
    read = [*parser.feed(sent), *parser.feed("")]
    return [(one.key, one.character) for one in read if isinstance(one, events.Key)]


BOUND = sorted(
    {
        key.removeprefix("alt+")
        for spec in BINDINGS.values()
        for key in spec.keys.split(",")
        if key.startswith("alt+") and len(key) == len("alt+x")
    }
)


@pytest.mark.parametrize("sign", BOUND)
def test_every_key_that_we_bind_with_alt_is_understood_and_is_no_text(sign: str) -> None:
    assert keys_of(f"\x1b{sign}") == [(f"alt+{sign}", None)]


def test_other_keys_stay_what_they_are() -> None:
    assert keys_of("\x1b") == [("escape", "\x1b")]
    assert keys_of("1") == [("1", "1")]
    assert keys_of("\x1bf") == [("ctrl+right", None)]
    assert keys_of("\x1b[6;5~") == [("ctrl+pagedown", None)]
    assert keys_of("¡") == [("inverted_exclamation_mark", "¡")]


def test_escape_and_enter_typed_fast_send_no_form() -> None:
    assert "alt+enter" not in [key for key, _ in keys_of("\x1b\r")]


def test_every_action_with_alt_has_a_key_that_every_terminal_sends() -> None:
    for spec in BINDINGS.values():
        keys = spec.keys.split(",")
        if any(key.startswith("alt+") for key in keys):
            assert not all(key.startswith("alt+") for key in keys), spec.id
