"""The entry point, as a user's shell starts it."""

import subprocess
import sys


def _run(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "inspector", *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def test_the_module_runs_like_the_console_script() -> None:
    done = _run("--version")
    assert done.returncode == 0
    assert "mcp-inspect" in done.stdout


def test_without_a_terminal_the_interface_says_what_to_do_instead() -> None:
    done = _run()
    assert done.returncode == 2
    assert "needs a terminal" in done.stderr
    assert done.stdout == ""


def test_a_wrong_word_is_wrong_usage_and_nothing_else() -> None:
    done = _run("lisst", "tools", "--", "true")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_looking_at_the_words_imports_nothing_heavy() -> None:
    program = (
        "import sys; import inspector.__main__; "
        "print(sorted({'click', 'textual', 'rich', 'asyncio', 'msgspec'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.strip() == "[]"
