"""Whatever is written is for the user alone, under any umask, and goes nowhere that somebody else
chose: no link of another user is followed, no file overwritten, nothing named by a server."""

import hashlib
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from inspector.auth import turns
from inspector.auth.shelf import FileShelf, lock
from inspector.config.paths import private_dir, write_private
from inspector.config.recents import Recents
from inspector.config.targets import Target
from inspector.config.trust import TrustStore
from inspector.errors import InspectorError, RecordingError, UsageError
from inspector.journal.recording import RecordingFile
from inspector.journal.spool import Spool
from inspector.protocol.messages import JsonObject, encode_json
from inspector.render.content import result_blocks
from inspector.render.saving import save_new, write_pieces
from tests.cli.running import Runner, scripted
from tests.hostile.terminal import terminal
from tests.servers.hostile_texts import TEXTS

TARGET = Target(("srv",), name="it", source=Path("/x.json"))
WRITERS: dict[str, Callable[[Path], object]] = {
    "a recording of ours": lambda home: RecordingFile.create_in(home / "new" / "recordings"),
    "a recording that was named": lambda home: RecordingFile.create(home / "named.jsonl"),
    "trust": lambda home: TrustStore(home / "trust" / "deep" / "trust.json").trust(TARGET),
    "recents": lambda home: Recents(home / "recents" / "recents.json").remember(TARGET),
    "a token": lambda home: FileShelf(home / "auth").put("name", "token"),
    "a lock": lambda home: lock(home / "locked").__enter__(),
    "a turn": lambda home: turns._open(home / "turns", "name"),
    "a private file": lambda home: write_private(home / "private" / "file", b"x"),
    "a blob": lambda home: save_new(home, "blob", ".bin", b"x"),
    "an export": lambda home: write_pieces(home / "export.html", [b"x"]),
    "an export in another's place": lambda home: write_pieces(
        home / "again.html", [b"x"], replace=True
    ),
}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """An open door, and no umask."""
    before = os.umask(0)
    try:
        (tmp_path / "home").mkdir(mode=0o777)
        yield tmp_path / "home"
    finally:
        os.umask(before)


def open_to_others(home: Path) -> list[str]:
    """What others may look at, by path and mode."""
    return [
        f"{one.relative_to(home)} {stat.S_IMODE(one.lstat().st_mode):o}"
        for one in home.rglob("*")
        if not one.is_symlink() and stat.S_IMODE(one.lstat().st_mode) & 0o077
    ]


def test_whatever_is_written_under_no_umask_is_for_the_user_alone(home: Path) -> None:
    kept = [write(home) for write in WRITERS.values()]
    files = [one for one in home.rglob("*") if one.is_file()]
    assert len(files) >= len(WRITERS) == len(kept)
    assert open_to_others(home) == []
    control = home / "control"
    control.write_text("x")
    assert open_to_others(home) == ["control 666"]


def test_commands_and_the_interface_leave_only_private_files_under_no_umask(home: Path) -> None:
    run = Runner(home)
    server = scripted(tools_list='{"tools":[]}')
    record, temporary = home / "r.jsonl", home / "tmp"
    temporary.mkdir(mode=0o700)
    steps = (
        ("list", "tools", "--record", str(record), *server),
        ("export", str(record), "-o", str(home / "r.html")),
        ("export", str(record), "-o", str(home / "r.html"), "--force"),
        ("lint", "--record", str(home / "l.jsonl"), *server),
    )
    for words in steps:
        assert run(*words, TMPDIR=str(temporary)).code in (0, 1)
    with terminal(run.command(*server), {**run.environ, "TMPDIR": str(temporary)}) as user:
        user.wait_until_shown("ready")
        user.type("\x11")
        assert user.end() == 0
    names = {one.name for one in home.rglob("*") if one.is_file()}
    assert {"r.jsonl", "r.html", "l.jsonl", "recents.json"} <= names
    assert open_to_others(home) == []
    assert list(temporary.iterdir()) == []


ROOT_ONLY = pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")


@ROOT_ONLY
@pytest.mark.parametrize("name", ["a recording of ours", "trust", "recents", "a token", "a lock"])
def test_a_folder_or_a_link_of_another_user_is_refused(name: str, home: Path) -> None:
    folder = {"a recording of ours": "new", "a token": "auth", "a lock": "locked"}.get(name, name)
    write = WRITERS[name]
    mine = home / "mine"
    mine.mkdir(mode=0o755)
    (home / folder).symlink_to(mine)
    os.lchown(home / folder, 12345, 12345)
    with pytest.raises(InspectorError):
        write(home)
    assert list(mine.iterdir()) == []
    assert stat.S_IMODE(mine.stat().st_mode) == 0o755
    os.unlink(home / folder)
    deepest = home / folder / "recordings" if folder == "new" else home / folder
    deepest = deepest / "deep" if folder == "trust" else deepest
    deepest.mkdir(parents=True)
    os.chown(deepest, 12345, 12345)
    with pytest.raises(InspectorError):
        write(home)
    assert list(deepest.iterdir()) == []


