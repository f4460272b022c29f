"""Every key of the terminal interface, in one table.

The classes that react to keys, the help screen, the command palette, the keymap file and the
README are all made from it. What an action does is decided by the class whose scope it is;
which keys a user prefers is decided by the keymap file (`inspector.config.keymaps`).
"""

from collections.abc import Iterable, Mapping
from typing import Final

from textual.binding import Binding

from inspector.tui.binding_spec import BindingSpec as BindingSpec
from inspector.tui.bindings_auth import AUTH
from inspector.tui.bindings_compare import COMPARE, COMPARE_MAIN
from inspector.tui.bindings_debug import COVERAGE, DEBUG_MAIN, FINDINGS, HANGING, SERVER_COVERAGE
from inspector.tui.bindings_form import FORM
from inspector.tui.bindings_items import HISTORY, PROMPTS, RESOURCES, RESULT, TOOLS
from inspector.tui.bindings_matrix import MATRIX
from inspector.tui.bindings_time import TIME
from inspector.tui.bindings_traffic import DETAIL, FILTER, TRAFFIC

SCOPES: Final[Mapping[str, str]] = {
    "app": "Everywhere",
    "main": "Main screen",
    "lines": "Lists and texts",
    "rows": "Lists",
    "body": "JSON and text",
    "traffic": "Traffic",
    "detail": "Traffic detail",
    "filter": "Filter box",
    "form": "Forms",
    "tools": "Tools",
    "prompts": "Prompts",
    "resources": "Resources",
    "matrix": "Era matrix",
    "result": "Result",
    "history": "History",
    "server": "Server",
    "asks": "An ask",
    "asklist": "Asks",
    "tasks": "Tasks",
    "findings": "Findings",
    "hanging": "Why is it hanging?",
    "coverage": "Coverage",
    "compare": "Compared recordings",
    "logs": "Logs",
    "auth": "Authorization",
    "connect": "Connect screen",
    "trust": "Trust prompt",
    "dialog": "Dialogs",
    "help": "Help",
    "jump": "Jump mode",
}
"""Scope to its heading in the help."""

_S = BindingSpec

_APP: Final = (
    _S("app.help", "f1", "help", "Help", "Keys and a few words about what has focus", show=True),
    _S(
        "app.palette",
        "ctrl+p",
        "command_palette",
        "Commands",
        "Find any action, tab or tool by name",
        show=True,
        priority=True,
    ),
    _S(
        "app.interrupt",
        "ctrl+c",
        "interrupt",
        "Cancel call / quit",
        "Cancels the running call; without one, pressed twice, quits",
        priority=True,
    ),
    _S("app.quit", "ctrl+q", "quit", "Quit", "Leave the program", priority=True),
    _S(
        "app.jump",
        "ctrl+o",
        "jump",
        "Jump",
        "Letters over the panes; press one to go there",
        priority=True,
    ),
    _S("app.theme", "f10", "next_theme", "Next theme", "Change to the next colour theme"),
)

_MAIN: Final = (
    _S(
        "main.traffic",
        "ctrl+t",
        "cycle_traffic",
        "Traffic size",
        "Traffic pane: hidden, a third, half, all",
        show=True,
        priority=True,
    ),
    _S(
        "main.focus_traffic",
        "ctrl+g",
        "focus_traffic",
        "Go to traffic",
        "Moves the focus between the traffic pane and the tab",
        priority=True,
    ),
    _S("main.reconnect", "f5", "reconnect", "Reconnect", "Connect again to the same server"),
    _S(
        "main.disconnect",
        "ctrl+k",
        "disconnect",
        "Disconnect",
        "Ends the session, and the server's process with it, whatever state that is in",
    ),
    _S(
        "main.revision",
        "f2,alt+v",
        "choose_revision",
        "Revision",
        "Chooses the protocol revision or era, and connects again with it",
    ),
    _S("main.auth", "f9", "show_auth", "Authorization", "Steps to a token, log in, log out"),
    _S("main.edit_target", "f4", "edit_target", "Edit target", "Change the command or URL"),
    *TIME,
    _S("main.connect_screen", "f3", "connect_screen", "Other server", "Back to the connect screen"),
    *(
        _S(
            f"main.tab_{number}",
            f"{number},alt+{number}",
            f"show_tab_number({number})",
            f"Tab {number}",
            "Shows that tab; with Alt also while typing in a field",
        )
        for number in range(1, 9)
    ),
    _S(
        "main.next_tab",
        "ctrl+pagedown",
        "next_tab(1)",
        "Next tab",
        "Shows the next tab, also while typing",
    ),
    _S(
        "main.previous_tab",
        "ctrl+pageup",
        "next_tab(-1)",
        "Previous tab",
        "Shows the tab before, also while typing",
    ),
)

