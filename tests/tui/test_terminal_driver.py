"""The terminal as the interface drives it: odd input, odd descriptors."""

import os
import threading
from pathlib import Path
from typing import Any, TextIO, cast
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.events import Key

from inspector.tui.terminal_driver import Patient, TerminalDriver

ODD = (
    b"\xff\xfe\xc3",
    b"\x1b[1;2:1A",
    b"\x1b[27;2:2:2R",
    b"\x1b[1114112u",
    b"\x1b[9999999999999999999999u",
    b"\x1b[<99999999999999999999;1;1M",
    b"\x1b[48;;;;t",
)


def keys_after(raw: bytes) -> list[str]:
    """What the driver makes of this and of an `a` after it, read from a pipe until its end."""
    reader, writer = os.pipe()
    driver = TerminalDriver.__new__(TerminalDriver)
    driver.fileno, driver._debug = reader, False
    driver.exit_event = threading.Event()
    seen: list[str] = []
    keep: Any = lambda event: seen.append(event.key) if isinstance(event, Key) else None  # noqa: E731
    driver.process_message = keep  # type: ignore[method-assign]
    for part in (raw, b"a"):
        os.write(writer, part)
    os.close(writer)
    driver.run_input_thread()  # ends with its input
    os.close(reader)
    return seen


@pytest.mark.parametrize("raw", ODD)
def test_no_bytes_from_the_terminal_end_the_reading_of_keys(raw: bytes) -> None:
    assert "up" in keys_after(raw + b"\x1b[A")


@given(st.lists(st.sampled_from([*ODD, b"\x1b[", b";", b":", b"1", b"u", b"R", b"~", b"\xe9"])))
def test_whatever_comes_from_the_terminal_nothing_is_raised(parts: list[bytes]) -> None:
    keys_after(b"".join(parts))


def test_a_letter_of_several_bytes_may_come_in_parts() -> None:
    assert "é" in keys_after("xé".encode())


def patient(descriptor: int) -> Patient:
    """One on that descriptor."""
    return Patient(cast("TextIO", Mock(fileno=lambda: descriptor, encoding="utf-8")))


def test_a_descriptor_that_does_not_wait_gets_all_of_it() -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    file = patient(writer)
    file.write("x" * 300_000)
    thread = threading.Thread(target=file.flush)
    thread.start()
    got = 0
    while got < 300_000:
        got += len(os.read(reader, 65536))
    thread.join()
    os.close(reader)
    os.close(writer)


def test_what_nobody_can_get_is_dropped(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    file = patient(writer)
    for _ in range(3):
        file.write("lost")
        file.flush()
    os.close(writer)
