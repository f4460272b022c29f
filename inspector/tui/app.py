"""The terminal interface as a Textual app: what belongs to the whole program and to no pane.

Keymap, clipboard, the ticker, Ctrl+C, and what one pane asks of another. What is inspected is
`inspector.tui.opening`, the looks are `inspector.tui.dressed`, signals and crashes
`inspector.tui.ending`.
"""

import asyncio
import gc
import time
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events, on
from textual.binding import Binding, BindingType
from textual.css.query import NoMatches
from textual.driver import Driver
from textual.timer import Timer
from textual.widget import MountError

from inspector.config.targets import Target
from inspector.journal.precedence import PERSON
from inspector.session.state import Phase
from inspector.tui.alt_keys import use_alt_keys
from inspector.tui.bindings import bindings_for
from inspector.tui.ending import describe, raise_ours
from inspector.tui.key_hints import pretty_keys
from inspector.tui.key_order import KeyOrder
from inspector.tui.opening import OpeningApp
from inspector.tui.resizing import use_last_size
from inspector.tui.screens.main import MainScreen, frames_per_second
from inspector.tui.widgets.bar import use_thin_bars

if TYPE_CHECKING:
    from textual.widget import Widget

    from inspector.workbench import Workbench

LISTEN: Final = "subscriptions/listen"
AGAIN_SECONDS: Final = 3.0
"""Within this time a second Ctrl+C quits."""


