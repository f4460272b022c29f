"""The target options, declared once for every command, and what they add up to.

Decides what is connected to and how; asking for trust is `inspector.cli.consent`, and what the
values mean on the wire is the session's business.
"""

import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar, cast, get_args

import click

from inspector.cli.auth_options import NOTHING_GIVEN, AuthGiven, auth_options, with_choice
from inspector.cli.grammar import is_url
from inspector.cli.shared_options import shared_option
from inspector.config.targets import Target, TransportChoice, check_url
from inspector.errors import UsageError

if TYPE_CHECKING:
    from inspector.config.discovery import Found
    from inspector.config.settings import Settings
    from inspector.session.options import Options
    from inspector.session.roots import Root

Command = TypeVar("Command", bound=Callable[..., object])

OPTION_NAMES = (
    *("server", "config", "transport", "protocol", "env", "cwd", "header", "bearer", "bearer_env"),
    *("root", "timeout", "record", "no_record", "trust", "as_json", "verbose"),
    *("on_sampling", "on_elicitation"),
)
"""Parameters that `target_options` adds; `Given.take` gathers them again."""


ONE_TARGET: Final = "give a URL, or -- COMMAND, or --server NAME"
_SCHEME = re.compile(r"[A-Za-z][\w+.-]{0,40}://")
_HOST_AND_PORT = re.compile(r"[\w.-]+:\d+(/.*)?")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


