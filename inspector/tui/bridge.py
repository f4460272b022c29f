"""One workbench in its own thread with its own event loop, and the only way to reach it.

The screen may stall (a terminal nobody reads, a slow repaint) without delaying the wire. Here is
decided how coroutines get to the workbench's loop and how errors come back; what is run is
decided by views. Snapshots (state, catalog, asks, the journal) are read directly, from any thread.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from inspector.workbench import Workbench

T = TypeVar("T")

STOP_SECONDS: Final = 8.0
"""How long leaving may take: the transports' own ladders need about five."""


class Bridge:
    """Owns the thread, the loop and the workbench of one run of the interface."""

    def __init__(self, make: "Callable[[], Workbench]") -> None:
        """`make` builds the workbench; called in the new thread, so that what it imports costs
        the screen nothing."""
        self._make = make
        self._workbench: Workbench | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        self._thread: threading.Thread | None = None
        self._running: set[Future[object]] = set()
        self._lock = threading.Lock()
        self._closed = False
        self.settled = threading.Event()
        """Set once the workbench is there or has failed to come up."""
        self.failure: BaseException | None = None
        self.errors: deque[BaseException] = deque(maxlen=100)
        """What posted coroutines raised; the app's ticker takes them away and shows them."""

    @property
    def ready(self) -> bool:
        """Whether `workbench` may be used."""
        return self._workbench is not None

    @property
    def workbench(self) -> "Workbench":
        """The workbench; only after `ready`."""
        if self._workbench is None:
            raise RuntimeError("the workbench is not up yet")
        return self._workbench

    def start(self) -> None:
        """Start the thread; returns at once."""
        self._thread = threading.Thread(target=self._main, name="workbench", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Close the workbench and wait for its thread, at most `STOP_SECONDS`. Idempotent, and
        each caller waits: the process must not end while another thread still closes."""
        thread = self._thread
        if thread is None or not thread.is_alive():
            return
        self.settled.wait(STOP_SECONDS)
        loop, stopping = self._loop, self._stopping
        if loop is not None and stopping is not None and not loop.is_closed():
            with suppress(RuntimeError):  # closed meanwhile
                loop.call_soon_threadsafe(stopping.set)
        thread.join(STOP_SECONDS)

    def hurry(self) -> None:
        """Whatever is still being ended is killed: somebody does not want to wait."""
        from inspector.transport.process import end_at_once

        if (loop := self._loop) is not None:
            with suppress(RuntimeError):  # closed meanwhile
                loop.call_soon_threadsafe(end_at_once)

    async def run(self, make: Callable[[], Coroutine[object, object, T]]) -> T:
        """Run a coroutine on the workbench's loop and await its outcome here.

        Cancelling the awaiting task cancels the coroutine.
        """
        return await asyncio.wrap_future(self._submit(make))

    def post(self, make: Callable[[], Coroutine[object, object, object]]) -> None:
        """Run a coroutine on the workbench's loop; what it raises is shown as a notification."""

        def done(future: Future[object]) -> None:
            if not future.cancelled() and (error := future.exception()) is not None:
                self.errors.append(error)

        self._submit(make).add_done_callback(done)

    def _submit(self, make: Callable[[], Coroutine[object, object, T]]) -> Future[T]:
        loop = self._loop
        if loop is None or self._workbench is None:
            raise RuntimeError("the workbench is not up yet")
        with self._lock:
            # Under the lock, so that the loop cannot close in between.
            if self._closed:
                gone: Future[T] = Future()
                gone.cancel()
                return gone
            future = asyncio.run_coroutine_threadsafe(make(), loop)
            self._running.add(_any(future))
        future.add_done_callback(self._forget)
        return future

    def _forget(self, future: Future[T]) -> None:
        with self._lock:
            self._running.discard(_any(future))

    def _main(self) -> None:
        runner = asyncio.Runner()
        try:
            loop = self._loop = runner.get_loop()
            self._stopping = asyncio.Event()
            life = loop.create_task(self._live(self._stopping))
            life.add_done_callback(lambda _: loop.stop())
            loop.run_forever()
            if not life.cancelled():
                self.failure = life.exception()
            self.settled.set()
        finally:
            with suppress(RuntimeError):  # it starts a thread to wait for threads by
                runner.close()

    async def _live(self, stopping: asyncio.Event) -> None:
        async with self._make() as workbench:
            self._workbench = workbench
            self.settled.set()
            await stopping.wait()
            with self._lock:
                self._closed = True
                running = list(self._running)
            for future in running:
                future.cancel()


def _any(future: Future[T]) -> Future[object]:
    return future  # type: ignore[return-value]  # Future is invariant, and nobody sets a result
