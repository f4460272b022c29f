"""Whether an entry of somebody's config file may be started: only after the user saw it whole.

Trust belongs to the resolved entry, not to its name: command, arguments, environment (names and
values), directory, URL, headers and OAuth client. Any change asks again. A command or URL that the
user typed needs no trust. How the question is put is up to the front end; `describe` has the words.
"""

import hashlib
import hmac
import json
import secrets
import shlex
from dataclasses import astuple
from pathlib import Path

from inspector.config.oauth import NOTHING_CHOSEN, described
from inspector.config.paths import read_private, trust_file, write_private
from inspector.config.targets import Target


def needs_trust(target: Target) -> bool:
    """Whether `target` comes from a config file, so that its content is not the user's typing."""
    return target.source is not None


def trust_key(target: Target) -> str:
    """A hash of everything that decides what `target` starts or connects to, as hex."""
    facts: dict[str, object] = {
        "command": list(target.command),
        "env": sorted(target.env.items()),
        "cwd": None if target.cwd is None else str(target.cwd),
        "url": target.url,
        "headers": [list(header) for header in target.headers],
        "transport": target.transport,
    }
    if target.oauth != NOTHING_CHOSEN:
        facts["oauth"] = [str(value) for value in astuple(target.oauth)]
    text = json.dumps(facts, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def describe(target: Target) -> list[str]:
    """What agreeing would start, as lines: nothing shortened, environment values left out.

    The text may hold characters of a config file's author: show it through `inspector.render.safe`.
    """
    lines: list[str] = []
    if target.name:
        lines.append(f"server     {target.name}")
    if target.source is not None:
        lines.append(f"from       {target.source}")
    if target.command:
        lines.append(f"command    {target.command[0]}")
        lines += [f"argument   {argument}" for argument in target.command[1:]]
        lines.append(f"as a line  {shlex.join(target.command)}")
    if target.url:
        lines.append(f"url        {target.url}")
        lines += [f"header     {name}" for name, _ in target.headers]
        lines += [f"oauth      {name}: {value}" for name, value in described(target.oauth)]
    if target.command or target.cwd is not None:
        lines.append(f"directory  {target.cwd or Path.cwd()}")
    lines += [f"sets       {name}" for name in sorted(target.env)]
    return lines


class TrustStore:
    """The decisions of the user, in one 0600 file.

    Kept are keyed hashes with a key of this file's own, so that the file tells nothing about
    environment values. A file that is not ours or not readable counts as empty: it asks again.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path if path is not None else trust_file()

    def is_trusted(self, target: Target) -> bool:
        """Whether the user agreed to exactly this entry."""
        salt, known = self._read()
        return self._mark(salt, target) in known

    def trust(self, target: Target) -> None:
        """Remembers that the user agreed. Raises InspectorError where it cannot be written."""
        salt, known = self._read()
        self._write(salt, {**known, self._mark(salt, target): target.name})

    def forget(self, target: Target) -> None:
        """Takes the agreement back; nothing happens where there was none."""
        salt, known = self._read()
        mark = self._mark(salt, target)
        if mark in known:
            self._write(salt, {key: label for key, label in known.items() if key != mark})

    def _mark(self, salt: str, target: Target) -> str:
        return hmac.new(salt.encode(), trust_key(target).encode(), "sha256").hexdigest()

    def _read(self) -> tuple[str, dict[str, str]]:
        content = read_private(self._path)
        fresh = secrets.token_hex(16)
        if content is None:
            return fresh, {}
        try:
            stored = json.loads(content)
        except (ValueError, RecursionError):
            return fresh, {}
        if not isinstance(stored, dict):
            return fresh, {}
        salt, trusted = stored.get("salt"), stored.get("trusted")
        if not isinstance(salt, str) or not salt.isascii() or not isinstance(trusted, dict):
            return fresh, {}
        return salt, {str(mark): str(label) for mark, label in trusted.items()}

    def _write(self, salt: str, known: dict[str, str]) -> None:
        text = json.dumps({"format": 1, "salt": salt, "trusted": known}, indent=2)
        write_private(self._path, text.encode())
