"""A target as one line that a person can edit, and back."""

import shlex
from dataclasses import replace

from inspector.config.secrecy import (
    LEFT_OUT,
    shown_command,
    shown_url,
    with_asked,
    with_secrets,
)
from inspector.config.targets import Target
from inspector.errors import UsageError


def line_of(target: Target) -> str:
    """The URL, or the command as one would type it in a shell; `…` stands for secrets."""
    if target.url:
        return shown_url(target.url)
    words = shown_command(target.command)
    return " ".join(word if word == LEFT_OUT else shlex.quote(word) for word in words)


def changed_target(target: Target, line: str) -> Target:
    """The target with another command or URL; raises UsageError where the line makes no sense.

    It is what the user typed now and no longer the config file's, so `source` goes; environment,
    directory and headers stay. After a URL may stand `--header 'Name: value'`, any number of times,
    each in place of one with the same name.
    """
    line = line.strip()
    is_url = line.startswith(("http://", "https://"))
    if is_url and not any(character.isspace() for character in line):
        return _at_url(target, with_asked(line, target.url), ())  # a quote in a URL is a part of it
    try:
        words = tuple(shlex.split(line))
    except ValueError as error:
        raise UsageError(f"this is no command: {error}", hint="check the quotes") from error
    if not words:
        raise UsageError("there is no command and no URL")
    if is_url:
        return _at_url(target, with_asked(words[0], target.url), _headers(words[1:]))
    kept = target.transport if target.command else "auto"
    words = with_secrets(words, target.command)
    return replace(target, command=words, url="", transport=kept, source=None, name="")


def _at_url(target: Target, url: str, headers: tuple[tuple[str, str], ...]) -> Target:
    kept = target.transport if target.url else "auto"
    given = {name.lower() for name, _ in headers}
    others = tuple(header for header in target.headers if header[0].lower() not in given)
    return replace(
        target,
        url=url,
        command=(),
        transport=kept,
        headers=(*others, *headers),
        source=None,
        name="",
    )


def _headers(words: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    headers = []
    for option, value in zip(words[::2], (*words[1::2], ""), strict=False):
        name, colon, content = value.partition(":")
        if option not in ("--header", "-H") or not colon or not name.strip():
            raise UsageError(
                f"after a URL only headers can stand, not {option!r}",
                hint="for example: https://example.com/mcp --header 'Authorization: Bearer …'",
            )
        headers.append((name.strip(), content.strip()))
    return tuple(headers)
