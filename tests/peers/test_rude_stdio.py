"""Rude stdio servers behind the command line: exit codes, and a recording that has every byte."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.cli.running import Runner
from tests.peers.evidence import Tapped, frames, group_is_gone, lines, recorded, run_tapped
from tests.peers.exact import Object, exact_object
from tests.peers.tapping import tapped
from tests.servers import real

FLOOD = 20_000
BIG = 5_000_000


@dataclass(frozen=True, slots=True)
class Rude:
    """A mode, what the run ends with, and what is said on stdout or stderr."""

    code: int
    says: str
    number: int | None = None


DONE, CANNOT, BROKEN, LATE = 0, 3, 4, 5
MODES = {
    "junk": Rude(DONE, '"ok"'),
    "duplicate": Rude(DONE, '"first"'),
    "our-id": Rude(DONE, '"ok"'),
    "batch": Rude(DONE, '"ok"'),
    "slow-pieces": Rude(DONE, '"ok"'),
    "answers-notifications": Rude(DONE, '"ok"'),
    "close-stdin": Rude(DONE, '"ok"'),
    "ignore-eof": Rude(DONE, '"ok"'),
    "grandchild": Rude(DONE, '"text"'),
    "flood": Rude(DONE, '"ok"', FLOOD),
    "stderr-flood": Rude(DONE, '"ok"', BIG),
    "big": Rude(DONE, "xxxxx", BIG),
    "no-newline": Rude(DONE, "xxxxx", BIG),
    "invalid-utf8": Rude(BROKEN, "not UTF-8: byte 0xFF"),
    "deep": Rude(BROKEN, "nested deeper"),
    "odd-json": Rude(BROKEN, "NaN"),
    "crash": Rude(BROKEN, "about to fall over", 9),
    "segfault": Rude(BROKEN, "SIGSEGV"),
    "close-stdout": Rude(BROKEN, "closed its stdout"),
    "exit-at-start": Rude(CANNOT, "reason 29"),
    "wrong-id": Rude(LATE, "unknown id 987654"),
    "id-type": Rude(LATE, "a string is not a number"),
    "never": Rude(LATE, "tools/call got no answer"),
    "silent": Rude(LATE, "initialize got no answer"),
}
IMPATIENT = ("--timeout", "0.5")


@pytest.fixture(scope="module")
def runs(run: Runner, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Tapped]:
    """The run of a mode, made when it is first wanted."""
    folder = tmp_path_factory.mktemp("rude")

    def make(mode: str) -> Tapped:
        rude = MODES[mode]
        words = ("call", "poke", "--json", *(IMPATIENT if rude.code == LATE else ()))
        return run_tapped(run, folder / mode, words, real.rude_stdio(mode, rude.number).command)

    return cache(make)


@pytest.fixture(scope="module", params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_exit_code_says_what_kind_of_end_it_was(
    runs: Callable[[str], Tapped], mode: str
) -> None:
    done, rude = runs(mode).done, MODES[mode]
    assert done.code == rude.code, (done.stdout[:300], done.stderr[:300])
    if rude.code == DONE:
        assert rude.says in done.stdout
        assert done.stderr == ""
    else:
        assert done.stdout == ""
        error = json.loads(done.stderr)["error"]
        assert rude.says in error["message"] + error["hint"]


def test_every_line_of_both_pipes_is_in_the_recording_as_it_was(
    runs: Callable[[str], Tapped], mode: str
) -> None:
    one = runs(mode)
    written = frames(one.recording, "out")
    if mode == "exit-at-start":  # it may be gone before it has read what was written to its pipe
        assert len(written) <= 1
        assert one.sent == written[: len(one.sent)]
    else:
        assert written == one.sent
    assert [raw for raw in frames(one.recording, "in") if raw] == one.received


def test_no_process_is_left(runs: Callable[[str], Tapped], mode: str) -> None:
    assert group_is_gone(runs(mode).log)


def test_all_20000_notifications_of_a_flood_are_in_the_recording(
    runs: Callable[[str], Tapped],
) -> None:
    notes = [kind for kind, _ in recorded(runs("flood").recording, "in") if kind == "notification"]
    assert len(notes) == FLOOD


def test_all_of_a_5_mb_answer_is_printed_and_recorded(runs: Callable[[str], Tapped]) -> None:
    text = "x" * BIG
    assert text in runs("big").done.stdout
    assert any(text.encode() in raw for raw in frames(runs("big").recording, "in"))


def test_all_of_a_stderr_flood_is_in_the_recording(runs: Callable[[str], Tapped]) -> None:
    said = [raw for kind, raw in recorded(runs("stderr-flood").recording) if kind == "stderr"]
    assert sum(map(len, said)) >= BIG // 1000 * 999


def test_the_last_words_of_a_crash_are_in_the_recording(runs: Callable[[str], Tapped]) -> None:
    kinds = recorded(runs("crash").recording)
    assert any(kind == "stderr" and b"about to fall over" in raw for kind, raw in kinds)
    ends = [json.loads(raw) for kind, raw in kinds if kind == "event"]
    assert ends[-1]["exitCode"] == 9


def test_stray_lines_are_recorded_as_malformed_ones(runs: Callable[[str], Tapped]) -> None:
    stray = [raw for kind, raw in recorded(runs("junk").recording, "in") if kind == "malformed"]
    assert b"Server listening..." in stray
    assert b"{'python': 'dict'}" in stray
    assert b'{"level": "info"}' in stray


def test_invalid_items_are_listed_among_the_good_ones(run: Runner, tmp_path: Path) -> None:
    script = Path(__file__).parent.parent / "cli" / "odd_server.py"
    command = (sys.executable, str(script), "default")
    done = run("list", "tools", "--json", *tapped(tmp_path / "log", command))
    assert done.code == 0
    items: list[object] = []
    for raw in lines(tmp_path / "log.out"):
        message = exact_object(raw)
        result = message.get("result")
        if isinstance(result, Object) and isinstance(more := result.get("tools"), list):
            items.extend(more)
    shown = exact_object(done.stdout)["tools"]
    assert shown == items
    assert None in items


def test_an_interrupt_cancels_the_call_tells_the_server_and_leaves_nothing(
    run: Runner, tmp_path: Path
) -> None:
    log, recording = tmp_path / "log", tmp_path / "recording.jsonl"
    words = ("call", "poke", "--record", str(recording))
    command = run.command(*words, *tapped(log, real.rude_stdio("never").command))
    with subprocess.Popen(command, env=run.environ, stdout=subprocess.PIPE) as process:
        wait_for(lambda: b'"tools/call"' in read(tmp_path / "log.in"))
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    told = json.loads(lines(tmp_path / "log.in")[-1])
    assert told["method"] == "notifications/cancelled"
    assert frames(recording, "out") == lines(tmp_path / "log.in")
    assert group_is_gone(log)


def test_a_killed_inspector_takes_the_server_with_it(run: Runner, tmp_path: Path) -> None:
    log, recording = tmp_path / "log", tmp_path / "recording.jsonl"
    words = ("call", "poke", "--record", str(recording))
    command = run.command(*words, *tapped(log, real.rude_stdio("never").command))
    with subprocess.Popen(command, env=run.environ, stdout=subprocess.PIPE) as process:
        wait_for(lambda: b'"tools/call"' in read(recording))
        process.kill()
    wait_for(lambda: group_is_gone(log))
    assert frames(recording, "out") == lines(tmp_path / "log.in")


def read(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def wait_for(condition: Callable[[], bool]) -> None:
    """Bounded; what another process does is only seen by looking."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
