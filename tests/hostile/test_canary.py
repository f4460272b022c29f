"""No secret is in anything that a run leaves: what is printed, recorded, exported, copied, kept for
the next time, or drawn. The server repeats each wherever it may say anything, in every spelling;
with the masks off they are found in every place, so the look is not blind."""

import re
from pathlib import Path

import pytest

from tests.hostile.canary import leaks, spellings
from tests.hostile.canary_scene import SECRETS, run_all
from tests.hostile.canary_screens import visit

pytestmark = pytest.mark.timeout(300)
OWN_WORDS = ["password argument in outputs/stdio mirror stdout"]
"""What a call was given on the command line may be in its result: that was asked for."""
FAILED = {
    "stdio refuse": 1, "stdio fail": 1, "http refuse": 1, "http html": 4, "http text": 4,
    "http broken": 4, "http redirect": 3, "config refused": 2, "http lint": 1,
}  # fmt: skip


def test_no_secret_is_in_anything_that_a_command_leaves(tmp_path: Path) -> None:
    left = run_all(tmp_path)
    assert {name: code for name, code in left.codes.items() if code} == FAILED
    assert leaks(left.sinks, SECRETS) == OWN_WORDS
    told = [name for name, content in left.sinks.items() if b"[masked " in content]
    assert len(told) > 40


def test_with_the_masks_off_every_secret_is_found_and_in_every_kind_of_place(
    tmp_path: Path,
) -> None:
    runs = ("mirror", "fail", "ask", "info", "list json", "matrix")
    exports = (f"export mirror {form}" for form in ("json", "har", "html", "markdown"))
    more = ("http mirror", "http html", "http info", "config program", "config page")
    last = ("export http mirror curl", "export http mirror pytest", "export http mirror jsonl")
    only = frozenset((*(f"stdio {run}" for run in runs), *exports, *more, *last))
    left = run_all(tmp_path, masks=False, only=only)
    assert set(left.codes) == only
    found = leaks(left.sinks, SECRETS)
    assert {line.partition(" in ")[0] for line in found} == set(SECRETS)
    places = {line.rpartition(" in ")[2] for line in found}
    outputs = {place for place in places if place.startswith("outputs/")}
    assert {f"outputs/{name} stdout" for name in only - {"http html"}} <= outputs
    assert {"mirror.jsonl", "http html.jsonl", "outputs/stdio fail stderr"} <= places


@pytest.mark.parametrize("over", ["stdio", "http"])
def test_no_secret_is_on_any_screen_nor_in_what_is_copied_there(over: str, tmp_path: Path) -> None:
    left = visit(tmp_path / "home", over)
    assert leaks(left, SECRETS) == []
    assert left["terminal"].count(b"\x1b]52;c;") >= 5
    assert b"[masked " in left["terminal"]
    assert any(name.startswith("own/state/2") for name in left)


def test_with_the_masks_off_the_screens_are_full_of_secrets(tmp_path: Path) -> None:
    left = visit(tmp_path / "home", "stdio", masks=False)
    assert "environment in terminal" in leaks(left, SECRETS)


@pytest.mark.parametrize("kind", SECRETS)
def test_the_look_reads_every_spelling(kind: str) -> None:
    secret = SECRETS[kind]
    for text in (*spellings(secret).values(), f"\x1b[1m{secret[:4]}\x1b[0m{secret[4:]}"):
        assert leaks({"sink": text.encode()}, {kind: secret}) == [f"{kind} in sink"]
    assert leaks({"sink": b"[masked 1234] " * 9}, {kind: secret}) == []


def test_there_are_secrets_of_every_sort() -> None:
    assert len(SECRETS) >= 12
    assert any(
        one != other and one in other for one in SECRETS.values() for other in SECRETS.values()
    )
    assert any(len(secret) == 8 for secret in SECRETS.values())
    assert any(re.search(r"[\]\[.*+?\\(){}]", secret) for secret in SECRETS.values())
    assert any('"' in secret and "\\" in secret for secret in SECRETS.values())
    assert any(not secret.isascii() for secret in SECRETS.values())
