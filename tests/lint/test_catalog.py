"""All rules in one table."""

import importlib
import pkgutil
import re

import pytest

import tests.lint
from inspector.lint.catalog import RULES
from tests.lint.bench import Case

AREAS = [
    name
    for _, name, _ in pkgutil.iter_modules(tests.lint.__path__)
    if name.startswith("test_") and name != "test_catalog"
]


def _cases() -> list[Case]:
    modules = [importlib.import_module(f"tests.lint.{name}") for name in AREAS]
    held = [case for module in modules for case in getattr(module, "CASES", ())]
    return [case for case in held if isinstance(case, Case)]


def test_every_rule_is_tried_with_two_recordings() -> None:
    assert {case.rule for case in _cases()} == set(RULES)


@pytest.mark.parametrize("row", RULES.values(), ids=lambda row: row.id)
def test_every_rule_has_a_title_a_page_and_a_revision(row: object) -> None:
    held = RULES[getattr(row, "id", "")]
    assert re.fullmatch(r"[a-z]+/[a-z0-9]+(-[a-z0-9]+)*", held.id)
    assert held.title
    assert not held.title.endswith(".")
    assert held.page
    assert held.severities