@dataclass(frozen=True, slots=True)
class Given:
    """The target options as given, unjudged."""

    server: str | None = None
    config: Path | None = None
    transport: str = "auto"
    protocol: str | None = None
    env: tuple[str, ...] = ()
    cwd: Path | None = None
    header: tuple[str, ...] = ()
    bearer: str | None = None
    bearer_env: str | None = None
    root: tuple[str, ...] = ()
    timeout: float | None = None
    record: Path | None = None
    no_record: bool = False
    trust: bool = False
    as_json: bool = False
    verbose: bool = False
    on_sampling: str | None = None
    on_elicitation: str | None = None
    auth: AuthGiven = NOTHING_GIVEN

    @classmethod
    def take(cls, values: Mapping[str, object]) -> "Given":
        """From a click command's parameters."""
        chosen = {name: values[name] for name in OPTION_NAMES if name in values}
        return cls(**chosen, auth=AuthGiven.take(values))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is connected to. `found` is the config file's entry, as that file has it; None where
    the user typed the target."""

    target: Target
    found: "Found | None" = None


def target_options(command: Command) -> Command:
    """Adds the options that choose and describe a target, and what the server may ask."""
    path = click.Path(path_type=Path)
    transports = click.Choice(get_args(TransportChoice))
    declared = (
        shared_option("--server", metavar="NAME", help="An entry of a config file."),
        shared_option("--config", metavar="FILE", type=path, help="The file --server is in."),
        shared_option("--transport", type=transports, default="auto", show_default=True),
        shared_option(
            "--protocol",
            metavar="WHICH",
            help="handshake (default), modern, auto (asks), or the date of the one revision.",
        ),
        shared_option(
            "--env",
            metavar="K=V",
            multiple=True,
            help="For the server's environment; K alone passes yours.",
        ),
        shared_option("--cwd", metavar="DIR", type=path, help="Where the server starts."),
        shared_option("--header", metavar="'K: V'", multiple=True, help="For every HTTP request."),
        shared_option(
            "--bearer", metavar="TOKEN", help="Authorization; other users may see it in ps."
        ),
        shared_option("--bearer-env", metavar="VAR", help="The variable that holds the token."),
        shared_option(
            "--root", metavar="URI", multiple=True, help="A root to offer; a path will do."
        ),
        shared_option(
            "--timeout",
            metavar="SECONDS",
            type=float,
            help="For each request [default: 60], and to connect [30].",
        ),
        shared_option("--record", metavar="FILE", type=path, help="Record to this file."),
        shared_option(
            "--no-record", is_flag=True, help="Record nothing (headless commands do so anyway)."
        ),
        shared_option("--trust", is_flag=True, help="Agree to start the config file's entry."),
        shared_option(
            "--on-sampling",
            metavar="POLICY",
            help="What a question for a model gets: decline (headless default), cancel, "
            "accept-defaults, ask (on a terminal), answer=JSON or answer=@FILE.",
        ),
        shared_option(
            "--on-elicitation",
            metavar="POLICY",
            help="The same for forms and pages; accept-defaults declines where a required field "
            "has no default.",
        ),
        shared_option(
            "--json",
            "as_json",
            is_flag=True,
            help="Results as JSON, as they came; failures as JSON on stderr.",
        ),
        shared_option("-v", "--verbose", is_flag=True, help="Show the server's stderr."),
    )
    command = auth_options(command)
    for option in reversed(declared):
        command = option(command)
    return command


def split_target(
    words: tuple[str, ...], given: Given, program: tuple[str, ...] | None
) -> tuple[tuple[str, ...], str]:
    """The words without the target's URL, and that URL ("" where the target is elsewhere).

    The last word is the target exactly if it is a URL and neither `--` nor `--server` names one.
    """
    if program is None and given.server is None and words and is_url(words[-1]):
        return words[:-1], words[-1]
    return words, ""


def no_server(word: str) -> str:
    """Why a word that was meant to be a server is none; "" where it does not look like one."""
    if _SCHEME.match(word):
        return f"{word} is neither an http nor an https URL"
    if _HOST_AND_PORT.fullmatch(word):
        return f"{word} is no URL: it lacks http:// or https://"
    return ""


def server_hint(word: str) -> str:
    """What to write instead."""
    url = _SCHEME.sub("", word, count=1)
    return f"for example http://{url}; a program to start stands after --"


def choose(given: Given, url: str, program: tuple[str, ...] | None) -> Chosen | None:
    """The target, None where none is named. Raises UsageError where it makes no sense."""
    chosen = _named(given, url, program)
    if chosen is None:
        return None
    return replace(chosen, target=with_choice(chosen.target, given.auth))


def _named(given: Given, url: str, program: tuple[str, ...] | None) -> Chosen | None:
    named = [given.server is not None, bool(url), program is not None]
    if sum(named) > 1:
        raise UsageError("more than one target is given", hint=ONE_TARGET)
    if given.config is not None and given.server is None:
        raise UsageError("--config needs --server NAME", hint=_servers_of(given.config))
    if given.server is not None:
        return _from_config(given)
    if program is not None:
        if not program or not program[0]:
            raise UsageError("there is no command after --")
        return Chosen(_typed_program(given, program))
    if url:
        return Chosen(_typed_url(given, url))
    return None


def _typed_program(given: Given, program: tuple[str, ...]) -> Target:
    if given.transport in ("http", "sse"):
        raise UsageError(f"--transport {given.transport} needs a URL, not a command")
    _refuse_http_options(given)
    return Target(
        command=program, transport="stdio", env=_environment(given.env), cwd=_directory(given.cwd)
    )


def _typed_url(given: Given, url: str) -> Target:
    if given.transport == "stdio":
        raise UsageError("--transport stdio needs a command after --, not a URL")
    _refuse_stdio_options(given)
    return Target(url=check_url(url), transport=_transport(given), headers=_headers(given))


def _from_config(given: Given) -> Chosen:
    from inspector.config.discovery import find_server

    found = find_server(given.server or "", given.config, overrides=_environment(given.env))
    target = found.target
    if target is None:  # find_server raises instead
        raise UsageError(f"the entry {given.server!r} cannot be used: {found.problem}")
    if target.command:
        _refuse_http_options(given)
        cwd = _directory(given.cwd)
        return Chosen(replace(target, cwd=cwd) if cwd is not None else target, found)
    _refuse_stdio_options(given)
    mine = _headers(given)
    names = {name.lower() for name, _ in mine}
    kept = tuple(header for header in target.headers if header[0].lower() not in names)
    transport = _transport(given) if given.transport != "auto" else target.transport
    return Chosen(replace(target, headers=(*kept, *mine), transport=transport), found)


def _refuse_http_options(given: Given) -> None:
    for name, value in (
        ("--header", given.header),
        ("--bearer", given.bearer),
        ("--bearer-env", given.bearer_env),
    ):
        if value:
            raise UsageError(
                f"{name} is for servers on a URL", hint="a program gets secrets with --env"
            )


def _refuse_stdio_options(given: Given) -> None:
    if given.cwd is not None:
        raise UsageError("--cwd is for servers that are started, not for a URL")
    if given.env and given.server is None:
        raise UsageError("--env is for servers that are started, not for a URL")


def _transport(given: Given) -> TransportChoice:
    return cast("TransportChoice", given.transport)


def _directory(cwd: Path | None) -> Path | None:
    if cwd is None:
        return None
    if not cwd.is_dir():
        raise UsageError(f"--cwd: there is no directory {cwd}")
    return cwd.absolute()


def _environment(given: tuple[str, ...]) -> dict[str, str]:
    values: dict[str, str] = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not name:
            raise UsageError(f"--env {item!r} has no name", hint="write --env NAME=VALUE")
        if not equals:
            own = os.environ.get(name)
            if own is None:
                raise UsageError(f"--env {name}: your environment has no such variable")
            value = own
        values[name] = value
    return values


def _headers(given: Given) -> tuple[tuple[str, str], ...]:
    headers: list[tuple[str, str]] = []
    for item in given.header:
        name, colon, value = item.partition(":")
        if not colon or not _HEADER_NAME.fullmatch(name.strip()):
            raise UsageError("a --header needs a name", hint="write --header 'Name: value'")
        headers.append((name.strip(), _printable(value.strip(), f"--header {name}")))
    if given.bearer is not None and given.bearer_env is not None:
        raise UsageError("--bearer and --bearer-env exclude each other")
    token = given.bearer
    if given.bearer_env is not None:
        token = os.environ.get(given.bearer_env)
        if not token:
            raise UsageError(f"--bearer-env: the variable {given.bearer_env} is not set")
    if token is not None:
        if any(name.lower() == "authorization" for name, _ in headers):
            raise UsageError("--bearer and an Authorization --header exclude each other")
        headers.append(("Authorization", f"Bearer {_printable(token.strip(), '--bearer')}"))
    return tuple(headers)


def _printable(value: str, where: str) -> str:
    if not value.isascii() or not value.isprintable():
        raise UsageError(f"{where}: the value holds a character that no header can carry")
    return value


def _servers_of(config: Path) -> str:
    from inspector.config.discovery import ConfigFile, read_config

    if not config.is_file():
        return f"and there is no file {config}"
    names = [found.name for found in read_config(ConfigFile("config", config)) if found.name]
    return f"{config} has {', '.join(names)}" if names else f"{config} names no server"


def session_options(given: Given, settings: "Settings", *, headless: bool) -> "Options":
    """What the user chose about the session; the command line wins over the settings.

    A headless command records only what it is told to: scripts would push the recordings of real
    sessions out.
    """
    from inspector.cli.policies import policies
    from inspector.session.options import Options

    timeout = given.timeout if given.timeout is not None else settings.timeout
    if not 0 < timeout < math.inf:
        raise UsageError("--timeout must be a number of seconds above 0")
    if given.record is not None and given.no_record:
        raise UsageError("--record and --no-record exclude each other")
    silent = given.no_record or (given.record is None and (headless or not settings.record))
    base = Options()
    return replace(
        base,
        protocol=given.protocol or settings.protocol,
        timeout=timeout,
        connect_timeout=base.connect_timeout if given.timeout is None else timeout,
        record=given.record,
        no_record=silent,
        policies=policies(given, settings, headless=headless),
        roots=roots(given.root or settings.roots),
    )


def roots(given: tuple[str, ...]) -> "tuple[Root, ...]":
    """The roots to offer; a path becomes its `file://` URI."""
    from inspector.session.roots import read_root

    return tuple(read_root(text) for text in given)
