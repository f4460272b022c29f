"""The tabs: numbers, badges, and a module behind each."""

import pytest

from inspector.tui.views.base import View
from inspector.tui.views.registry import VIEWS, ViewSpec, load_views


def test_numbers_and_ids_are_unique_and_in_order() -> None:
    assert len({spec.id for spec in VIEWS}) == len(VIEWS)
    assert [spec.key for spec in VIEWS] == list("12345678")


@pytest.mark.parametrize("spec", VIEWS, ids=lambda spec: spec.id)
def test_there_is_a_view_behind_every_tab(spec: ViewSpec) -> None:
    view = spec.make()
    assert isinstance(view, View)
    assert view.id == f"view-{spec.id}"
    assert view.HELP


def test_every_view_is_loaded_in_the_background_the_first_one_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded: list[str] = []

    def load(name: str) -> None:
        loaded.append(name)
        if name.endswith("prompts"):
            raise ImportError("its tab will say so")

    monkeypatch.setattr("inspector.tui.views.registry.import_module", load)
    load_views().join(30)
    assert loaded[0] == "inspector.tui.views.tools"
    assert {name.rpartition(".")[2] for name in loaded} == {spec.id for spec in VIEWS}
