"""Starting the demo server as a module."""

import subprocess
import sys


def test_the_module_serves_until_its_input_ends() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "inspector.demo"],
        input=b"",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout == b""


def test_without_the_sdk_the_command_that_helps_is_named() -> None:
    program = (
        "import sys, importlib.util as u; find = u.find_spec; "
        "u.find_spec = lambda name, *rest: None if name == 'mcp' else find(name, *rest); "
        "from inspector.demo.__main__ import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 3
    assert "pip install 'mcp-inspect[demo]'" in done.stderr
