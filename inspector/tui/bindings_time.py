"""The keys of the past, which do nothing now: rows of `inspector.tui.bindings`."""

from typing import Final

from inspector.tui.binding_spec import BindingSpec

_S = BindingSpec

TIME: Final = (
    _S(
        "main.step_back",
        "alt+left,ctrl+left",
        "step_time(-1)",
        "Earlier",
        "In the past and in a recording: everything as of one entry before",
        show=True,
    ),
    _S(
        "main.step_on",
        "alt+right,ctrl+right",
        "step_time(1)",
        "Later",
        "In the past and in a recording: everything as of one entry later",
        show=True,
    ),
    _S("main.now", "escape", "now", "Now", "From the past to now, or to the end", show=True),
)
