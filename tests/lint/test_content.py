"""The rules of content."""

from pathlib import Path

import pytest

from inspector.protocol.messages import Json, JsonObject
from tests.lint.bench import Case, Step, ask, check, ok


def called(block: Json) -> list[Step]:
    return [ask(1, "tools/call", name="a"), ok(1, content=[block])]


def text(**notes: Json) -> Json:
    return {"type": "text", "text": "x", "annotations": notes}


PICTURE: JsonObject = {"type": "image", "data": "AAAA", "mimeType": "image/png"}

CASES = (
    Case("content/base64", "D", called({**PICTURE, "data": "not base64!"}), called(PICTURE)),
    Case(
        "content/base64",
        "D",
        [ask(1, "resources/read", uri="a:b"), ok(1, contents=[{"uri": "a:b", "blob": "AAA"}])],
        [ask(1, "resources/read", uri="a:b"), ok(1, contents=[{"uri": "a:b", "blob": "AAA="}])],
        name="-blob",
    ),
    Case("content/mime-missing", "D", called({"type": "image", "data": "AAAA"}), called(PICTURE)),
    Case("content/unknown-type", "D", called({"type": "video", "data": "AAAA"}), called(PICTURE)),
    Case(
        "content/unknown-type",
        "A",
        called({"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}),
        called(PICTURE),
    ),
    Case("content/audience-priority", "D", called(text(priority=2)), called(text(priority=1))),
    Case(
        "content/audience-priority",
        "D",
        called(text(audience=["model"])),
        called(text(audience=["user"])),
        name="-audience",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)
