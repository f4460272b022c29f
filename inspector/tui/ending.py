"""The way out: every exit leaves the terminal as it was, the recording closed, no child behind.

Signals end the program with 128 + n; SIGINT from outside first cancels a running call, like the
key, and a second one soon after it ends the program. Where the terminal is no longer read, the loop
of Textual stands still: then a thread of our own closes the workbench, puts the terminal back and
ends the process. A terminal that went away without a signal (it was not our controlling one) ends
the program as SIGHUP does.
"""

import os
import select
import signal
import sys
import termios
import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep
from types import FrameType
from typing import TYPE_CHECKING, Final

from inspector.errors import InspectorError
from inspector.signals import ENDING

if TYPE_CHECKING:
    from termios import _AttrReturn as _Attributes

    from inspector.tui.app import InspectorApp

AGAIN_SECONDS: Final = 3.0
"""Within this time a second SIGINT ends the program, whatever runs."""
LOOK_SECONDS: Final = 1.0
"""How often the watch over the terminal sees whether it is needed still."""
GRACE_SECONDS: Final = 3.0
"""How long the interface may take to leave after the workbench is closed."""
FLUSH_SECONDS: Final = 1.0
"""For how long after that what nobody reads is thrown away, so that the interface can leave."""
POLL_SECONDS: Final = 0.02
FLUSH_POLL_SECONDS: Final = 0.002
LEAVE: Final = (
    b"\x1b[?2026l\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[?1004l\x1b[?2004l"
    b"\x1b[<u\x1b[?2048l\x1b[?7h\x1b[?1049l\x1b[?25h\x1b[0m"
)
"""Output no longer held back; mouse, focus and paste reports off; keyboard, line wrap and screen as
before; cursor on."""


class Ending:
    """Runs the app and sees to its end."""

    def __init__(self, app: "InspectorApp") -> None:
        self._app = app
        self._finished = threading.Event()
        self._code: int | None = None
        self._interrupting = False
        self._interrupted = -AGAIN_SECONDS
        self._terminal = _terminal_attributes()
        self._resort: threading.Thread | None = None

    def run(self, taken_over: Callable[[], None] | None = None) -> int:
        """The exit code. What is our own defect is raised, after everything is closed.

        `taken_over` is called once the signals are ours: whoever drew before may let go then.
        """
        before = {number: signal.signal(number, self._signalled) for number in ENDING}
        if taken_over is not None:
            taken_over()
        code: int | None = 0
        came_back = False
        try:
            watch = threading.Thread(
                target=self._watch_terminal, name="terminal-watch", daemon=True
            )
            with suppress(RuntimeError):  # no more threads: then nothing but signals ends it
                watch.start()
            if self._code is None:  # else a signal came first
                code = self._app.run()
                came_back = True
        finally:
            if not came_back:  # who drew before us counts on it, and the app never came up
                _restore(self._terminal)
            self._finished.set()
            self._app.close_bridge()
            if self._resort is not None:
                self._resort.join(FLUSH_SECONDS)
            for number, handler in before.items():
                signal.signal(number, handler)
        if self._code is not None:
            return self._code
        if (error := self._app.defect) is not None:
            raise error
        return code or 0

    def _signalled(self, number: int, _: FrameType | None) -> None:
        loop = self._app.loop
        waiting = number == signal.SIGINT and not self._interrupting
        if waiting and loop is not None and self._code is None:
            self._interrupting = True  # until the loop got to it: it may stand still
            with suppress(RuntimeError):  # it closed in this moment
                loop.call_soon_threadsafe(self._interrupt)
                return
        leaving = self._code is not None or self._finished.is_set()
        if leaving and number != signal.SIGHUP:  # which comes from the system and from the shell
            self._app.hurry()
        self._leave(128 + number)

    def _interrupt(self) -> None:
        self._interrupting = False
        again = monotonic() - self._interrupted < AGAIN_SECONDS
        self._interrupted = monotonic()
        if again or not self._app.cancel_something():
            self._leave(128 + signal.SIGINT)

    def _leave(self, code: int) -> None:
        if self._code is not None:
            return
        self._code = code
        self._ask_to_leave()
        self._resort = threading.Thread(target=self._last_resort, args=(code,), daemon=True)
        self._resort.start()

    def _ask_to_leave(self) -> bool:
        """False where the interface is not up yet, or not any more."""
        loop = self._app.loop
        if loop is None:
            return False
        with suppress(RuntimeError):  # it closed in this moment
            loop.call_soon_threadsafe(self._app.exit, self._code)
        return True

    def _watch_terminal(self) -> None:
        try:
            watch = select.poll()
            watch.register(sys.__stdin__.fileno(), 0)  # type: ignore[union-attr]
            while not self._finished.is_set():
                for _, event in watch.poll(LOOK_SECONDS * 1000):
                    if event & select.POLLHUP:
                        self._leave(128 + signal.SIGHUP)
                    return
        except (OSError, ValueError, AttributeError):  # no terminal, or a system without poll
            return

    def _last_resort(self, code: int) -> None:
        """For an interface that cannot leave by itself: it is not up yet, or waits for a terminal
        that takes nothing."""
        self._app.close_bridge()
        end = monotonic() + GRACE_SECONDS
        asked = self._app.loop is not None
        while not self._finished.wait(POLL_SECONDS) and monotonic() < end:
            asked = asked or self._ask_to_leave()
        if not self._finished.is_set():
            terminals = _taken_over()
            end = monotonic() + FLUSH_SECONDS
            while not self._finished.wait(FLUSH_POLL_SECONDS) and monotonic() < end:
                _throw_away_output(terminals)
            # What the interface wrote to leave may have been thrown away, too.
            _restore(self._terminal, terminals)
        if not self._finished.is_set():
            os._exit(code)


