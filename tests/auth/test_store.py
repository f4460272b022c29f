"""The store: what is kept comes back, newer tokens stay, and no broken record stops anybody."""

import json
import multiprocessing
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.auth.records import client_name, grant_name
from inspector.auth.secret import Secret
from inspector.auth.store import (
    FileStore,
    LateStore,
    MemoryStore,
    ShelfStore,
    Store,
    open_store,
)
from inspector.config.paths import auth_dir
from inspector.errors import InspectorError
from tests.auth.grants import ISSUER, NOW, SERVER, a_client, a_grant

OTHER = "https://other-auth.example.com"


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> ShelfStore:
    if request.param == "memory":
        return MemoryStore(clock=clock)
    return FileStore(tmp_path / "auth", clock=clock)


@pytest.fixture
def told() -> list[str]:
    return []


def test_a_store_starts_empty(store: Store) -> None:
    assert store.grant(SERVER) is None
    assert store.client(ISSUER) is None
    assert store.servers() == ()
    assert store.forget(SERVER) is False


def test_a_grant_that_was_kept_comes_back(store: Store) -> None:
    store.keep(a_grant())
    assert store.grant(SERVER) == a_grant()
    assert store.grant(SERVER + "/") == a_grant()
    assert store.grant("https://else.example.com/mcp") is None
    assert store.servers() == (SERVER,)


def test_a_client_that_was_kept_comes_back_and_outlives_the_grants(store: Store) -> None:
    store.keep(a_grant())
    store.keep_client(a_client())
    assert store.forget(SERVER) is True
    assert store.grant(SERVER) is None
    assert store.client(ISSUER) == a_client()
    assert store.client(OTHER) is None


def test_the_issuer_used_last_is_the_one_in_use(store: Store, clock: Clock) -> None:
    store.keep(a_grant(access="first"))
    clock.now += 5
    store.keep(a_grant(issuer=OTHER, access="second"))
    found = store.grant(SERVER)
    assert found is not None
    assert found.server.issuer == OTHER
    clock.now += 5
    store.keep(a_grant(access="third", at=clock.now))
    found = store.grant(SERVER)
    assert found is not None
    assert found.tokens.access == Secret("third")


def test_forgetting_a_server_deletes_the_grants_of_all_issuers(store: Store) -> None:
    store.keep(a_grant())
    store.keep(a_grant(issuer=OTHER))
    store.keep(a_grant("https://else.example.com"))
    assert store.forget(SERVER) is True
    assert store.servers() == ("https://else.example.com",)


def test_an_older_token_never_takes_the_place_of_a_rotated_one(store: Store, clock: Clock) -> None:
    clock.now = NOW + 20
    store.keep(a_grant(access="new", refresh="rotated", at=NOW + 10))
    store.keep(a_grant(access="old", refresh="used up", at=NOW + 5))
    found = store.grant(SERVER)
    assert found is not None
    assert found.tokens.refresh == Secret("rotated")


def test_a_token_from_the_future_gives_way_after_the_clock_jumped_back(
    store: Store, clock: Clock
) -> None:
    clock.now = NOW + 3600
    store.keep(a_grant(access="before", at=NOW + 3600))
    clock.now = NOW
    store.keep(a_grant(access="after", at=NOW))
    found = store.grant(SERVER)
    assert found is not None
    assert found.tokens.access == Secret("after")


def test_a_void_grant_is_dropped_and_its_successor_is_not(store: Store) -> None:
    void, successor = a_grant(refresh="void"), a_grant(refresh="rotated")
    store.keep(successor)
    assert store.drop(void) is False
    assert store.grant(SERVER) == successor
    assert store.drop(successor) is True
    assert store.grant(SERVER) is None
    assert store.drop(successor) is False


def test_nothing_that_a_store_shows_holds_a_secret(store: Store) -> None:
    store.keep(a_grant())
    store.keep_client(a_client())
    shown = f"{store!r} {store.place} {store.grant(SERVER)!r} {store.client(ISSUER)!r}"
    assert not any(secret in shown for secret in ("acc3ss", "refr3sh", "client-s3cret"))


