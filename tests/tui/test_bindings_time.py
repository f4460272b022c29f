"""The keys of time clash with none of the main screen."""

from inspector.tui.bindings import BINDINGS
from inspector.tui.bindings_time import TIME


def test_the_keys_of_time_are_free_on_the_main_screen() -> None:
    ours = {spec.id for spec in TIME}
    others = {
        key
        for spec in BINDINGS.values()
        if spec.scope in ("app", "main") and spec.id not in ours
        for key in spec.keys.split(",")
    }
    assert not others & {key for spec in TIME for key in spec.keys.split(",")}
    assert ours <= set(BINDINGS)