def describe(error: BaseException) -> str:
    """An error in one or two sentences."""
    if isinstance(error, InspectorError):
        return f"{error.message}\n{error.hint}".strip()
    return f"{type(error).__name__}: {error}"


def raise_ours(error: BaseException) -> None:
    """A defect of ours ends the program with a report; anything else is shown and outlived."""
    if not isinstance(error, InspectorError):
        raise error


def _terminal_attributes() -> "_Attributes | None":
    try:
        return termios.tcgetattr(sys.__stdin__.fileno()) if sys.__stdin__ else None
    except (OSError, ValueError, termios.error):
        return None


def _terminals() -> list[int]:
    """The descriptors by which a terminal is written to."""
    found = []
    for stream in (sys.__stderr__, sys.__stdin__):
        with suppress(OSError, ValueError, AttributeError):
            found.append(stream.fileno())  # type: ignore[union-attr]
    return found


def _taken_over() -> list[int]:
    """The terminals for us alone: what the interface still writes, though nobody reads it, would
    come behind our last words."""
    kept: list[int] = []
    with suppress(OSError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        for descriptor in _terminals():
            kept.append(os.dup(descriptor))
            if descriptor == sys.__stderr__.fileno():  # type: ignore[union-attr]
                os.dup2(nothing, descriptor)
        os.close(nothing)
    return kept or _terminals()


def _restore(attributes: "_Attributes | None", terminals: list[int] | None = None) -> None:
    """As well as it goes: the terminal may be gone, or may not take a byte."""
    for descriptor in _terminals() if terminals is None else terminals:
        try:
            if attributes is not None:
                termios.tcsetattr(descriptor, termios.TCSANOW, attributes)
            waits = os.get_blocking(descriptor)
            os.set_blocking(descriptor, False)
            try:
                _say(descriptor, LEAVE)
            finally:  # the shell has the same description of it
                os.set_blocking(descriptor, waits)
            return
        except (OSError, termios.error):
            continue


def _say(descriptor: int, words: bytes) -> None:
    """Writes in place of what the terminal has not taken. What was just thrown away does not make
    room at once."""
    end = monotonic() + FLUSH_SECONDS
    while True:
        termios.tcflush(descriptor, termios.TCOFLUSH)
        with suppress(BlockingIOError):
            if os.write(descriptor, words) == len(words):
                return
        if monotonic() > end:
            return
        sleep(FLUSH_POLL_SECONDS)


def _throw_away_output(terminals: list[int]) -> None:
    """What the terminal has not taken."""
    for descriptor in terminals:
        with suppress(OSError, termios.error):
            termios.tcflush(descriptor, termios.TCOFLUSH)
            return