def test_a_link_of_the_users_own_may_lead_to_the_folder(home: Path) -> None:
    (home / "real").mkdir(mode=0o777)
    (home / "state").symlink_to(home / "real")
    assert private_dir(home / "state") == home / "state"
    assert stat.S_IMODE((home / "real").stat().st_mode) == 0o700


def test_no_link_in_the_place_of_a_file_is_written_through(home: Path) -> None:
    victim = home / "victim"
    victim.write_text("mine")
    os.link(victim, home / "hard.json")
    for name in ("named.jsonl", "export.html", "again.html"):
        (home / name).symlink_to(victim)
    (home / "private").mkdir()
    (home / "private" / "file").symlink_to(victim)
    for name in ("a recording that was named", "an export"):
        with pytest.raises((UsageError, RecordingError)):
            WRITERS[name](home)
    WRITERS["an export in another's place"](home)
    WRITERS["a private file"](home)
    write_private(home / "hard.json", b"new")
    assert victim.read_text() == "mine"
    assert (home / "private" / "file").read_bytes() == b"x"
    assert not (home / "private" / "file").is_symlink()


def test_what_is_spooled_has_no_name(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(home))
    read, write = os.pipe()
    spool = Spool(read)
    os.write(write, b"a line\n")
    spool.first_line()
    os.close(write)
    assert list(home.iterdir()) == []
    assert stat.S_IMODE(os.fstat(spool.descriptor).st_mode) == 0o600
    os.close(spool.descriptor)


# -- blobs of a server --

SHAPES = (
    "{}", "../{}", "../../{}", "/{}", "/etc/{}", "~/{}", "./{}", ".{}", "..{}", "{}/..", "{}\0x",
    "{}\n", "-{}", "C:\\{}", "\\\\host\\{}", "{}.", "{} ", "%2e%2e%2f{}", "file:///{}", "{}:stream",
)  # fmt: skip
WORDS = ("con", "NUL", "com1", "lpt9", "aux.txt", "passwd", ".bashrc", "a" * 5000, "漢", "", "..")


def names() -> list[str]:
    """Names that lead somewhere else, are devices, hide, or are none."""
    return [shape.format(word) for shape in SHAPES for word in (*WORDS, *list(TEXTS.values())[:6])]


def test_three_hundred_names_write_nothing_outside_hidden_or_over_another(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b" / "chosen"
    folder.mkdir(parents=True)
    before = _outside(tmp_path, folder)
    for number, name in enumerate(names()):
        for extension in (".bin", f".{name}", name):
            save_new(folder, name, extension, str(number).encode())
    for text in (*names()[::7], *TEXTS.values()):
        blob: JsonObject = {"uri": text, "mimeType": text, "blob": "AAAA", "name": text}
        image: JsonObject = {**blob, "type": "image", "data": "AAAA"}
        result: JsonObject = {"content": [{"type": "resource", "resource": blob}, image]}
        for shown in result_blocks(result, encode_json(result)):
            save_new(folder, "call-1", shown.extension, b"x")
    saved = list(folder.iterdir())
    assert len(names()) >= 300
    assert len(saved) >= 3 * len(names())
    assert _outside(tmp_path, folder) == before
    for one in saved:
        assert one.name.isascii()
        assert not one.name.startswith((".", "-"))
        assert one.name.strip() == one.name
        assert one.name.partition(".")[0] not in ("con", "nul", "com1", "lpt9", "aux")
        assert stat.S_IMODE(one.stat().st_mode) == 0o600
        assert one.is_file()


def _outside(root: Path, folder: Path) -> list[tuple[str, str]]:
    return [
        (str(one), hashlib.sha256(one.read_bytes()).hexdigest() if one.is_file() else "")
        for one in sorted(root.rglob("*"))
        if one.parent != folder
    ]


def test_a_folder_that_is_exchanged_for_a_link_meanwhile_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen, elsewhere = tmp_path / "chosen", tmp_path / "elsewhere"
    chosen.mkdir()
    elsewhere.mkdir()
    open_one = os.open

    def exchanged(path: str | Path, flags: int, *more: int, dir_fd: int | None = None) -> int:
        found = open_one(path, flags, *more, dir_fd=dir_fd)
        if flags & os.O_DIRECTORY:
            chosen.rename(tmp_path / "moved")
            chosen.symlink_to(elsewhere)
        return found

    monkeypatch.setattr(os, "open", exchanged)
    save_new(chosen, "blob", ".bin", b"x")
    assert list(elsewhere.iterdir()) == []
    assert [one.name for one in (tmp_path / "moved").iterdir()] == ["blob.bin"]


def test_a_blob_that_could_not_be_written_whole_leaves_no_file(tmp_path: Path) -> None:
    code = (
        "import resource, sys; from pathlib import Path; import signal;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000));"
        "from inspector.render.saving import save_new;"
        "save_new(Path(sys.argv[1]), 'blob', '.bin', b'x' * 100_000)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, check=False, timeout=60
    )
    assert b"UsageError: cannot save into" in done.stderr
    with suppress(FileNotFoundError):
        assert list(tmp_path.iterdir()) == []
