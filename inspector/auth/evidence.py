"""What of an OAuth exchange may stand in the journal, and which texts in it are secrets.

Token, registration and revocation endpoints answer in shapes that no redactor foresees: odd
escapes, forms, pages. So their answers are kept as sent only where every secret in them can be
masked by its value; else written anew without the secrets; and not at all where nobody can say
what they hold. Pure.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import parse_qsl, unquote_plus, urlsplit, urlunsplit

from inspector.auth.exchange import OAuthRequest, Step, read_object
from inspector.protocol.json_text import Json, JsonObject

Headers = tuple[tuple[str, str], ...]

METADATA_STEPS: Final = frozenset({Step.RESOURCE_METADATA, Step.SERVER_METADATA})
"""Requests whose answers are public documents."""
MASK: Final = "[masked]"
SHORTEST_BY_VALUE: Final = 6
"""Shorter secrets are not masked by their value anywhere."""

_TELLING: Final = re.compile(
    r"(?i)(?:token|secret|code|verifier|assertion|passwo?r?d|passphrase|credentials?|api_?key)$"
)
_HARMLESS: Final = frozenset(
    {"token_type", "issued_token_type", "scope", "error", "error_description", "error_uri"}
)
"""Members of a token answer that are shown; what nobody knows is not (RFC 6749 sections 5.1, 5.2).
"""
_SECRET_HEADERS: Final = frozenset({"authorization", "proxy-authorization"})
_SHOWN_HEADERS: Final = frozenset(
    {
        "allow", "cache-control", "connection", "content-encoding", "content-language",
        "content-length", "content-type", "date", "dpop-nonce", "expires", "pragma",
        "retry-after", "server", "transfer-encoding", "vary", "via", "www-authenticate",
        "x-request-id",
    }
)  # fmt: skip
_MOST_FIELDS: Final = 100


def secrets_sent(request: OAuthRequest) -> tuple[str, ...]:
    """The secrets in a request of ours: code, verifier, tokens, and what proves the client."""
    found = [value for name, value in _fields(request.body) if _telling(name)]
    for name, value in request.headers:
        if name.lower() in _SECRET_HEADERS:
            found += _credentials(value)
    return _each_once(found)


def fields_sent(request: OAuthRequest) -> tuple[tuple[str, str], ...]:
    """The form fields of a request, the secret ones masked, for the screen."""
    return tuple((name, MASK if _telling(name) else value) for name, value in _fields(request.body))


def secrets_received(step: Step, body: bytes) -> tuple[str, ...]:
    """The secrets in an answer, as far as it can be read."""
    if step in METADATA_STEPS:
        return ()
    document = read_object(body)
    if isinstance(document, str):
        return _each_once([value for name, value in _fields(body) if _telling(name)])
    return _each_once([text for name, text in _texts(document) if _telling(name)])


def shown_body(step: Step, body: bytes, media: str) -> bytes:
    """What of an answer's body the journal may keep, once `secrets_received` were learned."""
    if step in METADATA_STEPS or not body:
        return body
    document = read_object(body)
    if isinstance(document, str):
        kind = media.partition(";")[0].strip() or "no content type"
        return f"[{len(body)} bytes, {kind}: not kept, as they may hold a token]".encode()
    unsafe = b"\\" in body or any(
        _is_hidden(step, name, text) and (len(text) < SHORTEST_BY_VALUE or not _telling(name))
        for name, text in _texts(document)
    )
    return json.dumps(_without_secrets(step, document)).encode() if unsafe else body


def shown_headers(step: Step, headers: Headers) -> Headers:
    """The headers of an answer: of those that nobody foresees the name alone, since a redirect or
    a cookie can carry a token."""
    if step in METADATA_STEPS:
        return headers
    return tuple((name, _header(name.lower(), value)) for name, value in headers)


def _header(name: str, value: str) -> str:
    if name == "location":
        try:
            bare = urlsplit(value)._replace(query="", fragment="")
        except ValueError:
            return MASK
        shown = urlunsplit(bare._replace(netloc=bare.netloc.rpartition("@")[2]))
        return shown if shown == value else f"{shown} {MASK}"
    return value if name in _SHOWN_HEADERS else MASK


def _is_hidden(step: Step, name: str, text: str) -> bool:
    """Whether a text is not shown in this answer."""
    if step is Step.REGISTRATION:
        return _telling(name)
    return _telling(name) or (bool(text) and name not in _HARMLESS)


def _telling(name: str) -> bool:
    return _TELLING.search(name) is not None and not name.startswith("error")


def _without_secrets(step: Step, value: Json, name: str = "") -> Json:
    if isinstance(value, dict):
        return {key: _without_secrets(step, part, key) for key, part in value.items()}
    if isinstance(value, list):
        return [_without_secrets(step, part, name) for part in value]
    if isinstance(value, str):
        return MASK if _is_hidden(step, name, value) else value
    numeric = isinstance(value, int | float) and not isinstance(value, bool)
    return MASK if numeric and _telling(name) else value


def _texts(document: JsonObject) -> Iterator[tuple[str, str]]:
    """All texts in a document, each with the name of the member that holds it. A number under a
    telling name counts as an empty one: it is hidden, and masked nowhere else."""
    waiting: list[tuple[str, Json]] = list(document.items())
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, dict):
            waiting.extend(value.items())
        elif isinstance(value, list):
            waiting.extend((name, part) for part in value)
        elif isinstance(value, int | float) and not isinstance(value, bool) and _telling(name):
            yield name, ""


def _fields(body: bytes) -> tuple[tuple[str, str], ...]:
    """The fields of a form; empty where the body is none."""
    text = body.decode("utf-8", "replace").strip()
    if not text or text[0] in "{[<":
        return ()
    try:
        return tuple(parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError:
        return ()


def _credentials(value: str) -> list[str]:
    """The value of an `Authorization` header, and the secret inside where it is Basic."""
    scheme, _, rest = value.partition(" ")
    found = [rest.strip() or scheme]
    if scheme.lower() == "basic":
        try:
            pair = base64.b64decode(rest, validate=True).decode("utf-8", "replace")
        except (binascii.Error, ValueError):
            return found
        secret = pair.partition(":")[2]
        found += [secret, unquote_plus(secret)]
    return found


def _each_once(texts: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text))
