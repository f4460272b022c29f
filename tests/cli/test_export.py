"""`mcp-inspect export`, run as a user does."""

import os
import stat
import subprocess
from pathlib import Path

import pytest

from inspector.export.formats import NAMES
from inspector.journal.loading import load_recording
from tests.cli.running import Runner
from tests.cli.test_main import loaded

DEMO = Path(__file__).parents[1] / "recordings" / "demo.jsonl"


@pytest.mark.parametrize("name", NAMES)
def test_every_format_goes_to_stdout(run: Runner, name: str) -> None:
    done = run("export", str(DEMO), "--format", name)
    assert done.code == 0, done.stderr
    assert len(done.stdout) > 500


def test_without_a_format_a_recording_comes_out_that_opens_again(run: Runner) -> None:
    done = run("export", str(DEMO))
    again = run.home / "again.jsonl"
    again.write_text(done.stdout)
    assert len(load_recording(again)) == len(load_recording(DEMO))


def test_the_suffix_of_the_output_tells_the_format_and_the_file_is_private(run: Runner) -> None:
    done = run("export", str(DEMO), "-o", "page.html")
    assert (done.code, done.stdout) == (0, "")
    assert "87 of 87 entries written to page.html" in done.stderr
    page = run.home / "page.html"
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert stat.S_IMODE(page.stat().st_mode) == 0o600


def test_a_recording_may_come_on_stdin(run: Runner) -> None:
    done = run("export", "-", "--format", "json", stdin=DEMO.read_text())
    assert done.json["of"] == 87


def test_a_filter_chooses_and_exchanges_come_along(run: Runner) -> None:
    words = ("export", str(DEMO), "--format", "json", "--filter", "is:error")
    assert run(*words).json["filter"] == "is:error"
    alone = run(*words).json["entries"]
    whole = run(*words, "--exchanges").json["entries"]
    assert isinstance(alone, list)
    assert isinstance(whole, list)
    assert [entry["kind"] for entry in alone] == ["result", "error"]
    kinds = [entry["kind"] for entry in whole]
    assert kinds == ["request", "result", "request", "error"]


def test_rules_redact_and_stderr_says_how_often(run: Runner) -> None:
    done = run(
        "export", str(DEMO), "--redact", "value-env=WORD", "--redact", "key=nobody", WORD="forecast"
    )
    assert done.code == 0
    assert "forecast" not in done.stdout
    assert "values redacted in" in done.stderr
    assert "--redact key=nobody replaced nothing" in done.stderr
    assert "forecast" not in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ((str(DEMO), "--format", "htlm"), 2, "did you mean 'html'"),
        ((str(DEMO), "-o", "x.unknown"), 2, "tells no format"),
        ((str(DEMO), "-o", "no/such/x.html"), 2, "cannot write no/such/x.html"),
        ((str(DEMO), "-o", "there.html"), 2, "exists already"),
        ((str(DEMO), "--force"), 2, "--force goes with --output"),
        ((str(DEMO), "--exchanges"), 2, "--exchanges goes with --filter"),
        ((str(DEMO), "--filter", "kind:nonsense"), 2, "unknown kind"),
        ((str(DEMO), "--filter", "name:nobody"), 1, "none of the 87 entries"),
        ((str(DEMO), "--filter", "method:ping", "--format", "pytest"), 1, "can be replayed"),
        ((str(DEMO), "--filter", "kind:event", "--format", "har"), 1, "nothing in it is a message"),
        ((str(DEMO), "--filter", "kind:event", "--format", "mermaid"), 1, "nothing in it is a"),
        ((str(DEMO), "--filter", "kind:event", "--format", "curl"), 1, "nothing in it was sent"),
        ((str(DEMO), "--redact", "kye=x"), 2, "did you mean key="),
        (("nowhere.jsonl",), 3, "cannot open nowhere.jsonl"),
        (("there.html",), 3, "is no recording"),
        ((".",), 3, "it is a directory"),
        ((), 2, "Missing argument"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(
    run: Runner, words: tuple[str, ...], code: int, says: str
) -> None:
    (run.home / "there.html").write_text("mine\n")
    done = run("export", *words)
    assert done.code == code
    assert says in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert (run.home / "there.html").read_text() == "mine\n"
    assert [path.name for path in run.home.glob("*.html")] == ["there.html"]


def test_force_replaces_a_file_also_the_one_that_is_read(run: Runner) -> None:
    own = run.home / "own.jsonl"
    own.write_bytes(DEMO.read_bytes())
    done = run("export", "own.jsonl", "-o", "own.jsonl", "--force", "--filter", "n<11")
    assert done.code == 0, done.stderr
    assert len(load_recording(own)) == 10
    assert [path.name for path in run.home.iterdir() if "part" in path.name] == []


def test_what_fails_on_the_way_leaves_no_file(run: Runner) -> None:
    words = ("export", str(DEMO), "--filter", "method:ping", "-o", "test_it.py")
    assert run(*words).code == 1
    assert not (run.home / "test_it.py").exists()


def test_a_reader_that_goes_away_ends_it_quietly(run: Runner) -> None:
    big = run.home / "big.jsonl"
    lines = DEMO.read_bytes().splitlines(keepends=True)
    big.write_bytes(b"".join(lines))
    command = " ".join(run.command("export", str(big), "--format", "html"))
    done = subprocess.run(
        ["bash", "-c", f"{command} | head -c 10; exit ${{PIPESTATUS[0]}}"],
        env=run.environ,
        cwd=run.home,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == b""
    assert done.returncode in (0, 141)


def test_a_full_disk_is_told(run: Runner) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            run.command("export", str(DEMO)),
            stdout=full,
            stderr=subprocess.PIPE,
            env=run.environ,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert b"cannot write to stdout" in done.stderr


def test_it_loads_neither_the_interface_nor_what_talks_to_servers(run: Runner) -> None:
    for name in ("html", "pytest"):
        found = loaded(run, "export", str(DEMO), "--format", name)
        assert not {"textual", "httpx", "pydantic", "mcp", "keyring"} & found


def test_a_dash_is_stdout(run: Runner) -> None:
    done = run("export", str(DEMO), "--format", "mermaid", "-o", "-")
    assert (done.code, done.stderr.count("left out")) == (0, 0)
    assert done.stdout == run("export", str(DEMO), "--format", "mermaid").stdout
    assert not (run.home / "-").exists()


def test_help_names_every_format(run: Runner) -> None:
    shown = run("export", "--help").stdout
    for name in NAMES:
        assert f"\n  {name} " in shown
