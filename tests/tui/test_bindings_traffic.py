"""The keys of the traffic pane exist where they act."""

from inspector.tui.bindings_traffic import DETAIL, FILTER, TRAFFIC
from inspector.tui.widgets.filter_box import FilterBox
from inspector.tui.widgets.traffic_detail import TrafficDetail
from inspector.tui.widgets.traffic_pane import TrafficPane


def test_every_key_has_its_action() -> None:
    for table, scope, owner in (
        (TRAFFIC, "traffic", TrafficPane),
        (DETAIL, "detail", TrafficDetail),
        (FILTER, "filter", FilterBox),
    ):
        assert table
        for spec in table:
            assert spec.scope == scope
            assert hasattr(owner, f"action_{spec.action.partition('(')[0]}"), spec.id