_LINES: Final = (
    _S("lines.down", "j,down", "move(1)", "Down", "One line down"),
    _S("lines.up", "k,up", "move(-1)", "Up", "One line up"),
    _S("lines.page_down", "pagedown,ctrl+f", "page(1)", "Page down", "One page down"),
    _S("lines.page_up", "pageup,ctrl+b", "page(-1)", "Page up", "One page up"),
    _S("lines.first", "g,home", "first", "First", "To the first line"),
    _S("lines.last", "G,end", "last", "Last", "To the last line"),
    _S("lines.right", "right,l", "sideways(8)", "Right", "Scrolls to the right"),
    _S("lines.left", "left,h", "sideways(-8)", "Left", "Scrolls to the left"),
)

_ROWS: Final = (
    _S("rows.open", "enter", "open", "Open", "Opens the line under the cursor", show=True),
)

_BODY: Final = (
    _S("body.fold", "space,enter", "fold", "Fold", "Folds or unfolds the block at the cursor"),
    _S("body.fold_all", "z", "fold_all", "Fold all", "Folds everything below the first level"),
    _S("body.search", "slash", "search", "Search", "Search in this text"),
    _S("body.next", "n", "find_next(1)", "Next match", "To the next match"),
    _S("body.previous", "N", "find_next(-1)", "Previous match", "To the previous match"),
    _S("body.mode", "v", "next_mode", "View", "Pretty, raw, hex"),
    _S("body.copy", "y", "copy", "Copy", "Copies the whole text, byte for byte"),
    _S("body.copy_line", "Y", "copy_line", "Copy line", "Copies the line under the cursor"),
)

_DIALOG: Final = (
    _S("dialog.cancel", "escape", "cancel", "Cancel", "Closes without doing it", show=True),
    _S("dialog.accept", "ctrl+s", "accept", "Do it", "Does it and closes", show=True),
)

_HELP: Final = (_S("help.close", "escape,q,f1", "close", "Close", "Closes the help", show=True),)

