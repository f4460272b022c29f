"""The terminal as the interface drives it: what is read from it, and what is taken back at the end.

Textual's own driver ends the program at a byte that is no UTF-8 and at an answer of the terminal
that it cannot read, and leaves mouse coordinates in pixels behind, where the terminal knows them.
How the program as a whole ends is `inspector.tui.ending`.
"""

import errno
import os
import re
import select
import signal
from codecs import getincrementaldecoder
from collections.abc import Callable
from typing import Any, Final, TextIO, cast

from textual._xterm_parser import XTermParser
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

LOOK_SECONDS: Final = 0.1
"""How long the thread that reads keys may not notice that it is to end."""
CHUNK: Final = 4096
"""Bytes that are written at a time: who waits for a terminal waits with no more than these."""
TRIES: Final = 10
"""How often reading may fail before the terminal counts as gone."""
_SEQUENCES: Final = re.compile(r"(\x1b\[[0-?]*[ -/]*[@-~])")
"""Read one by one: where one cannot be read, the others can."""
POINTER: Final = "\x1b]22;"
TAKEN_BACK: Final = "\x1b[?1016l\x1b[?2048l\x1b[?2026l\x1b[?7h\x1b[0m"
"""Pixel coordinates, resizes in band and held-back output off, lines wrap, no colours."""


class Patient:
    """A file that takes all that is written, or drops it where nobody can get it any more.

    A terminal may be set to take nothing where it would have to wait (by another program on it),
    and is gone when it has hung up; either would end the thread that writes, and with it the
    interface, at its next line.
    """

    def __init__(self, file: TextIO) -> None:
        self._number = file.fileno()
        self._encoding = file.encoding or "utf-8"
        self._waiting: list[str] = []

    def fileno(self) -> int:
        """The terminal."""
        return self._number

    def isatty(self) -> bool:
        """Whether it is one."""
        return os.isatty(self._number)

    def write(self, text: str) -> None:
        """Keeps it until the next flush."""
        self._waiting.append(text)

    def flush(self) -> None:
        """Writes what is kept, however long that takes."""
        rest = memoryview("".join(self._waiting).encode(self._encoding, "backslashreplace"))
        self._waiting.clear()
        while rest:
            try:
                rest = rest[os.write(self._number, rest[:CHUNK]) :]
            except BlockingIOError:
                select.select((), (self._number,), ())
            except OSError:
                return


class TerminalDriver(LinuxDriver):
    """A terminal on stdin and stderr."""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file = cast("Any", Patient(cast("TextIO", self._file)))
        self._ours = False
        """Whether the terminal is as the interface needs it."""
        self._pointer_changed = False

    def write(self, data: str) -> None:
        """Queues output. Before the start there is nobody to write it."""
        if data.startswith(POINTER):
            self._pointer_changed = True
        if self._writer_thread is not None:
            super().write(data)

    def start_application_mode(self) -> None:
        """Takes the terminal."""
        self._ours = True
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def stop_application_mode(self) -> None:
        """Everything as before, with what the terminal has only offered later."""
        if not self._ours:
            return
        self._ours = False
        super().stop_application_mode()
        pointer = f"{POINTER}default\x07" if self._pointer_changed else ""
        self.write(TAKEN_BACK + pointer)
        self.flush()

    def _sigtstp_application(self, *_: object) -> None:
        """Ctrl+Z of a shell's job: the terminal back, and stop."""
        self._on_loop(self._stop_here)

    def _sigcont_application(self, *_: object) -> None:
        """On again."""
        self._on_loop(self._go_on)

    def _on_loop(self, act: Callable[[], None]) -> None:
        """Not in the signal's handler: that may have come in the midst of a write."""
        try:
            self._loop.call_soon_threadsafe(act)
        except RuntimeError:  # the interface is over; the terminal is as before
            if act == self._stop_here:
                os.kill(os.getpid(), signal.SIGSTOP)

    def _stop_here(self) -> None:
        if self._ours and self._auto_restart:
            self.suspend_application_mode()
            self._must_signal_resume = True
        os.kill(os.getpid(), signal.SIGSTOP)

    def _go_on(self) -> None:
        """Who was stopped by SIGSTOP could give nothing back before."""
        if not self._auto_restart or not (self._ours or self._must_signal_resume):
            return
        if self._ours:
            self.suspend_application_mode()
            self._must_signal_resume = True
        self.resume_application_mode()

    def run_input_thread(self) -> None:
        """Reads keys until the driver stops or the terminal is gone."""
        parser = XTermParser(self._debug)
        decode = getincrementaldecoder("utf-8")("replace").decode
        failed = 0
        while not self.exit_event.is_set():
            try:
                ready, _, _ = select.select((self.fileno,), (), (), LOOK_SECONDS)
                raw = os.read(self.fileno, 4096) if ready else b""
            except BlockingIOError:
                continue
            except (OSError, ValueError) as error:
                failed += 1
                if isinstance(error, OSError) and error.errno == errno.EIO and failed < TRIES:
                    self.exit_event.wait(LOOK_SECONDS)
                    continue
                return  # it hung up; `inspector.tui.ending` sees that too
            if ready and not raw:
                return
            for part in (*_SEQUENCES.split(decode(raw)), ""):
                try:
                    for event in parser.feed(part) if part else parser.tick():
                        self.process_message(event)
                except (ValueError, OverflowError):  # numbers that no key and no answer has
                    parser = XTermParser(self._debug)
