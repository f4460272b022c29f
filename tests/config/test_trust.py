"""Trust belongs to the content of an entry: any change asks again."""

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.config.oauth import OAuthChoice
from inspector.config.targets import Target
from inspector.config.trust import TrustStore, describe, needs_trust, trust_key

ENTRY = Target(
    command=("npx", "-y", "server"),
    name="files",
    env={"TOKEN": "hunter2hunter2", "MODE": "x"},
    cwd=Path("/srv"),
    source=Path("/home/me/.mcp.json"),
)
REMOTE = Target(
    url="https://host/mcp", name="r", headers=(("X-Key", "abc"),), source=Path("/home/me/.mcp.json")
)

CHANGES = [
    replace(ENTRY, command=("npx", "-y", "server2")),
    replace(ENTRY, command=("npx", "-y server")),
    replace(ENTRY, command=("npx", "-y", "server", "")),
    replace(ENTRY, env={"TOKEN": "other", "MODE": "x"}),
    replace(ENTRY, env={"TOKEN": "hunter2hunter2"}),
    replace(ENTRY, env={**ENTRY.env, "LD_PRELOAD": "/tmp/x.so"}),
    replace(ENTRY, cwd=Path("/tmp")),
    replace(ENTRY, cwd=None),
    replace(ENTRY, transport="stdio"),
]
REMOTE_CHANGES = [
    replace(REMOTE, url="https://host/mcp2"),
    replace(REMOTE, headers=(("X-Key", "abd"),)),
    replace(REMOTE, headers=(("X-Kez", "abc"),)),
    replace(REMOTE, headers=()),
    replace(REMOTE, transport="sse"),
]


@pytest.fixture
def store(tmp_path: Path) -> TrustStore:
    return TrustStore(tmp_path / "state" / "trust.json")


def test_only_entries_of_config_files_need_trust() -> None:
    assert needs_trust(ENTRY)
    assert not needs_trust(Target(command=("npx",)))


def test_what_was_agreed_to_is_remembered(store: TrustStore) -> None:
    assert not store.is_trusted(ENTRY)
    store.trust(ENTRY)
    assert store.is_trusted(ENTRY)
    store.trust(REMOTE)
    assert store.is_trusted(ENTRY)
    assert store.is_trusted(REMOTE)


@pytest.mark.parametrize("changed", CHANGES)
def test_every_change_of_a_program_asks_again(store: TrustStore, changed: Target) -> None:
    store.trust(ENTRY)
    assert not store.is_trusted(changed)
    assert trust_key(changed) != trust_key(ENTRY)


@pytest.mark.parametrize("changed", REMOTE_CHANGES)
def test_every_change_of_a_url_entry_asks_again(store: TrustStore, changed: Target) -> None:
    store.trust(REMOTE)
    assert not store.is_trusted(changed)


def test_the_name_and_place_of_an_entry_are_not_what_is_trusted(store: TrustStore) -> None:
    store.trust(ENTRY)
    assert store.is_trusted(replace(ENTRY, name="other", source=Path("/elsewhere")))


def test_agreement_can_be_taken_back(store: TrustStore) -> None:
    store.trust(ENTRY)
    store.forget(ENTRY)
    assert not store.is_trusted(ENTRY)


def test_the_file_is_private_and_tells_no_secret(store: TrustStore, tmp_path: Path) -> None:
    store.trust(ENTRY)
    path = tmp_path / "state" / "trust.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    content = path.read_text()
    assert "hunter2" not in content
    assert trust_key(ENTRY) not in content


@pytest.mark.parametrize("content", ["", "{", "[]", '{"salt": 1}', '{"salt": "x", "trusted": []}'])
def test_a_damaged_file_asks_again(store: TrustStore, tmp_path: Path, content: str) -> None:
    store.trust(ENTRY)
    path = tmp_path / "state" / "trust.json"
    path.write_text(content)
    assert not store.is_trusted(ENTRY)


def test_a_file_that_others_may_write_is_not_believed(store: TrustStore, tmp_path: Path) -> None:
    store.trust(ENTRY)
    (tmp_path / "state" / "trust.json").chmod(0o666)
    assert not store.is_trusted(ENTRY)


def test_a_link_is_not_believed(store: TrustStore, tmp_path: Path) -> None:
    store.trust(ENTRY)
    path = tmp_path / "state" / "trust.json"
    moved = path.rename(tmp_path / "moved.json")
    path.symlink_to(moved)
    assert not store.is_trusted(ENTRY)


def test_nothing_of_the_description_is_shortened() -> None:
    long = "x" * 5000
    lines = describe(replace(ENTRY, command=("sh", "-c", long, "two words")))
    assert f"argument   {long}" in lines
    assert "argument   two words" in lines
    assert any(line.endswith("'two words'") for line in lines)
    assert "directory  /srv" in lines
    assert "from       /home/me/.mcp.json" in lines


def test_the_description_names_variables_and_headers_without_values() -> None:
    text = "\n".join(describe(ENTRY) + describe(REMOTE))
    assert "sets       TOKEN" in text
    assert "header     X-Key" in text
    assert "hunter2" not in text
    assert "abc" not in text


def test_the_stored_format_is_json_with_a_number(store: TrustStore, tmp_path: Path) -> None:
    store.trust(ENTRY)
    assert json.loads((tmp_path / "state" / "trust.json").read_text())["format"] == 1


def test_another_oauth_client_or_secret_asks_again_and_none_changes_nothing(
    store: TrustStore,
) -> None:
    chosen = replace(REMOTE, oauth=OAuthChoice("id", "s3cret", scope="a"))
    store.trust(chosen)
    assert store.is_trusted(chosen)
    for changed in (OAuthChoice("id", "0ther", scope="a"), OAuthChoice("id", "s3cret"), None):
        assert not store.is_trusted(replace(REMOTE, oauth=changed or OAuthChoice()))
    text = "\n".join(describe(chosen))
    assert "oauth      client id: id" in text
    assert "s3cret" not in text