# Each room's own section: rows are added here by whoever owns the scope.
_SERVER: Final = (
    _S(
        "server.ping",
        "p",
        "ping",
        "Ping",
        "Measures how long the server takes to answer",
        show=True,
    ),
    _S(
        "server.add_root",
        "a",
        "add_root",
        "Add root",
        "Adds a root that the server may work on",
        show=True,
    ),
    _S("server.remove_root", "delete", "remove_root", "Remove root", "Removes this root"),
    _S(
        "server.edit_answer",
        "e",
        "edit_answer",
        "Edit answer",
        "Edits the canned answer of the policy under the cursor",
    ),
)
_ASKS: Final = (
    _S("asks.accept", "ctrl+s", "accept", "Send", "Accepts: sends what is written", priority=True),
    _S("asks.decline", "ctrl+d", "decline", "Decline", "Says no", priority=True),
    _S(
        "asks.dismiss",
        "f8",
        "dismiss_ask",
        "Cancel",
        "Dismisses the ask: neither yes nor no",
        priority=True,
    ),
    _S(
        "asks.edit",
        "ctrl+r",
        "edit_answer",
        "Edit as JSON",
        "Opens the whole result to be changed and sent as it stands",
        priority=True,
    ),
    _S(
        "asks.request",
        "f7",
        "edit_request",
        "Edit request",
        "Opens what a model is asked, to be changed, and copied for showing it to one",
        priority=True,
    ),
    _S(
        "asks.open_page",
        "ctrl+b",
        "open_page",
        "Open page",
        "Hands the page of a URL elicitation to the browser",
        priority=True,
    ),
    _S(
        "asks.abort",
        "ctrl+x",
        "abort_call",
        "Cancel call",
        "Gives up the call that asks",
        priority=True,
    ),
    _S("asks.later", "escape", "put_off", "Later", "Puts the ask off; it waits in the Asks tab"),
)
_ASKLIST: Final[tuple[BindingSpec, ...]] = ()
_TASKS: Final = (
    _S("tasks.update", "u", "update", "Update", "Asks the server for its list of tasks", show=True),
    _S("tasks.poll", "p", "poll", "Poll", "Asks how this task stands", show=True),
    _S("tasks.result", "w", "result", "Result", "Waits for the result of this task", show=True),
    _S("tasks.cancel", "x", "cancel", "Cancel task", "Cancels this task", show=True),
)
_LOGS: Final = (
    _S("logs.level", "t", "level", "Level", "Shows lines from the next level on", show=True),
    _S("logs.stderr", "s", "stderr", "Stderr", "Shows or hides stderr lines", show=True),
    _S("logs.filter", "slash", "filter", "Filter", "Keeps lines with all the words", show=True),
    _S(
        "logs.server_level",
        "L",
        "server_level",
        "Server level",
        "Asks the server to log from the next level on",
        show=True,
    ),
    _S("logs.open", "enter", "open", "In traffic", "Shows the entry in the traffic pane"),
    _S("logs.close", "escape", "close", "Clear", "Clears the words"),
)
_CONNECT: Final = (
    _S(
        "connect.to_list",
        "down",
        "to_list",
        "List",
        "From the line to the list",
        show=True,
        priority=True,  # Textual's input has a binding of its own for it, which does nothing
    ),
    _S("connect.to_line", "slash", "to_line", "Line", "Back to the line to type in", show=True),
    _S(
        "connect.demo",
        "ctrl+d",
        "demo",
        "Demo",
        "The built-in demo server",
        show=True,
        priority=True,
    ),
    _S("connect.forget", "delete", "forget", "Forget", "Takes a recent server off the list"),
    _S("connect.reload", "f5", "reload", "Reload", "Reads the config files again", show=True),
    _S("connect.leave", "escape", "leave", "Back", "Back to the running inspection", show=True),
)
_TRUST: Final = (
    _S("trust.agree", "y", "agree", "Yes, go on", "Agrees to exactly this entry", show=True),
    _S("trust.refuse", "n,escape", "refuse", "No", "Starts nothing", show=True),
)


def _table(*sections: Iterable[BindingSpec]) -> dict[str, BindingSpec]:
    table: dict[str, BindingSpec] = {}
    for section in sections:
        for spec in section:
            if spec.id in table or spec.scope not in SCOPES:
                raise ValueError(f"binding {spec.id!r} is there twice or has no known scope")
            table[spec.id] = spec
    return table


BINDINGS: Final[Mapping[str, BindingSpec]] = _table(
    _APP, _MAIN, DEBUG_MAIN, COMPARE_MAIN, _LINES, _ROWS, _BODY, TRAFFIC, DETAIL, FILTER, _DIALOG,
    _HELP, FORM, TOOLS, PROMPTS, RESOURCES, MATRIX, RESULT, HISTORY,
    _SERVER, SERVER_COVERAGE, _ASKS, _ASKLIST, _TASKS, FINDINGS, HANGING, COVERAGE, COMPARE, _LOGS,
    AUTH, _CONNECT, _TRUST,
)  # fmt: skip
"""Every binding by its id, in the order in which help shows them."""


def bindings_for(scope: str) -> list[Binding]:
    """The Textual bindings of one scope, for a class's `BINDINGS`."""
    return [
        Binding(
            spec.keys,
            spec.action,
            spec.description,
            show=spec.show,
            priority=spec.priority,
            tooltip=spec.tooltip,
            id=spec.id,
            key_display=spec.key_display,
        )
        for spec in BINDINGS.values()
        if spec.scope == scope
    ]
