"""The lines of the Server tab's list."""

from dataclasses import fields

from rich.cells import cell_len

from inspector.protocol.versions import Revision
from inspector.session.asks import Policy
from inspector.session.options import Advertise
from inspector.session.roots import Root
from inspector.tui.capability_rows import CapabilityRow
from inspector.tui.listen_words import Listening
from inspector.tui.server_rows import (
    SWITCH_NAMES,
    CacheLine,
    CapabilityLine,
    LevelLine,
    ListenLine,
    PingLine,
    PolicyLine,
    RootLine,
    ServerLine,
    SwitchLine,
    draw_line,
    enter_words,
    key_of,
    sparkline,
)


def _shown(line: ServerLine, width: int = 80) -> str:
    return draw_line(line, width).plain


def test_a_capability_says_whether_it_was_declared_and_used() -> None:
    row = CapabilityRow("server", ("tools",), True, Revision.V2024_11_05, (("tools/call", 2),))
    assert "✓ tools" in _shown(CapabilityLine(row))
    assert "2024-11-05" in _shown(CapabilityLine(row))
    assert "tools/call 2" in _shown(CapabilityLine(row))
    unused = CapabilityRow("server", ("logging",), True, Revision.V2024_11_05, ())
    assert "not used yet" in _shown(CapabilityLine(unused))
    absent = CapabilityRow("server", ("logging",), False, Revision.V2024_11_05, ())
    assert "not declared" in _shown(CapabilityLine(absent))
    unknown = CapabilityRow("server", ("teleport",), True, None, ())
    assert "unknown" in _shown(CapabilityLine(unknown))


def test_a_switch_that_is_not_in_force_says_what_to_do() -> None:
    assert "F5" in _shown(SwitchLine("sampling", False, False))
    assert "F5" not in _shown(SwitchLine("sampling", True, True))


def test_a_root_with_control_characters_is_harmless() -> None:
    shown = _shown(RootLine(Root("file:///tmp/\x1b[31m", "na\x07me")))
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "add a root" in _shown(RootLine(None))


def test_pings_draw_a_line_of_bars_up_to_the_highest() -> None:
    assert sparkline((0.001, 0.002, 0.004), 10) == "▂▄█"
    assert sparkline((0.0, 0.0), 10) == "▁▁"
    assert len(sparkline([0.1] * 100, 30)) == 30
    assert "4.0 ms" in _shown(PingLine((0.004,)))


def test_policies_and_levels_are_named_in_words() -> None:
    assert "ask me" in _shown(PolicyLine("sampling", Policy("ask")))
    assert "roots below" in _shown(PolicyLine("roots", Policy("answer")))
    assert "warning" in _shown(LevelLine("warning", True))
    assert "not declare" in _shown(LevelLine(None, False))


def test_a_line_keeps_its_key_while_its_value_changes() -> None:
    assert key_of(SwitchLine("a", True, True)) == key_of(SwitchLine("a", False, False))
    assert key_of(PingLine(())) == key_of(PingLine((0.1,)))
    assert key_of(SwitchLine("a", True, True)) != key_of(SwitchLine("b", True, True))


def test_an_extension_shows_its_settings_and_whether_it_is_spoken_here() -> None:
    path = ("extensions", "com.example/a")
    row = CapabilityRow("server", path, True, Revision.V2026_07_28, (), '{"most":3}')
    assert '{"most":3} not spoken here' in _shown(CapabilityLine(row))
    assert all(cell_len(_shown(CapabilityLine(row), width)) <= width for width in (52, 69, 80))
    holder = CapabilityRow("server", ("extensions",), True, Revision.V2026_07_28, ())
    assert "not used" not in _shown(CapabilityLine(holder))


def test_what_the_revision_deprecates_is_marked() -> None:
    row = CapabilityRow("server", ("logging",), True, Revision.V2024_11_05, (), deprecated=True)
    assert "deprecated, not used yet" in _shown(CapabilityLine(row))


def test_streams_say_what_is_granted_and_how_they_ended() -> None:
    assert "Enter listens" in _shown(ListenLine(None))
    partly = Listening(("tools", "prompts"), ("prompts",), True, "")
    assert "not granted: prompts" in _shown(ListenLine(partly))
    waiting = Listening(("tools",), (), False, "")
    assert "not acknowledged yet" in _shown(ListenLine(waiting))
    ended = Listening(("tools",), (), True, "the server ended it\x1b in order")
    assert "ended: the server ended it␛ in order" in _shown(ListenLine(ended))
    assert enter_words(ListenLine(ended)) == "listens again"
    soon = Listening(("tools",), (), True, "it broke off", "again in 2 s, try 3 of 5")
    assert "again in 2 s, try 3 of 5; it broke off" in _shown(ListenLine(soon))
    assert enter_words(ListenLine(partly)) == ""


def test_a_level_that_goes_with_each_request_says_so() -> None:
    assert "goes with each request" in _shown(LevelLine("info", True, True))
    assert "each request from then on" in _shown(LevelLine(None, True, True))
    assert "each request" not in _shown(LevelLine("info", True))
    assert "this revision has none" in _shown(PingLine((), known=False))
    assert enter_words(PingLine((), known=False)) == ""


def test_every_switch_has_a_name_for_people() -> None:
    assert {field.name for field in fields(Advertise)} <= set(SWITCH_NAMES)


def test_caching_hints_stand_with_what_is_left_of_them() -> None:
    shown = _shown(CacheLine("tools/list", "fresh for 5 min, private", "4 min left"))
    assert "tools/list" in shown
    assert "fresh for 5 min, private  4 min left" in shown
