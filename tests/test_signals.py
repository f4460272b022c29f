"""Every signal that would end the program anyhow is among those that end it in order."""

import signal

from inspector.signals import ENDING

DUMPS_OR_STOPS = {"SIGKILL", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGCONT"}
DEFECTS = {"SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS"}
"""The program itself is broken: nothing of it can be run any more."""
IGNORED = {"SIGCHLD", "SIGCLD", "SIGURG", "SIGWINCH", "SIGPIPE", "SIGXFSZ", "SIGINFO"}
"""By the system, or by Python, which makes errors of the last two."""
HARDWARE = {"SIGIO", "SIGPOLL", "SIGPWR", "SIGSTKFLT", "SIGEMT", "SIGRTMIN", "SIGRTMAX"}


def test_no_signal_that_ends_a_program_is_forgotten() -> None:
    others = DUMPS_OR_STOPS | DEFECTS | IGNORED | HARDWARE
    wanted = {
        one for one in signal.Signals if one.name not in others and not one.name.startswith("SIGRT")
    }
    assert wanted == set(ENDING)
