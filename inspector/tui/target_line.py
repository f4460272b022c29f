"""A target as one line that a person can edit, and back."""

import shlex
from dataclasses import replace

from inspector.config.targets import Target
from inspector.errors import UsageError


def line_of(target: Target) -> str:
    """The URL, or the command as one would type it in a shell."""
    return target.url or shlex.join(target.command)


def changed_target(target: Target, line: str) -> Target:
    """The target with another command or URL; raises UsageError where the line makes no sense.

    It is what the user typed now and no longer the config file's, so `source` goes; environment,
    directory and headers stay.
    """
    line = line.strip()
    if line.startswith(("http://", "https://")):
        kept = target.transport if target.url else "auto"
        return replace(target, url=line, command=(), transport=kept, source=None, name="")
    try:
        words = tuple(shlex.split(line))
    except ValueError as error:
        raise UsageError(f"this is no command: {error}", hint="check the quotes") from error
    if not words:
        raise UsageError("there is no command and no URL")
    kept = target.transport if target.command else "auto"
    return replace(target, command=words, url="", transport=kept, source=None, name="")
