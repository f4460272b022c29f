"""The schema's verdict on a value, from a process that can be killed.

Decides when that process is started, how long it may think and what its silence means. A hostile
schema can cost at most one killed process and two seconds; the caller's loop never waits on it.
What is asked and answered inside is decided by `inspector.forms.worker`.
"""

import asyncio
import atexit
import hashlib
import json
import os
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from inspector.forms.jsontext import dump
from inspector.forms.problems import NotValidated, Problem, pointer_of
from inspector.protocol.messages import Json, RawJson, Sendable

DEADLINE: Final = 2.0
"""Seconds for one verdict."""
START_DEADLINE: Final = 15.0
"""Seconds for the process to start, on a machine that is busy with something else."""
SIZE_LIMIT: Final = 16 << 20
"""Bytes of schema and value together beyond which no verdict is asked for."""
PART_LIMIT: Final = 2_000_000
"""Values inside of a value beyond which it is not even written."""
TEXTS_KEPT: Final = 4
WORKER: Final = Path(__file__).with_name("worker.py")

Verdict = list[Problem] | NotValidated


class Validator:
    """One validator process, started when first needed and again after it was killed.

    May be used from any thread and any loop; questions are answered one at a time.
    """

    def __init__(self, deadline: float = DEADLINE) -> None:
        self._deadline = deadline
        self._process: subprocess.Popen[bytes] | None = None
        self._told: set[str] = set()
        self._lock = threading.Lock()
        self._started = 0
        self._texts: list[tuple[Json, str, str]] = []

    @property
    def started(self) -> int:
        """How many processes were started so far."""
        return self._started

    async def validate(self, schema: Json, value: Sendable) -> Verdict:
        """What the schema says against `value`, or why there is no verdict. Never raises."""
        return await asyncio.to_thread(self.verdict, schema, value)

    def verdict(self, schema: Json, value: Sendable) -> Verdict:
        """The same for callers without a loop; blocks for the deadline at most."""
        schema_text, key = self._text_of(schema)
        if not schema_text or not _is_writable(value):
            return NotValidated("too large to be validated")
        value_text = dump(value)
        if len(schema_text) + len(value_text) > SIZE_LIMIT:
            return NotValidated("too large to be validated")
        with self._lock:
            try:
                answer = self._ask(key, schema_text, value_text)
            except OSError as error:
                self._kill()
                return NotValidated(f"the validator cannot run: {error.strerror or error}")
        if answer is None:
            return NotValidated(
                f"the validator took too long or ran out of memory ({self._deadline:g} s, 512 MB)"
            )
        return answer

    def _text_of(self, schema: Json) -> tuple[str, str]:
        """A schema's text and its hash, "" for too large a schema; the last ones are kept."""
        for known, text, key in self._texts:
            if known is schema:
                return text, key
        text = dump(schema) if _is_writable(schema) else ""
        key = hashlib.sha256(text.encode()).hexdigest()
        self._texts = [(schema, text, key), *self._texts[: TEXTS_KEPT - 1]]
        return text, key

    def close(self) -> None:
        """Ends the process; the next question starts another one."""
        with self._lock:
            self._kill()

    def _ask(self, key: str, schema: str, value: str) -> Verdict | None:
        process = self._process
        if process is None or process.poll() is not None:
            self._kill()
            process = self._start()
            if process is None:
                return NotValidated("the validator does not start")
        texts = [schema.encode() if key not in self._told else b"", value.encode()]
        lengths = {"key": key, "value": len(texts[1])}
        if texts[0]:
            lengths["schema"] = len(texts[0])
        question = b"".join([json.dumps(lengths).encode(), b"\n", *texts])
        reply = self._exchange(process, question, self._deadline)
        if reply is None:
            self._kill()
            return None
        read = json.loads(reply)
        if "unknown" in read:  # it keeps only the last few schemas
            self._told.discard(key)
            return self._ask(key, schema, value)
        self._told.add(key)
        if "reason" in read:
            return NotValidated(str(read["reason"]))
        return [Problem(pointer_of(path), message) for path, message in read["problems"]]

    def _start(self) -> subprocess.Popen[bytes] | None:
        process = subprocess.Popen(
            [sys.executable, "-P", str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._process = process
        self._started += 1
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
        if self._exchange(process, b"", START_DEADLINE) != b"ready":
            self._kill()
            return None
        return process

    def _exchange(
        self, process: subprocess.Popen[bytes], question: bytes, seconds: float
    ) -> bytes | None:
        """Writes a line and reads one, None when it does not come in time or at all."""
        if process.stdin is None or process.stdout is None:
            return None
        writing, reading = process.stdin.fileno(), process.stdout.fileno()
        unsent = memoryview(question)
        received: list[bytes] = []
        end = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(reading, selectors.EVENT_READ)
            if unsent:
                selector.register(writing, selectors.EVENT_WRITE)
            while (left := end - time.monotonic()) > 0:
                for ready, _ in selector.select(left):
                    if ready.fd == reading:
                        received.append(os.read(reading, 65536))
                        if not received[-1]:
                            return None
                        continue
                    try:
                        unsent = unsent[os.write(writing, unsent[:65536]) :]
                    except BrokenPipeError:
                        return None
                    if not unsent:
                        selector.unregister(writing)
                if received and received[-1].endswith(b"\n"):
                    return b"".join(received)[:-1]
        return None

    def _kill(self) -> None:
        process, self._process = self._process, None
        self._told.clear()
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        process.wait()


def _is_writable(value: Sendable) -> bool:
    """Whether a value is small enough to be written at once: writing holds up every thread."""
    size, parts = 0, 0
    waiting: list[Iterator[Sendable]] = [iter((value,))]
    while waiting:
        for one in waiting[-1]:
            parts += 1
            if isinstance(one, str | RawJson):
                size += len(bytes(one)) if isinstance(one, RawJson) else len(one)
            elif isinstance(one, Mapping):
                size += sum(map(len, one))
                waiting.append(iter(one.values()))
                break
            elif isinstance(one, list | tuple):
                waiting.append(iter(one))
                break
            if size > SIZE_LIMIT or parts > PART_LIMIT:
                return False
        else:
            waiting.pop()
    return size <= SIZE_LIMIT


_VALIDATOR: Final = Validator()
atexit.register(_VALIDATOR.close)


async def validate(schema: Json, value: Sendable) -> Verdict:
    """What `schema` says against `value`, or why there is no verdict. Never raises.

    Takes 2 s at most (besides a start of the process) and never blocks the running loop.
    """
    return await _VALIDATOR.validate(schema, value)
