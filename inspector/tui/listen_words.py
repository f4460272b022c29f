"""A subscription stream of the modern era in words: what was asked for, granted, and how it ended.

Pure: a `Stream` in, words out. When to listen is decided by screens, how by the session.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from inspector.protocol.messages import JsonObject
from inspector.session.listening import Stream

NAMES: Final[Mapping[str, str]] = {
    "toolsListChanged": "tools",
    "promptsListChanged": "prompts",
    "resourcesListChanged": "resources",
}
"""The lists that a filter may name."""
URIS: Final = "resourceSubscriptions"


@dataclass(frozen=True, slots=True)
class Listening:
    """The latest stream: what it was to announce, what of that the server did not grant, and how
    it ended ("" while it is open). `acknowledged` tells whether the server has answered, `again`
    when it is opened again ("" where it is not)."""

    asked: tuple[str, ...]
    denied: tuple[str, ...]
    acknowledged: bool
    ended: str
    again: str = ""


def described(stream: Stream, again: str = "") -> Listening:
    """A stream in words."""
    acknowledged = stream.granted is not None
    denied = (
        _words(stream.asked, without=stream.granted)
        if acknowledged and stream.granted is not None
        else ()
    )
    return Listening(_words(stream.asked), denied, acknowledged, stream.ended, again)


def granted(stream: Stream, uri: str) -> bool | None:
    """Whether the server granted a watched resource; None while it has not said."""
    if stream.granted is None:
        return None
    return uri in _uris(stream.granted)


def asked(stream: Stream, uri: str) -> bool:
    """Whether the stream was to announce changes of this resource."""
    return uri in _uris(stream.asked)


def _words(wanted: JsonObject, without: JsonObject | None = None) -> tuple[str, ...]:
    """The lists by name, then how many resources; only what `without` lacks, where it is given."""
    lacking = without or {}
    words = [
        name for key, name in NAMES.items() if wanted.get(key) is True and not lacking.get(key)
    ]
    uris = _uris(wanted) - _uris(lacking)
    if uris:
        words.append(f"{len(uris)} watched" if without is None else ", ".join(sorted(uris)))
    return tuple(words)


def _uris(named: JsonObject) -> frozenset[str]:
    uris = named.get(URIS)
    return (
        frozenset(one for one in uris if isinstance(one, str))
        if isinstance(uris, list)
        else (frozenset())
    )
