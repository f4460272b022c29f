"""One entry to one target; what the dialects share is tested with discovery."""

from pathlib import Path

from inspector.config.entries import EntryOutcome, read_entry
from inspector.config.jsonc import Json
from inspector.config.oauth import OAuthChoice


def read(entry: Json, **overrides: str) -> EntryOutcome:
    return read_entry(
        "name",
        entry,
        source=Path("/etc/mcp.json"),
        folder=None,
        home=Path("/home/me"),
        environ={"A": "1"},
        inputs=[{"id": "i", "default": "d"}, "odd", {"id": 3}],
        overrides=overrides,
    )


def test_a_program_in_the_home_directory_is_found() -> None:
    target = read({"command": "~/bin/srv", "args": ["~/kept"]}).target
    assert target is not None
    assert target.command == ("/home/me/bin/srv", "~/kept")


def test_a_command_given_as_a_list_is_taken() -> None:
    target = read({"command": ["npx", "-y"], "args": ["x"]}).target
    assert target is not None
    assert target.command == ("npx", "-y", "x")


def test_odd_inputs_do_no_harm_and_defaults_are_used() -> None:
    target = read({"command": "x", "env": {"V": "${input:i}"}}).target
    assert target is not None
    assert target.env == {"V": "d"}


def test_several_problems_are_told_together() -> None:
    outcome = read({"command": "${B}", "args": ["${C}"]})
    assert outcome.target is None
    assert "B" in outcome.problem
    assert "C" in outcome.problem


def test_overrides_add_and_replace_variables() -> None:
    target = read({"command": "x", "env": {"A": "old"}}, A="new", B="${A}").target
    assert target is not None
    assert target.env == {"A": "new", "B": "${A}"}


def test_switches_and_numbers_in_env_become_text() -> None:
    target = read({"command": "x", "env": {"A": True, "B": 1.5, "C": None}}).target
    assert target is not None
    assert target.env == {"A": "true", "B": "1.5"}


def test_an_entry_on_a_url_says_which_oauth_client_it_has() -> None:
    outcome = read({"url": "https://h/mcp", "oauth": {"clientId": "id", "callbackPort": 1}})
    assert outcome.target is not None
    assert outcome.target.oauth == OAuthChoice("id", redirect_uri="http://localhost:1/callback")
    assert outcome.notes == ()
    wrong = read({"url": "https://h/mcp", "auth": {"CLIENT_ID": 7}})
    assert (wrong.target, wrong.problem) == (None, "auth.CLIENT_ID is not a text")
