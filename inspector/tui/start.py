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

UNBOUND: Final = "no-key"
"""What an action without any key is bound to: Textual takes an empty override for none."""


def start(
    target: Target | None,
    options: "Options",
    *,
    theme: str = "",
    make: "Callable[[Target], Workbench] | None" = None,
    connect: bool = True,
) -> int:
    """Runs the interface; see `inspector.tui.app.run`."""
    if sys.__stdout__ is not None and sys.__stdout__.isatty():
        # Textual draws on stderr; whoever redirects that to a file still wants to see something.
        sys.__stderr__ = sys.__stdout__  # type: ignore[misc]
    known = [
        KnownBinding(spec.id, tuple(spec.keys.split(",")), spec.scope) for spec in BINDINGS.values()
    ]
    keymap = load_keymap(known)

    def make_workbench(wanted: Target) -> "Workbench":
        from inspector.workbench import Workbench

        return Workbench(wanted, options=options)

    app = InspectorApp(
        make or make_workbench,
        target,
        connect=connect,
        theme=theme,
        keymap=((one, keys or UNBOUND) for one, keys in keymap.overrides.items()),
        problems=keymap.problems,
    )
    return Ending(app).run()
