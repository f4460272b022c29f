"""Opens a web page in the user's browser, once the user has agreed to the whole URL.

Decides which URLs may be opened at all and how they are handed over: as one argument of a program,
never through a shell. `webbrowser` of the standard library passes on what looks like an option,
and rewrites `%action` inside a URL; so the program is started here.
"""

import asyncio
import os
import re
import shlex
import shutil
import sys
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from itertools import pairwise
from typing import Final
from urllib.parse import urlsplit

from inspector.errors import UsageError
from inspector.transport.process import spare

START_SECONDS: Final = 5.0
"""How long an opener may take before we stop waiting for it (it may be the browser itself)."""

LONGEST: Final = 32_768
"""Characters of a URL; one argument of a program may have four times as many bytes."""
LONGEST_NAME: Final = 253

_PORTS: Final = {"http": 80, "https": 443}
_HOST_AND_PORT: Final = re.compile(
    r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[^\[\]:%]+))(?::[0-9]*)?"
)
_HOST_NAME: Final = re.compile(
    r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*\.?"
)
_NUMBER: Final = re.compile(r"0x[0-9a-f]*|[0-9]+")
_PROGRAMS: Final = ("xdg-open", "open", "wslview", "x-www-browser", "firefox", "chromium")


@dataclass(frozen=True, slots=True)
class PageAddress:
    """A URL that may be opened: `host` as the network sees it, `warnings` for the person."""

    url: str
    host: str
    warnings: tuple[str, ...]


def check_page(url: str) -> PageAddress:
    """What is known of a URL that a server wants opened.

    Raises UsageError where it may not be opened: another scheme than http or https, no host or one
    that browsers read differently, user name or password inside, characters that no URL has.
    """
    if len(url) > LONGEST:
        raise UsageError(f"the URL is longer than {LONGEST:,} characters", fault="server")
    if any(character <= " " or character == "\x7f" for character in url):
        raise UsageError("the URL holds a space or a control character", fault="server")
    if any(unicodedata.category(one)[0] in "CZ" for one in url) or "\\" in url:
        # A browser takes a backslash for a slash: what seems to be the host would not be it.
        raise UsageError("the URL holds a character that no URL has", fault="server")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UsageError(f"this is not a URL: {error}", fault="server") from None
    if parts.scheme not in _PORTS or not url.lower().startswith(("http://", "https://")):
        raise UsageError(
            f"only http and https pages are opened, not {parts.scheme or 'a bare path'}",
            fault="server",
        )
    if not parts.hostname:
        raise UsageError("the URL names no host", fault="server")
    if "@" in parts.netloc:
        raise UsageError("the URL holds a user name or password", fault="server")
    host = _network_host(parts.netloc)
    if host is None or port == 0:
        raise UsageError("the URL's host is no valid name", fault="server")
    warnings = []
    if "xn--" in host or (host != parts.hostname and ":" not in host):
        warnings.append(f"the host is written in other letters than it seems: {host}")
    if parts.scheme == "http" and host not in ("localhost", "127.0.0.1", "::1"):
        warnings.append("the page is not encrypted (http)")
    if port is not None and port < 1024 and port not in _PORTS.values():
        warnings.append(f"port {port} is not one of web pages")
    return PageAddress(url, host, tuple(warnings))


def _network_host(netloc: str) -> str | None:
    """The host as browsers look it up; None where it is none, or is a number in disguise (`0x7f.1`
    is an address to them)."""
    found = _HOST_AND_PORT.fullmatch(netloc)
    if found is None:
        return None
    try:
        if found["six"]:
            return str(IPv6Address(found["six"]))
        host = found["name"].lower()
        if not host.isascii():
            import idna  # late: it is large, and seldom needed

            host = idna.encode(host, uts46=True).decode("ascii").lower()
        if _NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2]):
            return str(IPv4Address(host.rstrip(".")))
    except ValueError:  # idna's errors are of this kind, too
        return None
    return host if _HOST_NAME.fullmatch(host) and len(host) <= LONGEST_NAME else None


def opener(url: str, environ: Mapping[str, str] | None = None) -> list[str]:
    """The command that opens `url`: from $BROWSER, else the platform's.

    Raises UsageError where there is none, or where $BROWSER would give the URL to a shell to read;
    then the user has to copy it.
    """
    environ = os.environ if environ is None else environ
    check_page(url)
    for named in filter(None, environ.get("BROWSER", "").split(os.pathsep)):
        words = _words(named)
        if words and shutil.which(words[0], path=environ.get("PATH")):
            if not any("%s" in word for word in words):
                words.append("%s")  # the last argument
            if any(
                "%s" in word and _is_read_as_code(before, word) for before, word in pairwise(words)
            ):
                raise UsageError(
                    "$BROWSER puts the page's address inside a command line",
                    hint="write %s as an argument of its own",
                    fault="config",
                )
            return [word.replace("%s", url) for word in words]
    programs = ("open",) if sys.platform == "darwin" else _PROGRAMS
    for program in programs:
        if found := shutil.which(program, path=environ.get("PATH")):
            return [found, url]
    raise UsageError(
        "no browser was found", hint="copy the URL, or name a program in $BROWSER", fault="config"
    )


def _is_read_as_code(before: str, word: str) -> bool:
    """Whether a shell would read what is put in the place of `%s`."""
    return before == "-c" or any(map(str.isspace, word))


def _words(named: str) -> list[str]:
    try:
        return shlex.split(named)
    except ValueError as error:
        raise UsageError(f"$BROWSER cannot be read: {error}", fault="config") from None


async def open_page(url: str) -> None:
    """Opens `url` in the user's browser and does not wait for it to be closed.

    Raises UsageError where there is no browser or it refuses.
    """
    command = opener(url)
    spare(command[0])
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise UsageError(
            f"{command[0]} cannot be started: {error.strerror}", fault="config"
        ) from None
    try:
        async with asyncio.timeout(START_SECONDS):
            code = await process.wait()
    except TimeoutError:
        return
    if code:
        raise UsageError(
            f"{command[0]} refused to open the page (exit code {code})",
            hint="copy the URL instead",
            fault="config",
        )
