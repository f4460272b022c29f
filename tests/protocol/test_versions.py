"""The enumerated set of revisions."""

import pytest

from inspector.protocol.versions import (
    HANDSHAKE_REVISIONS,
    LATEST,
    LATEST_HANDSHAKE,
    REVISIONS,
    Era,
    Revision,
    parse_revision,
)


def test_revisions_sort_by_release_and_print_as_on_the_wire() -> None:
    assert sorted(REVISIONS) == list(REVISIONS)
    assert f"{Revision.V2025_03_26}" == "2025-03-26"
    assert Revision.V2024_11_05 < Revision.V2025_11_25


def test_only_the_newest_revision_is_of_the_modern_era() -> None:
    assert [revision for revision in REVISIONS if revision.era is Era.MODERN] == [LATEST]
    assert LATEST_HANDSHAKE is HANDSHAKE_REVISIONS[-1] is Revision.V2025_11_25


@pytest.mark.parametrize("text", ["2025-01-01", "", "draft", None, 20251125, ["2025-11-25"]])
def test_an_unknown_revision_is_no_revision(text: object) -> None:
    assert parse_revision(text) is None


def test_every_revision_is_found_by_its_text() -> None:
    assert [parse_revision(str(revision)) for revision in REVISIONS] == list(REVISIONS)
