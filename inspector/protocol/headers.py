"""HTTP header names of MCP, which of them are secret, and how values travel in `Mcp-Name` and
`Mcp-Param-*` (2026-07-28 basic/transports/streamable-http).

Names only and pure text; which header goes on which request is the transports' business.
"""

import base64
import binascii
import math
import re
from typing import Final

ACCEPT: Final = "Accept"
CONTENT_TYPE: Final = "Content-Type"
AUTHORIZATION: Final = "Authorization"
LAST_EVENT_ID: Final = "Last-Event-ID"
SESSION_ID: Final = "Mcp-Session-Id"
PROTOCOL_VERSION: Final = "MCP-Protocol-Version"
METHOD: Final = "Mcp-Method"
NAME: Final = "Mcp-Name"
PARAM_PREFIX: Final = "Mcp-Param-"
WWW_AUTHENTICATE: Final = "WWW-Authenticate"

JSON_TYPE: Final = "application/json"
EVENT_STREAM_TYPE: Final = "text/event-stream"
ACCEPT_BOTH: Final = f"{JSON_TYPE}, {EVENT_STREAM_TYPE}"

SENSITIVE_HEADERS: Final = frozenset(
    {
        "authorization",
        "proxy-authorization",
        "cookie",
        "set-cookie",
        "mcp-session-id",
        "x-api-key",
        "api-key",
        "apikey",
        "x-auth-token",
        "x-access-token",
        "x-csrf-token",
        "x-goog-api-key",
        "x-amz-security-token",
        "x-functions-key",
        "ocp-apim-subscription-key",
    }
)
"""Lower-case names of headers whose values are shown, stored and exported masked."""

_SENSITIVE_PARTS: Final = ("token", "secret", "password", "apikey", "api-key", "credential")

_SAFE: Final = re.compile(r"[\x20-\x7e]*")
_SENTINEL: Final = re.compile(r"=\?base64\?(?P<payload>.*)\?=", re.DOTALL)
_TOKEN: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")


def is_sensitive(name: str) -> bool:
    """Whether the value of header `name` is a secret, by a known name or a telling part of it."""
    lower = name.lower()
    return lower in SENSITIVE_HEADERS or any(part in lower for part in _SENSITIVE_PARTS)


def is_header_token(name: str) -> bool:
    """Whether `name` may stand as (part of) a header name (RFC 9110 token)."""
    return _TOKEN.fullmatch(name) is not None


def media_type(content_type: str) -> str:
    """The media type of a Content-Type value, lower-case, without its parameters."""
    return content_type.partition(";")[0].strip().lower()


def encode_header_value(value: str | int | bool) -> str:
    """`value` as an `Mcp-Name` or `Mcp-Param-*` header value.

    Printable ASCII stands as it is, an integer is decimal, a bool is `true` or `false`; what
    would not survive (control or non-ASCII characters, white space at an edge, text that looks
    like the sentinel itself) is wrapped as `=?base64?...?=`.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if _SAFE.fullmatch(value) and value == value.strip() and not _SENTINEL.fullmatch(value):
        return value
    # A lone surrogate has no UTF-8 form; its three bytes are at least readable on the other side.
    payload = base64.b64encode(value.encode("utf-8", "surrogatepass")).decode("ascii")
    return f"=?base64?{payload}?="


def decode_header_value(text: str) -> str | None:
    """The value that `text` carries; None where it is a broken sentinel."""
    match = _SENTINEL.fullmatch(text)
    if match is None:
        return text
    try:
        return base64.b64decode(match["payload"], validate=True).decode("utf-8", "surrogatepass")
    except (binascii.Error, ValueError):
        return None


def bits_of(session_id: str) -> int:
    """How much chance an id may hold at most, by its length and the sorts of its characters."""
    sorts = (
        (10, "0123456789"),
        (6, "abcdef"),
        (6, "ABCDEF"),
        (20, "ghijklmnopqrstuvwxyz"),
        (20, "GHIJKLMNOPQRSTUVWXYZ"),
    )
    alphabet = sum(size for size, sort in sorts if any(each in sort for each in session_id))
    telling = sum(each.isalnum() for each in session_id)
    return int(telling * math.log2(alphabet)) if alphabet else 0
