"""How a grant and a client are written down, and read again.

One record is one JSON text with a version. What cannot be read is `Unreadable`, never a crash, and
says nothing of what it held. Where the texts lie is decided in `store`.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Final, TypeVar

from inspector.auth.grant import Grant
from inspector.auth.policy import canonical_resource
from inspector.auth.registration import Client
from inspector.auth.secret import Secret

VERSION: Final = 1
GRANTS: Final = "grant-"
"""What the names of all grants begin with."""

_NAME_LENGTH: Final = 32
_T = TypeVar("_T")


class Unreadable(Exception):
    """A record that makes no sense to this version; the text says why, without its content."""


@dataclass(frozen=True, slots=True)
class GrantRecord:
    """A grant, and when it was kept (seconds since 1970): the last one kept is the one in use."""

    grant: Grant
    kept_at: float


def grant_name(server_url: str, issuer: str) -> str:
    """The name under which the grant of one server and one issuer is kept; it tells neither."""
    return f"{grants_of(server_url)}{_digest(issuer)}"


def grants_of(server_url: str) -> str:
    """What the names of all grants for one server begin with."""
    return f"{GRANTS}{_digest(canonical_resource(server_url))}-"


def client_name(issuer: str) -> str:
    """The name under which the client registered at an issuer is kept."""
    return f"client-{_digest(issuer)}"


def write_grant(record: GrantRecord) -> str:
    """The text of a record. It holds the tokens: for a keyring or a private file only."""
    return _write("grant", {"kept_at": record.kept_at, "grant": _plain(record.grant)})


def write_client(client: Client) -> str:
    """The text of a record. It holds the client's secret."""
    return _write("client", {"client": _plain(client)})


def read_grant(text: str) -> GrantRecord:
    """The record in `text`. Raises Unreadable."""
    return _read(text, "grant", GrantRecord)


def read_client(text: str) -> Client:
    """The client in `text`. Raises Unreadable."""
    return _read(text, "client", _ClientRecord).client


@dataclass(frozen=True, slots=True)
class _ClientRecord:
    client: Client


def _digest(*parts: str) -> str:
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:_NAME_LENGTH]


def _write(kind: str, content: dict[str, object]) -> str:
    return json.dumps({"version": VERSION, "kind": kind, **content})


def _plain(value: Grant | Client) -> object:
    import msgspec

    return msgspec.to_builtins(value, enc_hook=_reveal)


def _read(text: str, kind: str, shape: type[_T]) -> _T:
    import msgspec

    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable("it is no JSON") from None
    if not isinstance(found, dict) or found.get("kind") != kind:
        raise Unreadable("it is no record of this kind")
    if found.get("version") != VERSION:
        raise Unreadable("it was written by another version of this program")
    try:
        return msgspec.convert(found, shape, dec_hook=_hide)
    except (msgspec.ValidationError, ValueError):  # its text may quote the record
        raise Unreadable("something in it is missing, or is not what it should be") from None


def _reveal(value: object) -> object:
    if isinstance(value, Secret):
        return value.reveal()
    raise TypeError(f"a {type(value).__name__} is not kept")


def _hide(kind: type, value: object) -> object:
    if kind is Secret and isinstance(value, str):
        return Secret(value)
    raise ValueError("no text")
