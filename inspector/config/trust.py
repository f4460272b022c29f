"""Whether an entry of somebody's config file may be started: only after the user saw it whole.

Trust belongs to the resolved entry, not to its name: command, the program that it is found to be,
arguments, environment (names and values), directory, URL, headers and OAuth client. Any change asks
again. A command or URL that the user typed needs no trust. How the question is put is up to the
front end; `describe` has the words.
"""

import hashlib
import hmac
import json
import os
import re
import secrets
import shlex
import shutil
from dataclasses import astuple
from pathlib import Path
from typing import Final

from inspector.config.oauth import NOTHING_CHOSEN, described
from inspector.config.paths import read_private, trust_file, write_private
from inspector.config.secrecy import is_secret
from inspector.config.targets import Target

_DECIDES_CODE: Final = re.compile(
    r"PATH|LD_.*|DYLD_.*|NODE_.*|(?i:npm_config_.*)|PYTHON.*|UV_.*|PIP_.*|PERL.*|RUBY.*|GEM_.*"
    r"|BASH_ENV|ENV|SHELL|EDITOR|BROWSER|PAGER|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|GIT_.*|DENO_.*|BUN_.*"
    r"|(?i:https?_proxy|all_proxy)|SSL_CERT_.*"
)
"""Variables by which other code than that of the command gets to run, or to see its traffic."""


def needs_trust(target: Target) -> bool:
    """Whether `target` comes from a config file, so that its content is not the user's typing."""
    return target.source is not None


def trust_key(target: Target) -> str:
    """A hash of everything that decides what `target` starts or connects to, as hex."""
    facts: dict[str, object] = {
        "command": list(target.command),
        "env": sorted(target.env.items()),
        "program": os.path.realpath(program_of(target)) if target.command else "",
        "cwd": str(_directory(target)),
        "url": target.url,
        "headers": [list(header) for header in target.headers],
        "transport": target.transport,
    }
    if target.oauth != NOTHING_CHOSEN:
        facts["oauth"] = [str(value) for value in astuple(target.oauth)]
    text = json.dumps(facts, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def program_of(target: Target) -> str:
    """The file that the command is found to be, as things are; "" where there is none."""
    if not target.command:
        return ""
    name = target.command[0]
    if "/" in name:
        return os.path.abspath(_directory(target) / Path(name).expanduser())
    search = target.env.get("PATH", os.environ.get("PATH", os.defpath))
    found = shutil.which(name, path=search)
    return os.path.abspath(found) if found is not None else ""


def _directory(target: Target) -> Path:
    return target.cwd or (Path.cwd() if target.command else Path())


def describe(target: Target) -> list[str]:
    """What agreeing would start, as lines: nothing shortened, environment values left out but for
    those that decide which code runs.

    The text may hold characters of a config file's author: show it through `inspector.render.safe`.
    """
    lines: list[str] = []
    if target.name:
        lines.append(f"server     {target.name}")
    if target.source is not None:
        lines.append(f"from       {target.source}")
    if target.command:
        lines.append(f"command    {target.command[0]}")
        if (program := program_of(target)) != target.command[0]:
            lines.append(f"found as   {program or '(nothing of that name is on PATH)'}")
        lines += [f"argument   {argument}" for argument in target.command[1:]]
        lines.append(f"as a line  {shlex.join(target.command)}")
    if target.url:
        lines.append(f"url        {target.url}")
        lines += [f"header     {name}" for name, _ in target.headers]
        lines += [f"oauth      {name}: {value}" for name, value in described(target.oauth)]
    if target.command or target.cwd is not None:
        lines.append(f"directory  {target.cwd or Path.cwd()}")
    for name, value in sorted(target.env.items()):
        told = _DECIDES_CODE.fullmatch(name) is not None and not is_secret(name, value)
        lines.append(f"sets       {name}={value}" if told else f"sets       {name}")
    if target.source is not None and _others_may_write(target.source):
        lines.append("note       others on this machine may change that file")
    return lines


def _others_may_write(path: Path) -> bool:
    """Whether somebody else may write to the file, or owns it (root may do anything anyway)."""
    try:
        facts = path.stat()
    except OSError:
        return False
    return bool(facts.st_mode & 0o022) or facts.st_uid not in (os.getuid(), 0)


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
