"""Verdicts of the shape table in every revision, for tests that read like the specification."""

from inspector.protocol.messages import Json
from inspector.protocol.shape_check import ShapeChecker
from inspector.protocol.shapes import type_in
from inspector.protocol.versions import REVISIONS

_CHECKERS = {revision: ShapeChecker(revision) for revision in REVISIONS}


def valid_in(type_name: str, value: Json) -> str:
    """The letters A to E of the revisions that have the type and find `value` valid."""
    return "".join(
        letter
        for letter, revision in zip("ABCDE", REVISIONS, strict=True)
        if type_in(type_name, revision) and not _CHECKERS[revision].check(type_name, value)
    )
