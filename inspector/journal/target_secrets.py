"""Which values of a target are secrets: told before the first byte is sent, masked from then on.

Decides by the names of options, variables and headers, and by the shape of URLs. Masking itself is
`redact`.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from urllib.parse import urlsplit

from inspector.config.targets import Target
from inspector.journal.redact import SECRET_HEADERS


def secrets_of(target: Target) -> Iterator[str]:
    """The values of a target that may get into no journal."""
    yield from secret_arguments(target.command)
    for name, value in target.env.items():
        if _sounds_secret(name):
            yield value
        if password := _password_in(value):
            yield password
    for name, value in target.headers:
        if name.lower() in SECRET_HEADERS or _sounds_secret(name):
            scheme, _, credentials = value.partition(" ")
            yield credentials or scheme
    if target.oauth.client_secret:
        yield target.oauth.client_secret


def secret_arguments(command: Sequence[str]) -> list[str]:
    """The values of options that sound secret (`--api-key=X`, `--token X`), passwords in URLs."""
    found = []
    for before, word in pairwise(("", *command)):
        name, equals, value = word.partition("=")
        if equals and name.startswith("-") and _sounds_secret(name):
            found.append(value)
        elif before.startswith("-") and "=" not in before and _sounds_secret(before):
            found.append(word)
        if password := _password_in(word):
            found.append(password)
    return [value for value in found if value and not value.startswith("-")]


def _password_in(text: str) -> str:
    """The password of a URL like `postgres://user:password@host`, "" where there is none."""
    try:
        return urlsplit(text).password or "" if "://" in text else ""
    except ValueError:
        return ""


def _sounds_secret(name: str) -> bool:
    words = ("KEY", "TOKEN", "SECRET", "PASS", "AUTH", "CREDENTIAL")
    return any(word in name.upper() for word in words)
