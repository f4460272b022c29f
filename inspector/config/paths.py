"""Where this program keeps its files, and how private files are written.

Two directories: the one a user edits (settings, keymap, themes) and the one the program writes
(recents, trust, recordings). `MCP_INSPECT_HOME` puts both under one directory. What the files hold
is decided by the modules that read them.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

from inspector.errors import InspectorError

APP = "mcp-inspect"
PRIVATE_DIR = 0o700
PRIVATE_FILE = 0o600


def config_dir() -> Path:
    """The directory with `settings.toml`, `keymap.toml` and `themes/`; may not exist."""
    if home := os.environ.get("MCP_INSPECT_HOME"):
        return Path(home).expanduser() / "config"
    from platformdirs import user_config_path

    return user_config_path(APP, appauthor=False)


def state_dir() -> Path:
    """The directory with recents, trust decisions and recordings; may not exist."""
    if home := os.environ.get("MCP_INSPECT_HOME"):
        return Path(home).expanduser() / "state"
    from platformdirs import user_state_path

    return user_state_path(APP, appauthor=False)


def settings_file() -> Path:
    """The user's settings."""
    return config_dir() / "settings.toml"


def keymap_file() -> Path:
    """The user's key bindings."""
    return config_dir() / "keymap.toml"


def user_themes_dir() -> Path:
    """Palettes of the user's own; one of the same name hides a shipped one."""
    return config_dir() / "themes"


def shipped_themes_dir() -> Path:
    """The palettes that come with the program: inside the wheel, or beside an editable install."""
    packaged = Path(__file__).parents[1] / "themes"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "themes"


def recents_file() -> Path:
    """The targets connected to lately."""
    return state_dir() / "recents.json"


def trust_file() -> Path:
    """Which entries of other programs' config files the user agreed to start."""
    return state_dir() / "trust.json"


def auth_dir() -> Path:
    """Where tokens lie on a machine without a keyring, and the lock of both kinds of store."""
    return state_dir() / "auth"


def recordings_dir() -> Path:
    """Where sessions are recorded."""
    return state_dir() / "recordings"


def private_dir(path: Path) -> Path:
    """`path`, created with mode 0700 where it does not exist (parents too, whatever the umask).

    An existing directory of ours is tightened to 0700. Raises InspectorError where it is no
    directory, belongs to somebody else or cannot be made.
    """
    try:
        if (link := foreign_link(path)) is not None:
            raise InspectorError(
                f"{link} is a link that another user made",
                hint="set MCP_INSPECT_HOME to a directory of your own",
                kind="files",
                fault="config",
            )
        for missing in reversed([path, *path.parents]):
            if not missing.exists():
                missing.mkdir(mode=PRIVATE_DIR)
                missing.chmod(PRIVATE_DIR)
        facts = path.stat()
        if not stat.S_ISDIR(facts.st_mode):
            raise InspectorError(f"{path} is not a directory", kind="files", fault="config")
        if facts.st_uid != os.getuid():
            raise InspectorError(
                f"{path} belongs to another user",
                hint="set MCP_INSPECT_HOME to a directory of your own",
                kind="files",
                fault="config",
            )
        if stat.S_IMODE(facts.st_mode) & 0o077:
            path.chmod(PRIVATE_DIR)
    except OSError as error:
        raise InspectorError(
            f"cannot use the directory {path}: {error.strerror}",
            hint="set MCP_INSPECT_HOME to a directory that can be written",
            kind="files",
            fault="config",
        ) from error
    return path


def foreign_link(path: Path) -> Path | None:
    """The first link on the way to `path` that neither we nor the system made: where it leads is
    up to somebody else. OSError where nobody can tell."""
    for place in (*reversed(path.absolute().parents), path.absolute()):
        if place.is_symlink() and place.lstat().st_uid not in (os.getuid(), 0):
            return place
    return None


def write_private(path: Path, content: bytes) -> None:
    """Replaces the file at `path` by `content`, atomically, with mode 0600.

    Raises InspectorError where that is impossible; the old file is intact then.
    """
    private_dir(path.parent)
    temporary = path.with_name(f".{path.name}.{os.urandom(6).hex()}")
    try:
        handle = os.open(
            temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, PRIVATE_FILE
        )
        try:
            os.fchmod(handle, PRIVATE_FILE)
            with os.fdopen(handle, "wb", closefd=False) as file:
                file.write(content)
                file.flush()
            os.fsync(handle)
        finally:
            os.close(handle)
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise InspectorError(
            f"cannot write {path}: {error.strerror}", kind="files", fault="config"
        ) from error


def read_private(path: Path) -> bytes | None:
    """The content of a file that `write_private` wrote; None where it is missing or not ours.

    A link, a file of another user or one that others may write to is not believed: it decides
    what gets started.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        facts = os.fstat(file.fileno())
        if facts.st_uid != os.getuid() or stat.S_IMODE(facts.st_mode) & 0o022:
            return None
        if not stat.S_ISREG(facts.st_mode):
            return None
        try:
            return file.read()
        except OSError:
            return None
