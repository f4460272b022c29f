"""From a target and options to a running interface: keymap, workbench, signals, exit code.

What the interface is, is `inspector.tui.app`; how it ends, `inspector.tui.ending`.
"""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from inspector.config.keymaps import KnownBinding, load_keymap
from inspector.config.targets import Target
from inspector.tui.app import InspectorApp
from inspector.tui.bindings import BINDINGS
from inspector.tui.ending import Ending

if TYPE_CHECKING:
    from inspector.workbench import Options, Workbench

SWITCH_SECONDS: Final = 0.001
"""How long the thread of the workbench may keep the interpreter from the one that draws."""

UNBOUND: Final = "no-key"
"""What an action without any key is bound to: Textual takes an empty override for none."""


def start(
    target: Target | None,
    options: "Options",
    *,
    theme: str = "",
    make: "Callable[[Target], Workbench] | None" = None,
    connect: bool = True,
    opening: Callable[[Target], None] | None = None,
    taken_over: Callable[[], None] | None = None,
    no_store: bool = False,
) -> int:
    """The interface, until the user leaves it; returns the exit code.

    Without `target` it begins with the list of servers. `make` builds the workbench (a recording
    brings its own), `connect` is False where nothing is to be started. `opening` is called with
    `target` in the workbench's thread, so that the first paint does not wait for what it writes.
    `taken_over` is called when signals are seen to, right before the interface takes the screen.
    With `no_store` tokens are kept in memory only.
    """
    if sys.__stdout__ is not None and sys.__stdout__.isatty():
        # Textual draws on stderr; whoever redirects that to a file still wants to see something.
        sys.__stderr__ = sys.__stdout__  # type: ignore[misc]
    sys.setswitchinterval(SWITCH_SECONDS)
    known = [
        KnownBinding(spec.id, tuple(spec.keys.split(",")), spec.scope) for spec in BINDINGS.values()
    ]
    keymap = load_keymap(known)

    def make_workbench(wanted: Target) -> "Workbench":
        from inspector.auth.late import UnopenedStore
        from inspector.tui.auth_person import PersonAtScreen
        from inspector.workbench import Workbench

        if opening is not None and wanted is target:
            opening(wanted)
        person = PersonAtScreen(lambda: bench.target.oauth.redirect_uri)
        store = UnopenedStore(no_store, person.remark)
        bench = Workbench(wanted, options=options, person=person, store=store)
        return bench

    app = InspectorApp(
        make or make_workbench,
        target,
        connect=connect,
        theme=theme,
        keymap=((one, keys or UNBOUND) for one, keys in keymap.overrides.items()),
        problems=keymap.problems,
    )
    return Ending(app).run(taken_over)
