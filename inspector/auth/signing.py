"""Signs the assertion of a client that proves itself with a private key (RFC 7523).

Reads the user's key, a PEM file or a JSON web key, and decides which algorithm it is good for. The
signature itself is PyJWT's and cryptography's work, which are imported when a key is read. What an
assertion says is decided in `tokens`; nothing here ever shows a part of a key.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from inspector.auth.exchange import read_object, shown
from inspector.auth.grant import Sign
from inspector.auth.secret import Secret
from inspector.errors import UsageError
from inspector.protocol.json_text import JsonObject

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes

LARGEST: Final = 64 * 1024
_SMALLEST_RSA: Final = 2048
_RSA: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")
_CURVES: Final[Mapping[str, str]] = {
    "secp256r1": "ES256",
    "secp384r1": "ES384",
    "secp521r1": "ES512",
    "secp256k1": "ES256K",
}


def signer_from_file(path: Path, algorithm: str = "", key_id: str = "") -> Sign:
    """A signer with the private key in a file. Raises UsageError."""
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(
            f"the private key {shown(str(path))} cannot be read: {error.strerror}"
        ) from None
    if len(raw) > LARGEST:
        raise UsageError(f"the file {shown(str(path))} is too large for a private key")
    return make_signer(raw, algorithm, key_id)


def make_signer(raw: bytes, algorithm: str = "", key_id: str = "") -> Sign:
    """A signer with a private key, PEM or JSON web key. `algorithm` is a name of RFC 7518 (empty:
    what fits the key), `key_id` goes into the header (empty: what the web key says). Raises
    UsageError."""
    key, named = _read(raw)
    fitting = _algorithms(key)
    chosen = algorithm or fitting[0]
    if chosen not in fitting:
        raise UsageError(
            f"the private key cannot sign with {shown(chosen)}",
            hint=f"it is good for {', '.join(fitting)}",
        )
    headers: JsonObject = {"kid": key_id or named} if key_id or named else {}

    def sign(claims: JsonObject) -> Secret:
        import jwt

        return Secret(jwt.encode(claims, key, algorithm=chosen, headers=headers))  # type: ignore[arg-type]

    return sign


def _read(raw: bytes) -> "tuple[PrivateKeyTypes, str]":
    """The key, and the id that it has as a web key."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    if raw.lstrip()[:1] == b"{":
        return _read_web_key(raw)
    problem, hint = "", ""
    try:
        return load_pem_private_key(raw, password=None), ""
    except TypeError:
        problem = "the private key is encrypted"
        hint = "store it without a password, readable by you only: openssl pkey -in KEY -out PLAIN"
    except (ValueError, UnsupportedAlgorithm):
        problem = "the file holds no private key that can be read"
        hint = "it has to be PEM (-----BEGIN PRIVATE KEY-----) or a JSON web key"
    raise UsageError(problem, hint=hint)


def _read_web_key(raw: bytes) -> "tuple[PrivateKeyTypes, str]":
    import jwt

    document = read_object(raw)
    named = document.get("kid") if isinstance(document, dict) else None
    key: object = None
    if isinstance(document, dict) and isinstance(document.get("d"), str):
        try:
            key = jwt.PyJWK.from_dict(dict(document)).key
        except (jwt.PyJWTError, ValueError, TypeError, KeyError):
            key = None
    if key is None or isinstance(key, bytes | str):
        raise UsageError(
            "the file holds no private JSON web key",
            hint="it needs the private member d, and a type RSA, EC or OKP",
        )
    return key, named if isinstance(named, str) else ""  # type: ignore[return-value]


def _algorithms(key: "PrivateKeyTypes") -> tuple[str, ...]:
    """What a key can sign with, the usual one first."""
    from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa

    match key:
        case rsa.RSAPrivateKey() if key.key_size >= _SMALLEST_RSA:
            return _RSA
        case rsa.RSAPrivateKey():
            raise UsageError(
                f"the RSA key has {key.key_size} bits", hint=f"at least {_SMALLEST_RSA} are needed"
            )
        case ec.EllipticCurvePrivateKey() if key.curve.name in _CURVES:
            return (_CURVES[key.curve.name],)
        case ed25519.Ed25519PrivateKey() | ed448.Ed448PrivateKey():
            return ("EdDSA",)
    raise UsageError(
        "the private key is of a kind that signs no JSON web tokens",
        hint="use an RSA, P-256, P-384, P-521 or Ed25519 key",
    )
