"""The keys of tools, resources, prompts, results and history: rows of `inspector.tui.bindings`."""

from typing import Final

from inspector.tui.binding_spec import BindingSpec

_S = BindingSpec


def _panes(scope: str, act: str, tooltip: str) -> tuple[BindingSpec, ...]:
    """What the three views with a list, a form and a result have in common.

    Many terminals send no Ctrl+Enter, so Ctrl+R does the same.
    """
    return (
        _S(f"{scope}.act", "ctrl+r,ctrl+enter", "act", act, tooltip, show=True),
        _S(
            f"{scope}.cancel",
            "ctrl+x",
            "cancel_call",
            "Cancel",
            "Gives up the running request and tells the server",
            show=True,
            priority=True,
        ),
        _S(
            f"{scope}.back",
            "escape",
            "back",
            "List",
            "From the form back to the list; in the list, ends the filter",
            show=True,
        ),
        _S(f"{scope}.filter", "slash", "filter", "Filter", "Show only names with these words"),
        _S(f"{scope}.pane", "f6", "next_pane", "Next pane", "List, form, result", show=True),
        _S(
            f"{scope}.about",
            "f7",
            "about",
            "About",
            "Everything the server says of it: description, schemas, hints, the raw item",
            show=True,
        ),
        _S(
            f"{scope}.matrix",
            "f12,m",
            "matrix",
            "Era matrix",
            "The same under every protocol revision, the outcomes side by side",
        ),
        _S(
            f"{scope}.refresh", "r", "refresh_list", "Refresh", "Asks the server for the list again"
        ),
        _S(
            f"{scope}.copy_command",
            "c",
            "copy_command",
            "Copy as command",
            "Copies a mcp-inspect command that does the same",
        ),
        _S(
            f"{scope}.copy_rpc", "J", "copy_rpc", "Copy as JSON-RPC", "Copies the request as a line"
        ),
        _S(
            f"{scope}.copy_curl",
            "u",
            "copy_curl",
            "Copy as curl",
            "Copies a curl command, for servers with a URL",
        ),
    )


TOOLS: Final = (
    *_panes("tools", "Call", "Calls the tool with what stands in the form, right or wrong"),
    _S("tools.task", "f8", "toggle_task", "As task", "Whether the call runs as a task"),
)
PROMPTS: Final = _panes("prompts", "Get", "Gets the prompt with these arguments")
RESOURCES: Final = (
    *_panes("resources", "Read", "Reads the resource"),
    _S(
        "resources.watch",
        "w",
        "watch",
        "Watch",
        "Subscribes to changes of the resource, or ends the subscription",
        show=True,
    ),
)
RESULT: Final = (
    _S("result.open", "enter,o", "open_link", "Open link", "Shows the linked resource"),
    _S("result.save", "s", "save", "Save", "Writes this content into a new file", show=True),
    _S("result.copy", "y", "copy_block", "Copy", "Copies this content"),
    _S(
        "result.plain",
        "m",
        "toggle_plain",
        "Markdown/plain",
        "Draws Markdown as plain text and back, JSON as it came and back",
    ),
    _S("result.traffic", "t", "show_traffic", "Frames", "Shows the frames in the traffic pane"),
    _S("result.history", "h", "focus_history", "History", "To the earlier calls, below"),
    _S("result.leave", "escape", "leave", "Form", "Back to the form", show=True),
)
HISTORY: Final = (
    _S("history.leave", "escape", "leave", "Back", "Back to the result"),
    _S("history.recall", "space", "open", "Recall", "Shows that outcome, fills in its arguments"),
)
