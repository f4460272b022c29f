"""The options about OAuth: what they add up to, with and without an entry of a config file."""

import shlex
from dataclasses import fields, replace
from pathlib import Path

import click
import pytest

from inspector.auth.registration import AuthMethod
from inspector.cli import grammar, main
from inspector.cli.auth_options import (
    AUTH_METHODS,
    NOTHING_GIVEN,
    AuthGiven,
    auth_options,
    with_choice,
)
from inspector.cli.grammar import take_apart
from inspector.config.oauth import OAuthChoice
from inspector.config.targets import Target
from inspector.errors import UsageError
from inspector.render.commands import target_words

URL = Target(url="https://h.example/mcp")


@click.command()
@auth_options
def _command(**options: object) -> None:
    raise _Taken(AuthGiven.take({**options, "server": "x"}))


class _Taken(Exception):
    def __init__(self, given: AuthGiven) -> None:
        super().__init__()
        self.given = given


def _given(*words: str) -> AuthGiven:
    with pytest.raises(_Taken) as taken:
        _command.main(list(words), standalone_mode=False)
    return taken.value.given


def test_without_options_nothing_is_given_and_the_target_is_as_it_was() -> None:
    assert _given() == NOTHING_GIVEN
    assert NOTHING_GIVEN.named == ()
    assert with_choice(URL, NOTHING_GIVEN) is URL


def test_every_option_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET", "s3cret")
    given = _given(
        *("--client-id", "id", "--client-secret-env", "MY_SECRET", "--scope", "a b"),
        *("--issuer", "https://auth.example.com", "--client-credentials"),
        *("--token-endpoint-auth-method", "client_secret_post"),
        *("--redirect-uri", "http://127.0.0.1/cb"),
        *("--allow-missing-pkce-metadata", "--allow-private-addresses", "--no-store"),
    )
    assert with_choice(URL, given).oauth == OAuthChoice(
        "id",
        "s3cret",
        scope="a b",
        issuer="https://auth.example.com",
        client_credentials=True,
        auth_method="client_secret_post",
        redirect_uri="http://127.0.0.1/cb",
        missing_pkce_allowed=True,
        private_addresses_allowed=True,
    )
    assert "s3cret" not in repr(given)


def test_every_option_has_a_place_and_those_with_a_value_are_known_to_the_grammar() -> None:
    names = {parameter.name for parameter in _command.params}
    assert names == {one.name for one in fields(AuthGiven)}
    valued = {
        parameter.opts[0]
        for parameter in _command.params
        if isinstance(parameter, click.Option) and not parameter.is_flag
    }
    assert valued <= grammar.TARGET_VALUES


def test_the_ways_of_client_authentication_are_those_that_there_are() -> None:
    assert set(AUTH_METHODS) == {method.value for method in AuthMethod}


@pytest.mark.parametrize(
    ("target", "given", "words"),
    [
        (Target(command=("srv",)), AuthGiven(client_id="x"), "--client-id is for servers on a URL"),
        (Target(command=("srv",)), AuthGiven(no_store=True), "--no-store is for servers on a URL"),
        (
            replace(URL, headers=(("authorization", "Bearer x"),)),
            AuthGiven(scope="a"),
            "--scope and an Authorization header exclude each other",
        ),
        (URL, AuthGiven(client_id="x", client_secret_env="NOT_SET"), "NOT_SET is not set"),
        (URL, AuthGiven(key_alg="ES256"), "needs a private key"),
        (URL, AuthGiven(client_credentials=True), "needs a client id"),
        (URL, AuthGiven(client_metadata_url="http://a.example/c"), "cannot be the client id"),
    ],
)
def test_what_makes_no_sense_is_refused(target: Target, given: AuthGiven, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        with_choice(target, given)


def test_the_command_line_wins_over_an_entry_value_by_value() -> None:
    entry = replace(URL, oauth=OAuthChoice("id", "s3cret", scope="a", issuer="https://a.example"))
    assert with_choice(entry, AuthGiven(scope="b")).oauth == replace(entry.oauth, scope="b")
    assert with_choice(entry, AuthGiven(scope="")).oauth.scope == ""
    assert with_choice(entry, AuthGiven(no_store=True)).oauth == entry.oauth


def test_the_secret_of_an_entry_never_goes_to_another_client() -> None:
    entry = replace(URL, oauth=OAuthChoice("id", "s3cret", auth_method="client_secret_post"))
    assert with_choice(entry, AuthGiven(client_id="other")).oauth == OAuthChoice("other")
    document = "https://app.example.com/c.json"
    found = with_choice(entry, AuthGiven(client_metadata_url=document)).oauth
    assert found == OAuthChoice(client_metadata_url=document)
    assert with_choice(entry, AuthGiven(client_id="id", scope="a")).oauth.client_secret == "s3cret"


def test_a_header_of_the_users_own_goes_with_a_store_that_keeps_nothing() -> None:
    own = replace(URL, headers=(("Authorization", "Bearer x"),))
    assert with_choice(own, AuthGiven(no_store=True)) == own


def test_a_copied_command_says_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLIENT_SECRET", "s3cret")
    chosen = OAuthChoice(
        "my id",
        "s3cret",
        scope="",
        issuer="https://auth.example.com",
        auth_method="client_secret_basic",
        redirect_uri="http://localhost:1/cb",
        missing_pkce_allowed=True,
        private_addresses_allowed=True,
    )
    target = replace(URL, oauth=chosen)
    words = shlex.split(" ".join(target_words(target)))
    assert words.pop() == URL.url
    assert with_choice(URL, _given(*words)) == target


def test_an_entry_of_a_file_and_the_command_line_meet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "servers.json"
    file.write_text('{"mcpServers": {"u": {"url": "https://h/", "oauth": {"clientId": "id"}}}}')
    words = ["info", "--config", str(file), "--server", "u", "--client-credentials"]
    assert main.run(take_apart(words)) == 2
    assert "needs a client that can prove itself" in capsys.readouterr().err
