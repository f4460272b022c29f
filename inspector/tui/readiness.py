"""Whether a request can go out now, and words for the user where it cannot.

Asked before anything is sent on a key; what would be sent is the caller's.
"""

from typing import TYPE_CHECKING, Final

from inspector.errors import CLOSED_STDOUT
from inspector.session.state import Phase
from inspector.tui.key_hints import key_name

if TYPE_CHECKING:
    from inspector.tui.app import InspectorApp
    from inspector.workbench import Workbench

NOW_ONLY: Final = frozenset(
    [
        "tools.act",
        "tools.cancel",
        "prompts.act",
        "prompts.cancel",
        "resources.act",
        "resources.cancel",
        "resources.watch",
        "server.ping",
        "server.add_root",
        "tasks.update",
        "tasks.poll",
        "tasks.result",
        "tasks.cancel",
        "logs.server_level",
    ]
)
"""Keys that reach a server, or what it is told: no hint offers them where there is only a past."""


def can_send(app: "InspectorApp") -> bool:
    """True with a session; else the user is told why not and what helps."""
    if not is_now(app):
        return False
    phase = app.bridge.workbench.session.state.phase
    if phase is Phase.READY:
        return True
    if phase in (Phase.CONNECTING, Phase.NEGOTIATING, Phase.IDLE):
        app.notify_safe("Nothing is sent before the session is open: still connecting")
    else:
        again, change = key_name(app, "main.reconnect"), key_name(app, "main.edit_target")
        app.notify_safe(
            f"There is no connection: {again} connects again, {change} changes command or URL",
            title="Not sent",
            severity="warning",
        )
    return False


def is_now(app: "InspectorApp") -> bool:
    """True unless the screens show the past; else the user is told that nothing is done there."""
    travel = app.travel
    if travel is None or not travel.travelling:
        return True
    app.notify_safe(travel.words, title="Not now", severity="warning")
    return False


def running(bench: "Workbench") -> bool:
    """Whether there is something to disconnect: a session, or a process that lives on without."""
    session = bench.session
    if session.state.phase is Phase.IDLE:
        return False
    return not session.state.over or session.transport.state == CLOSED_STDOUT
