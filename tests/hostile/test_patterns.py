"""No text makes one of our own regular expressions take longer than the text is."""

import signal
import subprocess
import sys


def test_every_expression_of_the_house_is_linear() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile.patterns"],
        capture_output=True,
        text=True,
        check=False,
        timeout=110,
    )
    tried = done.stdout.splitlines()
    assert done.returncode != -signal.SIGVTALRM, f"it hangs at {tried[-1]}"
    assert (done.returncode, tried[-1:]) == (0, ["done"]), done.stderr
    assert len(tried) > 100
