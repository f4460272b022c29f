"""The keys of the era matrix: rows of `inspector.tui.bindings`."""

from typing import Final

from inspector.tui.binding_spec import BindingSpec

_S = BindingSpec

MATRIX: Final = (
    _S(
        "matrix.start",
        "ctrl+r,ctrl+enter",
        "start",
        "Call",
        "Makes the call under every revision, one after the other",
        show=True,
    ),
    _S(
        "matrix.answers",
        "p",
        "next_answer",
        "Answers",
        "Changes what a question gets that the session's policies would put to you",
        show=True,
    ),
    _S(
        "matrix.skip",
        "ctrl+x",
        "skip",
        "Skip",
        "Gives up the revision that is running and goes on with the next",
        show=True,
        priority=True,
    ),
    _S("matrix.frames", "t", "frames", "Frames", "Shows the call's frames in the traffic pane"),
    _S("matrix.copy", "c", "copy_command", "Copy as command", "Copies the same as a command"),
    _S(
        "matrix.close",
        "escape",
        "close",
        "Stop / close",
        "Stops while it runs, keeping what is there; then closes",
        show=True,
    ),
)
