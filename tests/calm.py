"""When an interface is calm: nothing is left to be done in it, however busy the machine is.

Textual's own pilot waits until its process uses little CPU. On a busy machine a process that gets
none looks idle, and a test goes on before its key was acted upon. It also asks every widget for a
sign, and waits in vain for one that is taken away meanwhile. Here is asked instead whether the
loop of the interface, and that of its workbench, have anything left to run. What comes later of its
own accord (the ticker, a pause in typing, another process) is no part of it: a test names what it
waits for, and a picture asks `under_way`.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch

from textual._context import active_app
from textual.app import App
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen
from textual.timer import Timer

from inspector.tui.app import InspectorApp

TURNS: Final = 5000
"""Turns of a loop after which a flood counts as calm."""


async def calm(app: App[Any]) -> None:
    """Returns when `app` has acted upon everything that reached it."""
    for _ in range(TURNS):
        worked = await _emptied()
        worked = await _bench_worked(app) or worked
        worked = _painted(app) or worked
        if not worked:
            return


@contextmanager
def steady_pilots() -> Iterator[None]:
    """Every pilot waits until its app is calm, in place of what it would wait for."""

    async def idle(min_sleep: float = 0, max_sleep: float = 0) -> None:
        await calm(active_app.get())

    async def acted(pilot: Pilot[Any], timeout: float = 0) -> bool:
        await calm(pilot.app)
        return pilot.app._exception is None

    with (
        patch("textual.app.wait_for_idle", idle),
        patch("textual.pilot.wait_for_idle", idle),
        patch.object(Pilot, "_wait_for_screen", acted),
    ):
        yield


def under_way(app: App[Any]) -> list[str]:
    """What was begun and will still end of its own accord: pauses, workers, requests."""
    waiting = [str(timer) for _, timer in _timers(app) if timer._repeat is not None]
    waiting += [str(worker) for worker in app.workers if not worker.is_finished]
    if isinstance(app, InspectorApp) and app.has_bridge:
        waiting += [str(future) for future in tuple(app.bridge._running)]
        judge = app.bridge.workbench.judge if app.bridge.ready else None
        if judge is not None and judge.behind:
            waiting.append(f"{judge.behind} entries to be judged")
    return waiting


async def tick(app: App[Any]) -> None:
    """Lets every ticker tick, now."""
    for pump, timer in list(_timers(app)):
        running: asyncio.Event = timer._active
        if timer._repeat is None and running.is_set():
            with pump._context():
                await timer._tick(next_timer=0, count=0)


async def _emptied() -> bool:
    """Lets the running loop work until nothing is ready to run; whether there was anything."""
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    worked = False
    for _ in range(TURNS):
        await asyncio.sleep(0)
        if not ready:
            break
        worked = True
    return worked


async def _bench_worked(app: App[Any]) -> bool:
    """The same on the loop of the workbench."""
    if not isinstance(app, InspectorApp) or not app.has_bridge or not app.bridge.ready:
        return False
    asked = asyncio.ensure_future(app.bridge.run(_emptied))
    await asyncio.wait([asked])  # cancelled where the workbench closes
    return not asked.cancelled() and asked.result()


def _painted(app: App[Any]) -> bool:
    """Paints now what Textual would paint at its next frame, as its pilot does, and lets what
    waits for that go on; whether there was anything."""
    screen = app.screen_stack[-1] if app.screen_stack else None
    if screen is None or not screen.is_running or app._batch_count or not _unpainted(screen):
        return False
    screen._on_timer_update()
    return True


def _unpainted(screen: Screen[Any]) -> bool:
    return bool(
        screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._recompose_required
        or screen._dirty_widgets
        or screen._callbacks
    )


def _timers(app: App[Any]) -> Iterator[tuple[MessagePump, Timer]]:
    """Every timer that is not over, and whose it is."""
    for pump in (app, *(node for one in app.screen_stack for node in one.walk_children())):
        for timer in tuple(pump._timers):
            if timer._task is not None and not timer._task.done():
                yield pump, timer
