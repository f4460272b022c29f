"""Stands between a client and a stdio server and keeps every byte: `tee.py LOG COMMAND...`.

What the client wrote is in LOG.in, what the server wrote in LOG.out, in LOG.group the process
group. Standard library only, run with `python -S`. SIGTERM ends it between two chunks only, so that
whatever is in the log was passed on.
"""

import os
import resource
import signal
import subprocess
import sys
import threading
from types import FrameType

on_the_way: set[str] = set()
"""The logs of directions in which a chunk is kept but not yet passed on."""
ended: list[int] = []


def end(number: int, _: FrameType | None = None) -> None:
    """Ends by the signal, as soon as nothing is on the way."""
    ended.append(number)
    if not on_the_way:
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


def copy(source: int, sink: int, log: str) -> None:
    """All bytes of one direction; the end of the source is passed on."""
    with open(log, "wb", buffering=0) as kept:
        while chunk := os.read(source, 65536):
            on_the_way.add(log)
            kept.write(chunk)
            view = memoryview(chunk)
            try:
                while view:
                    view = view[os.write(sink, view) :]
            except BrokenPipeError:
                break
            finally:
                on_the_way.discard(log)
            if ended:
                os.kill(os.getpid(), ended[0])
    os.close(sink)


def main() -> None:
    """Runs the command; its exit code is ours."""
    log, *command = sys.argv[1:]
    signal.signal(signal.SIGTERM, end)
    with open(log + ".group", "w") as kept:
        kept.write(str(os.getpgrp()))
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert server.stdin is not None
    assert server.stdout is not None
    threading.Thread(
        target=copy, args=(0, os.dup(server.stdin.fileno()), log + ".in"), daemon=True
    ).start()
    server.stdin.close()
    copy(server.stdout.fileno(), 1, log + ".out")
    code = server.wait()
    if code < 0:  # ended by a signal, and so are we
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main()
