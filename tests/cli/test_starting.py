"""What happens between a parsed command line and the work."""

import subprocess
import sys

import pytest

from inspector.cli import starting
from inspector.cli.options import Given
from inspector.errors import UsageError
from tests.cli.running import DEMO, Runner


def test_the_interface_prints_no_json_and_needs_a_terminal() -> None:
    with pytest.raises(UsageError, match="--json is for the commands"):
        starting.interface(Given(as_json=True), None)
    with pytest.raises(UsageError, match="needs a terminal"):
        starting.interface(Given(), None)


def test_no_report_of_a_crash_shows_what_the_target_keeps_secret(run: Runner) -> None:
    code = (
        "from inspector.cli import crash, starting\n"
        "from inspector.config.oauth import OAuthChoice\n"
        "from inspector.config.targets import Target\n"
        "oauth = OAuthChoice('id', 's3cret-one')\n"
        "headers = (('Authorization', 'Bearer s3cret-two'),)\n"
        "starting._protect(Target(url='http://h', headers=headers, oauth=oauth))\n"
        "print(crash.describe(ValueError('s3cret-one and s3cret-two')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert "ValueError" in done.stdout
    assert "s3cret" not in done.stdout


def test_a_command_on_stdio_loads_nothing_of_oauth(run: Runner) -> None:
    code = (
        "import sys; sys.argv = ['x', 'info', *sys.argv[1:]]\n"
        "from inspector.__main__ import main\n"
        "try: main()\n"
        "except SystemExit as e: print(e.code, *(name in sys.modules for name in"
        " ('inspector.auth.store', 'inspector.auth.authority', 'keyring')), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *DEMO],
        capture_output=True,
        env=run.environ,
        timeout=60,
        text=True,
        check=False,
    )
    assert done.stderr.split() == ["0", "False", "False", "False"]
