"""Assertions are signed by the user's key, and an independent library verifies them."""

import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed25519, rsa
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from joserfc import jwt as independent
from joserfc.jwk import ECKey, import_key

from inspector.auth.signing import LARGEST, make_signer, signer_from_file
from inspector.auth.tokens import assertion_claims
from inspector.errors import UsageError

CLAIMS = assertion_claims("client", "https://as.example", now=1_700_000_000, token_id="once")
RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def pem(key: PrivateKeyTypes) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@pytest.mark.parametrize(
    ("key", "algorithm"),
    [
        (RSA, "RS256"),
        (ec.generate_private_key(ec.SECP256R1()), "ES256"),
        (ec.generate_private_key(ec.SECP384R1()), "ES384"),
        (ed25519.Ed25519PrivateKey.generate(), "EdDSA"),
    ],
    ids=["rsa", "p256", "p384", "ed25519"],
)
def test_each_kind_of_key_signs_with_the_algorithm_that_fits(
    key: PrivateKeyTypes, algorithm: str
) -> None:
    text = make_signer(pem(key))(CLAIMS).reveal()
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    token = independent.decode(text, import_key(public), algorithms=[algorithm])
    assert token.claims == CLAIMS
    assert token.header["alg"] == algorithm
    assert "kid" not in token.header


def test_the_user_may_choose_another_algorithm_of_the_key() -> None:
    text = make_signer(pem(RSA), "PS256", "key-1")(CLAIMS).reveal()
    public = RSA.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    token = independent.decode(text, import_key(public), algorithms=["PS256"])
    assert token.header["kid"] == "key-1"


def test_a_web_key_says_its_own_id() -> None:
    key = ECKey.generate_key("P-256", {"kid": "mine"})
    signer = make_signer(json.dumps(key.as_dict(private=True)).encode())
    token = independent.decode(signer(CLAIMS).reveal(), key, algorithms=["ES256"])
    assert token.header["kid"] == "mine"


@pytest.mark.parametrize("algorithm", ["none", "HS256", "ES256", "rs256"])
def test_an_algorithm_that_does_not_fit_the_key_is_refused(algorithm: str) -> None:
    with pytest.raises(UsageError, match="cannot sign"):
        make_signer(pem(RSA), algorithm)


def test_an_encrypted_key_is_told_apart_from_none() -> None:
    locked = RSA.private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"password")
    )
    with pytest.raises(UsageError, match="encrypted"):
        make_signer(locked)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"no key",
        b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        RSA.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
        b"{}",
        b'{"kty": "oct", "k": "c2VjcmV0", "d": "x"}',
        b'{"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "d": "AA"}',
        b"{broken",
    ],
    ids=["empty", "words", "no DER", "public", "object", "symmetric", "no point", "broken"],
)
def test_what_holds_no_private_key_is_refused_without_quoting_it(raw: bytes) -> None:
    with pytest.raises(UsageError) as caught:
        make_signer(raw)
    assert "AAAA" not in caught.value.message


def test_keys_that_sign_no_web_tokens_are_refused() -> None:
    with pytest.raises(UsageError, match="of a kind"):
        make_signer(pem(dsa.generate_private_key(2048)))


def test_short_rsa_keys_are_refused() -> None:
    with pytest.raises(UsageError, match="1024 bits"):
        make_signer(pem(rsa.generate_private_key(public_exponent=65537, key_size=1024)))


def test_a_key_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    path.write_bytes(pem(RSA))
    assert signer_from_file(path)(CLAIMS).reveal().count(".") == 2
    path.write_bytes(b"x" * (LARGEST + 1))
    with pytest.raises(UsageError, match="too large"):
        signer_from_file(path)
    with pytest.raises(UsageError, match="cannot be read"):
        signer_from_file(tmp_path / "absent")
