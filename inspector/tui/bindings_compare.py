"""The keys of comparing recordings: rows of `inspector.tui.bindings`."""

from typing import Final

from inspector.tui.binding_spec import BindingSpec

_S = BindingSpec

COMPARE_MAIN: Final = (
    _S(
        "main.compare",
        "alt+d,ctrl+e",
        "compare",
        "Compare recordings",
        "Compares this session, or recording, with another recording",
    ),
)

COMPARE: Final = (
    _S(
        "compare.open",
        "enter",
        "open_entry",
        "In traffic",
        "Leaves, and shows the call in the traffic pane",
        show=True,
    ),
    _S("compare.copy", "y", "copy", "Copy", "Copies all differences as text", show=True),
    _S("compare.other", "o", "other", "Other file", "Compares with another recording", show=True),
    _S("compare.close", "escape,q", "close", "Close", "Leaves; what still runs stops", show=True),
)
