"""What helps against the errors that only 2026-07-28 has, in a sentence for a person. Pure.

Which of them are followed by another try is decided by `inspector.session.rounds`.
"""

from typing import Final

from inspector.errors import excerpt
from inspector.protocol.codes import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    MISSING_CLIENT_CAPABILITY,
    UNSUPPORTED_PROTOCOL_VERSION,
)
from inspector.protocol.messages import Json, JsonObject
from inspector.protocol.versions import TASKS_EXTENSION, Revision, parse_revision

STALE_STATE: Final = "invalid_request_state"
"""What the official Python SDK says of a `requestState` that it refuses."""
SWITCHES: Final = frozenset(
    {
        "roots",
        "sampling",
        "sampling.tools",
        "sampling.context",
        "elicitation",
        "elicitation.form",
        "elicitation.url",
        f"extensions.{TASKS_EXTENSION}",
    }
)
"""The capabilities that `inspector.session.options.Advertise` has a switch for."""


def hint_for(code: int, data: Json, declared: JsonObject, revision: Revision) -> str:
    """What to do about an error; "" where there is nothing to say beyond its message."""
    if code == MISSING_CLIENT_CAPABILITY:
        return _capability_hint(data, declared)
    if code == UNSUPPORTED_PROTOCOL_VERSION:
        return _version_hint(data, revision)
    if code == HEADER_MISMATCH:
        return (
            "the server does not find in the HTTP headers what the request says: another tool list,"
            " or something between us that changes headers"
        )
    if code == INVALID_PARAMS and isinstance(data, dict) and data.get("reason") == STALE_STATE:
        return (
            "the server does not take back the state of this call: it holds unchanged only, and"
            " for so long only (ten minutes on servers of the official Python SDK); call again"
        )
    return ""


def missing_capabilities(data: Json, declared: JsonObject) -> tuple[str, ...]:
    """The capabilities that an error -32021 requires and `declared` lacks, as dotted paths."""
    required = data.get("requiredCapabilities") if isinstance(data, dict) else None
    if not isinstance(required, dict):
        return ()
    return tuple(sorted(path for path in _paths(required) if not _has(declared, path)))


def _paths(required: JsonObject) -> list[str]:
    """`sampling`, or `sampling.tools` where that is what it goes into."""
    found: list[str] = []
    for name, value in required.items():
        members = value if isinstance(value, dict) else {}
        inner = [key for key, one in members.items() if one is not None]
        found += [f"{name}.{key}" for key in inner] or [name]
    return found


def _has(declared: JsonObject, path: str) -> bool:
    name, _, key = path.partition(".")
    here = declared.get(name)
    if not key:
        return here is not None
    return isinstance(here, dict) and here.get(key) is not None


def _capability_hint(data: Json, declared: JsonObject) -> str:
    missing = missing_capabilities(data, declared)
    if not missing:
        return "the server wants a client capability, but names none that is not declared"
    ours = [path for path in missing if path in SWITCHES]
    others = [path for path in missing if path not in SWITCHES]
    words = []
    if ours:
        words.append(f"switch on {_listed(ours)} among what this client declares, and call again")
    if others:
        words.append(f"this program does not have {_listed(others)}")
    return "; ".join(words)


def _version_hint(data: Json, revision: Revision) -> str:
    named = data.get("supported") if isinstance(data, dict) else None
    texts = [text for text in named if isinstance(text, str)] if isinstance(named, list) else []
    if not texts:
        return f"the server does not speak {revision} (any more), and names nothing that it speaks"
    known = [found for text in texts if (found := parse_revision(text)) is not None]
    said = f"the server does not speak {revision} (any more); it names {excerpt(', '.join(texts))}"
    if not known:
        return f"{said}, none of which this program knows"
    return f"{said}: reconnect with --protocol {max(known)}"


def _listed(words: list[str]) -> str:
    return " and ".join(words)
