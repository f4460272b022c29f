"""What in a command, an environment, headers or a URL is secret: told by the names that stand
before a value, and by what the value looks like.

Decides nothing about what becomes of secrets: recents leave them out, the journal masks them. Pure.
"""

import base64
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Final
from urllib.parse import unquote_plus, urlsplit

LEFT_OUT: Final = "…"
"""Stands where a value was left out."""

_TELLING: Final = re.compile(
    r".*(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PWD|CREDENTIAL|CREDS?|KEY|AUTH|COOKIE"
    r"|BEARER|JWT|SIGNATURE|CSRF|XSRF)S?|AUTHORIZATION|PASS|PAT|PIN|DSN|SIG|SESSIONID"
)
"""A part of a name behind which a secret stands."""
_ASKS: Final = frozenset({"code", "session", "session_id", "sid", "state"})
"""What else a URL may ask for that is secret."""
_COUNTED: Final = frozenset({"MAX", "MIN", "NUM", "TOTAL", "LIMIT", "COUNT", "INPUT", "OUTPUT"})
"""Tokens that are counted are those of a model."""
_HARMLESS: Final = frozenset(
    {"PWD", "OLDPWD", "SSH_AUTH_SOCK", "IDEMPOTENCY_KEY", "SURROGATE_KEY", "CACHE_KEY"}
)
_ABOUT: Final = frozenset(
    {"MODEL", "VERSION", "NAME", "REGION", "ZONE", "LEVEL", "MODE", "TYPE", "DIR", "PATH", "FILE"}
    | {"HOST", "PORT", "LANG", "LOCALE", "TZ", "DATE", "ENDPOINT", "SCOPE", "SCOPES", "URL", "URI"}
)
"""Last words of names whose values are about something, and no secret."""
_SHAPES: Final = re.compile(
    r"(?:sk|pk|rk|xox[abprs]|gh[pousr]|github|glpat|npm|hf|AKIA|ya29)[-_.]?[A-Za-z0-9_\-.]{16,}"
    r"|(?<![A-Za-z0-9_-])(?>[A-Za-z0-9_-]*?eyJ)[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+"
    r"\.[A-Za-z0-9_-]*+"
    r"|Bearer\s+\S{8,}"
)
_RANDOM: Final = re.compile(
    r"(?![-./~])(?=(?:[^0-9]*[0-9]){3})(?=(?:[^A-Za-z]*[A-Za-z]){3})[\w+/=.~-]{16,}"
)
_MIXED: Final = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[^\s/,;=()]{8,}")
_PLAIN_HEADERS: Final = frozenset({"mcp-protocol-version", "traceparent", "tracestate", "date"})
_SEPARATORS: Final = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])")


def sounds_secret(name: str) -> bool:
    """Whether a value of that name (an option, a variable, a header) is a secret."""
    segments = _segments(name)
    if not segments or "_".join(segments) in _HARMLESS or segments[-1] in _ABOUT:
        return False
    if segments[-1] == "TOKENS" and not _COUNTED.isdisjoint(segments):
        return False
    return any(_TELLING.fullmatch(part) for part in segments) or (
        segments[-2:] in (["CONNECTION", "STRING"], ["SESSION", "ID"])
    )


def _segments(name: str) -> list[str]:
    return [part.upper() for part in _SEPARATORS.split(name) if part]


def looks_secret(value: str) -> bool:
    """Whether a value has the shape of a token of a well-known maker."""
    return _SHAPES.search(value) is not None


def without_shapes(value: str) -> str:
    """The value without what has such a shape."""
    return _SHAPES.sub(LEFT_OUT, value)


def is_secret(name: str, value: str) -> bool:
    """Whether a value of an environment or a header is a secret: by its name, by a known shape, or
    because it looks random and its name does not say that it is about something."""
    if sounds_secret(name) or looks_secret(value):
        return True
    return _ABOUT.isdisjoint(_segments(name)[-1:]) and _RANDOM.fullmatch(value) is not None


