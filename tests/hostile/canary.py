"""Secrets that a run was given, every way to write them, and a look that finds them in bytes."""

import base64
import html
import json
import re
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import quote, unquote_to_bytes

SHORTEST: Final = 8
"""Characters of an encoded secret that stand nowhere by chance."""
_ESCAPE: Final = re.compile(
    rb"\\+u([0-9a-fA-F]{4})|\\+([\"/\\])|&#x([0-9a-fA-F]{1,6});|&#([0-9]{1,7});"
)
_TERMINAL: Final = re.compile(
    rb"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[()].|\x1b."
)


def spellings(secret: str) -> dict[str, str]:
    """Texts out of which the secret can be read."""
    raw = secret.encode()
    units = raw.decode().encode("utf-16-be").hex()
    found = {
        "plain": secret,
        "escaped": "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4)),
        "escaped, some": json.dumps(secret).strip('"').replace("=", "\\u003d").replace("/", "\\/"),
        "percent": "".join(f"%{byte:02X}" for byte in raw),
        "percent, small": "".join(f"%{byte:02x}" for byte in raw),
        "percent, some": quote(secret, safe=""),
        "hexadecimal": raw.hex(),
        "HEXADECIMAL": raw.hex().upper(),
        "entities": "".join(f"&#{ord(sign)};" for sign in secret),
        "entities, some": html.escape(secret),
    }
    for shift in range(3):
        before = b"x" * shift + raw + b"yz"
        found[f"base64 {shift}"] = base64.b64encode(before).decode()
        found[f"base64url {shift}"] = base64.urlsafe_b64encode(before).decode()
    return found


def leaks(sinks: Mapping[str, bytes], secrets: Mapping[str, str]) -> list[str]:
    """Which secret can be read out of which sink, each once."""
    wanted = {kind: _needles(secret) for kind, secret in secrets.items()}
    found = []
    for name, content in sinks.items():
        readings = list(_readings(content))
        for kind, needles in wanted.items():
            hits = {needle for needle in needles if any(needle in text for text in readings)}
            if hits:
                found.append(f"{kind} in {name}")
    return sorted(found)


def _needles(secret: str) -> set[bytes]:
    raw = secret.encode()
    found = {raw, raw.hex().encode()}
    for shift in range(3):
        padded = b"\0" * shift + raw
        first, last = (4 if shift else 0), len(padded) // 3 * 4
        found.add(base64.b64encode(padded)[first:last])
        found.add(base64.urlsafe_b64encode(padded)[first:last])
    return {needle for needle in found if needle == raw or len(needle) >= SHORTEST}


def _readings(content: bytes) -> Iterable[bytes]:
    """The bytes, and what they say once escapes are undone; on a terminal a text may be coloured
    in the middle and go on in the next line."""
    plain = _TERMINAL.sub(b"", content)
    for text in {content, plain, re.sub(rb"[\s\xe2\x94\x82|]+", b"", plain)}:
        seen = {text, text.lower()}
        for _ in range(3):
            text = _ESCAPE.sub(_unescaped, unquote_to_bytes(text))
            text = html.unescape(text.decode("utf-8", "surrogateescape")).encode(
                "utf-8", "surrogateescape"
            )
            seen.add(text)
        yield from seen


def _unescaped(found: re.Match[bytes]) -> bytes:
    unit, short, hexadecimal, decimal = found.groups()
    if short is not None:
        return bytes(short)
    code = int(unit or hexadecimal, 16) if decimal is None else int(decimal)
    return chr(min(code, 0x10FFFF)).encode("utf-8", "surrogatepass")
