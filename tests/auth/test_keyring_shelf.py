"""The keyring: which one counts, what it keeps, and how it fails."""

import sys
from pathlib import Path

import keyring
import keyring.backend
import keyring.backends.chainer
import keyring.backends.fail
import keyring.backends.null
import keyring.errors
import pytest

from inspector.auth.keyring_shelf import SERVICE, KeyringShelf, find_keyring
from inspector.auth.store import FileStore, LateStore, ShelfStore
from inspector.errors import InspectorError
from tests.auth.grants import ISSUER, NOW, SERVER, a_client, a_grant


class FakeKeyring(keyring.backend.KeyringBackend):
    """A keyring that keeps its passwords in a dict."""

    priority = 5
    name = "Fake Keyring"

    def __init__(self) -> None:
        self.passwords: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.passwords.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.passwords[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if (service, username) not in self.passwords:
            raise keyring.errors.PasswordDeleteError("not there")
        del self.passwords[service, username]


class BusError(Exception):
    """What a backend's own library raises."""


class BrokenKeyring(FakeKeyring):
    """Raises whatever it is told to."""

    def __init__(self, *, get: Exception | None = None, set_: Exception | None = None) -> None:
        super().__init__()
        self.failures = {"get": get, "set": set_}

    def get_password(self, service: str, username: str) -> str | None:
        if failure := self.failures["get"]:
            raise failure
        return super().get_password(service, username)

    def set_password(self, service: str, username: str, password: str) -> None:
        if failure := self.failures["set"]:
            raise failure
        super().set_password(service, username, password)


class PlainText(FakeKeyring):
    """Stands for keyrings.alt."""


PlainText.__module__ = "keyrings.alt.file"


class Hesitant(FakeKeyring):
    """A backend that keyring does not recommend."""

    priority = 0.5  # type: ignore[assignment]


@pytest.fixture
def fake() -> FakeKeyring:
    return FakeKeyring()


def _store(backend: keyring.backend.KeyringBackend, folder: Path, told: list[str]) -> ShelfStore:
    return ShelfStore(KeyringShelf(backend, folder), say=told.append, clock=lambda: NOW)


def test_what_is_kept_in_a_keyring_comes_back_and_no_file_holds_it(
    fake: FakeKeyring, tmp_path: Path
) -> None:
    told: list[str] = []
    store = _store(fake, tmp_path / "auth", told)
    store.keep(a_grant())
    store.keep_client(a_client())
    store.keep(a_grant("https://else.example.com"))
    assert store.grant(SERVER) == a_grant()
    assert store.client(ISSUER) == a_client()
    assert store.servers() == ("https://else.example.com", SERVER)
    assert store.place == "your keyring (Fake Keyring)"
    assert {service for service, _ in fake.passwords} == {SERVICE}
    assert [path.name for path in (tmp_path / "auth").iterdir()] == ["lock"]
    assert (tmp_path / "auth" / "lock").read_bytes() == b""
    assert store.forget(SERVER) is True
    assert store.servers() == ("https://else.example.com",)
    assert told == []


def test_after_forgetting_nothing_of_a_server_is_left_in_the_keyring(
    fake: FakeKeyring, tmp_path: Path
) -> None:
    store = _store(fake, tmp_path, [])
    store.keep(a_grant())
    store.forget(SERVER)
    assert list(fake.passwords.values()) == [""]


def test_account_names_tell_nothing(fake: FakeKeyring, tmp_path: Path) -> None:
    _store(fake, tmp_path, []).keep(a_grant())
    assert not any("example" in account for _, account in fake.passwords)


@pytest.mark.parametrize(
    "failure",
    [
        keyring.errors.KeyringLocked("Prompt dismissed"),
        keyring.errors.NoKeyringError("none"),
        BusError("org.freedesktop.DBus.Error.NoReply"),
        NotImplementedError(),
        RuntimeError("acc3ss"),
    ],
)
def test_a_keyring_that_fails_to_keep_fails_loudly_without_the_secret(
    failure: Exception, tmp_path: Path
) -> None:
    store = _store(BrokenKeyring(set_=failure), tmp_path, [])
    with pytest.raises(InspectorError, match="your keyring did not keep it") as caught:
        store.keep(a_grant(access="acc3ss"))
    assert caught.value.kind == "store"
    assert "--no-store" in caught.value.hint
    assert "acc3ss" not in f"{caught.value} {caught.value.__cause__}"
    assert caught.value.__suppress_context__
    assert store.grant(SERVER) is None


@pytest.mark.parametrize("failure", [keyring.errors.KeyringLocked("locked"), BusError("gone")])
def test_a_keyring_that_cannot_be_read_is_empty_and_says_so(
    failure: Exception, tmp_path: Path
) -> None:
    told: list[str] = []
    store = _store(BrokenKeyring(get=failure), tmp_path, told)
    assert (store.grant(SERVER), store.grant(SERVER), store.servers()) == (None, None, ())
    assert len(told) == 1
    assert "your keyring cannot be read" in told[0]


def test_a_cancellation_is_no_failure_of_the_keyring(tmp_path: Path) -> None:
    class Interrupting(FakeKeyring):
        def set_password(self, service: str, username: str, password: str) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _store(Interrupting(), tmp_path, []).keep(a_grant())


def test_an_index_that_lost_a_record_finds_it_no_more_and_the_rest_still(
    fake: FakeKeyring, tmp_path: Path
) -> None:
    store = _store(fake, tmp_path, [])
    store.keep(a_grant())
    store.keep(a_grant("https://else.example.com"))
    names = fake.passwords[SERVICE, "index"].split()
    fake.passwords[SERVICE, "index"] = f"grant-nowhere {names[1]}"
    assert store.servers() == ("https://else.example.com",)


@pytest.mark.parametrize(
    ("backend", "counts"),
    [
        (FakeKeyring, True),
        (keyring.backends.fail.Keyring, False),
        (keyring.backends.null.Keyring, False),
        (PlainText, False),
        (Hesitant, False),
    ],
)
def test_only_a_keyring_that_keeps_secrets_secret_counts(
    backend: type[keyring.backend.KeyringBackend], counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring, "get_keyring", backend)
    assert (find_keyring() is not None) is counts


def test_of_a_chain_the_first_real_one_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    class Chain(keyring.backends.chainer.ChainerBackend):
        backends = [PlainText(), FakeKeyring()]

    monkeypatch.setattr(keyring, "get_keyring", Chain)
    assert type(find_keyring()) is FakeKeyring


def test_a_keyring_that_was_configured_and_is_not_there_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing() -> None:
        raise ModuleNotFoundError("No module named 'their_keyring'")

    monkeypatch.setattr(keyring, "get_keyring", missing)
    with pytest.raises(InspectorError, match=r"cannot be loaded.*their_keyring"):
        find_keyring()


def test_the_users_store_is_the_keyring_where_there_is_one(
    fake: FakeKeyring, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring, "get_keyring", lambda: fake)
    LateStore(tmp_path / "auth").keep(a_grant())
    assert LateStore(tmp_path / "auth").grant(SERVER) == a_grant()
    assert LateStore(tmp_path / "auth").place == "your keyring (Fake Keyring)"


def test_what_was_kept_without_the_keyring_is_found_and_ended_beside_it(
    fake: FakeKeyring, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = FileStore(tmp_path)
    files.keep(a_grant(access="over ssh"))
    files.keep_client(a_client())
    monkeypatch.setattr(keyring, "get_keyring", lambda: fake)
    store = LateStore(tmp_path)
    assert store.grant(SERVER) == a_grant(access="over ssh")
    assert store.client(ISSUER) == a_client()
    store.keep(a_grant(access="at the desk"))
    assert store.grant(SERVER) == a_grant(access="at the desk")
    assert files.grant(SERVER) is None
    files.keep(a_grant(access="over ssh again"))
    files.keep(a_grant("https://else.example.com"))
    assert store.servers() == ("https://else.example.com", SERVER)
    assert store.forget(SERVER) is True
    assert (store.grant(SERVER), files.grant(SERVER)) == (None, None)
    assert store.drop(a_grant("https://else.example.com")) is True
    assert store.servers() == ()


def test_this_module_loads_keyring_only_when_it_is_used() -> None:
    import subprocess

    code = "import sys, inspector.auth.keyring_shelf; print('keyring' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "False\n"