class InspectorApp(OpeningApp, inherit_bindings=False):
    """One run of the interface."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("app")]
    COMMANDS = {lambda: import_module("inspector.tui.palette").InspectorCommands}
    CSS_PATH = Path(__file__).with_name("app.tcss")
    TITLE = "mcp-inspect"
    ESCAPE_TO_MINIMIZE = False

    def __init__(
        self,
        make: "Callable[[Target], Workbench]",
        target: Target | None,
        *,
        connect: bool = True,
        theme: str = "",
        keymap: Iterable[tuple[str, str]] = (),
        problems: Iterable[str] = (),
    ) -> None:
        """`make` builds the workbench for the first target, in the bridge's thread. Without
        `target` the connect screen comes first. Without `connect` nothing is opened (a recording
        is only looked at). `problems` of config files are shown once."""
        super().__init__(make, target, theme=theme, problems=problems)
        self.typed = KeyOrder(self, super().on_event)
        self._connect = connect
        self._interrupted = -AGAIN_SECONDS
        self._ticker: Timer | None = None
        self._told = ""
        self.leaving = False
        use_thin_bars()
        use_alt_keys()
        use_last_size()
        self.set_keymap(dict(keymap))

    # -- what views use -------------------------------------------------------------------------

    def copy(self, text: str) -> None:
        """To the user's clipboard, by OSC 52; only ever called on a key of the user."""
        raw = text.encode("utf-8", "replace")
        self.copy_to_clipboard(raw.decode())
        self.notify_safe(f"Copied {len(raw):,} bytes")

    def open_entry(self, number: int) -> None:
        """Show entry `number` in the traffic pane."""
        if (main := self.main) is not None:
            main.show_entry(number)

    def filter_traffic(self, text: str) -> None:
        """Show the traffic pane with this filter."""
        if (main := self.main) is not None:
            main.filter_traffic(text)

    def open_finding(self, number: int, rule: str = "") -> None:
        """Show the finding of `rule` ("": any) about entry `number`."""
        if (main := self.main) is not None:
            main.open_finding(number, rule)

    def open_item(self, tab: str, name: str) -> None:
        """Show the tab and go to its item."""
        if (main := self.main) is not None and (view := main.show_tab(tab)) is not None:
            main.when_mounted(view, partial(view.show_item, name))

    def act_in_tab(self, tab: str, action: str) -> None:
        """Show the tab ("": the traffic) and do there what the key of `action` does."""
        if not tab:
            if self.main is not None:
                self.main.act_in_traffic(action)
        elif (main := self.main) is not None and (view := main.show_tab(tab)) is not None:
            main.when_mounted(view, partial(self.call_later, self.run_action, action, view))

    def action_show_tab(self, tab: str) -> None:
        """Show the tab with the id `tab`."""
        if (main := self.main) is not None:
            main.show_tab(tab)

    # -- the way in -----------------------------------------------------------------------------

    def get_default_screen(self) -> MainScreen:
        """The frame of the main screen is the first thing painted."""
        label = self._target.label if self._target is not None else "mcp-inspect"
        return MainScreen(label)

    def on_mount(self) -> None:
        """Nothing heavy before the first paint: the rest waits for it."""
        self._ticker = self.set_interval(1 / frames_per_second(), self._tick)
        self.call_after_refresh(self._after_first_paint)

    async def _shutdown(self) -> None:
        """No look at widgets that are being taken apart."""
        self.leaving = True
        if self._ticker is not None:
            self._ticker.stop()
        await super()._shutdown()

    def _after_first_paint(self) -> None:
        for problem in self.problems:
            self.notify_safe(problem, title="Configuration", severity="error")
        if self._target is None:
            self.show_connect_screen()
        else:
            self.open_target(self._target)
        gc.freeze()  # what was loaded stays; the start has left next to nothing to collect
        gc.set_threshold(20_000, 50, 100)
        gc.enable()

    # -- ticking --------------------------------------------------------------------------------

    def _tick(self) -> None:
        bridge = self._bridge
        if bridge is not None:
            if bridge.ready and not self._greeted:
                self._greeted = True
                if self._connect:
                    bridge.post(bridge.workbench.connect)
            while bridge.errors:
                error = bridge.errors.popleft()
                raise_ours(error)
                self.notify_safe(describe(error), severity="error")
            if bridge.failure is not None:
                raise_ours(bridge.failure)
            if bridge.ready and (failure := bridge.workbench.journal.file.failure) != self._told:
                self._told = failure
                self.notify_safe(failure, title="Not recording", severity="error")
        # Dialogs let the main screen show through, so that it goes on beneath them.
        if (main := self.main) is not None and main.is_mounted:
            main.tick()

    # -- keys -----------------------------------------------------------------------------------

    async def on_event(self, event: events.Event) -> None:
        """Keys act in the order in which they were typed, and before work in the background."""
        if isinstance(event, events.InputEvent):
            PERSON.claim()
        await self.typed.take(event)

    def action_interrupt(self) -> None:
        """Ctrl+C: the running call first; then a second press quits."""
        if self.cancel_something():
            return
        now = time.monotonic()
        if now - self._interrupted < AGAIN_SECONDS:
            self.exit(0)
            return
        self._interrupted = now
        self.notify_safe("Press Ctrl+C again to quit")

    def cancel_something(self) -> bool:
        """Give up connecting, or cancel the newest running call; whether there was either."""
        bridge = self._bridge
        if bridge is None or not bridge.ready:
            return False
        bench = bridge.workbench
        if self.travel is not None and self.travel.travelling:
            return False  # nothing of now is seen
        # A stream that waits for announcements is meant to stay open.
        running = [c for c in bench.session.calls if not c.done and c.method != LISTEN]
        if bench.session.state.phase in (Phase.CONNECTING, Phase.NEGOTIATING):
            if time.monotonic() - self._interrupted < AGAIN_SECONDS:
                return False  # gave up already; a stubborn server takes its time
            bridge.post(bench.disconnect)
            self.notify_safe("Gave up connecting; Ctrl+C quits")
        elif running:
            call = running[-1]
            bridge.post(lambda: call.cancel("cancelled by the user"))
            then = "cancels the next call" if len(running) > 1 else "quits"
            self.notify_safe(f"Cancelled {call.method} {call.label}; Ctrl+C again {then}")
        else:
            return False
        self._interrupted = time.monotonic()
        return True

    def action_help(self) -> None:
        """F1."""
        from inspector.tui.screens.help import TextScreen, help_lines

        self.push_screen(TextScreen("Help", help_lines(self, min(78, self.size.width - 10))))

    def action_jump(self) -> None:
        """Ctrl+O."""
        from inspector.tui.screens.jump import JumpScreen, jump_targets

        def go(widget: "Widget | None") -> None:
            if widget is not None:
                widget.focus()

        self.push_screen(JumpScreen(jump_targets(self.screen.focus_chain)), go)

    def get_key_display(self, binding: Binding) -> str:
        """Keys as people write them."""
        return binding.key_display or pretty_keys(binding.key)

    # -- walls ----------------------------------------------------------------------------------

    def get_driver_class(self) -> type[Driver]:
        """How the terminal is driven."""
        from inspector.tui.terminal_driver import TerminalDriver

        return TerminalDriver

    @on(Driver.SignalResume)
    def _back_again(self) -> None:
        """After a stop (Ctrl+Z of a shell's job) the terminal is empty."""
        self.refresh(layout=True)

    def _handle_exception(self, error: Exception) -> None:
        """A widget that is still being put together when the app leaves finds none of its parts,
        and nothing to put them into; that is no defect."""
        leaving = self.leaving or self._exit  # from then on nothing counts as a part of the app
        if not (leaving and isinstance(error, NoMatches | MountError)):
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Our own defect: nothing is printed here (Textual's traceback shows the values of
        variables, tokens among them); it is raised to the command line, which reports it."""
        self._close_messages_no_wait()

    # -- the way out ----------------------------------------------------------------------------

    @property
    def defect(self) -> Exception | None:
        """What ended the app though it should not have."""
        return self._exception

    @property
    def loop(self) -> asyncio.AbstractEventLoop | None:
        """The loop of the interface while it runs."""
        return self._loop
