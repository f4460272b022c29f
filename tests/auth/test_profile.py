"""What choices add up to, and which of them do not go together."""

from pathlib import Path

import pytest

from inspector.auth.grant import Profile
from inspector.auth.metadata import Allowances
from inspector.auth.profile import build_profile
from inspector.auth.registration import AuthMethod, Client, ClientOrigin
from inspector.auth.secret import Secret
from inspector.config.oauth import NOTHING_CHOSEN, OAuthChoice
from inspector.errors import UsageError
from inspector.protocol.versions import Revision

SERVER = "https://mcp.example.com/mcp"
ISSUER = "https://auth.example.com"


def _client(method: AuthMethod, secret: str | None = None, issuer: str = "") -> Client:
    held = Secret(secret) if secret else None
    return Client("id", ClientOrigin.PREREGISTERED, method, held, issuer)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    path = tmp_path / "key.pem"
    path.write_bytes(
        ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return path


@pytest.mark.parametrize(
    ("choice", "profile"),
    [
        (NOTHING_CHOSEN, Profile(SERVER)),
        (OAuthChoice("id"), Profile(SERVER, client=_client(AuthMethod.NONE))),
        (
            OAuthChoice("id", "s3cret", issuer=ISSUER),
            Profile(SERVER, client=_client(AuthMethod.NONE, "s3cret", ISSUER), issuer=ISSUER),
        ),
        (
            OAuthChoice("id", "s3cret", auth_method="client_secret_post", client_credentials=True),
            Profile(SERVER, client=_client(AuthMethod.POST, "s3cret"), grant="client_credentials"),
        ),
        (
            OAuthChoice(client_metadata_url="https://app.example.com/c.json", scope=" a  b a "),
            Profile(SERVER, document_url="https://app.example.com/c.json", scopes=("a", "b")),
        ),
        (OAuthChoice(scope=""), Profile(SERVER, scopes=())),
        (
            OAuthChoice(missing_pkce_allowed=True, private_addresses_allowed=True),
            Profile(
                SERVER, allowances=Allowances(missing_pkce_metadata=True), private_allowed=True
            ),
        ),
    ],
)
def test_choices_add_up_to_a_profile(choice: OAuthChoice, profile: Profile) -> None:
    assert build_profile(choice, SERVER) == profile


def test_the_rules_are_those_of_the_revision() -> None:
    assert build_profile(NOTHING_CHOSEN, SERVER, Revision.V2025_03_26) == Profile(
        SERVER, Revision.V2025_03_26
    )


def test_a_private_key_makes_a_client_that_signs(key: Path) -> None:
    profile = build_profile(OAuthChoice("id", private_key=key, client_credentials=True), SERVER)
    assert profile.client == _client(AuthMethod.PRIVATE_KEY_JWT)
    assert profile.sign is not None
    assert profile.sign({"iss": "id"}).reveal().count(".") == 2


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (OAuthChoice(client_secret="x"), "a client secret needs a client id"),
        (OAuthChoice(private_key=Path("k")), "a private key needs a client id"),
        (OAuthChoice(client_credentials=True), "client_credentials needs a client id"),
        (OAuthChoice(auth_method="none"), "needs a client id"),
        (OAuthChoice("id", client_credentials=True), "a client that can prove itself"),
        (OAuthChoice("id", "x", private_key=Path("k")), "exclude each other"),
        (OAuthChoice("id", client_metadata_url="https://a.example/c"), "exclude each other"),
        (OAuthChoice("id", auth_method="client_secret_jwt"), "no way of client authentication"),
        (OAuthChoice("id", auth_method="client_secret_basic"), "needs a client secret"),
        (OAuthChoice("id", auth_method="private_key_jwt"), "needs a private key"),
        (OAuthChoice("id", auth_method="none", private_key=Path("k")), "do not go together"),
        (OAuthChoice("id", "x", auth_method="none"), "never sent with none"),
        (OAuthChoice("id", key_algorithm="RS256"), "needs a private key"),
        (OAuthChoice("id", private_key=Path("/no/such/key")), "cannot be read"),
        (OAuthChoice(scope='a "b"'), "is no scope"),
        (OAuthChoice(issuer="http://auth.example.com"), "cannot be used"),
        (OAuthChoice(issuer="https://10.0.0.1"), "cannot be used"),
        (OAuthChoice(issuer="https://a.example/?b"), "cannot be used"),
        (OAuthChoice(client_metadata_url="http://a.example/c"), "cannot be the client id"),
        (OAuthChoice(redirect_uri="http://example.com/cb"), "cannot be redirected to"),
        (OAuthChoice(redirect_uri="cursor://cb"), "cannot be redirected to"),
    ],
)
def test_choices_that_make_no_sense_are_refused(choice: OAuthChoice, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        build_profile(choice, SERVER)


def test_no_error_shows_the_secret() -> None:
    with pytest.raises(UsageError) as caught:
        build_profile(OAuthChoice("id", "s3cret", auth_method="none"), SERVER)
    assert "s3cret" not in f"{caught.value.message} {caught.value.hint}"
