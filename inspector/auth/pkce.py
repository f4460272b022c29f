"""Proof Key for Code Exchange: verifier and S256 challenge (RFC 7636), and the `state` of one
authorization request (RFC 6749 section 10.12). Made from random bytes that the caller draws.
"""

import base64
import hashlib
import re
from typing import Final

from inspector.auth.secret import Secret
from inspector.errors import InspectorError

METHOD: Final = "S256"
"""The one method that we use; `plain` protects nothing (OAuth 2.1 section 7.5.1)."""
RANDOM_BYTES: Final = 32
"""Random bytes to draw for a verifier (43 characters) and for a state (256 bits)."""

_MOST_BYTES: Final = 96
_VERIFIER: Final = re.compile(r"[A-Za-z0-9\-._~]{43,128}")


def make_verifier(random: bytes) -> Secret:
    """A code verifier of 43 to 128 characters from 32 to 96 random bytes (RFC 7636 section 4.1)."""
    return Secret(_encoded(random, "code verifier"))


def make_state(random: bytes) -> Secret:
    """A `state` of at least 256 bits from 32 to 96 random bytes."""
    return Secret(_encoded(random, "state"))


def is_verifier(text: str) -> bool:
    """Whether `text` may be a code verifier (RFC 7636 section 4.1)."""
    return _VERIFIER.fullmatch(text) is not None


def s256_challenge(verifier: Secret) -> str:
    """The code challenge of a verifier (RFC 7636 section 4.2)."""
    text = verifier.reveal()
    if not is_verifier(text):
        raise InspectorError("a code verifier has 43 to 128 unreserved characters")
    return _base64url(hashlib.sha256(text.encode("ascii")).digest())


def _encoded(random: bytes, what: str) -> str:
    if not RANDOM_BYTES <= len(random) <= _MOST_BYTES:
        raise InspectorError(
            f"a {what} is made from {RANDOM_BYTES} to {_MOST_BYTES} random bytes, "
            f"not from {len(random)}"
        )
    return _base64url(random)


def _base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")
