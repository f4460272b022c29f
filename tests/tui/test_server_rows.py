"""The lines of the Server tab's list."""

from inspector.protocol.versions import Revision
from inspector.session.asks import Policy
from inspector.session.roots import Root
from inspector.tui.capability_rows import CapabilityRow
from inspector.tui.server_rows import (
    CapabilityLine,
    HeadingLine,
    LevelLine,
    PingLine,
    PolicyLine,
    RootLine,
    SwitchLine,
    draw_line,
    key_of,
    sparkline,
)


def _shown(line: object, width: int = 80) -> str:
    assert isinstance(
        line,
        HeadingLine | CapabilityLine | SwitchLine | PolicyLine | RootLine | PingLine | LevelLine,
    )
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
