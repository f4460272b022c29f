"""The one table of keys: complete, without clashes, and every action exists where it is bound."""

from collections import defaultdict

import pytest
from textual.binding import Binding

from inspector.tui.app import InspectorApp
from inspector.tui.bindings import BINDINGS, SCOPES, bindings_for
from inspector.tui.screens.dialogs import EditDialog, LineDialog
from inspector.tui.screens.help import TextScreen
from inspector.tui.screens.main import MainScreen
from inspector.tui.views.registry import VIEWS
from inspector.tui.widgets.body import BodyView
from inspector.tui.widgets.filter_box import FilterBox
from inspector.tui.widgets.lines import LineArea
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.traffic_detail import TrafficDetail
from inspector.tui.widgets.traffic_pane import TrafficPane

OWNERS: dict[str, tuple[type, ...]] = {
    "app": (InspectorApp,),
    "main": (MainScreen,),
    "lines": (LineArea,),
    "rows": (RowList,),
    "body": (BodyView,),
    "traffic": (TrafficPane,),
    "detail": (TrafficDetail,),
    "filter": (FilterBox,),
    "dialog": (LineDialog, EditDialog),
    "help": (TextScreen,),
}


def test_every_binding_is_described_and_has_a_known_scope() -> None:
    for spec in BINDINGS.values():
        assert spec.scope in SCOPES, spec.id
        assert spec.description, spec.id
        assert spec.tooltip, spec.id
        assert spec.keys, spec.id


@pytest.mark.parametrize("scope", OWNERS)
def test_every_action_exists_on_its_class(scope: str) -> None:
    for spec in BINDINGS.values():
        if spec.scope == scope:
            name = spec.action.partition("(")[0]
            for owner in OWNERS[scope]:
                assert hasattr(owner, f"action_{name}"), spec.id


def test_no_key_is_bound_twice_in_one_scope() -> None:
    keys: dict[tuple[str, str], list[str]] = defaultdict(list)
    for spec in BINDINGS.values():
        for key in spec.keys.split(","):
            keys[spec.scope, key].append(spec.id)
    assert {key: ids for key, ids in keys.items() if len(ids) > 1} == {}


def test_keys_that_work_everywhere_are_taken_nowhere_else() -> None:
    everywhere = {
        key: spec.id
        for spec in BINDINGS.values()
        if spec.priority and spec.scope in ("app", "main")
        for key in spec.keys.split(",")
    }
    taken = [
        (key, spec.id)
        for spec in BINDINGS.values()
        if spec.scope not in ("app", "main")
        for key in spec.keys.split(",")
        if key in everywhere
    ]
    assert taken == []


def test_textual_gets_id_description_and_tooltip() -> None:
    binding = bindings_for("app")[0]
    assert isinstance(binding, Binding)
    assert binding.id == "app.help"
    assert binding.tooltip


def test_escape_quits_nowhere() -> None:
    for spec in BINDINGS.values():
        if "escape" in spec.keys.split(","):
            assert "quit" not in spec.action


def test_the_numbers_that_show_tabs_are_those_of_the_tabs() -> None:
    numbers = {one.removeprefix("main.tab_") for one in BINDINGS if one.startswith("main.tab_")}
    assert numbers == {view.key for view in VIEWS}
