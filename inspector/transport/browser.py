"""Opens a web page in the user's browser, once the user has agreed to the whole URL.

Decides which URLs may be opened at all and how they are handed over: as one argument of a program,
never through a shell. `webbrowser` of the standard library passes on what looks like an option,
and rewrites `%action` inside a URL; so the program is started here.
"""

import asyncio
import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from inspector.errors import UsageError

START_SECONDS: Final = 5.0
"""How long an opener may take before we stop waiting for it (it may be the browser itself)."""

_PROGRAMS: Final = ("xdg-open", "open", "wslview", "x-www-browser", "firefox", "chromium")


@dataclass(frozen=True, slots=True)
class PageAddress:
    """A URL that may be opened: `host` as the network sees it, `warnings` for the person."""

    url: str
    host: str
    warnings: tuple[str, ...]


def check_page(url: str) -> PageAddress:
    """What is known of a URL that a server wants opened.

    Raises UsageError where it may not be opened: another scheme than http or https, no host, user
    name or password inside, spaces or control characters.
    """
    if any(character <= " " or character == "\x7f" for character in url):
        raise UsageError("the URL holds a space or a control character", fault="server")
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError as error:
        raise UsageError(f"this is not a URL: {error}", fault="server") from None
    if parts.scheme not in ("http", "https") or not url.lower().startswith(("http://", "https://")):
        raise UsageError(
            f"only http and https pages are opened, not {parts.scheme or 'a bare path'}",
            fault="server",
        )
    if not host:
        raise UsageError("the URL names no host", fault="server")
    if parts.username is not None or parts.password is not None:
        raise UsageError("the URL holds a user name or password", fault="server")
    try:
        network_host = host.encode("idna").decode("ascii") if not host.isascii() else host
    except UnicodeError:
        raise UsageError("the URL's host is no valid name", fault="server") from None
    warnings = []
    if "xn--" in network_host:
        warnings.append(f"the host is written in other letters than it seems: {network_host}")
    local = network_host in ("localhost", "127.0.0.1", "::1")
    if parts.scheme == "http" and not local:
        warnings.append("the page is not encrypted (http)")
    return PageAddress(url, network_host, tuple(warnings))


def opener(url: str, environ: Mapping[str, str] | None = None) -> list[str]:
    """The command that opens `url`: from $BROWSER, else the platform's.

    Raises UsageError where there is none; then the user has to copy the URL.
    """
    environ = os.environ if environ is None else environ
    check_page(url)
    for named in filter(None, environ.get("BROWSER", "").split(os.pathsep)):
        words = shlex.split(named)
        if words and shutil.which(words[0], path=environ.get("PATH")):
            if any("%s" in word for word in words):
                return [word.replace("%s", url) for word in words]
            return [*words, url]
    programs = ("open",) if sys.platform == "darwin" else _PROGRAMS
    for program in programs:
        if found := shutil.which(program, path=environ.get("PATH")):
            return [found, url]
    raise UsageError(
        "no browser was found", hint="copy the URL, or name a program in $BROWSER", fault="config"
    )


async def open_page(url: str) -> None:
    """Opens `url` in the user's browser and does not wait for it to be closed.

    Raises UsageError where there is no browser or it refuses.
    """
    command = opener(url)
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