# -- files --


def _file(folder: Path) -> Path:
    return folder / f"{grant_name(SERVER, ISSUER)}.json"


@pytest.fixture
def loose_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("loose_umask")
def test_files_are_0600_in_a_0700_directory_under_any_umask(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "auth"
    store = FileStore(folder)
    store.keep(a_grant())
    store.keep_client(a_client())
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert len(modes) == 3
    assert set(modes.values()) == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700
    assert folder.parent.stat().st_mode & 0o777 == 0o700


def test_a_directory_that_others_can_enter_is_closed_before_a_token_lies_in_it(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "auth"
    folder.mkdir()
    folder.chmod(0o777)
    FileStore(folder).keep(a_grant())
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o644, 0o666])
def test_a_file_that_others_may_use_is_not_believed_and_said_once(
    tmp_path: Path, told: list[str], mode: int
) -> None:
    store = FileStore(tmp_path, say=told.append)
    store.keep(a_grant())
    _file(tmp_path).chmod(mode)
    assert [store.grant(SERVER), store.grant(SERVER)] == [None, None]
    assert len(told) == 1
    assert f"others may use it (mode {mode:04o})" in told[0]
    store.keep(a_grant())
    assert store.grant(SERVER) == a_grant()
    assert _file(tmp_path).stat().st_mode & 0o777 == 0o600


def test_a_link_is_neither_read_nor_written_through(tmp_path: Path, told: list[str]) -> None:
    elsewhere = tmp_path / "elsewhere"
    FileStore(elsewhere).keep(a_grant(access="planted"))
    folder = tmp_path / "auth"
    folder.mkdir()
    _file(folder).symlink_to(_file(elsewhere))
    store = FileStore(folder, say=told.append)
    assert store.grant(SERVER) is None
    assert "it is a link" in told[0]
    store.keep(a_grant(access="mine"))
    assert not _file(folder).is_symlink()
    assert "mine" not in _file(elsewhere).read_text()


