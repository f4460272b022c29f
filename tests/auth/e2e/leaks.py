"""Looks for secrets in bytes: as they are, as they look in JSON, in a URL, and inside base64."""

import base64
import json
from collections.abc import Iterable, Mapping
from urllib.parse import quote, quote_plus

Secrets = Iterable[tuple[str, str]]
SHORTEST = 8


def looks(secret: str) -> set[bytes]:
    """How a secret may be written. Base64 depends on what stands before it: three ways, each
    without the characters that its neighbours have a part in."""
    plain = secret.encode()
    found = {plain, quote(secret).encode(), quote(secret, safe="").encode()}
    found.add(quote_plus(secret).encode())
    found.add(json.dumps(secret)[1:-1].encode())
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for lead in range(3):
            whole = encode(b"\0" * lead + plain)
            start = (lead * 4 + 2) // 3
            end = (lead + len(plain)) // 3 * 4
            found.add(whole[start:end])
    return {look for look in found if len(look) >= SHORTEST}


def leaks(sinks: Mapping[str, bytes], secrets: Secrets) -> list[str]:
    """Which kind of secret stands in which sink, each once."""
    wanted = [(kind, looks(secret)) for kind, secret in dict.fromkeys(secrets)]
    return sorted(
        {
            f"{kind} in {name}"
            for name, content in sinks.items()
            for kind, found in wanted
            if any(look in content for look in found)
        }
    )
