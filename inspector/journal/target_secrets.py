"""Which values of a target are secrets: told before the first byte is sent, masked from then on.

By what they are told is decided in `inspector.config.secrecy`. Masking itself is `redact`.
"""

from collections.abc import Iterator

from inspector.config.secrecy import (
    credentials_in,
    is_secret,
    is_secret_header,
    password_in,
    secret_arguments,
    secrets_in_url,
)
from inspector.config.targets import Target
from inspector.protocol.headers import is_sensitive


def secrets_of(target: Target) -> Iterator[str]:
    """The values of a target that may get into no journal."""
    yield from secret_arguments(target.command)
    yield from secrets_in_url(target.url)
    for name, value in target.env.items():
        if is_secret(name, value):
            yield value
        if password := password_in(value):
            yield password
    for name, value in target.headers:
        if is_secret_header(name, value) or is_sensitive(name):
            yield from credentials_in(value)
    if target.oauth.client_secret:
        yield target.oauth.client_secret
