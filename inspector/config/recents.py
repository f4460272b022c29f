"""The targets connected to lately, newest first, for the connect screen.

Nothing secret is kept: of environment variables and headers only the names, and of arguments and
URL queries not the values that look like credentials. A recent that lost something in this way
says so in `missing`; the front end asks for it anew. Entries of config files are kept by file and
name and are read again from there, with their trust.
"""

import json
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast, get_args
from urllib.parse import parse_qsl, quote_plus, urlencode, urlsplit, urlunsplit

from inspector.config.jsonc import Json
from inspector.config.oauth import read_choice, written_choice
from inspector.config.paths import read_private, recents_file, write_private
from inspector.config.secrecy import (
    LEFT_OUT,
    left_out,
    secrets_in_url,
    shown_command,
)
from inspector.config.targets import Target, TransportChoice

LIMIT = 30
"""Recents kept; the oldest go first."""


@dataclass(frozen=True, slots=True)
class Recent:
    """A target as it was kept: without environment and header values.

    `missing` names what must be given again before it is what it was: `env NAME`, `header NAME`,
    `argument N`, `query NAME`, `client secret`. `when` is in Unix seconds.
    """

    target: Target
    when: float
    missing: tuple[str, ...] = ()


class Recents:
    """The recents, in one 0600 file that is replaced atomically. Reading never raises."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path if path is not None else recents_file()

    def load(self) -> tuple[Recent, ...]:
        """What was kept, newest first; unreadable entries are left out."""
        content = read_private(self._path)
        try:
            stored = json.loads(content or b"{}")
        except (ValueError, RecursionError):
            return ()
        entries = stored.get("recents") if isinstance(stored, dict) else None
        found = [_read(entry) for entry in entries] if isinstance(entries, list) else []
        return tuple(recent for recent in found if recent is not None)

    def remember(self, target: Target, now: float | None = None) -> None:
        """Puts `target` first. Raises InspectorError where the file cannot be written."""
        recent = without_secrets(target, time.time() if now is None else now)
        others = [other for other in self.load() if _same(other) != _same(recent)]
        self._write([recent, *others][:LIMIT])

    def forget(self, recent: Recent) -> None:
        """Takes one out. Raises InspectorError where the file cannot be written."""
        self._write([other for other in self.load() if _same(other) != _same(recent)])

    def _write(self, recents: list[Recent]) -> None:
        document = {"format": 1, "recents": [_written(recent) for recent in recents]}
        write_private(self._path, json.dumps(document, indent=2).encode())


def without_secrets(target: Target, when: float) -> Recent:
    """`target` as it may be kept, and what was left out."""
    missing: list[str] = []
    missing += [f"argument {position}" for position in left_out(target.command)]
    url = _url(target.url, missing)
    missing += [f"env {name}" for name in target.env]
    missing += [f"header {name}" for name, _ in target.headers]
    missing += ["client secret"] if target.oauth.client_secret else []
    kept = replace(
        target,
        command=shown_command(target.command),
        url=url,
        env=dict.fromkeys(target.env, LEFT_OUT),
        headers=tuple((name, LEFT_OUT) for name, _ in target.headers),
        oauth=replace(target.oauth, client_secret=""),
    )
    return Recent(kept, when, tuple(missing))


def _url(url: str, missing: list[str]) -> str:
    if not url:
        return ""
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    secret = {name for name, value in pairs if _is_secret(name, value)}
    missing += [f"query {name}" for name in sorted(secret)]
    if not secret and "@" not in parts.netloc:
        return url
    query = urlencode([(name, LEFT_OUT if name in secret else value) for name, value in pairs])
    return urlunsplit(parts._replace(query=query, netloc=parts.netloc.rpartition("@")[2]))


def _is_secret(name: str, value: str) -> bool:
    return bool(secrets_in_url(f"?{name}={quote_plus(value)}"))


def _same(recent: Recent) -> tuple[object, ...]:
    target = recent.target
    if target.source is not None:
        return (str(target.source), target.name)
    names = (tuple(sorted(target.env)), tuple(name for name, _ in target.headers))
    return (target.command, target.url, target.transport, str(target.cwd or ""), names)


def _written(recent: Recent) -> dict[str, Json]:
    target = recent.target
    return {
        "when": recent.when,
        "name": target.name,
        "command": list(target.command),
        "url": target.url,
        "transport": target.transport,
        "cwd": str(target.cwd) if target.cwd is not None else None,
        "env": list(target.env),
        "headers": [name for name, _ in target.headers],
        "source": str(target.source) if target.source is not None else None,
        "missing": list(recent.missing),
        "oauth": written_choice(target.oauth),
    }


def _read(entry: Json) -> Recent | None:
    if not isinstance(entry, dict):
        return None
    command, url, when = _texts(entry.get("command")), _text(entry.get("url")), entry.get("when")
    transport = entry.get("transport")
    if (
        not isinstance(when, int | float)
        or not abs(when) < 1e15
        or transport not in get_args(TransportChoice)
    ):
        return None
    if bool(command) == bool(url):
        return None
    cwd, source = _text(entry.get("cwd")), _text(entry.get("source"))
    target = Target(
        command=command,
        url=url,
        transport=cast("TransportChoice", transport),
        name=_text(entry.get("name")),
        env=dict.fromkeys(_texts(entry.get("env")), LEFT_OUT),
        cwd=Path(cwd) if cwd else None,
        headers=tuple((name, LEFT_OUT) for name in _texts(entry.get("headers"))),
        source=Path(source) if source else None,
        oauth=read_choice(entry.get("oauth")),
    )
    return Recent(target, float(when), _texts(entry.get("missing")))


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
