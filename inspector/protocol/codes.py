"""Error codes of JSON-RPC and MCP as constants, and the words a person reads for them.

Which code a peer should have sent is not decided here; nor is any meaning given to codes between
-32000 and -32019, which servers use as they like (2026-07-28 basic).
"""

from types import MappingProxyType
from typing import Final

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603

RESOURCE_NOT_FOUND: Final = -32002
"""2024-11-05 to 2025-11-25 server/resources; 2026-07-28 uses INVALID_PARAMS instead."""
URL_ELICITATION_REQUIRED: Final = -32042
"""2025-11-25 client/elicitation only."""
HEADER_MISMATCH: Final = -32020
"""2026-07-28 basic/transports/streamable-http."""
MISSING_CLIENT_CAPABILITY: Final = -32021
"""2026-07-28 basic/versioning; `data.requiredCapabilities` says which."""
UNSUPPORTED_PROTOCOL_VERSION: Final = -32022
"""2026-07-28 basic/versioning; `data.supported` lists what the server speaks."""
USER_REJECTED: Final = -1
"""A person declined a sampling or roots request (client/sampling)."""

MODERN_ERRORS: Final = frozenset(
    {HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_PROTOCOL_VERSION}
)
"""Codes that only a server of the modern era sends: one of them ends the search for the era."""

_NAMES: Final = MappingProxyType(
    {
        PARSE_ERROR: "parse error",
        INVALID_REQUEST: "invalid request",
        METHOD_NOT_FOUND: "method not found",
        INVALID_PARAMS: "invalid params",
        INTERNAL_ERROR: "internal error",
        RESOURCE_NOT_FOUND: "resource not found",
        URL_ELICITATION_REQUIRED: "URL elicitation required",
        HEADER_MISMATCH: "header mismatch",
        MISSING_CLIENT_CAPABILITY: "missing client capability",
        UNSUPPORTED_PROTOCOL_VERSION: "unsupported protocol version",
        USER_REJECTED: "rejected by the user",
    }
)


def name_of(code: int) -> str:
    """The meaning of `code` in a few lower-case words, "" where it has none of its own."""
    if code in _NAMES:
        return _NAMES[code]
    if -32099 <= code <= -32000:
        return "server-defined error"
    if -32768 <= code < -32099:
        return "reserved by JSON-RPC"
    return ""
