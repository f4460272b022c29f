"""Runs an ASGI application on a thread of the test's own process, on a port that is free: the test
may look into the application while it runs, and the code under test may be a coroutine or another
process."""

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

SECONDS = 30.0


def listening() -> tuple[socket.socket, int]:
    """A socket of the loopback interface that listens already, and its port."""
    listener = socket.create_server(("127.0.0.1", 0))
    port: int = listener.getsockname()[1]
    return listener, port


@contextlib.contextmanager
def on_thread(
    app: ASGIApp, listener: socket.socket, certificate: Path | None = None
) -> Iterator[None]:
    """`app` answers on `listener` until the block ends. `certificate` is a PEM file with key and
    chain: then it speaks TLS."""
    config = uvicorn.Config(
        app,
        log_level="critical",
        lifespan="on",
        timeout_graceful_shutdown=1,
        ssl_certfile=certificate,
        ssl_version=ssl.PROTOCOL_TLS_SERVER,
        server_header=False,
    )
    runner = uvicorn.Server(config)
    thread = threading.Thread(target=runner.run, args=([listener],), daemon=True)
    thread.start()
    deadline = time.monotonic() + SECONDS
    while not runner.started:
        assert thread.is_alive(), "the server ended"
        assert time.monotonic() < deadline, "the server does not start"
        time.sleep(0.01)
    try:
        yield
    finally:
        runner.should_exit = True
        thread.join(SECONDS)
        listener.close()
        assert not thread.is_alive(), "the server does not end"