def is_secret_header(name: str, value: str) -> bool:
    """Whether the value of a header that the user gave is a secret. Most such headers are for
    that: so less of a look is enough."""
    about = not _ABOUT.isdisjoint(_segments(name)[-1:]) or name.lower() in _PLAIN_HEADERS
    return is_secret(name, value) or (not about and _MIXED.fullmatch(value) is not None)


def credentials_in(value: str) -> Iterator[str]:
    """What is secret in the value of a header: behind the scheme, and inside of Basic."""
    scheme, _, credentials = value.strip().partition(" ")
    if not credentials or not scheme.isalpha():
        yield value.strip()
        return
    yield credentials.strip()
    if scheme.lower() == "basic":
        with suppress(ValueError):
            yield base64.b64decode(credentials).decode().partition(":")[2]


def password_in(text: str) -> str:
    """The password of a URL like `postgres://user:password@host`, "" where there is none."""
    try:
        return urlsplit(text).password or "" if "://" in text else ""
    except ValueError:
        return ""


def without_password(text: str) -> str:
    """The URL without its password."""
    password = password_in(text)
    return text.replace(f":{password}@", f":{LEFT_OUT}@", 1) if password else text


def secret_arguments(command: Sequence[str]) -> list[str]:
    """The values of options that sound secret (`--api-key=X`, `--token X`), values that look it,
    and passwords in URLs."""
    return [value for _, value, _ in _found(command)]


def shown_command(command: Sequence[str]) -> tuple[str, ...]:
    """The command as it may be shown and kept: without the values of its secrets."""
    kept = list(command)
    for position, _, without in _found(command):
        kept[position] = without
    return tuple(kept)


def left_out(command: Sequence[str]) -> list[int]:
    """The positions of the arguments that `shown_command` changes."""
    return sorted({position for position, _, _ in _found(command)})


def secrets_in_url(url: str) -> list[str]:
    """The values of what a URL asks for that are secrets, as they stand in it and as they read."""
    values = [value for name, value in _pairs(url) if _asks_secret(name, value)]
    return [text for value in values for text in (value, unquote_plus(value))]


def shown_url(url: str) -> str:
    """The URL as it may be shown: without the values of secrets that it asks for."""
    place, mark, _ = url.partition("?")
    return place + mark + "&".join(_without_value(pair) for pair in _asked(url))


def _without_value(pair: str) -> str:
    name, equals, value = pair.partition("=")
    return f"{name}{equals}{LEFT_OUT}" if _asks_secret(name, value) else pair


def _pairs(url: str) -> list[tuple[str, str]]:
    return [(name, value) for name, _, value in (pair.partition("=") for pair in _asked(url))]


def _asks_secret(name: str, value: str) -> bool:
    return bool(value) and (name.lower() in _ASKS or is_secret(name, unquote_plus(value)))


def with_secrets(words: Sequence[str], before: Sequence[str]) -> tuple[str, ...]:
    """The words in which `…` stands for what it stands for in `shown_command(before)`."""
    kept = shown_command(before)
    known = {(kept[at - 1], kept[at]): before[at] for at in left_out(before)}
    pairs = pairwise(("", *words))
    return tuple(known.get((ahead, word), word) for ahead, word in pairs)


def with_asked(url: str, before: str) -> str:
    """The URL in which `…` stands for what it stands for in `shown_url(before)`."""
    known = {_without_value(pair): pair for pair in _asked(before)}
    place, mark, _ = url.partition("?")
    return place + mark + "&".join(known.get(one, one) for one in _asked(url))


def _asked(url: str) -> list[str]:
    return url.partition("?")[2].split("&")


def _found(command: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """Position, secret, and what the argument is without it."""
    for position, (before, word) in enumerate(pairwise(("", *command))):
        name, equals, value = word.partition("=")
        if before.startswith("-") and "=" not in before and position > 1 and sounds_secret(before):
            if word and not word.startswith("-"):
                yield position, word, LEFT_OUT
        elif equals and value and (sounds_secret(name) or looks_secret(value)):
            yield position, value, f"{name}={LEFT_OUT}"
        elif password := password_in(word):
            yield position, password, without_password(word)
        elif position and looks_secret(word):
            for found in _SHAPES.finditer(word):
                yield position, found.group().rpartition(" ")[2], without_shapes(word)
