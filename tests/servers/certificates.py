"""A certificate authority of the test's own, for servers that have to be https: names other than
this machine's are only believed with TLS."""

import datetime
from collections.abc import Sequence
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_FROM = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
_UNTIL = datetime.datetime(2099, 1, 1, tzinfo=datetime.UTC)


def certificates(
    folder: Path, names: Sequence[str], until: datetime.datetime = _UNTIL, *, alone: bool = False
) -> tuple[Path, Path]:
    """Two PEM files in `folder`: the authority to trust, and key and chain for those host names,
    good `until` then. `alone`: signed by nobody but itself."""
    authority_key = ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "The authority of a test")])
    authority = (
        _builder(issuer, issuer, authority_key)
        .not_valid_after(_UNTIL)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(authority_key, hashes.SHA256())
    )
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
    wanted = x509.SubjectAlternativeName([x509.DNSName(name) for name in names])
    leaf = (
        _builder(subject, subject if alone else issuer, key)
        .not_valid_after(until)
        .add_extension(wanted, critical=False)
        .sign(key if alone else authority_key, hashes.SHA256())
    )
    trusted, served = folder / "authority.pem", folder / "server.pem"
    trusted.write_bytes(authority.public_bytes(serialization.Encoding.PEM))
    served.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + leaf.public_bytes(serialization.Encoding.PEM)
    )
    return trusted, served


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_FROM)
    )
