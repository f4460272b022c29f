"""One entry of an MCP config file, in any host's dialect, to a target or to the reason why not.

The dialects differ little: `command`/`args`/`env`/`cwd`/`envFile` for a program, `url` (also
`serverUrl`, `httpUrl`) with `headers` and `oauth` for a server on the network, `type` or
`transport` to tell which. A Windows-only or unknown extra key is noted, not refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from inspector.config.expansion import Expander
from inspector.config.jsonc import Json
from inspector.config.oauth import read_oauth
from inspector.config.targets import Target, TransportChoice, check_url
from inspector.errors import UsageError

_TYPES: dict[str, TransportChoice] = {
    "stdio": "stdio",
    "local": "stdio",
    "http": "http",
    "streamable-http": "http",
    "streamableHttp": "http",
    "streamable_http": "http",
    "sse": "sse",
}
_KNOWN = {
    *("command", "args", "env", "envFile", "cwd", "type", "transport", "url", "serverUrl"),
    *("httpUrl", "headers", "disabled", "enabled", "oauth", "auth"),
}
_MEANINGLESS = {"alwaysAllow", "autoApprove", "description", "timeout", "gallery", "version", "dev"}


@dataclass(frozen=True, slots=True)
class EntryOutcome:
    """A target, or the problem that stands in its way; notes in both cases."""

    target: Target | None
    problem: str
    notes: tuple[str, ...]


class _BadEntry(Exception):
    """The entry makes no sense as it stands; the text says why."""


def read_entry(
    name: str,
    entry: Json,
    *,
    source: Path,
    folder: Path | None,
    home: Path,
    environ: Mapping[str, str],
    inputs: Json,
    overrides: Mapping[str, str],
) -> EntryOutcome:
    """What the entry means. Never raises; reads an `envFile` that it names, nothing else."""
    descriptions, defaults = _inputs(inputs)
    expander = Expander(environ, home, folder, defaults, descriptions)
    try:
        target = _target(name, entry, source, expander, overrides)
    except (_BadEntry, UsageError) as error:
        return EntryOutcome(None, str(error), tuple(expander.notes))
    if expander.problems:
        return EntryOutcome(None, "; ".join(expander.problems), tuple(expander.notes))
    return EntryOutcome(target, "", tuple(expander.notes))


def _target(
    name: str, entry: Json, source: Path, expander: Expander, overrides: Mapping[str, str]
) -> Target:
    if not isinstance(entry, dict):
        raise _BadEntry("is not an object")
    if entry.get("disabled") is True or entry.get("enabled") is False:
        expander.notes.append("disabled in that file")
    unknown = sorted(set(entry) - _KNOWN - _MEANINGLESS)
    if unknown:
        expander.notes.append(f"ignored: {', '.join(unknown)}")
    transport, url = _transport(entry), _url(entry)
    if transport == "stdio" or (transport == "auto" and not url):
        return _program(name, entry, source, expander, overrides)
    if "command" in entry:
        raise _BadEntry("has both a command and a URL; its type does not say which is meant")
    if not url:
        raise _BadEntry(f"type {entry.get('type') or entry.get('transport')} needs a url")
    text = expander.expand(url, "url")
    return Target(
        url=text if expander.problems else check_url(text),
        transport=transport,
        name=name,
        headers=tuple(_strings(entry, "headers", expander).items()),
        source=source,
        oauth=read_oauth(entry, expander),
    )


def _program(
    name: str,
    entry: dict[str, Json],
    source: Path,
    expander: Expander,
    overrides: Mapping[str, str],
) -> Target:
    command = entry.get("command")
    if command is None:
        raise _BadEntry("has neither a command nor a url")
    if isinstance(command, list) and command and all(isinstance(part, str) for part in command):
        words = [part for part in command if isinstance(part, str)]
    elif isinstance(command, str) and command.strip():
        words = [command]
    else:
        raise _BadEntry("command is not a text")
    arguments = entry.get("args") or []
    if not isinstance(arguments, list):
        raise _BadEntry("args is not a list")
    for position, argument in enumerate(arguments):
        if not isinstance(argument, str):
            raise _BadEntry(f"args[{position}] is not a text")
        words.append(argument)
    words = [_home(expander.expand(word, _word(n)), expander, n) for n, word in enumerate(words)]
    env = _env_file(entry, expander)
    env |= _strings({**entry, "env": _overridden(entry, overrides)}, "env", expander)
    cwd = entry.get("cwd")
    if cwd is not None and not isinstance(cwd, str):
        raise _BadEntry("cwd is not a text")
    if any("\0" in text for text in (*words, *env, *env.values())):
        raise _BadEntry("holds a NUL character, which no program can be given")
    return Target(
        command=tuple(words),
        transport="stdio",
        name=name,
        env=env,
        cwd=_directory(expander.expand(cwd, "cwd"), source, expander) if cwd else expander.folder,
        source=source,
    )


def _word(position: int) -> str:
    return "command" if position == 0 else f"args[{position - 1}]"


def _home(word: str, expander: Expander, position: int) -> str:
    """A program may be written `~/bin/server`; arguments are left alone, as hosts do."""
    if position == 0 and word.startswith("~/"):
        return str(expander.home / word[2:])
    return word


def _directory(text: str, source: Path, expander: Expander) -> Path:
    path = expander.home / text[2:] if text.startswith("~/") else Path(text)
    return path if path.is_absolute() else (expander.folder or source.absolute().parent) / path


def _overridden(entry: dict[str, Json], overrides: Mapping[str, str]) -> Json:
    env = entry.get("env")
    if env is None:
        env = {}
    if not isinstance(env, dict):
        return env
    # A value given by the user stands as it is: `$` in it is no variable of the config file.
    return {**env, **{name: value.replace("${", "$\0{") for name, value in overrides.items()}}


def _env_file(entry: dict[str, Json], expander: Expander) -> dict[str, str]:
    given = entry.get("envFile")
    if given is None:
        return {}
    if not isinstance(given, str):
        raise _BadEntry("envFile is not a text")
    path = Path(expander.expand(given, "envFile"))
    if expander.problems:
        return {}
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _BadEntry(f"envFile {path} cannot be read: {error}") from None
    values: dict[str, str] = {}
    for line in text.splitlines():
        bare = line.strip().removeprefix("export ")
        if bare.startswith("#") or "=" not in bare:
            continue
        key, _, value = bare.partition("=")
        value = value.strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        values[key.strip()] = value
    expander.notes.append(f"environment read from {path}")
    return values


def _strings(entry: Mapping[str, Json], key: str, expander: Expander) -> dict[str, str]:
    table = entry.get(key)
    if table is None:
        return {}
    if not isinstance(table, dict):
        raise _BadEntry(f"{key} is not an object")
    values: dict[str, str] = {}
    for name, value in table.items():
        if isinstance(value, bool):
            text = "true" if value else "false"
        elif isinstance(value, str | int | float):
            text = str(value)
        elif value is None and key == "env":
            expander.notes.append(f"{key}.{name} is null and is left out")
            continue
        else:
            raise _BadEntry(f"{key}.{name} is not a text")
        if not name or (key == "env" and "=" in name):
            raise _BadEntry(f"{key} has the impossible name {name!r}")
        values[name] = expander.expand(text, f"{key}.{name}").replace("$\0{", "${")
    return values


def _transport(entry: Mapping[str, Json]) -> TransportChoice:
    given = entry.get("type", entry.get("transport"))
    if given is None:
        return "auto"
    if not isinstance(given, str) or given not in _TYPES:
        raise _BadEntry(f"type {given!r} is not known: stdio, http and sse are")
    return _TYPES[given]


def _url(entry: Mapping[str, Json]) -> str:
    for key in ("url", "serverUrl", "httpUrl"):
        value = entry.get(key)
        if value is None:
            continue
        if not isinstance(value, str):
            raise _BadEntry(f"{key} is not a text")
        return value
    return ""


def _inputs(inputs: Json) -> tuple[dict[str, str], dict[str, str]]:
    """Descriptions and defaults of VS Code's inputs, by id."""
    descriptions: dict[str, str] = {}
    defaults: dict[str, str] = {}
    for item in inputs if isinstance(inputs, list) else []:
        identity = item.get("id") if isinstance(item, dict) else None
        if not isinstance(item, dict) or not isinstance(identity, str):
            continue
        about, default = item.get("description"), item.get("default")
        descriptions[identity] = about if isinstance(about, str) else ""
        if isinstance(default, str):
            defaults[identity] = default
    return descriptions, defaults
