"""What we connect to: a command to start or a URL, with everything that is needed to do so.

Finding targets in the config files of other programs is `inspector.config.discovery`; whether one
may be started is decided by `inspector.config.trust`.
"""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from inspector.config.oauth import NOTHING_CHOSEN, OAuthChoice
from inspector.config.secrecy import shown_command, shown_url
from inspector.errors import UsageError

TransportChoice = Literal["auto", "stdio", "http", "sse"]


@dataclass(frozen=True, slots=True)
class Target:
    """One server. Exactly one of `command` and `url` is set.

    `command` is the argument vector (never a shell line), `env` is added to the short safe
    environment, `headers` go with every HTTP request, `source` is the config file it was found in
    (None where the user typed it), `name` its entry there or a short label, `oauth` what was
    chosen for the authorization at a URL.
    """

    command: tuple[str, ...] = ()
    url: str = ""
    transport: TransportChoice = "auto"
    name: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path | None = None
    headers: tuple[tuple[str, str], ...] = ()
    source: Path | None = None
    oauth: OAuthChoice = NOTHING_CHOSEN

    @property
    def label(self) -> str:
        """A short name for headers and lists: the entry's name, or the command or URL. What a URL
        asks for is left out: it may be a key."""
        place, asks, _ = self.url.partition("?")
        return self.name or (f"{place}?…" if asks else place) or self.shown

    @property
    def shown(self) -> str:
        """The URL or the command as one line, without the values of its secrets."""
        return shown_url(self.url) or " ".join(shown_command(self.command))


def looks_like_url(text: str) -> bool:
    """Whether `text` is meant as a URL of a server rather than as a word or a command."""
    return text[:7].lower() == "http://" or text[:8].lower() == "https://"


def check_url(url: str) -> str:
    """`url` itself, when it can be connected to.

    Raises UsageError where it is no http(s) URL with a host, or carries a user name or password,
    which belong in a header.
    """
    try:
        parts = urlsplit(url)
        port_is_readable = parts.port is None or 0 < parts.port < 65536
    except ValueError:
        raise UsageError(f"{url!r} is not a URL", hint="try http://HOST:PORT/mcp") from None
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname or not port_is_readable:
        raise UsageError(f"{url!r} is not an http or https URL", hint="try http://HOST:PORT/mcp")
    if parts.username is not None or parts.password is not None:
        raise UsageError(
            "a URL with a user name or password in it is refused: it would be shown and recorded",
            hint="send it as a header: --header 'Authorization: Basic …'",
        )
    if any(character <= " " or character == "\x7f" for character in url):
        raise UsageError(f"{url!r} holds a space or a control character")
    return url


def parse_typed(text: str) -> Target:
    """The target that a person typed into one box: a URL, or a command with its arguments.

    Quotes and backslashes work as in a shell, nothing else does (no variables, no pipes); a
    leading `--` is forgiven. Raises UsageError, with the next step, where it makes no sense.
    """
    line = text.strip()
    if not line:
        raise UsageError("nothing to connect to", hint="type a URL or a command")
    if looks_like_url(line):
        return Target(url=check_url(line))
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(
            f"the command cannot be read: {error}", hint="close the quote, or escape it with \\"
        ) from None
    if words[:1] == ["--"]:
        words = words[1:]
    if not words or not words[0]:
        raise UsageError("there is no command", hint="type the program to start")
    return Target(command=tuple(words))
