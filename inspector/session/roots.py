"""Roots: the directories and files that the server may work on.

Decides what a valid root is (a `file://` URI, client/roots); answering `roots/list` is left to
`inspector.session.inbox`, telling the server of changes to the session.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from inspector.errors import UsageError

if TYPE_CHECKING:
    from inspector.protocol.messages import JsonObject


@dataclass(frozen=True, slots=True)
class Root:
    """A directory or file that the server may work on: a `file://` URI and an optional name."""

    uri: str
    name: str = ""

    def as_json(self) -> "JsonObject":
        """The root as `roots/list` sends it."""
        return {"uri": self.uri, "name": self.name} if self.name else {"uri": self.uri}

    @property
    def path(self) -> str:
        """The path inside the URI, decoded."""
        return unquote(urlsplit(self.uri).path)


def read_root(text: str, name: str = "") -> Root:
    """The root that the user means by a `file://` URI or a path.

    Raises UsageError for a URI of another scheme, which the spec does not allow.
    """
    if "://" not in text:
        return Root(Path(text).expanduser().absolute().as_uri(), name)
    parts = urlsplit(text)
    if parts.scheme != "file" or not parts.path:
        raise UsageError(f"{text!r} is no root", hint="a root is a file:// URI or a path")
    return Root(text, name)
