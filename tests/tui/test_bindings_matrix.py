"""The keys of the era matrix exist where they act."""

from inspector.tui.bindings import BINDINGS
from inspector.tui.bindings_matrix import MATRIX
from inspector.tui.screens.matrix import MatrixScreen
from inspector.tui.views.prompts import PromptsView
from inspector.tui.views.resources import ResourcesView
from inspector.tui.views.tools import ToolsView


def test_every_key_of_the_matrix_has_its_action() -> None:
    for spec in MATRIX:
        assert spec.scope == "matrix"
        assert hasattr(MatrixScreen, f"action_{spec.action}"), spec.id


def test_one_key_leads_there_from_tools_prompts_and_resources() -> None:
    keys = {BINDINGS[f"{scope}.matrix"].keys for scope in ("tools", "prompts", "resources")}
    assert len(keys) == 1
    for view in (ToolsView, PromptsView, ResourcesView):
        assert hasattr(view, "action_matrix")
