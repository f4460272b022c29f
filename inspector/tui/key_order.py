"""Keys act in the order in which they were typed, however fast that was.

Textual hands a key to whichever widget has the focus at that moment, before the keys before it have
acted: what is typed fast after Enter on a tool, after `/` or after Ctrl+P would act on the list.
Here a key waits until the one before it has moved the focus where it wanted to. Text typed into a
field needs no waiting. What a key does is decided by bindings and widgets.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from textual import events
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widget import Widget

if TYPE_CHECKING:
    from textual.app import App

PATIENCE: Final = 1.0
"""Seconds that a key waits at most for the one before it."""

Act = Callable[[events.Event], Awaitable[None]]


class KeyOrder:
    """The keys of `app` on their way; `act` is what Textual does with an event."""

    def __init__(self, app: "App[int]", act: Act) -> None:
        self._app = app
        self._act = act
        self._waiting: deque[events.Event] = deque()
        self._held: dict[object, asyncio.TimerHandle] = {}
        self._text_under_way = False

    def hold(self) -> Callable[[], None]:
        """Lets keys wait until what is returned is called."""
        token = object()
        loop = asyncio.get_running_loop()
        self._held[token] = loop.call_later(PATIENCE, self._free, token)
        return partial(self._free, token)

    async def take(self, event: events.Event) -> None:
        """Acts upon an event that came from outside, or puts it where it waits."""
        if not isinstance(event, events.Key | events.Paste) or event.is_forwarded:
            await self._act(event)
        elif self._held or self._waiting:
            self._waiting.append(event)
        else:
            await self._handle(event)

    async def _handle(self, event: events.Event) -> None:
        app = self._app
        focused = app.focused
        if focused is not None and _is_text_for(focused, event):
            self._text_under_way = True
            await self._act(event)
            return
        if self._text_under_way and focused is not None:
            # A key that calls a tool is not to overtake the value that was typed before it.
            self._text_under_way = False
            self._waiting.appendleft(event)
            self._follow(focused)
            return
        screen = app.screen
        await self._act_now(event, focused)
        self._follow(focused if focused is not None else screen, screen)

    async def _act_now(self, event: events.Event, focused: MessagePump | None) -> None:
        app = self._app
        # Lists take no other keys than bound ones; what is no `LineArea` may.
        if (
            not isinstance(event, events.Key)
            or getattr(focused, "TAKES_TEXT", True)
            or not (
                await app._check_bindings(event.key, priority=True)
                or await app._check_bindings(event.key)
            )
        ):
            await self._act(event)

    def _follow(self, widget: MessagePump, screen: "Screen[object] | None" = None) -> None:
        """Behind a key through every queue that it, and what it caused, may pass through."""
        app, free = self._app, self.hold()

        def climb(node: MessagePump | None) -> None:
            while node is not None and node is not app:
                if node.call_later(climb, node._parent):
                    return
                node = node._parent  # this one is being taken away
            app.call_later(arrive)

        def arrive() -> None:
            top = app.screen
            # A screen that was opened has its focus once it has acted upon being shown.
            if screen is None or top is screen or not top.call_later(app.call_later, free):
                free()

        climb(widget)

    def _free(self, token: object) -> None:
        timer = self._held.pop(token, None)
        if timer is not None:
            timer.cancel()
            if not self._held and self._waiting:
                self._app.call_later(self._go_on)

    async def _go_on(self) -> None:
        while self._waiting and not self._held:
            await self._handle(self._waiting.popleft())


def _is_text_for(widget: Widget, event: events.Event) -> bool:
    if isinstance(event, events.Key):
        takes = getattr(widget, "TAKES_TEXT", False) and event.is_printable
        return takes or widget.check_consume_key(event.key, event.character)
    return True
