"""Every row of the fault table, in every place where it can happen: what the core does about it,
and what the interface shows."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import tests.faults
from tests.faults.table import FAULTS, SCREEN, WIRE, Check

SHARED = Path(__file__).parents[3] / "shared" / "robustness.md"

for _found in pkgutil.iter_modules(tests.faults.__path__):
    if _found.name.startswith("rows_"):
        importlib.import_module(f"tests.faults.{_found.name}")

CASES = [
    pytest.param(place, check, id=f"{number}-{place}-{kind}-{check.__name__}")
    for kind, table in (("wire", WIRE), ("screen", SCREEN))
    for (number, place), checks in sorted(table.items())
    for check in checks
]


@pytest.mark.parametrize(("place", "check"), CASES)
async def test_what_a_fault_does(place: str, check: Check, tmp_path: Path) -> None:
    await check(place, tmp_path)


def test_every_row_is_met_in_every_place() -> None:
    wanted = {(fault.number, place) for fault in FAULTS for place in fault.on}
    assert wanted - set(WIRE) == set()


def test_every_row_is_looked_at_on_the_screen() -> None:
    assert {fault.number for fault in FAULTS} - {number for number, _ in SCREEN} == set()


@pytest.mark.skipif(not SHARED.exists(), reason="the list of faults is not beside the checkout")
def test_no_fault_of_the_list_is_left_out() -> None:
    listed = re.findall(r"^\| (\d+) \| [^|]+ \| (\w+) \|", SHARED.read_text(), re.MULTILINE)
    listed = [(int(number), on.replace("all", "*")) for number, on in listed]
    beyond_the_tap = [(number, on.replace("T", "")) for number, on in listed if on != "T"]
    assert [(fault.number, fault.on) for fault in FAULTS] == beyond_the_tap
