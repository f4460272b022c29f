"""The one grammar of the command line, before any parser is loaded: what is the command word, what
stands after `--`, and does this run open the terminal interface.

    mcp-inspect [OPTIONS] [COMMAND [ARGUMENT]...] [OPTIONS] [URL | -- PROGRAM [ARG]...]

Everything after the first `--` is the program to start, word for word. Options may stand before or
after the command word. Only the standard library's lightest parts are imported here, because this
runs before first paint; what the options mean is decided by `inspector.cli.options`.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

TARGET_VALUES: Final = frozenset(
    {
        *("--server", "--config", "--transport", "--protocol", "--env", "--cwd", "--header"),
        *("--bearer", "--bearer-env", "--root", "--timeout", "--record"),
        *("--on-sampling", "--on-elicitation"),
        *("--client-id", "--client-secret-env", "--client-metadata-url", "--scope", "--issuer"),
        *("--private-key", "--key-alg", "--token-endpoint-auth-method", "--redirect-uri"),
    }
)
"""Options of every command that are followed by a value."""

VALUES: Final = TARGET_VALUES | {
    *("--args", "--filter", "--ignore", "--fail-on", "--rule", "--format"),
    *("--output", "-o", "--redact"),
}

INTERFACE: Final = "tui"
"""The command that is meant where none is named: the terminal interface."""

HEADLESS: Final = ("info", "list", "call", "read", "prompt", "request", "matrix", "lint")
COMMANDS: Final = (
    "demo",
    "open",
    *HEADLESS,
    "diff",
    "export",
    "login",
    "logout",
    "config",
    "conformance-client",
)


class Words(NamedTuple):
    """A command line taken apart.

    `command` is a command word or `INTERFACE`; `arguments` are the other words before `--`;
    `program` is what follows it (None where there is no `--`).
    """

    command: str
    arguments: tuple[str, ...]
    program: tuple[str, ...] | None


def take_apart(argv: Sequence[str]) -> Words:
    """The command line `argv` (without the program's own name) as `Words`."""
    words = list(argv)
    program: tuple[str, ...] | None = None
    if "--" in words:
        cut = words.index("--")
        words, program = words[:cut], tuple(words[cut + 1 :])
    position = _first_word(words)
    if position is not None and words[position] in COMMANDS:
        command = words.pop(position)
        return Words(command, tuple(words), program)
    return Words(INTERFACE, tuple(words), program)


def opens_interface(words: Words) -> bool:
    """Whether this run ends up in the terminal interface, as far as the words tell."""
    if not {"--help", "-h", "--version"}.isdisjoint(words.arguments):
        return False
    if words.command in ("demo", "open"):
        return True
    if words.command != INTERFACE:
        return False
    position = _first_word(words.arguments)
    return position is None or is_url(words.arguments[position])


def label(words: Words) -> str:
    """What is connected to, in a few words for the first frame; "" where a screen will ask."""
    if words.command == "demo":
        return "the demo server"
    if words.command == "open":
        return next(iter(words.arguments), "the newest recording")
    if words.program:
        return " ".join(_without_secrets(words.program))
    for position, word in enumerate(words.arguments):
        if word == "--server" and position + 1 < len(words.arguments):
            return words.arguments[position + 1]
        if word.startswith("--server="):
            return word.partition("=")[2]
    first = _first_word(words.arguments)
    place, asks, _ = (words.arguments[first] if first is not None else "").partition("?")
    return f"{place}?…" if asks and is_url(place) else place + asks


def _without_secrets(program: Sequence[str]) -> Sequence[str]:
    """The command as it may be shown; nothing is loaded for one that cannot hold a secret."""
    if not any(word[:1] == "-" or "=" in word or "://" in word for word in program[1:]):
        return program
    from inspector.config.secrecy import shown_command

    return shown_command(program)


def is_url(word: str) -> bool:
    """Whether a word is the URL of a server rather than an argument."""
    return word[:7].lower() == "http://" or word[:8].lower() == "https://"


def _first_word(words: Sequence[str]) -> int | None:
    """The place of the first word that is neither an option nor the value of one."""
    skip = False
    for position, word in enumerate(words):
        if skip:
            skip = False
        elif word.startswith("-") and word != "-":
            skip = word in VALUES
        else:
            return position
    return None
