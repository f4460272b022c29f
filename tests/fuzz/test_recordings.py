"""Recordings that were cut, flipped, made up or are none: what is there is shown, what is not is
told, and nothing in them is ever done."""

import os
import random
import socket
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.errors import RecordingError
from inspector.journal.loading import load_recording
from tests.fuzz.consumers import CONSUMERS, ORIGINALS
from tests.fuzz.mutation import numbered, recording
from tests.scaled import scaled

FILES = sorted(ORIGINALS.glob("*.jsonl"))
_CALM = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
FLAGS = (b'"kind":"flag"', b'"kind":"unflag"')


def _long() -> bytes:
    """All that was recorded of real servers, one after the other: more than 200 entries."""
    lines: list[bytes] = []
    for path in FILES:
        head, *more = path.read_bytes().splitlines(keepends=True)
        lines += [line for line in more if not any(flag in line for flag in FLAGS)]
    content = head + b"".join(numbered(lines))
    assert len(lines) >= 200
    return content


LONG = _long()


@settings(_CALM, max_examples=scaled(4))
@given(seed=st.integers(0, 2**48))
def test_whatever_a_recording_says_every_consumer_reads_it(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    original = dice.choice(FILES)
    path = tmp_path / original.name
    path.write_bytes(recording(original, dice))
    for consumer in CONSUMERS:
        journal = load_recording(path)
        consumer(journal, path)
        journal.close()


def test_a_cut_at_any_byte_loses_what_is_behind_it_and_says_how_much(tmp_path: Path) -> None:
    """At every byte under the profile `deep`; here at every end of a line and some 150 others."""
    path = tmp_path / "cut"
    path.write_bytes(LONG)
    ends = [at + 1 for at in range(len(LONG)) if LONG[at] == 10]
    cuts = set(random.Random().sample(range(len(LONG)), min(len(LONG), scaled(150))))
    cuts |= {end + more for end in ends for more in (-1, 0)} | {*range(60)}
    for cut in sorted(cuts, reverse=True):
        os.truncate(path, min(cut, len(LONG)))
        journal = load_recording(path)
        kept = max((end for end in ends if end <= cut), default=0)
        assert len(journal) == max(0, LONG.count(b"\n", 0, kept) - 1), cut
        assert journal.dropped_bytes == min(cut, len(LONG)) - kept, cut
        journal.close()


@settings(_CALM, max_examples=scaled(5))
@given(seed=st.integers(0, 2**48))
def test_flipped_bits_cost_the_lines_that_they_are_in(tmp_path: Path, seed: int) -> None:
    """Ten files an example: 100,000 flips under the profile `deep` at least."""
    dice = random.Random(seed)
    path = tmp_path / "flipped"
    for _ in range(10):
        flipped = bytearray(dice.choice(FILES).read_bytes())
        whole = flipped.count(b"\n") - 1
        places = {dice.randrange(len(flipped)) for _ in range(dice.choice((1, 2, 12)))}
        for at in places:
            flipped[at] ^= 1 << dice.randrange(8)
        path.write_bytes(flipped)
        try:
            journal = load_recording(path)
        except RecordingError:
            assert min(places) < 100  # the first line says what it is
            continue
        assert whole - len(journal) <= len(places) + sum(flag in flipped for flag in FLAGS)
        assert (journal.dropped_bytes > 0) is (
            any(at > 100 for at in places) or bool(journal.dropped_bytes)
        )
        for number in range(1, len(journal) + 1):
            journal.entry(number)
        journal.close()


@pytest.mark.parametrize(
    "number", [b"0", b"3", b"999", b"99999999", b'"x"', b"-1", b"1e3", b"null"]
)
def test_a_format_that_is_none_or_not_ours_is_refused(tmp_path: Path, number: bytes) -> None:
    path = tmp_path / "r"
    path.write_bytes(b'{"format":%b,"program":"mcp-inspect"}\n' % number + LONG.partition(b"\n")[2])
    if number == b"0":
        assert len(load_recording(path)) > 200  # what is older is read
        return
    with pytest.raises(RecordingError):
        load_recording(path)


def test_what_is_no_file_is_refused_without_waiting(tmp_path: Path) -> None:
    pipe, plug = tmp_path / "pipe", tmp_path / "plug"
    os.mkfifo(pipe)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(plug))
        for path in (pipe, plug, tmp_path, *map(Path, ("/dev/zero", "/dev/random", "/dev/null"))):
            with pytest.raises(RecordingError):
                load_recording(path)


def test_a_line_of_many_megabytes_is_damage_like_any_other(tmp_path: Path) -> None:
    """Kept no longer than it is looked at, wherever its end is."""
    path = tmp_path / "r"
    head, _, rest = LONG.partition(b"\n")
    with path.open("wb") as file:
        file.write(head + b"\n")
        for _ in range(30):
            file.write(b"x" * 1_000_000)
        file.write(b"\n" + rest)
    journal = load_recording(path)
    assert journal.dropped_bytes == 30_000_001
    assert len(journal) == LONG.count(b"\n") - 1
    path.write_bytes(head + b"\n" * 200_000 + rest)
    journal = load_recording(path)
    assert len(journal) == LONG.count(b"\n") - 1


def test_nothing_that_a_recording_says_is_started_or_connected_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "weather.jsonl"
    path.write_bytes((ORIGINALS / path.name).read_bytes())
    assert b'"command"' in path.read_bytes()

    def refuse(*words: object, **_: object) -> None:
        raise AssertionError(f"started: {words}")

    for holder, name in (
        (subprocess.Popen, "__init__"), (os, "system"), (os, "posix_spawn"), (os, "execve"),
        (os, "fork"), (socket.socket, "connect"), (socket, "create_connection"),
    ):  # fmt: skip
        monkeypatch.setattr(holder, name, refuse)
    for consumer in CONSUMERS:
        journal = load_recording(path)
        consumer(journal, path)
        journal.close()