def test_a_link_in_place_of_the_lock_is_refused(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("kept")
    folder = tmp_path / "auth"
    folder.mkdir()
    (folder / "lock").symlink_to(victim)
    with pytest.raises(InspectorError, match="cannot lock"):
        FileStore(folder).keep(a_grant())
    assert victim.read_text() == "kept"


def test_a_file_of_another_user_is_not_believed(
    tmp_path: Path, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FileStore(tmp_path, say=told.append)
    store.keep(a_grant())
    stranger = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: stranger)
    assert store.grant(SERVER) is None
    assert "belongs to another user" in told[0]
    with pytest.raises(InspectorError, match="belongs to another user"):
        store.keep(a_grant())


def test_something_that_is_no_file_does_not_hang_the_reader(
    tmp_path: Path, told: list[str]
) -> None:
    os.mkfifo(_file(tmp_path), 0o600)
    (tmp_path / f"{client_name(ISSUER)}.json").mkdir(mode=0o700)
    store = FileStore(tmp_path, say=told.append)
    assert store.grant(SERVER) is None
    assert store.client(ISSUER) is None
    assert len(told) == 2


def test_a_file_torn_at_any_byte_is_absent_and_hides_no_other(tmp_path: Path) -> None:
    FileStore(tmp_path).keep(a_grant("https://else.example.com"))
    FileStore(tmp_path).keep(a_grant())
    whole = _file(tmp_path).read_bytes()
    for cut in range(len(whole)):
        told: list[str] = []
        store = FileStore(tmp_path, say=told.append)
        _file(tmp_path).write_bytes(whole[:cut])
        assert store.grant(SERVER) is None
        assert store.servers() == ("https://else.example.com",)
        assert len(told) == 1
        assert not any(secret in told[0] for secret in ("acc3ss", "refr3sh", "client-s3cret"))
    store.keep(a_grant())
    assert store.grant(SERVER) == a_grant()


def test_a_record_under_the_name_of_another_server_is_not_used(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    store.keep(a_grant("https://else.example.com"))
    theirs = tmp_path / f"{grant_name('https://else.example.com', ISSUER)}.json"
    theirs.rename(_file(tmp_path))
    assert store.grant(SERVER) is None


def test_forgetting_deletes_unreadable_records_and_what_a_killed_writer_left(
    tmp_path: Path,
) -> None:
    store = FileStore(tmp_path)
    store.keep(a_grant())
    _file(tmp_path).write_bytes(b"torn acc3ss")
    (tmp_path / f".{_file(tmp_path).name}.0123456789ab").write_text("acc3ss")
    assert store.forget(SERVER) is True
    assert [path.name for path in tmp_path.iterdir()] == ["lock"]


def test_a_directory_that_cannot_be_written_fails_loudly_and_keeps_what_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FileStore(tmp_path)
    store.keep(a_grant(access="before"))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InspectorError, match="No space left"):
        store.keep(a_grant(access="after"))
    found = store.grant(SERVER)
    assert found is not None
    assert found.tokens.access == Secret("before")
    assert sorted(path.name for path in tmp_path.iterdir()) == [_file(tmp_path).name, "lock"]


def test_a_lock_that_nobody_gives_back_ends_in_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from inspector.auth import shelf

    with (
        shelf.lock(tmp_path),
        pytest.raises(InspectorError, match="another process holds"),
        shelf.lock(tmp_path, seconds=0.0),
    ):
        pass
    with shelf.lock(tmp_path, seconds=0.0):
        pass


def _rotate(folder: Path, who: int, times: int) -> None:
    store = FileStore(folder)
    for turn in range(times):
        at = NOW - 10_000 + turn * 10 + who
        store.keep(a_grant(access=f"token-{who}-{turn}", at=at))
        assert store.grant(SERVER) is not None  # never torn, never gone
        store.keep(a_grant(f"https://{who}.example.com", at=at))


def test_processes_at_once_tear_nothing_and_the_newest_token_stays(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_rotate, args=(tmp_path, who, 30)) for who in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0, 0]
    found = FileStore(tmp_path).grant(SERVER)
    assert found is not None
    assert found.tokens.access == Secret("token-3-29")
    assert len(FileStore(tmp_path).servers()) == 5


# -- which store --


def test_without_a_keyring_the_store_is_a_private_file_and_says_where(told: list[str]) -> None:
    store = open_store(say=told.append)
    assert store.place == f"{auth_dir()} (files that only you can read)"
    store.keep(a_grant())
    assert open_store().grant(SERVER) == a_grant()
    assert told == []


def test_no_store_writes_nothing() -> None:
    store = open_store(no_store=True)
    store.keep(a_grant())
    store.keep_client(a_client())
    assert store.grant(SERVER) == a_grant()
    assert not auth_dir().exists()
    assert open_store(no_store=True).grant(SERVER) is None


def test_where_nothing_was_ever_kept_the_keyring_is_not_even_loaded(tmp_path: Path) -> None:
    code = (
        "import sys; from inspector.auth.store import open_store; s = open_store();"
        f"print(s.grant({SERVER!r}), s.client({ISSUER!r}), s.servers(), s.forget({SERVER!r}),"
        " 'keyring' in sys.modules)"
    )
    done = _python(code)
    assert done == "None None () False False\n"


def _python(code: str) -> str:
    import subprocess

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


def test_a_keyring_that_cannot_be_loaded_is_said_and_files_are_used(
    told: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from inspector.auth import keyring_shelf

    def broken() -> None:
        raise InspectorError("your keyring cannot be loaded: no module named x")

    monkeypatch.setattr(keyring_shelf, "find_keyring", broken)
    store = LateStore(tmp_path / "auth", say=told.append)
    store.keep(a_grant())
    assert store.grant(SERVER) == a_grant()
    assert told == ["your keyring cannot be loaded: no module named x"]


def test_a_record_in_a_file_is_json_with_a_version(tmp_path: Path) -> None:
    FileStore(tmp_path).keep(a_grant())
    assert json.loads(_file(tmp_path).read_text())["version"] == 1
