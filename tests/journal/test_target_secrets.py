"""Which values of a target are secrets."""

from inspector.config.oauth import OAuthChoice
from inspector.config.secrecy import secret_arguments
from inspector.config.targets import Target
from inspector.journal.target_secrets import secrets_of


def test_options_that_sound_secret_and_passwords_in_urls_are_secrets() -> None:
    command = ("server", "--api-key=k3y", "--token", "t0ken", "--port", "80", "db://u:p4ss@host/x")
    assert secret_arguments(command) == ["k3y", "t0ken", "p4ss"]


def test_variables_headers_and_client_secrets_are_found_by_their_names() -> None:
    target = Target(
        url="https://server.example/mcp",
        env={"MY_TOKEN": "one", "PATH": "/bin", "DB": "pg://u:two@host/db"},
        headers=(("Authorization", "Bearer three"), ("X-Api-Key", "four"), ("Accept", "five")),
        oauth=OAuthChoice(client_id="id", client_secret="six"),
    )
    assert list(secrets_of(target)) == ["one", "two", "three", "four", "six"]
