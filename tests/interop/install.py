"""Installs the servers of the table: `python -m tests.interop.install FOLDER`.

What is there in the right version is left as it is. What cannot be installed is told with its
reason and stops nothing: its tests are skipped.
"""

import json
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from tests.interop.peers import PEERS, Peer, modules_of, python_of

AT_ONCE: Final = 3
LIMIT: Final = 600.0
LAST_LINES: Final = 3
"""How much is shown of what pip or npm said."""


class CannotInstallError(Exception):
    """Why a server cannot be had here."""


def main(folder: Path) -> int:
    """Installs what is missing; one line for each server."""
    wanted = [peer for peer in PEERS if peer.needs]
    width = max(len(peer.name) for peer in wanted)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for peer, told in zip(
            wanted, pool.map(lambda one: install(folder, one), wanted), strict=True
        ):
            print(f"{peer.name:{width}}  {told}", flush=True)
    return 0


def install(folder: Path, peer: Peer) -> str:
    """Makes sure that this server is in `folder`; says how that went."""
    try:
        if isinstance(peer.needs, tuple):
            return _by_pip(python_of(folder, peer), peer.needs)
        return _by_npm(modules_of(folder, peer), peer.needs)
    except (CannotInstallError, OSError) as error:
        return f"cannot be installed, its tests are skipped: {error}"


def _by_pip(python: Path, needs: tuple[str, ...]) -> str:
    if _has(python, needs):
        return "is there"
    venv.create(python.parent.parent, with_pip=True, clear=True)
    _do((str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *needs))
    if not _has(python, needs):
        raise CannotInstallError("pip installed other versions")
    return f"installed: {' '.join(needs)}"


def _has(python: Path, needs: Iterable[str]) -> bool:
    """Whether this environment has those requirements (`name==version`)."""
    if not python.exists():
        return False
    program = "import sys; from importlib.metadata import version; "
    program += "print(*(f'{name}=={version(name)}' for name in sys.argv[1:]))"
    names = [need.partition("==")[0] for need in needs]
    done = subprocess.run(
        [python, "-c", program, *names], capture_output=True, text=True, check=False, timeout=LIMIT
    )
    return done.returncode == 0 and done.stdout.split() == [*needs]


def _by_npm(modules: Path, needs: dict[str, str]) -> str:
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise CannotInstallError("node or npm is not here")
    if _versions(modules, needs) == needs:
        return "is there"
    # An override makes the SDK the one of that time; the servers allow any that came later.
    package = {
        "private": True,
        "dependencies": needs,
        "overrides": {name: f"${name}" for name in needs},
    }
    modules.parent.mkdir(parents=True, exist_ok=True)
    (modules.parent / "package.json").write_text(json.dumps(package, indent=2))
    words = ("--ignore-scripts", "--no-audit", "--no-fund", "--silent")
    _do(("npm", "install", "--prefix", str(modules.parent), *words))
    if _versions(modules, needs) != needs:
        raise CannotInstallError("npm installed other versions")
    return "installed: " + " ".join(f"{name}@{version}" for name, version in needs.items())


def _versions(modules: Path, names: Iterable[str]) -> dict[str, str]:
    files = {name: modules / name / "package.json" for name in names}
    return {
        name: json.loads(file.read_text())["version"]
        for name, file in files.items()
        if file.exists()
    }


def _do(words: tuple[str, ...]) -> None:
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        raise CannotInstallError(f"{words[0]} took longer than {LIMIT:g} s") from None
    if done.returncode != 0:
        said = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise CannotInstallError(" / ".join(said[-LAST_LINES:]) or f"exit code {done.returncode}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.interop.install FOLDER")
    sys.exit(main(Path(sys.argv[1])))
