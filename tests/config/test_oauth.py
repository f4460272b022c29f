"""What entries of config files say about OAuth, in their hosts' dialects."""

from pathlib import Path

import pytest

from inspector.config.expansion import Expander
from inspector.config.jsonc import Json
from inspector.config.oauth import (
    NOTHING_CHOSEN,
    OAuthChoice,
    described,
    read_choice,
    read_oauth,
    written_choice,
)
from inspector.errors import UsageError

EVERYTHING = OAuthChoice(
    client_id="id",
    client_secret="s3cret",
    client_metadata_url="https://app.example.com/client.json",
    scope="a b",
    issuer="https://auth.example.com",
    client_credentials=True,
    private_key=Path("/keys/mine.pem"),
    key_algorithm="RS256",
    auth_method="client_secret_post",
    redirect_uri="http://127.0.0.1:1/cb",
    missing_pkce_allowed=True,
    private_addresses_allowed=True,
)


@pytest.fixture
def expander(tmp_path: Path) -> Expander:
    return Expander({"MY_SECRET": "s3cret"}, tmp_path)


@pytest.mark.parametrize(
    ("entry", "choice"),
    [
        ({}, NOTHING_CHOSEN),
        ({"oauth": None}, NOTHING_CHOSEN),
        ({"oauth": True}, NOTHING_CHOSEN),
        ({"oauth": {}}, NOTHING_CHOSEN),
        (
            {"oauth": {"clientId": "id", "callbackPort": 8080, "scopes": "a b"}},
            OAuthChoice("id", scope="a b", redirect_uri="http://localhost:8080/callback"),
        ),
        (
            {
                "auth": {
                    "CLIENT_ID": "id",
                    "CLIENT_SECRET": "${env:MY_SECRET}",
                    "scopes": ["a", "b"],
                }
            },
            OAuthChoice("id", "s3cret", scope="a b"),
        ),
        (
            {"oauth": {"enabled": True, "clientId": "id", "redirectUri": "http://localhost/cb"}},
            OAuthChoice("id", redirect_uri="http://localhost/cb"),
        ),
        (
            {"oauth": {"client_id": "id", "client_secret": "x", "scope": "a"}},
            OAuthChoice("id", "x", scope="a"),
        ),
        (
            {"oauth": {"clientId": "id", "grantType": "client_credentials", "issuer": "https://a"}},
            OAuthChoice("id", issuer="https://a", client_credentials=True),
        ),
        (
            {"oauth": {"callbackPort": "8080", "redirectUri": "http://localhost:1/own"}},
            OAuthChoice(redirect_uri="http://localhost:1/own"),
        ),
    ],
)
def test_the_dialects_of_hosts_are_read(
    entry: dict[str, Json], choice: OAuthChoice, expander: Expander
) -> None:
    assert read_oauth(entry, expander) == choice
    assert not any(note.startswith("ignored") for note in expander.notes)


@pytest.mark.parametrize(
    "entry",
    [
        {"oauth": []},
        {"oauth": 7},
        {"oauth": {"clientId": 7}},
        {"oauth": {"scopes": ["a", 7]}},
        {"oauth": {"callbackPort": 0}},
        {"oauth": {"callbackPort": 70000}},
        {"oauth": {"callbackPort": True}},
        {"auth": {"CLIENT_SECRET": None}},
    ],
)
def test_values_that_make_no_sense_are_refused(entry: dict[str, Json], expander: Expander) -> None:
    with pytest.raises(UsageError, match=r"^(oauth|auth)"):
        read_oauth(entry, expander)


@pytest.mark.parametrize("given", [False, "google"])
def test_what_other_programs_mean_by_a_word_is_noted(given: Json, expander: Expander) -> None:
    assert read_oauth({"oauth": given}, expander) == NOTHING_CHOSEN
    assert expander.notes == ["ignored: oauth"]


def test_unknown_keys_are_noted_and_a_file_waives_no_rule(expander: Expander) -> None:
    given: dict[str, Json] = {
        "clientId": "id",
        "missing_pkce_allowed": True,
        "allowPrivateAddresses": True,
        "privateKey": "/etc/key",
        "tokenUrl": "https://evil.example/token",
    }
    assert read_oauth({"oauth": given}, expander) == OAuthChoice("id")
    (note,) = expander.notes
    assert note == (
        "ignored: oauth.allowPrivateAddresses, oauth.missing_pkce_allowed, oauth.privateKey, "
        "oauth.tokenUrl"
    )


def test_a_variable_that_is_not_set_is_a_problem(expander: Expander) -> None:
    read_oauth({"oauth": {"clientId": "${NOT_SET}"}}, expander)
    assert expander.problems == [
        "oauth.clientId needs the environment variable NOT_SET, which is not set"
    ]


def test_what_is_written_is_read_again_but_for_the_secret() -> None:
    written = written_choice(EVERYTHING)
    assert "s3cret" not in str(written)
    again = read_choice(written)
    assert again.client_secret == ""
    assert written_choice(again) == written
    assert set(written) | {"client_secret"} == set(OAuthChoice.__slots__)
    assert (written_choice(NOTHING_CHOSEN), read_choice({})) == ({}, NOTHING_CHOSEN)


@pytest.mark.parametrize("written", [None, [], "x", {"client_id": 7, "scope": 1, "private_key": 0}])
def test_what_cannot_be_read_again_is_nothing(written: Json) -> None:
    assert read_choice(written) == NOTHING_CHOSEN


def test_neither_repr_nor_description_shows_the_secret() -> None:
    shown = f"{EVERYTHING!r} {described(EVERYTHING)}"
    assert "s3cret" not in shown
    assert ("client secret", "given") in described(EVERYTHING)
    assert described(NOTHING_CHOSEN) == []
