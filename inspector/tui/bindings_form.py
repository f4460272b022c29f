"""The keys of forms: rows of `inspector.tui.bindings`.

Editing keys (letters, Backspace, Home, Ctrl+W ...) belong to the text being typed and are no rows.
Alt combinations need a terminal that sends them; each has a second key that all terminals send.
"""

from typing import Final

from inspector.tui.binding_spec import BindingSpec

_S = BindingSpec

FORM: Final = (
    _S("form.act", "enter", "act", "Change / next", "Opens the options of a field, or goes on"),
    _S("form.down", "down", "move(1)", "Down", "To the line below"),
    _S("form.up", "up", "move(-1)", "Up", "To the line above"),
    _S(
        "form.next", "tab", "next(1)", "Next field", "To the next field; at the end out of the form"
    ),
    _S("form.previous", "shift+tab", "next(-1)", "Previous field", "To the field before"),
    _S("form.page_down", "pagedown", "page(1)", "Page down", "One page down"),
    _S("form.page_up", "pageup", "page(-1)", "Page up", "One page up"),
    _S("form.first", "ctrl+home", "first", "First field", "To the first field"),
    _S("form.last", "ctrl+end", "last", "Last field", "To the last field"),
    _S(
        "form.omit",
        "ctrl+l,alt+o",
        "omit",
        "Leave out",
        "Leaves this field out, or takes it in again with what it held",
        show=True,
    ),
    _S(
        "form.null",
        "ctrl+n,alt+n",
        "null",
        "Null",
        "Sends null for this field, or its value again",
        show=True,
    ),
    _S("form.add", "insert,alt+a", "add", "Add", "Adds an item to this list, or an entry"),
    _S("form.remove", "ctrl+delete,alt+d", "remove", "Remove", "Removes this item or entry"),
    _S("form.move_up", "ctrl+up,alt+up", "shift(-1)", "Move up", "Moves this item up"),
    _S("form.move_down", "ctrl+down,alt+down", "shift(1)", "Move down", "Moves this item down"),
    _S("form.rename", "f2,alt+k", "rename", "Rename key", "Gives this entry another key"),
    _S(
        "form.part",
        "f9,alt+j",
        "part",
        "This as JSON",
        "Edits this field alone as JSON, or as fields again",
    ),
    _S(
        "form.text",
        "ctrl+y,alt+e",
        "text",
        "Several lines",
        "Opens a text field in an editor where Enter begins a new line",
    ),
    _S(
        "form.json",
        "ctrl+j",
        "toggle_json",
        "All as JSON",
        "Edits the whole value as JSON text, or as fields again; nothing is lost",
        show=True,
    ),
    _S("form.submit", "ctrl+s,alt+enter", "submit", "Submit", "Sends the form, right or wrong"),
    _S(
        "form.close",
        "escape",
        "close",
        "Close list",
        "Closes an open list or an editor",
    ),
)
