"""What a run left behind, read without the inspector: frames of a recording, processes of a group.

A recording holds each frame verbatim after `"raw":`; what is not one line of JSON is a string.
"""

import base64
import contextlib
import json
import os
import re
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.cli.running import Finished, Runner
from tests.peers.tapping import tapped

_LINE = re.compile(
    rb'\{"n":(\d+),.*?"kind":"(\w+)","dir":"(\w+)"(.*?),"len":\d+,"raw":(.*),"crc":"([0-9a-f]{8})"\}',
    re.DOTALL,
)
FRAMES = frozenset({"request", "notification", "result", "error", "malformed", "batch"})
WORKERS = 3


def recorded(path: Path, *directions: str) -> list[tuple[str, bytes]]:
    """Kind and exact bytes of everything in a recording, in order."""
    found = []
    for line in path.read_bytes().splitlines()[1:]:
        match = _LINE.fullmatch(line)
        assert match is not None, line[:300]
        _, kind, direction, more, raw, crc = match.groups()
        assert zlib.crc32(line[: -len(b',"crc":"00000000"}')]) == int(crc, 16)
        if kind in (b"flag", b"unflag") or (directions and direction.decode() not in directions):
            continue
        if b'"form":"text"' in more:
            raw = json.loads(raw).encode()
        elif b'"form":"base64"' in more:
            raw = base64.b64decode(json.loads(raw))
        found.append((kind.decode(), raw))
    return found


def frames(path: Path, direction: str) -> list[bytes]:
    """The frames of one direction, "in" or "out"."""
    return [raw for kind, raw in recorded(path, direction) if kind in FRAMES]


def lines(path: Path) -> list[bytes]:
    """The lines of a byte stream; one that has no end is one too."""
    return [line.removesuffix(b"\r") for line in path.read_bytes().split(b"\n") if line]


def group_is_gone(log: Path) -> bool:
    """Whether no process is left of the group that the tee ran in. The dead that nobody has
    collected yet do not count: that is for whoever inherited them."""
    group = int(log.with_name(log.name + ".group").read_text())
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    states = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, its_group = stat.read_text().rpartition(")")[2].split()[:3]
            if int(its_group) == group:
                states.append(state)
    return Path("/proc").is_dir() and set(states) <= {"Z", "X"}


@dataclass(frozen=True, slots=True)
class Tapped:
    """A run through the tee: what was printed, where the bytes of its pipes are."""

    done: Finished
    log: Path
    recording: Path

    @property
    def received(self) -> list[bytes]:
        return lines(self.log.with_name(self.log.name + ".out"))

    @property
    def sent(self) -> list[bytes]:
        return lines(self.log.with_name(self.log.name + ".in"))

    def answer_to(self, method: str) -> bytes:
        """The line that answers the last request of that method."""
        asked = [json.loads(line) for line in self.sent]
        number = [message["id"] for message in asked if message.get("method") == method][-1]
        for line in self.received:
            message = json.loads(line)
            if message.get("id") == number and "method" not in message:
                return line
        raise AssertionError(f"no answer to {method}")


def run_tapped(run: Runner, log: Path, words: Sequence[str], server: Sequence[str]) -> Tapped:
    """One headless command on a server behind the tee, recorded."""
    recording = log.with_name(log.name + ".jsonl")
    done = run(*words, "--record", str(recording), *tapped(log, server))
    return Tapped(done, log, recording)


def together(run: Runner, commands: Mapping[str, Sequence[str]]) -> dict[str, Finished]:
    """Several runs at once: waiting for servers to start takes most of their time."""
    with ThreadPoolExecutor(WORKERS) as pool:
        done = {name: pool.submit(run, *words) for name, words in commands.items()}
        return {name: future.result() for name, future in done.items()}
