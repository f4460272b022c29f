"""Targets with the tee in between."""

import sys
from collections.abc import Sequence
from pathlib import Path


def tapped(log: Path, command: Sequence[str]) -> tuple[str, ...]:
    """The words that end a command line: the server behind the tee."""
    return ("--", *tap(log, command))


def tap(log: Path, command: Sequence[str]) -> tuple[str, ...]:
    """The command of a server behind the tee."""
    return (sys.executable, "-S", str(Path(__file__).with_name("tee.py")), str(log), *command)
