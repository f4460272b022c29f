from inspector.journal.entries import SYSTEM_CLOCK, Flag, Kind
from inspector.protocol.messages import MessageKind


def test_kinds_of_frames_have_the_numbers_of_message_kinds() -> None:
    assert {kind.name: int(kind) for kind in Kind if kind.is_frame} == {
        kind.name: int(kind) for kind in MessageKind
    }


def test_flags_fit_their_column_of_16_bits() -> None:
    assert sum(int(flag) for flag in Flag) <= 0xFFFF
    assert len({int(flag) for flag in Flag}) == len(Flag)


def test_the_system_clock_has_two_clocks() -> None:
    assert SYSTEM_CLOCK.monotonic() <= SYSTEM_CLOCK.monotonic()
    assert SYSTEM_CLOCK.wall() > 1_600_000_000
